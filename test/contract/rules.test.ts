import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { factsOf } from '../../src/contract/field-facts.ts';
import { fieldsOf, isOpenPath } from '../../src/contract/fields.ts';
import { contactTypes } from '../../src/contract/kinds/companies.ts';
import { entityTypes, permissions, stages } from '../../src/contract/kinds/deals.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';

const company = { name: 'Harbor Bakery', contactTypes: ['Merchant'] };
const deal = { amountRequested: 1, company: { name: 'Harbor Bakery' }, owner1: { lastName: 'Moreno' } };
const note = { dealId: 'deal_1', status: 'Open', note: 'Hello' };

/** The paths at which a body breaks a rule of its kind. */
function faults(kind: Parameters<typeof recordKind>[0], body: object): string[] {
  const parsed = recordKind(kind).body.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
}

describe('the documented rules of a deal (2.1)', () => {
  it('want an amount of at least 0', () => {
    expect(faults('deals', { ...deal, amountRequested: 0 })).toEqual([]);
    expect(faults('deals', { ...deal, amountRequested: -0.01 })).toEqual(['amountRequested']);
    expect(faults('deals', { company: deal.company, owner1: deal.owner1 })).toEqual(['amountRequested']);
  });

  it('want a company and a first owner with something in them, and nothing else', () => {
    expect(faults('deals', { ...deal, company: {} })).toEqual(['company']);
    expect(faults('deals', { amountRequested: 1 })).toEqual(['company', 'owner1']);
    expect(faults('deals', { ...deal, company: { id: 'cmp_1' }, owner1: { title: 'President' } })).toEqual([]);
  });

  it('know the stages, entity types and permissions, each in its spelling', () => {
    for (const stage of stages) expect(faults('deals', { ...deal, stage })).toEqual([]);
    for (const entityType of entityTypes) expect(faults('deals', { ...deal, entityType })).toEqual([]);
    for (const permission of permissions) expect(faults('deals', { ...deal, permission })).toEqual([]);
    expect(faults('deals', { ...deal, stage: 'lead', entityType: 'Llc', permission: 'Nobody' })).toEqual([
      'stage',
      'entityType',
      'permission',
    ]);
  });

  it('allow 250 characters for the use of proceeds', () => {
    expect(faults('deals', { ...deal, useOfProceeds: 'x'.repeat(250) })).toEqual([]);
    expect(faults('deals', { ...deal, useOfProceeds: 'x'.repeat(251) })).toEqual(['useOfProceeds']);
  });

  it('leave the website of a nested company without a limit (8 names Add and Update a company alone)', () => {
    expect(faults('deals', { ...deal, company: { name: 'a', website: 'x'.repeat(101) } })).toEqual([]);
  });
});

describe.each(['companies', 'company-updates'] as const)('the documented rules of %s (2.4, 4.8)', (kind) => {
  it('know the six contact types, one in its odd spelling', () => {
    for (const type of contactTypes) expect(faults(kind, { ...company, contactTypes: [type] })).toEqual([]);
    expect(contactTypes).toContain('Procedssor');
    expect(faults(kind, { ...company, contactTypes: ['Processor'] })).toEqual(['contactTypes.0']);
    expect(faults(kind, { ...company, contactTypes: [] })).toEqual(['contactTypes']);
  });

  it('allow 100 characters for the website', () => {
    expect(faults(kind, { ...company, website: 'x'.repeat(100) })).toEqual([]);
    expect(faults(kind, { ...company, website: 'x'.repeat(101) })).toEqual(['website']);
  });

  it('keep the Funder fields for Funders, beside any other fault', () => {
    const funder = { submissionEmail: 'a@b.example', defaultReceivableCommission: 10 };
    expect(faults(kind, { ...company, ...funder })).toEqual(['submissionEmail', 'defaultReceivableCommission']);
    expect(faults(kind, { ...company, contactTypes: ['Merchant', 'Funder'], ...funder })).toEqual([]);
    expect(faults(kind, { ...company, ...funder, website: 'x'.repeat(101) })).toEqual([
      'website',
      'submissionEmail',
      'defaultReceivableCommission',
    ]);
  });

  it('take one submission address or a comma-separated list', () => {
    const funder = { name: 'Northgate', contactTypes: ['Funder'] };
    for (const submissionEmail of ['a@b.example', 'a@b.example,c@d.example', 'a@b.example, c@d.example'])
      expect(faults(kind, { ...funder, submissionEmail })).toEqual([]);
    for (const submissionEmail of ['a', 'a@b.example;c@d.example', 'a@b.example,'])
      expect(faults(kind, { ...funder, submissionEmail })).toEqual(['submissionEmail']);
  });
});

describe('the rules of an update (4.8)', () => {
  it('make every field optional, and leave the Funder rule to the service when the types are not sent', () => {
    expect(faults('company-updates', {})).toEqual([]);
    expect(faults('company-updates', { submissionEmail: 'a@b.example' })).toEqual([]);
  });

  it('let every field be emptied but the two that a company must have', () => {
    expect(faults('company-updates', { dba: null, phones: null, note: null, ein: null })).toEqual([]);
    expect(faults('company-updates', { name: null, contactTypes: null })).toEqual(['name', 'contactTypes']);
    expect(faults('companies', { ...company, dba: null })).toEqual(['dba']);
  });
});

describe('the documented rules of a note (2.5)', () => {
  it('want fewer than 1000 characters', () => {
    expect(faults('notes', { ...note, note: 'x'.repeat(999) })).toEqual([]);
    expect(faults('notes', { ...note, note: 'x'.repeat(1000) })).toEqual(['note']);
  });

  it('want all three fields', () => {
    expect(faults('notes', {})).toEqual(['dealId', 'status', 'note']);
    expect(faults('notes', { dealId: '', status: '', note: '' })).toEqual(['dealId', 'status', 'note']);
  });
});

describe('what the service does not document', () => {
  it('requires nothing', () => {
    for (const kind of ['leads', 'submissions', 'submission-loans', 'transactions'] as const)
      expect(faults(kind, {})).toEqual([]);
  });

  it('is said to be assumed, field by field', () => {
    for (const kind of ['submissions', 'submission-loans', 'transactions'] as const) {
      for (const field of fieldsOf(recordKind(kind))) expect(field.facts.source, field.path).toBe('assumed');
    }
    const assumed = fieldsOf(recordKind('deals')).filter(
      ({ facts, place }) => facts.source === 'assumed' && place === 'body',
    );
    expect(new Set(assumed.map(({ path }) => path.replace(/^.*?(addresses|phones|emails|bank).*$/, '$1')))).toEqual(
      new Set(['addresses', 'phones', 'emails', 'bank']),
    );
  });

  it('takes further fields by their paths, and only there', () => {
    expect(isOpenPath(recordKind('deals'), ['bank', 'largestDeposit'])).toBe(true);
    expect(isOpenPath(recordKind('deals'), ['company', 'phones', 0, 'extension'])).toBe(true);
    expect(isOpenPath(recordKind('transactions'), ['anything'])).toBe(true);
    expect(isOpenPath(recordKind('transactions'), ['constructor', 'name'])).toBe(true);
    expect(isOpenPath(recordKind('deals'), ['anything'])).toBe(false);
    expect(isOpenPath(recordKind('deals'), ['company', 'anything'])).toBe(false);
  });
});

describe.each(recordKinds.map((kind) => [kind.name, kind] as const))('the fields of %s', (_name, kind) => {
  it('have headers that name one field each', () => {
    const owners = new Map<string, string>();
    for (const field of fieldsOf(kind)) {
      for (const header of new Set(field.headers.map((words) => words.toLowerCase().replace(/[^a-z0-9]/g, '')))) {
        expect(owners.get(header), `${header} names ${field.path} as well`).toBeUndefined();
        owners.set(header, field.path);
      }
    }
  });

  it('have a label and an example each', () => {
    for (const { label, facts } of fieldsOf(kind)) {
      expect(label).not.toBe('');
      expect(facts.example).not.toBe('');
    }
  });
});

it('the facts of fields are known of every schema that a kind is made of', () => {
  const without = recordKinds.flatMap(({ name, body }) =>
    Object.entries(body.shape).flatMap(([path, schema]) =>
      factsOf(schema as z.core.$ZodType) === undefined ? [`${name}.${path}`] : [],
    ),
  );
  expect(without).toEqual([]);
});

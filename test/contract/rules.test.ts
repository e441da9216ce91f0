import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { factsOf } from '../../src/contract/field-facts.ts';
import { fieldsOf, isOpenPath } from '../../src/contract/fields.ts';
import { contactTypes } from '../../src/contract/kinds/companies.ts';
import { entityTypes, permissions, stages } from '../../src/contract/kinds/deals.ts';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';

const company = { name: 'Harbor Bakery', contactTypes: ['Merchant'] };
const deal = { amountRequested: 1, company: { name: 'Harbor Bakery' }, owner1: { lastName: 'Moreno' } };
const note = { dealId: 'deal_1', status: 'Open', note: 'Hello' };

const x = (length: number): string => 'x'.repeat(length);
const funder = { submissionEmail: 'a@b.example', defaultReceivableCommission: 10 };
const isFunder = { contactTypes: ['Merchant', 'Funder'] };

/** A body of a kind, what is changed in it, and the paths at which it then breaks a rule of its kind. */
type Ruled = [kind: RecordKindName, body: object, changes: object, faults: readonly string[]];
const ofCompanies = (['companies', 'company-updates'] as const).flatMap((kind): Ruled[] => [
  ...contactTypes.map((type): Ruled => [kind, company, { contactTypes: [type] }, []]),
  [kind, company, { contactTypes: ['Processor'] }, ['contactTypes.0']],
  [kind, company, { contactTypes: [] }, ['contactTypes']],
  [kind, company, { website: x(100) }, []],
  [kind, company, { website: x(101) }, ['website']],
  [kind, company, funder, ['submissionEmail', 'defaultReceivableCommission']],
  [kind, company, { ...funder, ...isFunder }, []],
  [kind, company, { ...funder, website: x(101) }, ['website', 'submissionEmail', 'defaultReceivableCommission']],
  ...['a@b.example', 'a@b.example,c@d.example', 'a@b.example, c@d.example'].map(
    (submissionEmail): Ruled => [kind, company, { ...isFunder, submissionEmail }, []],
  ),
  ...['a', 'a@b.example;c@d.example', 'a@b.example,'].map(
    (submissionEmail): Ruled => [kind, company, { ...isFunder, submissionEmail }, ['submissionEmail']],
  ),
]);
it.each<Ruled>([
  ['deals', deal, { amountRequested: 0 }, []],
  ['deals', deal, { amountRequested: -0.01 }, ['amountRequested']],
  ['deals', deal, { amountRequested: undefined }, ['amountRequested']],
  ['deals', deal, { company: {} }, ['company']],
  ['deals', { amountRequested: 1 }, {}, ['company', 'owner1']],
  ['deals', deal, { company: { id: 'cmp_1' }, owner1: { title: 'President' } }, []],
  ...stages.map((stage): Ruled => ['deals', deal, { stage }, []]),
  ...entityTypes.map((entityType): Ruled => ['deals', deal, { entityType }, []]),
  ...permissions.map((permission): Ruled => ['deals', deal, { permission }, []]),
  ['deals', deal, { stage: 'lead', entityType: 'Llc' }, ['stage', 'entityType']],
  ['deals', deal, { permission: 'Nobody' }, ['permission']],
  ['deals', deal, { useOfProceeds: x(250) }, []],
  ['deals', deal, { useOfProceeds: x(251) }, ['useOfProceeds']],
  // 8 limits the website where a company is added or updated, and not within a deal.
  ['deals', deal, { company: { name: 'a', website: x(101) } }, []],
  ...ofCompanies,
  ['companies', company, { dba: null }, ['dba']],
  ['company-updates', {}, {}, []],
  // The service knows the types that are not sent.
  ['company-updates', {}, { submissionEmail: 'a@b.example' }, []],
  ['company-updates', {}, { dba: null, phones: null, note: null, ein: null }, []],
  ['company-updates', {}, { name: null, contactTypes: null }, ['name', 'contactTypes']],
  ['notes', note, { note: x(999) }, []],
  ['notes', note, { note: x(1000) }, ['note']],
  ['notes', {}, {}, ['dealId', 'status', 'note']],
  ['notes', note, { dealId: '', status: '', note: '' }, ['dealId', 'status', 'note']],
  ...(['leads', 'submissions', 'submission-loans', 'transactions'] as const).map((kind): Ruled => [kind, {}, {}, []]),
])('the documented rules of %s: %j with %j breaks %j', (kind, body, changes, faults) => {
  const { error } = recordKind(kind).body.safeParse({ ...body, ...changes });
  expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(faults);
});

describe('what the service does not document', () => {
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

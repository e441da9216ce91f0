/** What a row says: the same however it is written and however it names its parents. */
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Body } from '../../src/mapping/body.ts';
import { findingOf } from '../../src/messages/finding.ts';
import { valueMessage } from '../../src/messages/values.ts';
import { sayingOf } from '../../src/staging/row-says.ts';
import type { JudgedRow } from '../../src/staging/staged-row.ts';

function row(name: RecordKindName, body: Body, more: Partial<JudgedRow> = {}): JudgedRow {
  const kind = recordKind(name);
  const unnamed = { ref: null, references: [], pathId: null, problems: [], clears: 0, aside: null, file: null };
  return { kind, sheet: 'Sheet', row: 2, body, ...unnamed, isValid: true, ...more };
}

function byRef(name: RecordKindName, column: string, ref: string): Pick<JudgedRow, 'references'> {
  const reference = recordKind(name).references.find((one) => one.column === column);
  if (reference === undefined) throw new Error(`no column ${column}`);
  return { references: [{ reference, ref, column: 0 }] };
}

const phone = (number: string) => ({ company: { phones: [{ number }] } });
const saysOf = (one: JudgedRow) => sayingOf(one.kind)(one).says;

describe('what a row says', () => {
  it('is the same whether it names its parent by Ref or by id', () => {
    const say = sayingOf(recordKind('transactions'));
    const byId = say(row('transactions', { dealId: 'deal_1', amount: 5 }));
    const named = say(row('transactions', { amount: 5 }, byRef('transactions', 'dealRef', 'D-1')));
    expect(named.says.said).toBe(byId.says.said);
    expect(byId.parents).toEqual([{ kind: 'deals', fills: 'dealId', ref: null, id: 'deal_1' }]);
    expect(named.parents).toEqual([{ kind: 'deals', fills: 'dealId', ref: 'D-1', id: null }]);
  });

  it('holds nothing of a company that is named by its id alone', () => {
    const byId = saysOf(row('deals', { amountRequested: 5, company: { id: 'comp_1' } }));
    const named = saysOf(row('deals', { amountRequested: 5 }, byRef('deals', 'companyRef', 'C-1')));
    expect(named.said).toBe(byId.said);
  });

  it('leaves the body as it was', () => {
    const one = row('deals', { company: { id: 'comp_1', name: 'Acme' } });
    saysOf(one);
    expect(one.body).toEqual({ company: { id: 'comp_1', name: 'Acme' } });
  });

  it('tells an attachment by the bytes of its file', () => {
    const [today, yesterday, moved] = [
      ['a.pdf', 'of today'],
      ['a.pdf', 'of yesterday'],
      ['old/b.pdf', 'of today'],
    ].map(([name = '', digest = '']) =>
      saysOf(row('attachments', { dealId: 'deal_1', file: name }, { file: { name, size: 1, digest } })),
    );
    expect(today?.said).not.toBe(yesterday?.said);
    expect(today?.said).toBe(moved?.said);
  });

  it.each<[what: string, one: Body, other: Body]>([
    ['the dash of an EIN', { company: { ein: '123456789' } }, { company: { ein: '12-3456789' } }],
    ['the marks of a phone', phone('518-555-0140'), phone('(518) 555-0140')],
    ['what the service takes a blank for', {}, { stage: 'Lead' }],
  ])('counts for nothing %s', (_, one, other) => {
    expect(saysOf(row('deals', one)).said).toBe(saysOf(row('deals', other)).said);
  });

  it('is what its results show, once these hide something', () => {
    const whole = saysOf(row('deals', { amountRequested: 5, owner1: { lastName: 'Roe', ssn: '123-45-6789' } }));
    const problems = [findingOf('error', valueMessage('masked'))];
    const masked = saysOf(row('deals', { amountRequested: 5, owner1: { lastName: 'Roe' } }, { problems }));
    expect(masked.said).toBe(whole.shown);
    expect(whole.said).not.toBe(masked.said);
    expect(masked.shown).toBeNull();
  });

  it('is what its results show, also where they hide all of a group', () => {
    const applicant = [{ ssn: '123-45-6789' }, { dob: '1980-04-17' }];
    const whole = saysOf(row('leads', { applicant, name: 'Dee' } as Body));
    expect(whole.shown).toBe(saysOf(row('leads', { name: 'Dee' } as Body)).said);
  });
});

describe('the values that identify a row', () => {
  const payment = { dealId: 'deal_1', date: '2026-11-01', amount: 5 };

  it.each([
    [
      'a payment by date and reference',
      row('transactions', { ...payment, reference: 'ACH-1' }),
      0,
      ['["20261101","ach1"]', '["20261101"]'],
    ],
    ['without a reference by its date', row('transactions', payment), 0, [null, '["20261101"]']],
    [
      'a reference that has lost its zeros by the same',
      row('transactions', { ...payment, reference: '007' }),
      0,
      ['["20261101","7"]', '["20261101"]'],
    ],
    ['a company by its EIN', row('companies', { name: 'A.C. Me', ein: '12-3456789' }), 0, ['["123456789"]']],
    ['and by its name', row('companies', { name: 'A.C. Me', ein: '12-3456789' }), 1, ['["acme"]']],
    ['a submission by what it belongs to', row('submissions', { dealId: 'deal_1', companyId: 'comp_1' }), 0, ['[]']],
    ['a row with a Ref by the same', row('companies', { name: 'Acme' }, { ref: 'C-1' }), 1, ['["acme"]']],
    ['a deal of which nothing tells which one it is by nothing', row('deals', { amountRequested: 5 }), 1, [null, null]],
  ])('are of %s', (_, one, chain, identifies) => {
    expect(saysOf(one).identifies[chain]).toEqual(identifies);
  });
});

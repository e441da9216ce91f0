/** What a row says: the same however it is written and however it names its parents. */
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Body } from '../../src/mapping/body.ts';
import { findingOf } from '../../src/messages/finding.ts';
import { messageOf } from '../../src/messages/text.ts';
import { fieldValues, contentOf as readContent } from '../../src/staging/row-content.ts';
import type { RowData } from '../../src/staging/staged-row.ts';
import { rowData } from '../builders/staged-rows.ts';

function byRef(name: RecordKindName, column: string, ref: string): Pick<RowData, 'references'> {
  const reference = recordKind(name).references.find((one) => one.column === column);
  if (reference === undefined) throw new Error(`no column ${column}`);
  return { references: [{ reference, ref, column: 0 }] };
}

const phone = (number: string) => ({ company: { phones: [{ number }] } });
const contentOf = (one: RowData) => readContent(one).content;
const digestOf = (one: RowData) => contentOf(one).digest;
const problems = [findingOf('error', messageOf('masked'))];

describe('what a row content', () => {
  it('is the same whether it names its parent by Ref or by id', () => {
    const byId = readContent(rowData('transactions', { dealId: 'deal_1', amount: 5 }));
    const named = readContent(rowData('transactions', { amount: 5 }, byRef('transactions', 'dealRef', 'D-1')));
    expect(named.content.digest).toBe(byId.content.digest);
    expect(byId.parents).toEqual([{ kind: 'deals', fills: 'dealId', ref: null, id: 'deal_1' }]);
    expect(named.parents).toEqual([{ kind: 'deals', fills: 'dealId', ref: 'D-1', id: null }]);
  });

  it('holds nothing of a company that is named by its id alone', () => {
    const byId = digestOf(rowData('deals', { amountRequested: 5, company: { id: 'comp_1' } }));
    expect(digestOf(rowData('deals', { amountRequested: 5 }, byRef('deals', 'companyRef', 'C-1')))).toBe(byId);
  });

  it('leaves the body as it was', () => {
    const body = { company: { id: 'comp_1', name: 'Acme' }, stage: 'Lead', amountRequested: 5 };
    const before = JSON.stringify(body);
    contentOf(rowData('deals', body));
    expect(JSON.stringify(body)).toBe(before);
  });

  it('tells an attachment by the bytes of its file', () => {
    const contentWith = (name: string, digest: string) =>
      digestOf(rowData('attachments', { dealId: 'deal_1', file: name }, { file: { name, size: 1, digest } }));
    expect(contentWith('a.pdf', 'of today')).not.toBe(contentWith('a.pdf', 'of yesterday'));
    expect(contentWith('a.pdf', 'of today')).toBe(contentWith('old/b.pdf', 'of today'));
  });

  it.each<[what: string, one: Body, other: Body]>([
    ['the form of a letter', { company: { name: 'Pe\u00f1a' } }, { company: { name: 'Pen\u0303a' } }],
    ['the form of a blank', { company: { name: 'Harbor\u00a0Mill' } }, { company: { name: 'Harbor Mill' } }],
    ['the dash of an EIN', { company: { ein: '123456789' } }, { company: { ein: '12-3456789' } }],
    ['the dashes of an SSN', { owner1: { ssn: '219-09-9999' } }, { owner1: { ssn: '219099999' } }],
    ['the marks of a phone', phone('518-555-0140'), phone('+1 (518) 555-0140')],
    ['the case of letters in a phone', phone('1-800-FLOWERS'), phone('(800) flowers')],
    ['what the service takes a blank for', {}, { stage: 'Lead' }],
    ['the order of columns', { bank: { a: 1, b: 2 }, tags: ['a'] }, { tags: ['a'], bank: { b: 2, a: 1 } }],
  ])('counts for nothing %s', (_, one, other) => {
    expect(digestOf(rowData('deals', one))).toBe(digestOf(rowData('deals', other)));
  });

  it.each<[what: string, one: Body, other: Body]>([
    ['amount', { amountRequested: 100 }, { amountRequested: 101 }],
    ['name', { company: { name: 'Harbor' } }, { company: { name: 'Harbour' } }],
    ['digit of an SSN', { owner1: { ssn: '219-09-9999' } }, { owner1: { ssn: '219-09-9998' } }],
    ['value than a blank stands for', {}, { stage: 'Application' }],
    ['word for a phone', phone('see notes'), phone('1-800-FLOWERS')],
    ['letter in a phone (P9)', phone('1-800-FLOWERS'), phone('1-800-FLORIST')],
  ])('is another with another %s', (_, one, other) => {
    expect(digestOf(rowData('deals', one))).not.toBe(digestOf(rowData('deals', other)));
  });

  it('P9: tells what a program makes of a reference, and of no code', () => {
    const [whole, lost] = ['002', '2'].map((reference) => contentOf(rowData('transactions', { reference })));
    expect(whole?.digest).not.toBe(lost?.digest);
    expect([whole?.looseDigest, lost?.looseDigest]).toEqual([lost?.digest, null]);
    expect(contentOf(rowData('deals', { company: { industry: '0722' } })).looseDigest).toBeNull();
  });

  it('is what its results show, once these hide something', () => {
    const whole = contentOf(rowData('deals', { amountRequested: 5, owner1: { lastName: 'Roe', ssn: '123-45-6789' } }));
    const masked = contentOf(rowData('deals', { amountRequested: 5, owner1: { lastName: 'Roe' } }, { problems }));
    expect(masked.digest).toBe(whole.maskedDigest);
    expect(whole.digest).not.toBe(masked.digest);
    expect(masked.maskedDigest).toBeNull();
    // They may hide all of a group.
    const applicant = [{ ssn: '123-45-6789' }, { dob: '1980-04-17' }];
    const lead = contentOf(rowData('leads', { applicant, name: 'Dee' } as Body));
    expect(lead.maskedDigest).toBe(contentOf(rowData('leads', { name: 'Dee' } as Body)).digest);
  });
});

describe('P9: a cell that could not be read', () => {
  const unread = (...cells: RowData['unread']): Partial<RowData> => ({ isValid: false, unread: cells });
  const deal = (more: Partial<RowData>) => rowData('deals', { company: { name: 'Zap' }, amountRequested: 5 }, more);

  it.each([
    ['in an amount', ['amountRequested', '50k'], ['amountRequested', '90k']],
    ['in what a blank stands for', ['stage', 'Soon'], ['stage', 'Later']],
    ['in the id of a parent', ['company.id', '1E+15'], ['company.id', '2E+15']],
    ['in the Ref of a parent', ['companyRef', '1E+15'], ['companyRef', '2E+15']],
    ['in an SSN', ['owner1.ssn', '219-09-99'], ['owner1.ssn', '219-09-88']],
  ] as const)('tells two rows apart: %s', (_, one, other) => {
    expect(new Set([deal({}), deal(unread(one)), deal(unread(other))].map(digestOf)).size).toBe(3);
  });

  it('says the same wherever its column is, and not what a value of the same text says', () => {
    const [amount, ein] = [['amountRequested', '50k'] as const, ['company.ein', '1E+9'] as const];
    expect(digestOf(deal(unread(amount, ein)))).toBe(digestOf(deal(unread(ein, amount))));
    const value = digestOf(rowData('deals', { company: { name: 'Zap', website: 'none' } }));
    expect(digestOf(rowData('deals', { company: { name: 'Zap' } }, unread(['company.website', 'none'])))).not.toBe(
      value,
    );
  });

  it('is masked where its field is sensitive', () => {
    const masked = digestOf(deal({ ...unread(['stage', 'Soon']), problems }));
    const whole = contentOf(deal(unread(['stage', 'Soon'], ['owner1.dob', '05/01/1980'])));
    expect(whole.maskedDigest).toBe(masked);
    expect(digestOf(deal({ ...unread(['stage', 'Soon'], ['owner1.dob', '05/01/1980']), problems }))).toBe(masked);
  });

  it('is among the fields that changed, unless it is sensitive', () => {
    const fields = fieldValues(deal(unread(['stage', 'Soon'], ['owner1.ssn', '219-09-99'])));
    expect(fields).toContainEqual(['stage', '{"unread":"Soon"}']);
    expect(fields.map(([path]) => path)).toEqual(['company.name', 'amountRequested', 'stage']);
  });
});

describe('the values that identify a row', () => {
  const payment = { dealId: 'deal_1', date: '2026-11-01', amount: 5 };
  const day = '["20261101"]';

  it.each([
    ['date and reference', 'transactions', { ...payment, reference: 'ACH-1' }, 0, ['["20261101","ach1"]', day]],
    ['its date alone', 'transactions', payment, 0, [null, day]],
    ['a reference without its zeros', 'transactions', { ...payment, reference: '007' }, 0, ['["20261101","7"]', day]],
    ['its EIN', 'companies', { name: 'A.C. Me', ein: '12-3456789' }, 0, ['["123456789"]']],
    ['its name', 'companies', { name: 'A.C. Me', ein: '12-3456789' }, 1, ['["acme"]']],
    ['what it belongs to', 'submissions', { dealId: 'deal_1', companyId: 'comp_1' }, 0, ['[]']],
    ['nothing', 'deals', { amountRequested: 5 }, 1, [null, null]],
  ] as const)('know it by %s: one of %s', (_, kind, body, chain, identifies) => {
    expect(contentOf(rowData(kind, body)).identifies[chain]).toEqual(identifies);
    expect(contentOf(rowData(kind, body, { ref: 'X-1' })).identifies[chain]).toEqual(identifies);
  });
});

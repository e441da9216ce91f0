import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { errorsOf, readRow } from './rows.ts';

type Row = Readonly<Record<string, string>>;

/** What is said of the blanks of one row, as `severity: label`. */
function saidOf(kind: RecordKindName, row: Row, settings: object = {}): readonly string[] {
  const cells = Object.fromEntries(Object.entries(row).map(([header, cell]) => [header, cell === '' ? null : cell]));
  const { problems } = readRow(kind, cells, { contract: contractSettingsSchema.parse(settings) });
  return problems.map(({ severity, label }) => `${severity}: ${label}`);
}

const payment = { 'Deal ref': 'D-1', Date: '2026-06-30', Amount: '100' };
const loan = { 'Submission ref': 'S-1', 'Deal ref': 'D-1', Amount: '100' };

describe('a row without what it is assumed to need', () => {
  it.each([
    ['transactions', payment, []],
    ['transactions', { ...payment, 'Deal ref': '' }, ['error: Deal id']],
    ['transactions', { ...payment, Date: '' }, ['error: Date']],
    ['transactions', { ...payment, Amount: '', Date: '' }, ['error: Date', 'error: Amount']],
    ['transactions', { Type: 'Payment' }, ['error: Deal id', 'error: Date', 'error: Amount']],
    ['transactions', { ...payment, Amount: 'much' }, ['error: Amount']],
    ['submission-loans', { ...loan, Amount: '' }, ['error: Amount']],
    ['submission-loans', { ...loan, 'Deal ref': '' }, []],
    ['submission-loans', { ...loan, 'Deal ref': '', 'Submission ref': '' }, ['error: Submission id']],
    ['submissions', { 'Deal id': '', Status: 'Open' }, ['error: Deal id']],
    ['notes', { 'Deal id': '', Status: 'Open', Note: 'Hello' }, ['error: Deal id']],
    ['attachments', { 'Deal id': '', File: 'a.pdf' }, ['error: Deal id']],
    ['leads', { DBA: '', Amount: '5', Permission: 'Everyone', Tags: 'June' }, ['error: Company name']],
    ['leads', { Amount: '5', '{trade_name}': 'Harbor' }, []],
    ['leads', { Amount: '5', 'Owner first name': 'Ada', 'Owner last name': 'Roe' }, []],
  ] as const)('is an error: %s %j', (kind, row, said) => {
    expect(saidOf(kind, row)).toEqual(said);
  });

  it('may be no record: text in one cell and nothing else, which the first fault says', () => {
    const contract = contractSettingsSchema.parse({});
    const faults = errorsOf(readRow('transactions', { Description: 'Legend' }, { contract }));
    const isOfLines = faults.map((text) => /or delete the line if it is no transaction, such as a legend\./.test(text));
    expect(isOfLines).toEqual([true, false, false]);
    expect(errorsOf(readRow('transactions', { Amount: '5' }, { contract })).join()).not.toContain('legend');
  });

  it('is what the profile says', () => {
    const row = { ...payment, Date: '', Amount: '' };
    const needs = { 'transactions.date': 'warning', 'transactions.amount': 'none' };
    expect(saidOf('transactions', row, { needs })).toEqual(['warning: Date']);
    expect(() => contractSettingsSchema.parse({ needs: { 'transactions.memo': 'none' } })).toThrow();
  });

  it.each([
    ['companies', { 'Company name': 'A', 'Contact types': 'Merchant', DBA: '' }, { addCompany: '/c/{dba}' }, 'DBA'],
    ['transactions', { ...payment, 'Deal ref': '' }, { addTransactions: '/{dealId}/rows' }, 'Deal id'],
    ['transactions', { ...payment, '{site}': '' }, { addTransactions: '/{site}/rows' }, 'site'],
    ['notes', { 'Deal id': '', Status: 'Open', Note: 'Hello' }, { addNote: '/{dealId}/notes' }, 'Deal id'],
    ['submission-loans', { ...loan, 'Deal ref': '' }, { addSubmissionLoan: '/{dealId}/loans' }, 'Deal id'],
  ] as const)('is an error where the path of its request needs it: %s %j', (kind, row, paths, label) => {
    expect(saidOf(kind, row, { paths })).toEqual([`error: ${label}`]);
  });

  it('has the fields that the interface lists told by the same rule', () => {
    const deal = { 'Amount requested': '1', 'Company name': 'Harbor', 'Owner last name': 'Moreno' };
    expect(saidOf('deals', deal)).toEqual(['warning: Company DBA', 'warning: Owner 1 first name']);
    const needs = { 'deals.owner1.firstName': 'error', 'deals.company.dba': 'none' };
    expect(saidOf('deals', deal, { needs })).toEqual(['error: Owner 1 first name']);
  });
});

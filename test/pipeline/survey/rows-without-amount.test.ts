import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { checkPlace, saidByRow } from '../../builders/check-place.ts';
import type { Table } from '../../builders/tables.ts';

const place = checkPlace();

/** What is said of the amounts of a table, by the row. */
async function saidOf(kind: RecordKindName, table: Table): Promise<Record<number, string>> {
  return saidByRow(
    await place.checkTable(table, { kind }),
    ({ label }) => label?.startsWith('Amount') === true,
    ({ severity, message }) => `${severity}: ${message}`,
  );
}

describe('a row without an amount', () => {
  it('is told where the sheet has a column for it', async () => {
    const said = await saidOf('transactions', [
      ['Deal id', 'Amount', 'Type'],
      ['deal_1', '100', 'Payment'],
      ['deal_1', '', 'Payment'],
      ['deal_1', '0', 'Payment'],
    ]);
    expect(said).toEqual({
      3: 'warning: The row has no amount, and is sent without. If it has one, fill in Amount.',
    });
  });

  it('is no record where it says the balance of an account', async () => {
    const texts = [
      'Beginning balance as of 11/01/2026',
      'Ending Ledger Balance',
      'BALANCE BROUGHT FORWARD',
      'Balance advanced',
    ];
    const said = await saidOf('transactions', [
      ['Date', 'Amount', 'Description'],
      ['2026-11-02', '100', 'Opening balance correction'],
      ...texts.map((text) => ['2026-11-02', '', text]),
    ]);
    const noTransaction =
      'error: The row says the balance of an account and has no amount: it is no transaction. Take the row out; if it is one all the same, fill in Amount.';
    expect(said).toEqual({
      3: noTransaction,
      4: noTransaction,
      5: noTransaction,
      6: expect.stringMatching(/^warning: The row has no amount/),
    });
  });

  it('has nothing more told of it where the amount cannot be read', async () => {
    const said = await saidOf('submission-loans', [
      ['Deal id', 'Amount', 'Term'],
      ['deal_1', 'much', '12'],
    ]);
    expect(said).toEqual({ 2: expect.stringMatching(/^error: Amount "much" is not a number\.[^:]*$/) });
  });

  it('has nothing told of it where it is not sent', async () => {
    const said = await saidOf('transactions', [
      ['Deal id', 'Date', 'Amount'],
      ['deal_1', 'soon', ''],
    ]);
    expect(said).toEqual({});
  });

  it('is none where it need not have one: in a sheet without the column, and of a lead', async () => {
    expect(
      await saidOf('transactions', [
        ['Deal id', 'Type'],
        ['deal_1', 'Payment'],
      ]),
    ).toEqual({});
    expect(
      await saidOf('leads', [
        ['Company name', 'Amount requested'],
        ['Harbor', ''],
      ]),
    ).toEqual({});
  });
});

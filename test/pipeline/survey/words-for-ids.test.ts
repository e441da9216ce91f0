import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { isError } from '../../../src/messages/finding.ts';
import { traitsOf } from '../../../src/messages/traits.ts';
import { checkPlace, saidByRow } from '../../builders/check-place.ts';
import type { Table } from '../../builders/tables.ts';

const place = checkPlace();

async function errorsOf(table: Table, kind?: RecordKindName) {
  return (await problemsOf(table, kind)).errors;
}

/** The errors of a table, and what is told of it before a load, by the row that has them. */
async function problemsOf(table: Table, kind: RecordKindName = 'transactions') {
  const checked = await place.checkTable(table, { kind });
  const warnings = saidByRow(checked, (problem) => traitsOf(problem).toldBefore === true);
  return { errors: saidByRow(checked, isError), warnings };
}

const headers = ['Deal id', 'Date', 'Amount', 'Type'];
const payment = ['deal_1', '2026-06-30', '100', 'Payment'];

describe('words in the place of an id', () => {
  it('are no record: a line below the table', async () => {
    expect(await errorsOf([headers, payment, ['Prepared by Ann Lee', '', '', '']])).toEqual({
      3: 'Deal id "Prepared by Ann Lee" is no id, as those above it are. Put the id of the deal there, or take the row out; if it is an id all the same, move the row above those.',
    });
  });

  it('are an id once they stand above the others, as they are told to', async () => {
    expect(await errorsOf([headers, payment.with(0, 'deal 2'), payment])).toEqual({});
  });

  it('are sent with a note where they have no blank: a word without a digit below an id with one', async () => {
    const { warnings } = await problemsOf([headers, payment, ['Printed', '2026-07-01', '70', 'Payment']]);
    expect(warnings).toEqual({
      3: 'Deal id "Printed" has no digit, and the id above it has. It is sent as it is. Put the id of the deal there, or take the row out if it is no transaction.',
    });
  });

  it('are no record: the name of a deal above its payments, but for the first', async () => {
    const name = (text: string) => [text, '', '', ''];
    const table = [headers, name('Harbor Bakery'), payment, name('Kite Mill'), payment.with(0, 'deal_2')];
    expect(Object.keys(await errorsOf(table))).toEqual(['4']);
  });

  it('are told of whatever their length where people write them in the place of what they do not have', async () => {
    const rows = ['D-1', 'n.a', 'TBD', '...'].map((id) => payment.with(0, id));
    expect(Object.keys((await problemsOf([headers, ...rows])).warnings)).toEqual(['3', '4', '5']);
  });

  it('are no id where programs write them for nothing, in the first row too', async () => {
    const rows = ['N/A', 'D-1', 'NULL', '---'].map((id) => payment.with(0, id));
    expect(Object.keys(await errorsOf([headers, ...rows]))).toEqual(['2', '4', '5']);
  });

  it('are none among random ids, which are of one length, and among names', async () => {
    const random = ['k3x9', 'abcd', 'zz1z'].map((id) => payment.with(0, id));
    const names = ['kite', 'harbor', '7oaks', 'mill'].map((id) => payment.with(0, id));
    for (const rows of [random, names]) expect((await problemsOf([headers, ...rows])).warnings).toEqual({});
  });

  it('are no record: a figure below the table, and a total that is no sum or has its amount elsewhere', async () => {
    const feet = [
      ['Number of payments', '', '1', ''],
      ['TOTAL', '', '77.00', ''],
      ['Subtotals', '', '', '100'],
    ];
    const errors = await errorsOf([headers, payment, ...feet]);
    expect(Object.keys(errors)).toEqual(['3', '4', '5']);
    expect(errors[4]).toBe(
      'Deal id "TOTAL" is a word for a total, and no id. Put the id of the deal there, or take the row out.',
    );
  });

  it('are none of a total that stands above all rows either', async () => {
    expect(Object.keys(await errorsOf([headers, ['Total', '', '100', ''], payment]))).toEqual(['2']);
  });

  it('may be ids where the first of them has a blank too', async () => {
    const rows = ['Harbor 1', 'Harbor 2', 'kite', 'total-1'].map((id) => payment.with(0, id));
    expect(await errorsOf([headers, ...rows])).toEqual({});
  });

  it('are looked for in each column that names a record, and not in one of refs', async () => {
    const table = [
      ['Deal id', 'Company id', 'Note'],
      ['deal_1', 'cmp_1', 'Asked'],
      ['deal_2', 'see below', 'Asked'],
    ];
    expect(await errorsOf(table, 'submissions')).toEqual({
      3: 'Company id "see below" is no id, as those above it are. Put the id of the company there, or take the row out; if it is an id all the same, move the row above those.',
    });
    const refs = [
      ['Deal ref', 'Deal id', 'Amount'],
      ['', 'deal_1', '100'],
      ['Harbor 1', '', '200'],
    ];
    expect(await errorsOf(refs)).toEqual({});
  });
});

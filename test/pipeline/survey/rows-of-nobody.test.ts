import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { checkPlace, isWarning } from '../../builders/check-place.ts';
import type { Table } from '../../builders/tables.ts';

const place = checkPlace();

/** The notes of a table by the row that has them; none of one that is told of for an error alone. */
async function notesOf(kind: RecordKindName, table: Table): Promise<Record<number, string>> {
  const { problemRows } = await place.checkTable(table, { kind });
  const notes = problemRows.map(({ row, problems }) => [
    row,
    problems
      .filter(isWarning)
      .map(({ message }) => message)
      .join(' '),
  ]);
  return Object.fromEntries(notes);
}

describe('a row that names no parent', () => {
  it('is told where the sheet has a column for it: the cell may have been merged with those above', async () => {
    const notes = await notesOf('transactions', [
      ['Deal id', 'Date', 'Amount'],
      ['deal_1', '2026-06-30', 100],
      ['', '2026-07-01', 150],
    ]);
    expect(notes).toEqual({
      3: 'The row names no deal: it is sent without, and belongs to none. If it belongs to one, fill in Deal id.',
    });
  });

  it('is none where it is not sent for an error', async () => {
    const notes = await notesOf('transactions', [
      ['Deal id', 'Date', 'Amount'],
      ['', '2026-07-01', 'much'],
    ]);
    expect(notes).toEqual({ 2: '' });
  });

  it('is none where it has one of several', async () => {
    const notes = await notesOf('submissions', [
      ['Deal id', 'Company id', 'Status'],
      ['deal_1', '', 'Open'],
      ['', 'cmp_1', 'Open'],
      ['', '', 'Open'],
    ]);
    expect(Object.keys(notes)).toEqual(['4']);
    expect(notes[4]).toMatch(/names no deal and no company: .* fill in Deal id or Company id/);
  });

  it('is not told where the sheet has no such column, nor of a deal, which brings its company along', async () => {
    expect(
      await notesOf('transactions', [
        ['Date', 'Amount'],
        ['2026-06-30', 100],
      ]),
    ).toEqual({});
    const deal = [
      ['Company ref', 'Amount requested', 'Company name', 'Company DBA', 'Owner first name', 'Owner last name'],
      ['', 100, 'Harbor', 'Harbor', 'Ana', 'Moreno'],
    ];
    expect(await notesOf('deals', deal)).toEqual({});
  });
});

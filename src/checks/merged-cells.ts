/** Reports merged cells. They all show the first cell's value, but the rows below would send none, or another one. */
import { labelOfColumn } from '../mapping/column.ts';
import { trimmedText } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import type { MergedRange } from '../sheets/cell.ts';
import { columnName } from '../sheets/excel-limits.ts';
import { cellAt, type SheetRow } from '../sheets/row.ts';
import { type Check, type Found, found, rangesInOrder, sentColumns } from './check.ts';

export const mergedCells: Check = {
  codes: ['merged-cell', 'value-under-merge'],
  begin(sheet) {
    const labels = new Map([...sentColumns(sheet)].map(([index, column]) => [index, labelOfColumn(column)]));
    const merges = sheet.behind.merges.filter(({ firstRow }) => firstRow >= sheet.header.number);
    if (merges.length === 0) return null;
    const mergesAt = rangesInOrder(merges, [...labels.keys()]);
    const shown = new Map<MergedRange, string>();
    function* foundUnder(column: number, range: MergedRange, row: SheetRow): Iterable<Found> {
      if (row.number - 1 === range.firstRow) shown.set(range, trimmedText(cellAt(row, range.firstColumn)));
      const [top = '', own, label = ''] = [shown.get(range), trimmedText(cellAt(row, column)), labels.get(column)];
      const address = columnName(range.firstColumn) + (range.firstRow + 1);
      if (own === top || (own === '' && column !== range.firstColumn)) return;
      const message =
        own === '' ? checkMessage('merged-cell', { label }) : checkMessage('value-under-merge', { label, address });
      yield found(message, { column, label });
    }
    return {
      *row(_, row) {
        for (const [column, range] of mergesAt(row.number)) yield* foundUnder(column, range, row);
      },
    };
  },
};

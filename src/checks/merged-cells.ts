/**
 * Cells that are merged. A person sees the value of the first in all of them: one below it would be sent without it, or with a
 * value of its own that nobody sees.
 */
import { labelOfColumn } from '../mapping/column.ts';
import { isBlank, trimmedText } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import { textOf } from '../messages/text.ts';
import type { MergedRange } from '../sheets/cell.ts';
import { cellAt, type SheetRow } from '../sheets/row.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { type Check, type Found, found, sentColumns } from './check.ts';
import { RangesInOrder } from './ranges.ts';

export const mergedCells: Check = {
  codes: ['merged-cell', 'value-under-merge'],
  begin(sheet) {
    const labels = new Map([...sentColumns(sheet)].map(([index, column]) => [index, labelOfColumn(column)]));
    const ranges = new RangesInOrder<MergedRange>();
    /** What is to be seen of the ranges that have begun. */
    const shown = new Map<MergedRange, string>();
    const foundAt = new Map<number, readonly Found[]>();
    const problemOf = (column: number, range: MergedRange, row: SheetRow): readonly Found[] => {
      if (row.number - 1 === range.firstRow) shown.set(range, trimmedText(cellAt(row, range.firstColumn)));
      const [top = '', own, label = ''] = [shown.get(range), trimmedText(cellAt(row, column)), labels.get(column)];
      const address = columnName(range.firstColumn) + (range.firstRow + 1);
      if (own === '')
        return top === '' || column !== range.firstColumn
          ? []
          : [found(checkMessage('merged-cell', { label }), { column, label })];
      return own === top ? [] : [found(checkMessage('value-under-merge', { label, address }), { column, label })];
    };
    return {
      learn: ({ merges }) => ranges.learn(merges.filter(({ firstRow }) => firstRow >= sheet.header.number)),
      get tellsOfRowsAbove() {
        return ranges.areThere;
      },
      look(_, source) {
        const problems = ranges
          .at(source.number, labels.keys())
          .flatMap(([index, range]) => problemOf(index, range, source));
        if (problems.length > 0) foundAt.set(source.number, problems);
      },
      row: (_, source) => foundAt.get(source.number) ?? stillBlank(source, labels, sheet.saidOf(source)),
      forget: () => ranges.begin(),
    };
  },
};

/** A results sheet has no merged cells: that this was found in it tells which cells were, until they are filled in. */
function* stillBlank(row: SheetRow, labels: ReadonlyMap<number, string>, said: string | null): Iterable<Found> {
  if (said === null) return;
  for (const [column, label] of labels) {
    const message = checkMessage('merged-cell', { label });
    if (isBlank(cellAt(row, column)) && said.includes(textOf(message))) yield found(message, { column, label });
  }
}

/** Counts and exact sums of the written rows: over all records, and by the values of some columns. */
import Big from 'big.js';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { excelDigits } from '../tables/excel-limits.ts';
import type { OutputValue } from '../tables/sheet-writer.ts';
import { type ExportColumn, isSummed, mainAmount } from '../workbooks/export-sheet.ts';
import { textOfCell } from './cell-values.ts';
import { copyOf } from './exact-json.ts';

/** With zeros in front it is an amount too. */
const plainAmount = /^-?\d+(?:\.\d+)?$/;
/** Further names share one group. */
const mostGroups = 1000;
const longestShown = 40;
const none = new Big(0);
const noName = '(blank)';
const allOthers = 'All others';

export type ExportTally = ReturnType<typeof exportTally>;

/** @param groupBy  indices of the columns to group by */
export function exportTally(columns: readonly ExportColumn[], groupBy: readonly number[]) {
  /** `texts` counts values that are not amounts, and are in no sum. */
  const sums = columns.flatMap((each, column) =>
    isSummed(each) ? [{ label: each.label, column, sum: none, texts: 0, firstText: '' }] : [],
  );
  /** The column summed beside the group counts: the balance, or the first amount. */
  const main = mainAmount(columns);
  const groups = groupBy.map((column) => ({ column, byName: new Map<string, { count: number; sum: Big }>() }));
  const labelOf = (column: number | null) => (column === null ? null : (columns[column]?.label ?? ''));
  /** Amounts that a spreadsheet number would not show as they are. They are text, and in no formula. */
  let textAmounts = 0;
  const sumOf = (place: number) => sums.find(({ column }) => column === place)?.sum.toFixed() ?? '0';

  return {
    sumOf,
    totals: () => sums.map(({ column, label, sum }) => ({ column, label, sum: sum.toFixed() })),
    add: (row: readonly OutputValue[]): void => {
      for (const total of sums) {
        const value = row[total.column] ?? null;
        const text = textOfCell(value);
        if (plainAmount.test(text)) {
          total.sum = total.sum.plus(text);
          if (typeof value === 'string') textAmounts += 1;
        } else if (text.trim() !== '') {
          if (total.texts === 0) total.firstText = copyOf(text.slice(0, longestShown));
          total.texts += 1;
        }
      }
      const amount = textOfCell(row[main ?? -1] ?? null);
      for (const { column, byName } of groups) {
        const value = textOfCell(row[column] ?? null) || noName;
        const name = byName.has(value) || byName.size < mostGroups ? value : allOthers;
        const { count, sum } = byName.get(name) ?? { count: 0, sum: none };
        const added = sum.plus(plainAmount.test(amount) ? amount : 0);
        byName.set(count === 0 ? copyOf(name) : name, { count: count + 1, sum: added });
      }
    },
    /** Counts by the values of one column, with the sums of another. */
    groups: () =>
      groups.map(({ column, byName }) => ({
        label: labelOf(column) ?? '',
        sumLabel: labelOf(main),
        rows: Array.from(byName, ([name, { count, sum }]) => ({ name, count, sum: sum.toFixed() })).sort(
          (a, b) => Number(b.sum) - Number(a.sum) || b.count - a.count || a.name.localeCompare(b.name),
        ),
      })),
    notices: (): readonly Message[] => [
      ...sums.flatMap(({ label, texts, firstText }) =>
        texts === 0 ? [] : messageOf('export-texts', { texts, label, first: firstText }),
      ),
      ...(textAmounts === 0 ? [] : [messageOf('export-long-amounts', { amounts: textAmounts, most: excelDigits })]),
    ],
  };
}

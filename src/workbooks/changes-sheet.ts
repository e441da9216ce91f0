/** The sheet Changes of an export: what is new, gone and changed since last month, with the change of each amount. */
import Big from 'big.js';
import type { OutputCell, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import type { ExportColumn } from './export-column.ts';
import { firstDataRow, totalLabel } from './export-sheet.ts';
import type { ChangeCounts } from './export-summary.ts';

export interface ChangedRecord {
  readonly kind: 'New' | 'Gone' | 'Changed';
  readonly key: string;
  readonly names: readonly string[];
  /** One for each amount of the sheet; plain digits. */
  readonly amounts: readonly {
    readonly before: string | null;
    readonly now: string | null;
    readonly difference: string;
  }[];
  /** What else has changed, one a line. */
  readonly others: string;
}

export interface ChangesSheet {
  readonly key: ExportColumn;
  readonly names: readonly ExportColumn[];
  readonly amounts: readonly ExportColumn[];
  /** The name of last month's file. */
  readonly before: string;
  readonly records: Iterable<ChangedRecord>;
}

const styleOfKind: Readonly<Record<ChangedRecord['kind'], StyleName>> = {
  New: 'good',
  Gone: 'settled',
  Changed: 'waiting',
};
const kindWidth = 11;
const othersWidth = 48;
/** Room for `Balance change` and for the sum below. */
const headerRoom = 11;

export async function addChangesSheet(writer: SheetWriter, sheet: ChangesSheet, counts: ChangeCounts): Promise<void> {
  const records = counts.added + counts.gone + counts.changed;
  const hasTotals = records > 0 && sheet.amounts.length > 0;
  const front = 2 + sheet.names.length;
  const output = await writer.addSheet({
    name: 'Changes',
    columns: [
      { width: kindWidth },
      ...[sheet.key, ...sheet.names].map(({ width }) => ({ width })),
      ...sheet.amounts.flatMap(({ label, width }) =>
        ['', '', ''].map(() => ({ width: Math.max(width, label.length + headerRoom) })),
      ),
      { width: othersWidth },
    ],
    frozenRows: 1,
    frozenColumns: front,
    filterRow: 1,
    place: 'last',
    ...(hasTotals ? { hasTotals } : {}),
    footer: `Changes since ${sheet.before}`,
  });
  const labels = sheet.amounts.flatMap(({ label }) => [`${label} before`, `${label} now`, `${label} change`]);
  const header =
    (style: StyleName) =>
    (value: string): OutputCell => ({ value, style });
  await output.addRow([
    ...['Change', sheet.key.label, ...sheet.names.map(({ label }) => label)].map(header('header')),
    ...labels.map(header('header-right')),
    header('header')('Other changes'),
  ]);
  const sums = sheet.amounts.flatMap(() => [new Big(0), new Big(0), new Big(0)]);
  for (const record of sheet.records) {
    await output.addRow(rowOf(record));
    for (const [index, { before, now, difference }] of record.amounts.entries()) {
      for (const [place, digits] of [before, now, difference].entries()) {
        const sum = sums[index * 3 + place];
        if (sum !== undefined && digits !== null) sums[index * 3 + place] = sum.plus(digits);
      }
    }
  }
  if (hasTotals) await output.addRow(totalRow(sums, front, firstDataRow + records - 1));
}

function rowOf(record: ChangedRecord): readonly OutputCell[] {
  const money = (digits: string | null): OutputCell => (digits === null ? null : { value: { digits }, style: 'money' });
  return [
    { value: record.kind, style: styleOfKind[record.kind] },
    { value: record.key, style: 'text' },
    ...record.names,
    ...record.amounts.flatMap(({ before, now, difference }) => [money(before), money(now), money(difference)]),
    record.others === '' ? null : { value: record.others, style: 'note' },
  ];
}

function totalRow(sums: readonly Big[], front: number, lastRow: number): readonly OutputCell[] {
  const blank: OutputCell = { value: null, style: 'total' };
  const totals = sums.map((sum, index): OutputCell => {
    const name = columnName(front + index);
    const formula = `SUBTOTAL(109,${name}${firstDataRow}:${name}${lastRow})`;
    return { value: { formula, digits: sum.toFixed() }, style: 'total-money' };
  });
  return [{ value: totalLabel, style: 'total' }, ...Array.from({ length: front - 1 }, () => blank), ...totals, blank];
}

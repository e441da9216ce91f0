/** The sheet Changes of an export: what is new, gone and changed since last month, with the change of each amount. */
import Big from 'big.js';
import type { OutputCell, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';
import type { ExportColumn } from './export-column.ts';
import { firstDataRow, sumInView } from './export-sheet.ts';
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
  /** The first one stands with what it was and what it is, the others with their change alone. */
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
/** The records that stay the same are in no sum of this sheet: the Summary has those of all. */
const totalLabel = 'Total of these rows';
const kindWidth = 20;
const othersWidth = 48;
/** Room for `change` and a filter button beside the name of an amount. */
const headerRoom = 11;

export async function addChangesSheet(writer: SheetWriter, sheet: ChangesSheet, counts: ChangeCounts): Promise<void> {
  const records = counts.added + counts.gone + counts.changed;
  const hasTotals = records > 0 && sheet.amounts.length > 0;
  const front = 2 + sheet.names.length;
  const labels = sheet.amounts.flatMap(({ label }, index) => [
    ...(index === 0 ? [`${label} before`, `${label} now`] : []),
    `${label} change`,
  ]);
  const widths = sheet.amounts.flatMap(({ label, width }, index) =>
    Array.from({ length: index === 0 ? 3 : 1 }, () => Math.max(width, label.length + headerRoom)),
  );
  const output = await writer.addSheet({
    name: 'Changes',
    columns: [kindWidth, sheet.key.width, ...sheet.names.map(({ width }) => width), ...widths, othersWidth].map(
      (width) => ({ width }),
    ),
    frozenRows: 1,
    frozenColumns: front,
    filterRow: 1,
    place: 'last',
    ...(hasTotals ? { hasTotals } : {}),
    footer: `Changes since ${sheet.before}`,
  });
  const header =
    (style: StyleName) =>
    (value: string): OutputCell => ({ value, style });
  await output.addRow([
    ...['Change', sheet.key.label, ...sheet.names.map(({ label }) => label)].map(header('header-left')),
    ...labels.map(header('header-right')),
    header('header-left')('Other changes'),
  ]);
  const sums = labels.map(() => new Big(0));
  for (const record of sheet.records) {
    const amounts = figuresOf(record);
    await output.addRow(rowOf(record, amounts));
    for (const [index, digits] of amounts.entries()) {
      if (digits !== null) sums[index] = (sums[index] ?? new Big(0)).plus(digits);
    }
  }
  if (hasTotals) await output.addRow(totalRow(sums, front, firstDataRow + records - 1));
}

/** The first amount before, now and its change; of the others the change alone, where there is one. */
function figuresOf({ amounts }: ChangedRecord): readonly (string | null)[] {
  return amounts.flatMap(({ before, now, difference }, index) =>
    index === 0 ? [before, now, difference] : [difference === '0' ? null : difference],
  );
}

function rowOf(record: ChangedRecord, amounts: readonly (string | null)[]): readonly OutputCell[] {
  return [
    { value: record.kind, style: styleOfKind[record.kind] },
    { value: record.key, style: 'text' },
    ...record.names.map((value): OutputCell => ({ value, style: 'text' })),
    ...amounts.map((digits): OutputCell => (digits === null ? null : { value: { digits }, style: 'money' })),
    record.others === '' ? null : { value: record.others, style: 'note' },
  ];
}

function totalRow(sums: readonly Big[], front: number, lastRow: number): readonly OutputCell[] {
  const blank: OutputCell = { value: null, style: 'total' };
  const totals = sums.map((sum, index) => sumInView(front + index, lastRow, sum.toFixed()));
  return [{ value: totalLabel, style: 'total' }, ...Array.from({ length: front - 1 }, () => blank), ...totals, blank];
}

/** Rows read by the mapper, from headers and cells. */
import type { ContractSettings } from '../../src/contract/contract-settings.ts';
import type { DateOrder } from '../../src/contract/date-order.ts';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { CheckedRow } from '../../src/mapping/body.ts';
import { formatInference } from '../../src/mapping/format-inference.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';
import type { Reading } from '../../src/mapping/reading.ts';
import { rowMapper } from '../../src/mapping/row-mapper.ts';
import type { DecimalMark } from '../../src/mapping/values/amounts.ts';
import { findingOfValue, findingText } from '../../src/messages/finding.ts';
import type { Cell, NumberCell } from '../../src/tables/row.ts';
import { lenientContract } from '../builders/lenient-contract.ts';

export interface RowsOptions {
  readonly contract?: Partial<ContractSettings>;
  readonly dateOrder?: DateOrder;
  readonly decimals?: DecimalMark;
  readonly delimiter?: string;
}

/** Reads rows as a load would: all of them are looked at, and read again where that tells something else of them. */
export function readRows(
  kind: RecordKindName,
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: RowsOptions = {},
): readonly CheckedRow[] {
  const matched = matchHeaders(recordKind(kind), headers, []);
  if (matched.problems.length > 0) throw new Error(matched.problems.join('\n'));
  const sheetRows = rows.map((values, index) => ({ number: index + 2, values, hidden: false }));
  const inference = formatInference(matched.columns, [], options.delimiter);
  for (const row of sheetRows) inference.look(row);
  const { contract, dateOrder = null, decimals = null } = options;
  const settings = { contract: { ...lenientContract, ...contract }, dateOrder, decimals };
  const map = rowMapper(
    { kind: recordKind(kind), sheet: 'Rows', columns: matched.columns },
    settings,
    inference.matters() ? inference.formats() : new Map(),
  );
  return sheetRows.map(map);
}

/** Reads the cells of one column. */
export function readColumn(kind: RecordKindName, header: string, cells: readonly Cell[], options: RowsOptions = {}) {
  const rows = Array.from(cells, (cell) => [cell]);
  return readRows(kind, [header], rows, options);
}

export function readRow(
  kind: RecordKindName,
  cells: Readonly<Record<string, Cell>>,
  options: RowsOptions = {},
): CheckedRow {
  const [row] = readRows(kind, Object.keys(cells), [Object.values(cells)], options);
  if (row === undefined) throw new Error('There is no row.');
  return row;
}

export function errorsOf(row: CheckedRow): readonly string[] {
  return row.problems.filter(({ severity }) => severity === 'error').map(findingText);
}

export function warningsOf(row: CheckedRow): readonly string[] {
  return row.problems.filter(({ severity }) => severity === 'warning').map(findingText);
}

export function numberCell(value: number, further: Partial<NumberCell> = {}): NumberCell {
  return { kind: 'number', value, stored: String(value), shown: String(value), percent: false, ...further };
}

export function dateCell(day: string, time: string | null = null): Cell {
  return { kind: 'date', day, time };
}

/** What is said of a value that was read; with `sensitive`, as it is said of a field whose value must not be shown. */
export function saidOf(reading: Reading, sensitive = false): string {
  const said = reading.ok ? reading.notes : reading.faults;
  const texts = said.map((message) =>
    findingText(findingOfValue('warning', 0, { label: '', sensitive }, '', message)).replace(
      /^ (?:""|\(value not shown\)) /,
      '',
    ),
  );
  return texts.join(' ');
}

/** By their codes: the notes on a value that was read, or the faults for which there is none. */
export function codesOf(reading: Reading): readonly string[] {
  return (reading.ok ? reading.notes : reading.faults).map(({ code }) => code);
}

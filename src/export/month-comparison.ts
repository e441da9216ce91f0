/** This month against the last: what is new, gone and changed, record by record by the key that both have. */
import { basename } from 'node:path';
import Big from 'big.js';
import { DealsheetError, usageError } from '../errors.ts';
import { shownText } from '../mapping/reading.ts';
import type { Cell } from '../sheets/cell.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import type { OutputCell, OutputValue, StyleName } from '../sheets/sheet-writer.ts';
import {
  type ExportColumn,
  type ExportRow,
  type ExportSheet,
  mainAmount,
  totalLabel,
} from '../workbooks/export-sheet.ts';
import { money } from '../workbooks/summary.ts';
import { shownBefore, textOfCell } from './cell-values.ts';
import { isNamed, ownIdOf, type SourceColumn } from './columns.ts';
import { copyOf } from './exact-json.ts';
import { exportProperty } from './export-file.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  /** Plain texts in the order of the labels. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * @param isMasked  whether what is sensitive gets its stars, as in this month's
 * @throws DealsheetError `unreadable-source` when it is no export of balances
 */
export async function readPrevious(path: string, sheetName: string, isMasked: boolean): Promise<PreviousFile> {
  const name = basename(path);
  const source = await openSource(path, { name, encoding: null, delimiter: null }).catch((cause) => {
    const why = cause instanceof DealsheetError ? cause.message : `it cannot be read (${cause.code})`;
    throw noExport(`${name}: ${why}`, cause);
  });
  try {
    const isOurs = source.properties[exportProperty] === 'balances';
    const sheet = source.sheets.find((each) => each.name === sheetName);
    if (!isOurs || sheet === undefined) throw noExport(`${name} is not a workbook of balances.`);
    let labels: readonly string[] = [];
    const rows: string[][] = [];
    for await (const row of sheet.rows()) {
      const values = allCells(row).map(storedText);
      const shown = (label: string, index: number) => {
        const value = values[index] ?? '';
        return isMasked ? shownBefore(label, value) : value;
      };
      if (row.number === 1) labels = values.map((value) => value.trim());
      else rows.push(labels.map(shown));
    }
    // The row of totals below the records is no record, and neither are remarks below that.
    const total = rows.findLastIndex(([first]) => first === totalLabel);
    const isRemark = (row: readonly string[]) => row.filter((text) => text !== '').length === 1;
    if (total !== -1 && rows.slice(total + 1).every(isRemark)) rows.length = total;
    return { name, labels, rows };
  } finally {
    await source.close();
  }
}

function storedText(cell: Cell): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  return typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
}

function noExport(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    message,
    'Give the file that an earlier export of balances has written as a workbook (.xlsx), with --previous.',
    { cause },
  );
}

export interface ChangeCounts {
  readonly before: string;
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
  readonly same: number;
  /** Label, sum before, sum now, exact difference. */
  readonly amounts: readonly (readonly [label: string, before: string, now: string, difference: string])[];
}

/** A column of both months: its place among this month's, and among last month's; of an amount, its sums of then and of now. */
interface Pair {
  readonly column: SourceColumn;
  readonly now: number;
  readonly before: number;
  sumBefore: Big;
  sumNow: Big;
}

type Kind = 'New' | 'Changed' | 'Gone';

const none = new Big(0);
/** The place of a column that last month's file did not have. */
const nowhere = -1;
const styles: Readonly<Record<Kind, StyleName>> = { New: 'good', Changed: 'waiting', Gone: 'settled' };

export class MonthComparison {
  readonly #previous: PreviousFile;
  readonly #pairs: readonly Pair[];
  readonly #key: Pair;
  readonly #name: Pair | undefined;
  /** The amount that a new or gone record is told with. */
  readonly #main: Pair | undefined;
  /** The records of last month by their key that this month has not had yet. */
  readonly #left = new Map<string, readonly string[]>();
  /** A row for each value that is not the same. */
  readonly #rows: ExportRow[] = [];
  readonly #counts = { added: 0, changed: 0, same: 0 };

  /**
   * @param key  the column that a person has named, or `null` for the id of the record itself
   * @throws DealsheetError `usage` when there is no key, or it is not the key of every record
   */
  constructor(columns: readonly SourceColumn[], previous: PreviousFile, key: string | null) {
    this.#previous = previous;
    this.#pairs = columns.flatMap((column, now) => {
      const before = previous.labels.indexOf(column.label);
      // Where the last month has no record, all of this month's are new, whatever columns it had.
      if (before === nowhere && previous.rows.length > 0) return [];
      return [{ column, now, before, sumBefore: none, sumNow: none }];
    });
    this.#key = this.#chooseKey(key);
    this.#name = this.#pairs.find(({ column }) => column.look === 'text' && /name$/i.test(column.label));
    this.#main = this.#pairs.find(({ now }) => now === mainAmount(columns));
    for (const values of previous.rows) {
      const own = values[this.#key.before] ?? '';
      if (own === '' || this.#left.has(own)) throw this.#noKey(own, `in ${previous.name}`);
      this.#left.set(own, values);
      for (const pair of this.#pairs) pair.sumBefore = pair.sumBefore.plus(amountIn(pair, values[pair.before]));
    }
  }

  note(row: readonly OutputValue[]): void {
    const values = row.map(textOfCell);
    const key = copyOf(values[this.#key.now] ?? '');
    if (key === '' && this.#previous.rows.length > 0) throw this.#noKey(key, 'of this month');
    for (const pair of this.#pairs) pair.sumNow = pair.sumNow.plus(amountIn(pair, values[pair.now]));
    const before = this.#left.get(key);
    this.#left.delete(key);
    if (before === undefined) {
      this.#counts.added += 1;
      if (this.#main !== undefined) this.#tell('New', key, [this.#main], [], values);
      return;
    }
    const moved = this.#pairs.filter((pair) => isChanged(pair, before, values));
    this.#counts[moved.length === 0 ? 'same' : 'changed'] += 1;
    this.#tell('Changed', key, moved, before, values);
  }

  /** By which this month is compared: where two of its records have the same value there, they are refused as they are read. */
  get key(): SourceColumn | undefined {
    return this.#previous.rows.length === 0 ? undefined : this.#key.column;
  }

  /** What has changed in all, once every record of this month has been noted. */
  counts(): ChangeCounts {
    const amounts = this.#pairs
      .filter((pair) => pair.column.look === 'money' && (pair === this.#main || !pair.sumNow.eq(pair.sumBefore)))
      .map(({ column, sumBefore, sumNow }) => {
        return [column.label, sumBefore.toFixed(), sumNow.toFixed(), sumNow.minus(sumBefore).toFixed()] as const;
      });
    return { before: this.#previous.name, ...this.#counts, gone: this.#left.size, amounts };
  }

  /** The sheet of what is not the same, once every record of this month has been noted: a line for each value. */
  sheet(): ExportSheet {
    for (const [key, values] of this.#left) this.#tell('Gone', key, this.#main ? [this.#main] : [], values, []);
    const text = (label: string, width: number): ExportColumn => ({ label, look: 'text', width });
    const name = this.#name === undefined ? [] : [text(this.#name.column.label, 32)];
    const before = text('Before', 24);
    const difference: ExportColumn = { label: 'Difference', look: 'number', width: 20 };
    return {
      name: 'Changes',
      columns: [
        ...[text('Change', 12), text(this.#key.column.label, 24), ...name, text('Column', 24)],
        ...[before, { ...before, label: 'Now' }, difference],
      ],
      rows: this.#rows,
      totals: null,
      frozenColumns: 2 + name.length,
    };
  }

  #tell(kind: Kind, key: string, pairs: readonly Pair[], then: readonly string[], now: readonly string[]): void {
    const name = this.#name;
    const called = name === undefined ? [] : [copyOf(now[name.now] ?? then[name.before] ?? '')];
    for (const { column, before, now: place } of pairs) {
      const [was, is] = [copyOf(then[before] ?? ''), copyOf(now[place] ?? '')];
      const isAmount = column.look === 'money';
      const shown = (text: string): OutputCell => (isAmount && decimalOf(text) !== null ? money(text) : text);
      const difference = isAmount ? (decimalOf(is) ?? none).minus(decimalOf(was) ?? none).toFixed() : null;
      this.#rows.push([
        ...[{ value: kind, style: styles[kind] }, key, ...called, column.label, shown(was), shown(is)],
        difference === null ? null : money(difference),
      ]);
    }
  }

  #chooseKey(named: string | null): Pair {
    const { name, rows } = this.#previous;
    const own = ownIdOf(this.#pairs.map(({ column }) => column));
    const key =
      named === null
        ? (this.#pairs.find(({ column }) => column === own) ?? (rows.length === 0 ? this.#pairs[0] : undefined))
        : this.#pairs.find(({ column }) => isNamed(column, named));
    if (key !== undefined) return key;
    throw usageError(
      named === null
        ? `${name} and this month have no id in common by which their records could be told apart.`
        : `The key "${named}" is not a column of both this month and ${name}.`,
      `Name the column of the key with --key, such as --key loanId. Both have: ${this.#pairs.map(({ column }) => column.label).join(', ')}.`,
    );
  }

  #noKey(key: string, where: string): DealsheetError {
    const { label } = this.#key.column;
    return usageError(
      key === ''
        ? `A record ${where} has no ${label}: the months cannot be compared by it.`
        : `The ${label} "${key}" stands on several records ${where}: the months cannot be compared by it.`,
      'Name a column that is different on every record with --key.',
    );
  }
}

function isChanged({ column, before, now }: Pair, values: readonly string[], today: readonly string[]): boolean {
  const [then, text] = [values[before] ?? '', today[now] ?? ''];
  if (then === text) return false;
  const evened = (given: string) => given.replace(/\r\n?/g, '\n').trim();
  if (column.look === 'text') return evened(then) !== evened(text);
  const [thenNumber, todayNumber] = [decimalOf(then), decimalOf(text)];
  return thenNumber === null || todayNumber === null || !thenNumber.eq(todayNumber);
}

function amountIn({ column }: Pair, text: string | undefined): Big {
  return (column.look === 'money' ? decimalOf(text) : null) ?? none;
}

function decimalOf(text = ''): Big | null {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? new Big(text) : null;
}

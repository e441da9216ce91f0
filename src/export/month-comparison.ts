/** Compares this month with the last: new, gone and changed records, matched by a common key. */
import { basename } from 'node:path';
import Big from 'big.js';
import { isTotalLabel } from '../checks/no-records.ts';
import { DealsheetError, usageError } from '../errors.ts';
import { faultOfHashes, shownText } from '../mapping/reading.ts';
import { readMoney } from '../mapping/values/amounts.ts';
import { shortened } from '../messages/plain-text.ts';
import type { Cell } from '../sheets/cell.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import type { OutputValue, StyleName } from '../sheets/sheet-writer.ts';
import { fitText } from '../sheets/xlsx/sheet-xml.ts';
import { firstRowsOf, serviceInSummary } from '../staging/source/sheets-to-read.ts';
import {
  type ExportColumn,
  type ExportRow,
  type ExportSheet,
  isSummed,
  mainAmount,
} from '../workbooks/export-sheet.ts';
import { money } from '../workbooks/summary.ts';
import { shownBefore, textOfCell } from './cell-values.ts';
import { hasName, ownIdOf, type SourceColumn } from './columns.ts';
import { copyOf } from './exact-json.ts';
import { exportProperty } from './export-file.ts';

export interface PreviousFile {
  readonly name: string;
  /** Empty for the export of a month without records. */
  readonly labels: readonly string[];
  /** Plain texts in label order. */
  readonly rows: readonly (readonly string[])[];
  /** What the person should know of it, as whole sentences. */
  readonly notices: readonly string[];
}

/** The title of the Summary, and how many rows of it hold the service. */
export const balancesTitle = 'Loan balances';
const rowsOfFacts = 3;
const longestShown = 40;

/** @throws DealsheetError `unreadable-source` when it is no workbook of balances */
export async function readPrevious(path: string, sheetName: string, isMasked: boolean, asked: string) {
  const name = basename(path);
  const source = await openSource(path, { name, encoding: null, delimiter: null }).catch((cause) => {
    const why = cause instanceof DealsheetError ? cause.message : `it cannot be read (${cause.code})`;
    throw noExport(`${name}: ${why}`, cause);
  });
  try {
    const [first, second] = source.sheets;
    const sheet = source.sheets.find((each) => each.name === sheetName) ?? (second === undefined ? first : undefined);
    const mark = source.format === 'csv' ? source.format : source.properties[exportProperty];
    if (first === undefined || sheet === undefined || ![undefined, 'balances'].includes(mark))
      throw noExport(`${name} is not a workbook of balances.`);
    const read: string[][] = [];
    for await (const row of sheet.rows()) read.push(allCells(row).map(storedText));
    // A title above the headers fills one cell.
    const head = read.find((row) => filledIn(row) > 1) ?? read[0] ?? [];
    const labels = head.map((text) => text.trim());
    const records = recordsAmong(read.slice(read.indexOf(head) + 1), name);
    const shown = isMasked ? shownBefore : (_label: string, text: string) => text;
    const rows = records.map((row) => labels.map((label, index) => shown(label, row[index] ?? '')));
    const service = serviceInSummary(await firstRowsOf(first, rowsOfFacts), balancesTitle) ?? asked;
    const notes = [
      mark === undefined &&
        `${name} does not say that an export has written it, as when another program has saved it: its sheet ${sheet.name} is compared.`,
      service !== asked &&
        `${name} holds balances of ${service}, and this export reads from ${asked}, where the same id may be another loan.`,
      rows.length === 0 && `${name} holds no balances: all of this month are new.`,
    ];
    return { name, labels, rows, notices: notes.filter((note) => note !== false) };
  } finally {
    await source.close();
  }
}

function filledIn(row: readonly string[]): number {
  return row.filter((text) => text.trim() !== '').length;
}

/** Filled cells of a note below the totals. A row with more may be a record without amounts. */
const mostInNote = 2;

/** The rows without the totals, which may have been sorted to the top, and without the notes below them. */
function recordsAmong(rows: readonly (readonly string[])[], name: string): readonly (readonly string[])[] {
  const isFigure = (text: string) => amountOf(text) !== null || faultOfHashes(text) !== null;
  const isOfTotals = (text: string) => isTotalLabel(text) || isFigure(text);
  const [total, ...others] = rows.filter((row) => row.some(isTotalLabel) && row.every(isOfTotals));
  if (total === undefined) return rows;
  const below = rows.slice(rows.indexOf(total) + 1);
  const notes = below.filter(
    (row) => filledIn(row) <= mostInNote && !row.some((text) => text !== '' && isFigure(text)),
  );
  const isOnTop = total === rows[0];
  if (others.length === 0 && notes.length === (isOnTop ? 0 : below.length))
    return isOnTop ? below : rows.slice(0, rows.indexOf(total));
  throw usageError(
    `It cannot be told which rows below the totals of ${name} are records.`,
    'Move the records above the totals, or delete the rows of totals and of notes.',
  );
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
  /** Exact, for the main amount and every amount that changed. */
  readonly amounts: readonly (readonly [label: string, before: string, now: string, difference: string])[];
}

/** A column of both months, with its index in each. */
interface Pair {
  readonly column: SourceColumn;
  readonly now: number;
  readonly before: number;
}

type Kind = 'New' | 'Changed' | 'Gone';

const none = new Big(0);
const styles: Readonly<Record<Kind, StyleName>> = { New: 'good', Changed: 'waiting', Gone: 'settled' };

/**
 * @param named  the key column that the person named, or `null` for the record's own id
 * @throws DealsheetError `usage` when there is no key, or it does not identify every record
 */
export function compareMonths(columns: readonly SourceColumn[], previous: PreviousFile, named: string | null) {
  // When last month has no records, everything is new, whatever its columns.
  const isFirst = previous.rows.length === 0;
  const pairs = columns.flatMap((column, now): readonly Pair[] => {
    const before = previous.labels.indexOf(column.label);
    return before === -1 && !isFirst ? [] : [{ column, now, before }];
  });
  const key = keyAmong(pairs, previous, named);
  const name = pairs.find(({ column }) => column.look === 'text' && /name$/i.test(column.label));
  /** The amount shown for a new or gone record. */
  const main = pairs.filter(({ now }) => now === mainAmount(columns));
  const rows: ExportRow[] = [];
  /** Columns without a sum of last month, which has a text in one that this month does not repeat. */
  const unread = new Map<SourceColumn, string>();
  const counts = { added: 0, changed: 0, same: 0 };
  /** Last month's records by key that this month has not matched yet. */
  const left = new Map<string, readonly string[]>();
  for (const values of previous.rows) {
    const own = (values[key.before] ?? '').trim();
    if (own === '' || left.has(own)) throw notKey(key, own, `in ${previous.name}`);
    left.set(own, values);
  }

  function tell(kind: Kind, own: string, told: readonly Pair[], then: readonly string[], now: readonly string[]): void {
    const called = name === undefined ? [] : [copyOf(now[name.now] ?? then[name.before] ?? '')];
    for (const { column, before, now: place } of told) {
      const [was, is] = [copyOf(then[before] ?? ''), copyOf(now[place] ?? '')];
      const [sumBefore, sumNow] = isSummed(column) ? [amountOf(was), amountOf(is)] : [null, null];
      const shown = (text: string, sum: Big | null) => (text === '' || sum === null ? text : money(sum.toFixed()));
      const difference = sumBefore && sumNow && money(sumNow.minus(sumBefore).toFixed());
      const text = `${previous.name} has "${shortened(was, longestShown)}" as ${column.label} of ${own}, which is no amount: it has no difference, and the column has no sum of then.`;
      if (isUnread(column, was)) unread.set(column, text);
      const change = [{ value: kind, style: styles[kind] }, own, ...called, column.label];
      rows.push([...change, shown(was, sumBefore), shown(is, sumNow), difference]);
    }
  }

  return {
    /** The key column. Reading refuses two records of this month with the same key. */
    key: isFirst ? undefined : key.column,
    note: (row: readonly OutputValue[]): void => {
      const values = row.map(textOfCell);
      const own = copyOf((values[key.now] ?? '').trim());
      if (own === '' && !isFirst) throw notKey(key, own, 'of this month');
      const before = left.get(own);
      left.delete(own);
      const moved = before === undefined ? main : pairs.filter((pair) => isChanged(pair, before, values));
      if (before === undefined) counts.added += 1;
      else counts[moved.length === 0 ? 'same' : 'changed'] += 1;
      tell(before === undefined ? 'New' : 'Changed', own, moved, before ?? [], values);
    },
    /** After every record of this month was noted. @param sumOf  the sum of a column of this month */
    end: (sumOf: (column: number) => string) => {
      for (const [own, values] of left) {
        const told = pairs.filter((pair) => main.includes(pair) || isUnread(pair.column, values[pair.before]));
        tell('Gone', own, told, values, []);
      }
      const ofAmounts = pairs.filter(({ column }) => isSummed(column) && !unread.has(column));
      const amounts = ofAmounts.flatMap((pair): ChangeCounts['amounts'] => {
        const then = previous.rows.reduce((sum, row) => sum.plus(amountOf(row[pair.before]) ?? none), none);
        const now = new Big(sumOf(pair.now));
        const isTold = main.includes(pair) || !now.eq(then);
        return isTold ? [[pair.column.label, then.toFixed(), now.toFixed(), now.minus(then).toFixed()]] : [];
      });
      const changes: ChangeCounts = { before: previous.name, ...counts, gone: left.size, amounts };
      const text = (label: string, width: number): ExportColumn => ({ label, look: 'text', width });
      const called = name === undefined ? [] : [text(name.column.label, 32)];
      const sheet: ExportSheet = {
        name: 'Changes',
        columns: [
          ...[text('Change', 12), text(key.column.label, 24), ...called, text('Column', 24)],
          ...[text('Before', 24), text('Now', 24), { label: 'Difference', look: 'number', width: 20 } as const],
        ],
        ...{ rows, totals: null, frozenColumns: 2 + called.length },
      };
      return { changes, sheet, notices: [...unread.values()] };
    },
  };
}

function keyAmong(pairs: readonly Pair[], { name, rows, labels }: PreviousFile, named: string | null): Pair {
  const own = ownIdOf(pairs.map(({ column }) => column));
  const both = pairs.map(({ column }) => column.label);
  const twice = both.find((label, at) => both.indexOf(label) < at || labels.indexOf(label) < labels.lastIndexOf(label));
  if (twice !== undefined)
    throw usageError(
      `Two columns have the name "${twice}", so ${name} and this month cannot be compared.`,
      'Give each column a name of its own: in that file, or with --columns.',
    );
  const [first] = rows.length === 0 ? pairs : [];
  const key = pairs.find(({ column }) => (named === null ? column === own : hasName(column, named)));
  const found = key ?? (named === null ? first : undefined);
  if (found !== undefined) return found;
  throw usageError(
    named === null
      ? `${name} and this month have no id column in common, so their records cannot be compared.`
      : `The key "${named}" is not a column of both this month and ${name}.`,
    pairs.length === 0
      ? `They have no column in common: name the columns of that month with --columns. The headers of ${name} are: ${labels.join(', ')}.`
      : `Name the column of the key with --key, such as --key loanId. Both have: ${both.join(', ')}.`,
  );
}

function notKey({ column: { label } }: Pair, key: string, where: string): DealsheetError {
  return usageError(
    key === ''
      ? `A record ${where} has no ${label}: the months cannot be compared by it.`
      : `The ${label} "${key}" is on several records ${where}: the months cannot be compared by it.`,
    'With --key, name a column whose value is different on every record.',
  );
}

/** A cell with a time of midnight is read as a day. */
const midnight = / 00:00:00$/;

function isChanged({ column, before, now }: Pair, values: readonly string[], today: readonly string[]): boolean {
  const [was, is] = [values[before] ?? '', today[now] ?? ''];
  if (was === is) return false;
  const evened = (given: string) => fitText(given).replace(/\r\n?/g, '\n').replace(midnight, '').trim();
  const [then, text] = [evened(was), evened(is)];
  if (then === text || column.look === 'text' || then === '' || text === '') return then !== text;
  const [amountBefore, amountNow] = [amountOf(then), amountOf(text)];
  return amountBefore === null || amountNow === null || !amountBefore.eq(amountNow);
}

function isUnread(column: SourceColumn, text?: string): boolean {
  return isSummed(column) && amountOf(text) === null;
}

/** Also of an amount that a person has written, such as `$1,250.00`; `null` for what is none. A blank counts nothing. */
function amountOf(text = ''): Big | null {
  if (text.trim() === '') return none;
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return new Big(text);
  const read = readMoney(text, { decimal: 'unknown' });
  return read.ok ? new Big(String(read.value)) : null;
}

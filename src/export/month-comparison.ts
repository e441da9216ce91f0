/** Compares this month with the last: new, gone and changed records, matched by a common key. */
import { basename } from 'node:path';
import Big from 'big.js';
import { isTotalLabel } from '../checks/no-records.ts';
import { DealsheetError } from '../errors.ts';
import { shownText } from '../mapping/reading.ts';
import { exactAmount } from '../mapping/values/amounts.ts';
import type { Message } from '../messages/message.ts';
import { shortened } from '../messages/plain-text.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { firstRowsOf, serviceInSummary } from '../staging/source/sheets-to-read.ts';
import { openSource } from '../tables/open-source.ts';
import type { Cell } from '../tables/row.ts';
import type { OutputValue, StyleName } from '../tables/sheet-writer.ts';
import { fitText } from '../tables/xlsx/sheet-xml.ts';
import { type ExportRow, type ExportSheet, isSummed, mainAmount } from '../workbooks/export-sheet.ts';
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
  /** What the person should know of it. */
  readonly notices: readonly Message[];
}

/** The title of the Summary, and how many rows of it hold the service. */
export const balancesTitle = 'Loan balances';
const rowsOfFacts = 3;
const longestShown = 40;

/** @throws DealsheetError `unreadable-source` when it is no workbook of balances */
export async function readPrevious(path: string, sheetName: string, isMasked: boolean, asked: string) {
  const name = basename(path);
  const source = await openSource(path, { name, encoding: null, delimiter: null }).catch((cause) => {
    const said = cause instanceof DealsheetError ? cause.message : null;
    throw errorOf('previous-unreadable', { file: name, said, code: String(cause.code) }, cause);
  });
  try {
    const [first] = source.sheets;
    const sheet = source.sheets.find((each) => each.name === sheetName);
    if (first === undefined || sheet === undefined || source.properties[exportProperty] !== 'balances')
      throw errorOf('previous-without-balances', { file: name });
    const read: string[][] = [];
    for await (const row of sheet.rows()) read.push(row.values.map(storedText));
    const [head = [], ...below] = read;
    const labels = head.map((text) => text.trim());
    const id = ownIdOf(labels.map((label, index) => ({ segments: label.split('.'), index })))?.index ?? -1;
    const records = recordsAmong(below, id, name);
    const shown = isMasked ? shownBefore : (_label: string, text: string) => text;
    const rows = records.map((row) => labels.map((label, index) => shown(label, row[index] ?? '')));
    const service = serviceInSummary(await firstRowsOf(first, rowsOfFacts), balancesTitle) ?? asked;
    const notices = [
      ...(service === asked ? [] : [messageOf('previous-of-other-service', { name, service, asked })]),
      ...(rows.length === 0 ? [messageOf('previous-empty', { name })] : []),
    ];
    return { name, labels, rows, notices };
  } finally {
    await source.close();
  }
}

/** The rows above the totals, below which there may be no others: they could be records or notes. */
function recordsAmong(rows: PreviousFile['rows'], id: number, name: string): PreviousFile['rows'] {
  // The label is in the column of the id, or is the first text of a row without an id.
  const end = rows.findIndex((row) => isTotalLabel(row[id]?.trim() || row.find((text) => amountOf(text) === null)));
  if (end === -1) return rows;
  if (rows.slice(end + 1).some((row) => row.some((text) => text !== '')))
    throw errorOf('previous-rows-unclear', { file: name });
  return rows.slice(0, end);
}

function storedText(cell: Cell): string {
  if (cell === null || (typeof cell !== 'string' && cell.kind === 'formula-without-value')) return '';
  return typeof cell !== 'string' && cell.kind === 'number' ? cell.stored : shownText(cell);
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
  const unread = new Map<SourceColumn, Message>();
  const counts = { added: 0, changed: 0, same: 0 };
  /** Last month's records by key that this month has not matched yet. */
  const left = new Map<string, readonly string[]>();
  for (const values of previous.rows) {
    const id = (values[key.before] ?? '').trim();
    const of = { label: key.column.label, file: previous.name };
    if (id === '') throw errorOf('month-key-blank', of);
    if (left.has(id)) throw errorOf('month-key-twice', { ...of, key: id });
    left.set(id, values);
  }

  function add(kind: Kind, id: string, moved: readonly Pair[], then: readonly string[], now: readonly string[]): void {
    const nameCells = name === undefined ? [] : [copyOf(now[name.now] ?? then[name.before] ?? '')];
    for (const { column, before, now: place } of moved) {
      const [was, is] = [copyOf(then[before] ?? ''), copyOf(now[place] ?? '')];
      const [sumBefore, sumNow] = isSummed(column) ? [amountOf(was), amountOf(is)] : [null, null];
      const shown = (text: string, sum: Big | null) => (text === '' || sum === null ? text : money(sum.toFixed()));
      const difference = sumBefore && sumNow && money(sumNow.minus(sumBefore).toFixed());
      const of = { name: previous.name, text: shortened(was, longestShown), label: column.label, record: id };
      if (isSummed(column) && sumBefore === null) unread.set(column, messageOf('previous-text', of));
      const change = [{ value: kind, style: styles[kind] }, id, ...nameCells, column.label];
      rows.push([...change, shown(was, sumBefore), shown(is, sumNow), difference]);
    }
  }

  return {
    /** The key column. Reading refuses two records of this month with the same key. */
    key: isFirst ? undefined : key.column,
    note: (row: readonly OutputValue[]): void => {
      const values = row.map(textOfCell);
      const id = copyOf((values[key.now] ?? '').trim());
      if (id === '' && !isFirst) throw errorOf('month-key-blank', { label: key.column.label, file: null });
      const before = left.get(id);
      left.delete(id);
      const moved = before === undefined ? main : pairs.filter((pair) => isChanged(pair, before, values));
      if (before === undefined) counts.added += 1;
      else counts[moved.length === 0 ? 'same' : 'changed'] += 1;
      add(before === undefined ? 'New' : 'Changed', id, moved, before ?? [], values);
    },
    /** After every record of this month was noted. @param sumOf  the sum of a column of this month */
    end: (sumOf: (column: number) => string) => {
      for (const [id, values] of left) {
        const isText = ({ column, before }: Pair) => isSummed(column) && amountOf(values[before]) === null;
        const moved = pairs.filter((pair) => main.includes(pair) || isText(pair));
        add('Gone', id, moved, values, []);
      }
      const ofAmounts = pairs.filter(({ column }) => isSummed(column) && !unread.has(column));
      const amounts = ofAmounts.flatMap((pair): ChangeCounts['amounts'] => {
        const then = previous.rows.reduce((sum, row) => sum.plus(amountOf(row[pair.before]) ?? none), none);
        const now = new Big(sumOf(pair.now));
        const isShown = main.includes(pair) || !now.eq(then);
        return isShown ? [[pair.column.label, then.toFixed(), now.toFixed(), now.minus(then).toFixed()]] : [];
      });
      const changes: ChangeCounts = { before: previous.name, ...counts, gone: left.size, amounts };
      const text = (label: string, width: number) => ({ label, look: 'text', width }) as const;
      const nameCells = name === undefined ? [] : [text(name.column.label, 32)];
      const sheet: ExportSheet = {
        name: 'Changes',
        columns: [
          ...[text('Change', 12), text(key.column.label, 24), ...nameCells, text('Column', 24)],
          ...[text('Before', 24), text('Now', 24), { label: 'Difference', look: 'number', width: 20 } as const],
        ],
        rows,
        totals: null,
        frozenColumns: 2 + nameCells.length,
      };
      return { changes, sheet, notices: [...unread.values()] };
    },
  };
}

function keyAmong(pairs: readonly Pair[], { name: file, rows, labels }: PreviousFile, named: string | null): Pair {
  const usual = ownIdOf(pairs.map(({ column }) => column));
  const both = pairs.map(({ column }) => column.label);
  const label = both.find((one, at) => both.indexOf(one) < at || labels.indexOf(one) < labels.lastIndexOf(one));
  if (label !== undefined) throw errorOf('columns-of-one-name', { label, file });
  const [first] = rows.length === 0 ? pairs : [];
  const key = pairs.find(({ column }) => (named === null ? column === usual : hasName(column, named)));
  const found = key ?? (named === null ? first : undefined);
  if (found !== undefined) return found;
  throw errorOf('no-common-key', { file, named, both: both.join(', '), labels: labels.join(', ') });
}

function isChanged({ column, before, now }: Pair, values: readonly string[], today: readonly string[]): boolean {
  const [was, is] = [values[before] ?? '', today[now] ?? ''];
  if (was === is) return false;
  // A workbook holds a cut text, and a day for a time of midnight.
  const evened = (given: string) =>
    fitText(given)
      .replace(/\r\n?/g, '\n')
      .replace(/ 00:00:00$/, '')
      .trim();
  const [then, text] = [evened(was), evened(is)];
  if (then === text || column.look === 'text' || then === '' || text === '') return then !== text;
  const [amountBefore, amountNow] = [amountOf(then), amountOf(text)];
  return amountBefore === null || amountNow === null || !amountBefore.eq(amountNow);
}

/** A blank counts nothing. */
function amountOf(text = ''): Big | null {
  return text.trim() === '' ? none : exactAmount(text);
}

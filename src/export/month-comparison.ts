/** This month against the last: what is new, gone and changed, record by record by the key that both have. */
import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import type { ChangedRecord, ChangesSheet } from '../workbooks/changes-sheet.ts';
import type { ExportColumn, ExportRow } from '../workbooks/export-column.ts';
import { balanceColumn } from '../workbooks/export-sheet.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import { folded } from './columns.ts';
import type { PreviousFile, PreviousRow } from './previous-file.ts';

interface Pair {
  readonly column: ExportColumn;
  /** Among this month's columns, and among last month's. */
  readonly now: number;
  readonly before: number;
}

interface Amounts {
  before: Big;
  now: Big;
  isChanged: boolean;
}

const mostNames = 2;
/** The place of a column that last month's file did not have. */
const nowhere = -1;

export class MonthComparison {
  readonly #columns: readonly ExportColumn[];
  readonly #previous: PreviousFile;
  readonly #pairs: readonly Pair[];
  readonly #key: Pair;
  readonly #rows = new Map<string, PreviousRow>();
  readonly #keys = new Set<string>();
  readonly #amounts = new Map<Pair, Amounts>();
  #added = 0;
  #changed = 0;
  #same = 0;

  /**
   * @param key  the column that a person has named, or `null` for the first id that both have
   * @throws DealsheetError `usage` when there is no key, or it is not the key of every record
   */
  constructor(columns: readonly ExportColumn[], previous: PreviousFile, key: string | null) {
    this.#columns = columns;
    this.#previous = previous;
    const places = new Map(previous.labels.map((label, index) => [folded(label), index]));
    this.#pairs = columns.flatMap((column, now) => {
      const before = places.get(folded(column.label));
      // Where the last month has no record, all of this month's are new, whatever columns it had.
      return before === undefined && previous.rows.length > 0 ? [] : [{ column, now, before: before ?? nowhere }];
    });
    this.#key = this.#chooseKey(key);
    for (const pair of this.#pairs) {
      if (pair.column.look === 'money') {
        this.#amounts.set(pair, { before: new Big(0), now: new Big(0), isChanged: false });
      }
    }
    for (const row of previous.rows) this.#hold(row);
  }

  /** Notes a record of this month. */
  note(row: ExportRow): void {
    const key = textOf(row[this.#key.now] ?? null);
    const isCompared = this.#previous.rows.length > 0;
    if (isCompared && (key === '' || this.#keys.has(key))) throw this.#noKey(key, 'of this month');
    // A copy: the key would else hold on to the piece of the answer that it was cut from.
    this.#keys.add(Buffer.from(key).toString());
    const before = this.#rows.get(key);
    if (before !== undefined) before.isFound = true;
    const values = before?.values ?? null;
    for (const [pair, amounts] of this.#amounts) {
      const now = decimalOf(textOf(row[pair.now] ?? null));
      const then = decimalOf(values?.[pair.before] ?? '');
      if (now !== null) amounts.now = amounts.now.plus(now);
      if (!isEqual(now, then)) amounts.isChanged = true;
    }
    if (values === null) this.#added += 1;
    else if (this.#pairs.some((pair) => isChanged(pair, values, row))) this.#changed += 1;
    else this.#same += 1;
  }

  /** What has changed in all, once every record of this month has been noted. */
  counts(): ChangeCounts {
    const gone = [...this.#rows.values()].filter(({ isFound }) => !isFound);
    if (gone.length > 0) {
      for (const amounts of this.#amounts.values()) amounts.isChanged = true;
    }
    return {
      before: this.#previous.name,
      added: this.#added,
      gone: gone.length,
      changed: this.#changed,
      same: this.#same,
      amounts: this.#changedAmounts().map((pair) => {
        const { before, now } = this.#amounts.get(pair) ?? { before: new Big(0), now: new Big(0) };
        return [pair.column.label, before.toFixed(), now.toFixed(), now.minus(before).toFixed()];
      }),
    };
  }

  /** The sheet of what is not the same. @param rows  this month's records once more, in their order */
  sheet(rows: Iterable<ExportRow>): ChangesSheet {
    const amounts = this.#changedAmounts();
    const names = this.#pairs
      .filter(({ column, now }) => column.look === 'text' && /\bname\b/i.test(column.label) && now !== this.#key.now)
      .slice(0, mostNames);
    return {
      key: this.#key.column,
      names: names.map(({ column }) => column),
      amounts: amounts.map(({ column }) => column),
      before: this.#previous.name,
      records: this.#records(rows, names, amounts),
    };
  }

  *#records(rows: Iterable<ExportRow>, names: readonly Pair[], amounts: readonly Pair[]): Generator<ChangedRecord> {
    for (const row of rows) {
      const key = textOf(row[this.#key.now] ?? null);
      const before = this.#rows.get(key)?.values ?? null;
      if (before !== null && !this.#pairs.some((pair) => isChanged(pair, before, row))) continue;
      yield {
        kind: before === null ? 'New' : 'Changed',
        key,
        names: names.map((pair) => textOf(row[pair.now] ?? null)),
        amounts: amounts.map((pair) => {
          const now = decimalOf(textOf(row[pair.now] ?? null));
          return amountChange(before === null ? null : decimalOf(before[pair.before] ?? ''), now);
        }),
        others: before === null ? '' : this.#otherChanges(before, row, amounts),
      };
    }
    for (const [key, row] of this.#rows) {
      if (row.isFound) continue;
      const { values } = row;
      yield {
        kind: 'Gone',
        key,
        names: names.map((pair) => values[pair.before] ?? ''),
        amounts: amounts.map((pair) => amountChange(decimalOf(values[pair.before] ?? ''), null)),
        others: '',
      };
    }
  }

  #otherChanges(before: readonly string[], row: ExportRow, amounts: readonly Pair[]): string {
    return this.#pairs
      .filter((pair) => !amounts.includes(pair) && isChanged(pair, before, row))
      .map(({ column, before: place, now }) => {
        const then = before[place] ?? '';
        const today = textOf(row[now] ?? null);
        return `${column.label}: ${then === '' ? 'blank' : then} → ${today === '' ? 'blank' : today}`;
      })
      .join('\n');
  }

  /** The balance first; amounts that nowhere changed are left out. */
  #changedAmounts(): readonly Pair[] {
    const main = balanceColumn(this.#columns);
    const changed = [...this.#amounts].filter(([pair, { isChanged }]) => isChanged || pair.now === main);
    return changed
      .map(([pair]) => pair)
      .sort((a, b) => Number(b.now === main) - Number(a.now === main) || a.now - b.now);
  }

  #chooseKey(named: string | null): Pair {
    if (named !== null) {
      const found = this.#pairs.find(({ column }) => folded(column.label) === folded(named));
      if (found !== undefined) return found;
      throw new DealsheetError(
        'usage',
        `The key "${named}" is not a column of both this month and ${this.#previous.name}.`,
        `Both have: ${this.#pairs.map(({ column }) => column.label).join(', ')}.`,
      );
    }
    const ids = this.#pairs.filter(({ column }) => column.meaning === 'id');
    const key = ids.find((pair) => isUnique(this.#previous.rows, pair.before));
    if (key !== undefined) return key;
    const [first] = this.#pairs;
    if (first !== undefined && this.#previous.rows.length === 0) return first;
    throw new DealsheetError(
      'usage',
      `${this.#previous.name} and this month have no id in common by which their records could be told apart.`,
      'Name the column of the key with --key, such as --key "Loan ID".',
    );
  }

  #hold(row: PreviousRow): void {
    const { values } = row;
    const key = values[this.#key.before] ?? '';
    if (key === '' || this.#rows.has(key)) throw this.#noKey(key, `in ${this.#previous.name}`);
    this.#rows.set(key, row);
    for (const [pair, amounts] of this.#amounts) {
      const then = decimalOf(values[pair.before] ?? '');
      if (then !== null) amounts.before = amounts.before.plus(then);
    }
  }

  #noKey(key: string, where: string): DealsheetError {
    const { label } = this.#key.column;
    return new DealsheetError(
      'usage',
      key === ''
        ? `A record ${where} has no ${label}: the months cannot be compared by it.`
        : `The ${label} "${key}" stands on several records ${where}: the months cannot be compared by it.`,
      'Name a column that is different on every record with --key.',
    );
  }
}

function isUnique(rows: readonly PreviousRow[], place: number): boolean {
  const seen = new Set<string>();
  for (const row of rows) {
    const value = row.values[place] ?? '';
    if (value === '' || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function isChanged({ column, before, now }: Pair, values: readonly string[], row: ExportRow): boolean {
  const then = values[before] ?? '';
  const today = textOf(row[now] ?? null);
  if (then === today) return false;
  if (column.look === 'text') return then.replace(/\r\n?/g, '\n').trim() !== today.replace(/\r\n?/g, '\n').trim();
  const thenNumber = decimalOf(then);
  const todayNumber = decimalOf(today);
  return thenNumber === null || todayNumber === null || !thenNumber.eq(todayNumber);
}

function isEqual(a: Big | null, b: Big | null): boolean {
  return a === null || b === null ? a === b : a.eq(b);
}

function amountChange(before: Big | null, now: Big | null): ChangedRecord['amounts'][number] {
  const difference = (now ?? new Big(0)).minus(before ?? new Big(0));
  return { before: before?.toFixed() ?? null, now: now?.toFixed() ?? null, difference: difference.toFixed() };
}

const exactNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function decimalOf(text: string): Big | null {
  return exactNumber.test(text) ? new Big(text) : null;
}

/** A value as the text that it has in a file of last month. */
function textOf(value: OutputValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'object') return String(value);
  if ('day' in value) return value.time === undefined ? value.day : `${value.day} ${value.time}`;
  return 'digits' in value ? value.digits : value.text;
}

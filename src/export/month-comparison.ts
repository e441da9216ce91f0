/** This month against the last: what is new, gone and changed, record by record by the key that both have. */
import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import type { OutputCell, OutputValue, StyleName } from '../sheets/sheet-writer.ts';
import { balanceColumn, type ExportColumn, type ExportRow, type ExportSheet } from '../workbooks/export-sheet.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import { textOfCell } from './cell-values.ts';
import { folded } from './columns.ts';
import { copyOf } from './exact-json.ts';
import type { PreviousFile } from './previous-file.ts';

type Row = readonly OutputValue[];

interface Pair {
  readonly column: ExportColumn;
  /** Among this month's columns, and among last month's. */
  readonly now: number;
  readonly before: number;
}

/** The sums of an amount in both months, and whether it changed on any record. */
interface Amounts {
  before: Big;
  now: Big;
  isChanged: boolean;
}

const mostNames = 2;
/** The place of a column that last month's file did not have. */
const nowhere = -1;
const styles: Readonly<Record<'New' | 'Changed' | 'Gone', StyleName>> = {
  New: 'good',
  Changed: 'waiting',
  Gone: 'settled',
};
const change: ExportColumn = { label: 'Change', look: 'text', meaning: null, width: 20 };
const otherChanges: ExportColumn = { label: 'Other changes', look: 'text', meaning: null, width: 48 };
/** Room for `change` and a filter button beside the name of an amount. */
const headerRoom = 11;

export class MonthComparison {
  readonly #columns: readonly ExportColumn[];
  readonly #previous: PreviousFile;
  readonly #pairs: readonly Pair[];
  readonly #key: Pair;
  /** The values of each record by its key: of last month, and those of them that this month does not have. */
  readonly #before = new Map<string, PreviousFile['rows'][number]>();
  readonly #gone: Map<string, PreviousFile['rows'][number]>;
  readonly #keys = new Set<string>();
  readonly #amounts = new Map<Pair, Amounts>();
  readonly #counts = { added: 0, changed: 0, same: 0 };

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
    for (const pair of this.#pairs)
      if (pair.column.look === 'money')
        this.#amounts.set(pair, { before: new Big(0), now: new Big(0), isChanged: false });
    for (const row of previous.rows) {
      const { values } = row;
      const own = values[this.#key.before] ?? '';
      if (own === '' || this.#before.has(own)) throw this.#noKey(own, `in ${previous.name}`);
      this.#before.set(own, row);
      for (const [pair, amounts] of this.#amounts)
        amounts.before = amounts.before.plus(decimalOf(values[pair.before]) ?? 0);
    }
    this.#gone = new Map(this.#before);
  }

  /** Notes a record of this month. */
  note(row: Row): void {
    const key = textOfCell(row[this.#key.now] ?? null);
    const isCompared = this.#previous.rows.length > 0;
    if (isCompared && (key === '' || this.#keys.has(key))) throw this.#noKey(key, 'of this month');
    this.#keys.add(copyOf(key));
    this.#gone.delete(key);
    const values = this.#before.get(key)?.values ?? null;
    for (const [pair, amounts] of this.#amounts) {
      const now = decimalOf(textOfCell(row[pair.now] ?? null));
      const then = decimalOf(values?.[pair.before]);
      amounts.now = amounts.now.plus(now ?? 0);
      amounts.isChanged ||= now === null || then === null ? now !== then : !now.eq(then);
    }
    if (values === null) this.#counts.added += 1;
    else if (this.#pairs.some((pair) => isChanged(pair, values, row))) this.#counts.changed += 1;
    else this.#counts.same += 1;
  }

  /** What has changed in all, once every record of this month has been noted. */
  counts(): ChangeCounts {
    const { added, changed, same } = this.#counts;
    const amounts = this.#changedAmounts().map((pair) => {
      const { before, now } = this.#amounts.get(pair) as Amounts;
      return [pair.column.label, before.toFixed(), now.toFixed(), now.minus(before).toFixed()] as const;
    });
    return { before: this.#previous.name, added, gone: this.#gone.size, changed, same, amounts };
  }

  /** The sheet of what is not the same. @param rows  this month's records once more, in their order */
  sheet(rows: Iterable<Row>, day: string): ExportSheet {
    const amounts = this.#changedAmounts();
    const names = this.#pairs
      .filter(({ column, now }) => column.look === 'text' && /\bname\b/i.test(column.label) && now !== this.#key.now)
      .slice(0, mostNames);
    const plain = ({ column }: Pair): ExportColumn => ({ ...column, look: 'text', meaning: null });
    const figures = amounts.flatMap(({ column }, index) =>
      // The first one stands with what it was and what it is, the others with their change alone.
      (index === 0 ? ['before', 'now', 'change'] : ['change']).map(
        (word): ExportColumn => ({
          ...column,
          label: `${column.label} ${word}`,
          meaning: null,
          width: Math.max(column.width, column.label.length + headerRoom),
        }),
      ),
    );
    const columns = [change, plain(this.#key), ...names.map(plain), ...figures, otherChanges];
    const sums = columns.map(() => new Big(0));
    return {
      name: 'Changes',
      columns,
      rows: this.#changes(rows, names, amounts, sums),
      // The records that stay the same are in no sum of this sheet: the Summary has those of all.
      totals: { label: 'Total of these rows', of: (column) => sums[column]?.toFixed() ?? '0' },
      day,
      footer: `Changes since ${this.#previous.name}`,
      frozenColumns: 2 + names.length,
    };
  }

  *#changes(rows: Iterable<Row>, names: readonly Pair[], amounts: readonly Pair[], sums: Big[]): Generator<ExportRow> {
    const cells = (kind: keyof typeof styles, then: readonly string[] | null, now: Row | null): ExportRow => {
      const textNow = (pair: Pair) => (now === null ? '' : textOfCell(now[pair.now] ?? null));
      const known = (pair: Pair) => (now === null ? (then?.[pair.before] ?? '') : textNow(pair));
      const figures = amounts.flatMap((pair, index) => {
        const [old, current] = [decimalOf(then?.[pair.before]), decimalOf(textNow(pair))];
        const moved = (current ?? new Big(0)).minus(old ?? 0);
        return index === 0 ? [old, current, moved] : [moved.eq(0) ? null : moved];
      });
      const front = 2 + names.length;
      for (const [index, figure] of figures.entries())
        sums[front + index] = (sums[front + index] ?? new Big(0)).plus(figure ?? 0);
      const others = then === null || now === null ? '' : this.#otherChanges(then, now, amounts);
      return [
        { value: kind, style: styles[kind] },
        ...[this.#key, ...names].map(known),
        ...figures.map((figure): OutputCell => (figure === null ? null : { digits: figure.toFixed() })),
        others === '' ? null : { value: others, style: 'note' },
      ];
    };
    for (const row of rows) {
      const then = this.#before.get(textOfCell(row[this.#key.now] ?? null))?.values ?? null;
      if (then === null) yield cells('New', null, row);
      else if (this.#pairs.some((pair) => isChanged(pair, then, row))) yield cells('Changed', then, row);
    }
    for (const { values } of this.#gone.values()) yield cells('Gone', values, null);
  }

  #otherChanges(before: readonly string[], row: Row, amounts: readonly Pair[]): string {
    const shown = (text: string) => (text === '' ? 'blank' : text);
    return this.#pairs
      .filter((pair) => !amounts.includes(pair) && isChanged(pair, before, row))
      .map(({ column, before: then, now }) => {
        return `${column.label}: ${shown(before[then] ?? '')} → ${shown(textOfCell(row[now] ?? null))}`;
      })
      .join('\n');
  }

  /** The balance first; amounts that nowhere changed are left out. */
  #changedAmounts(): readonly Pair[] {
    const main = balanceColumn(this.#columns);
    return [...this.#amounts]
      .filter(([pair, { isChanged }]) => isChanged || this.#gone.size > 0 || pair.now === main)
      .map(([pair]) => pair)
      .sort((a, b) => Number(b.now === main) - Number(a.now === main) || a.now - b.now);
  }

  #chooseKey(named: string | null): Pair {
    const { name, rows } = this.#previous;
    const isUnique = ({ before }: Pair) => {
      const values = new Set(rows.map(({ values }) => values[before] ?? ''));
      return values.size === rows.length && !values.has('');
    };
    const key =
      named === null
        ? (this.#pairs.find((pair) => pair.column.meaning === 'id' && isUnique(pair)) ??
          (rows.length === 0 ? this.#pairs[0] : undefined))
        : this.#pairs.find(({ column }) => folded(column.label) === folded(named));
    if (key !== undefined) return key;
    throw new DealsheetError(
      'usage',
      named === null
        ? `${name} and this month have no id in common by which their records could be told apart.`
        : `The key "${named}" is not a column of both this month and ${name}.`,
      `Name the column of the key with --key, such as --key "Loan ID". Both have: ${this.#pairs.map(({ column }) => column.label).join(', ')}.`,
    );
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

function isChanged({ column, before, now }: Pair, values: readonly string[], row: Row): boolean {
  const [then, today] = [values[before] ?? '', textOfCell(row[now] ?? null)];
  if (then === today) return false;
  const evened = (text: string) => text.replace(/\r\n?/g, '\n').trim();
  if (column.look === 'text') return evened(then) !== evened(today);
  const [thenNumber, todayNumber] = [decimalOf(then), decimalOf(today)];
  return thenNumber === null || todayNumber === null || !thenNumber.eq(todayNumber);
}

function decimalOf(text = ''): Big | null {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? new Big(text) : null;
}

/** This month against the last: what is new, gone and changed, record by record by the key that both have. */
import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import { folded } from '../mapping/headers.ts';
import type { OutputCell, OutputValue, StyleName } from '../sheets/sheet-writer.ts';
import { balanceColumn, type ExportColumn, type ExportRow, type ExportSheet } from '../workbooks/export-sheet.ts';
import type { ChangeCounts } from '../workbooks/export-summary.ts';
import { textOfCell } from './cell-values.ts';
import { copyOf } from './exact-json.ts';
import { PackedRow, type PreviousFile } from './previous-file.ts';

/** A column of both months: its place among this month's, and among last month's; of an amount, its sums of then and of now. */
interface Pair {
  readonly column: ExportColumn;
  readonly now: number;
  readonly before: number;
  sumBefore: Big;
  sumNow: Big;
  hasMoved: boolean;
}

interface Change {
  readonly kind: 'New' | 'Changed' | 'Gone';
  readonly then: PackedRow | null;
  readonly now: PackedRow | null;
}

const none = new Big(0);
const mostNames = 2;
/** The place of a column that last month's file did not have. */
const nowhere = -1;
const styles: Readonly<Record<Change['kind'], StyleName>> = { New: 'good', Changed: 'waiting', Gone: 'settled' };
const change: ExportColumn = { label: 'Change', look: 'text', meaning: null, width: 20 };
const otherChanges: ExportColumn = { label: 'Other changes', look: 'text', meaning: null, width: 48 };
/** Room for `change` and a filter button beside the name of an amount. */
const headerRoom = 11;
export class MonthComparison {
  readonly #columns: readonly ExportColumn[];
  readonly #previous: PreviousFile;
  readonly #pairs: readonly Pair[];
  readonly #key: Pair;
  /** The records of last month by their key that this month has not had yet. */
  readonly #left = new Map<string, PackedRow>();
  readonly #keys = new Set<string>();
  readonly #amounts: readonly Pair[];
  readonly #changes: Change[] = [];
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
      if (before === undefined && previous.rows.length > 0) return [];
      return [{ column, now, before: before ?? nowhere, sumBefore: none, sumNow: none, hasMoved: false }];
    });
    this.#key = this.#chooseKey(key);
    this.#amounts = this.#pairs.filter(({ column }) => column.look === 'money');
    for (const row of previous.rows) {
      const { values } = row;
      const own = values[this.#key.before] ?? '';
      if (own === '' || this.#left.has(own)) throw this.#noKey(own, `in ${previous.name}`);
      this.#left.set(own, row);
      for (const pair of this.#amounts) pair.sumBefore = pair.sumBefore.plus(decimalOf(values[pair.before]) ?? 0);
    }
  }

  /** Notes a record of this month. */
  note(row: readonly OutputValue[]): void {
    const values = row.map(textOfCell);
    const key = values[this.#key.now] ?? '';
    const isCompared = this.#previous.rows.length > 0;
    if (isCompared && (key === '' || this.#keys.has(key))) throw this.#noKey(key, 'of this month');
    this.#keys.add(copyOf(key));
    const then = this.#left.get(key) ?? null;
    this.#left.delete(key);
    const before = then?.values ?? [];
    for (const pair of this.#amounts) {
      const [old, now] = [decimalOf(before[pair.before]), decimalOf(values[pair.now])];
      pair.sumNow = pair.sumNow.plus(now ?? 0);
      pair.hasMoved ||= now === null || old === null ? now !== old : !now.eq(old);
    }
    if (then === null) this.#changes.push({ kind: 'New', then, now: new PackedRow(values) });
    else if (this.#pairs.some((pair) => isChanged(pair, before, values)))
      this.#changes.push({ kind: 'Changed', then, now: new PackedRow(values) });
    else this.#same += 1;
  }

  /** What has changed in all, once every record of this month has been noted. */
  counts(): ChangeCounts {
    const added = this.#changes.filter(({ kind }) => kind === 'New').length;
    const amounts = this.#changedAmounts().map(({ column, sumBefore, sumNow }) => {
      return [column.label, sumBefore.toFixed(), sumNow.toFixed(), sumNow.minus(sumBefore).toFixed()] as const;
    });
    const changed = this.#changes.length - added;
    return { before: this.#previous.name, added, gone: this.#left.size, changed, same: this.#same, amounts };
  }

  /** The sheet of what is not the same, once every record of this month has been noted. */
  sheet(): ExportSheet {
    const amounts = this.#changedAmounts();
    const names = this.#pairs
      .filter(({ column, now }) => column.look === 'text' && /\bname\b/i.test(column.label) && now !== this.#key.now)
      .slice(0, mostNames);
    const known = [this.#key, ...names];
    const figures = amounts.flatMap(({ column }, index) =>
      // The first one stands with what it was and what it is, the others with their change alone.
      (index === 0 ? ['before', 'now', 'change'] : ['change']).map((word): ExportColumn => {
        const width = Math.max(column.width, column.label.length + headerRoom);
        return { ...column, label: `${column.label} ${word}`, meaning: null, width };
      }),
    );
    const plain = known.map(({ column }): ExportColumn => ({ ...column, look: 'text', meaning: null }));
    const columns = [change, ...plain, ...figures, otherChanges];
    const sums = columns.map(() => none);
    return {
      name: 'Changes',
      columns,
      rows: this.#rows(known, amounts, sums),
      // The records that stay the same are in no sum of this sheet: the Summary has those of all.
      totals: { label: 'Total of these rows', of: (column) => sums[column]?.toFixed() ?? '0' },
      frozenColumns: 1 + known.length,
    };
  }

  *#rows(known: readonly Pair[], amounts: readonly Pair[], sums: Big[]): Generator<ExportRow> {
    const gone = [...this.#left.values()].map((then): Change => ({ kind: 'Gone', then, now: null }));
    for (const { kind, then, now } of [...this.#changes, ...gone]) {
      const [old, today] = [then?.values ?? null, now?.values ?? null];
      const figures = amounts.flatMap((pair, index) => {
        const [before, after] = [decimalOf(old?.[pair.before]), decimalOf(today?.[pair.now])];
        const moved = (after ?? none).minus(before ?? 0);
        return index === 0 ? [before, after, moved] : [moved.eq(0) ? null : moved];
      });
      for (const [index, figure] of figures.entries()) {
        const place = 1 + known.length + index;
        sums[place] = (sums[place] ?? none).plus(figure ?? 0);
      }
      const others = old === null || today === null ? '' : this.#otherChanges(old, today, amounts);
      yield [
        { value: kind, style: styles[kind] },
        ...known.map((pair) => (today === null ? (old?.[pair.before] ?? '') : (today[pair.now] ?? ''))),
        ...figures.map((figure): OutputCell => (figure === null ? null : { digits: figure.toFixed() })),
        others === '' ? null : { value: others, style: 'note' },
      ];
    }
  }

  #otherChanges(then: readonly string[], now: readonly string[], amounts: readonly Pair[]): string {
    const shown = (text = '') => (text === '' ? 'blank' : text);
    return this.#pairs
      .filter((pair) => !amounts.includes(pair) && isChanged(pair, then, now))
      .map((pair) => `${pair.column.label}: ${shown(then[pair.before])} → ${shown(now[pair.now])}`)
      .join('\n');
  }

  /** The balance first; amounts that nowhere changed are left out. */
  #changedAmounts(): readonly Pair[] {
    const main = balanceColumn(this.#columns);
    return this.#amounts
      .filter(({ hasMoved, now }) => hasMoved || this.#left.size > 0 || now === main)
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

function isChanged({ column, before, now }: Pair, values: readonly string[], today: readonly string[]): boolean {
  const [then, text] = [values[before] ?? '', today[now] ?? ''];
  if (then === text) return false;
  const evened = (given: string) => given.replace(/\r\n?/g, '\n').trim();
  if (column.look === 'text') return evened(then) !== evened(text);
  const [thenNumber, todayNumber] = [decimalOf(then), decimalOf(text)];
  return thenNumber === null || todayNumber === null || !thenNumber.eq(todayNumber);
}

function decimalOf(text = ''): Big | null {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? new Big(text) : null;
}

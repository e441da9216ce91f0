/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import Big from 'big.js';
import { shortDigest } from '../checks/first-rows.ts';
import { valueAt } from '../contract/body-path.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import type { ServiceClient } from '../service/client.ts';
import { excelDigits } from '../sheets/excel-limits.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import { addExportSheet, isSummed, totalLabel } from '../workbooks/export-sheet.ts';
import { integer, money, type Summary, writeSummary } from '../workbooks/summary.ts';
import { recordsOf } from './balance-layout.ts';
import { fetchBalances, stopped } from './balance-pages.ts';
import { rowOf, textOfCell, valuesByPath, withoutSensitive } from './cell-values.ts';
import { chooseColumns, isNamed, ownIdOf, type SourceColumn } from './columns.ts';
import { copyOf, exactText, type JsonObject, textOf } from './exact-json.ts';
import {
  type ExportFormat,
  exportTarget,
  finishExportFile,
  localDay,
  type SharedOptions,
  withExportFile,
} from './export-file.ts';
import { type ChangeCounts, MonthComparison, readPrevious } from './month-comparison.ts';
import type { Query } from './next-page.ts';
import { balanceFault } from './read-fault.ts';
import { RecordShape } from './record-shape.ts';

export interface BalancesOptions extends SharedOptions {
  readonly query: Query;
  /** Last month's file, or `null`. */
  readonly previous: string | null;
  /** The column by which the months are compared, or `null` for the id of the record itself. */
  readonly key: string | null;
  /** The address of the service, for the summary. */
  readonly service: string;
}

export interface ExportEvents {
  onPage(pages: number, records: number): void;
  /** Told every thousand records. */
  onWritten(records: number, of: number): void;
}

export interface BalancesResult {
  /** `null` for standard output. */
  readonly path: string | null;
  readonly format: ExportFormat;
  readonly records: number;
  readonly pages: number;
  /** Where the balances were found, and how their pages were asked for. */
  readonly found: string;
  readonly columns: readonly string[];
  /** Exact sums by label. */
  readonly totals: Readonly<Record<string, string>>;
  readonly changes: ChangeCounts | null;
  /** What a person should know, as whole sentences. */
  readonly notices: readonly string[];
}

const balancesSheet = 'Balances';
const progressStep = 1000;
const longestId = 80;

/** @throws DealsheetError when an option is wrong, or there is no whole file at the end; the one that stood there before then still does */
export async function exportBalances(
  options: BalancesOptions,
  client: ServiceClient,
  events: ExportEvents,
): Promise<BalancesResult> {
  const { output, mask, signal } = options;
  const { balances } = options.contract;
  const target = exportTarget(output, options.format);
  const { format } = target;
  const previous = options.previous === null ? null : await readPrevious(options.previous, balancesSheet, mask);
  const chosen = options.columns.length > 0 ? options.columns : balances.columns;
  return withExportFile(target, 'balances', async (file, folder) => {
    const shape = new RecordShape();
    const onRecord = (record: JsonObject) => shape.look(record);
    const { pages, layout, found } = await fetchBalances({
      ...options,
      client,
      folder,
      onRecord,
      onPage: events.onPage,
    });
    // A month without balances has the columns of the one before.
    const isBare = shape.records === 0 && chosen.length === 0;
    const { columns, missing } = chooseColumns(shape, isBare ? (previous?.labels ?? []) : chosen);
    const tally = new Tally(columns);
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    const comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find((column) => isNamed(column, key));
    const own = named ?? comparison?.key ?? ownIdOf(chooseColumns(shape, []).columns);
    const refuse = own && refuseRepeated(own);

    /** The records as they are shown with their rows, counted and compared on the way. */
    function* shown(): Generator<{ readonly record: JsonObject; readonly row: readonly OutputValue[] }> {
      let written = 0;
      for (const answer of pages)
        for (const answered of recordsOf(answer, layout)) {
          if (signal.aborted) throw stopped();
          const record = mask ? withoutSensitive(answered) : answered;
          const row = rowOf(record, columns);
          refuse?.(record);
          tally.add(row);
          comparison?.note(row);
          yield { record, row };
          written += 1;
          if (written % progressStep === 0) events.onWritten(written, shape.records);
        }
    }
    function* rows(): Generator<readonly OutputValue[]> {
      for (const { row } of shown()) yield row;
    }
    const result = () => {
      const blank = missing.map((name) => `No record has "${name}": its column is blank.`);
      const notices = shape.records === 0 ? ['The service gave no balances.'] : blank;
      return {
        ...{ format, records: shape.records, pages: pages.length, found, totals: tally.totals() },
        columns: columns.map(({ label }) => label),
        changes: comparison?.counts() ?? null,
        notices: [...notices, ...tally.notices()],
      };
    };
    if (file.holds === 'records') {
      // As the service gave it, or its chosen values by their paths.
      for (const { record } of shown())
        await file.writer.add(exactText(chosen.length > 0 ? valuesByPath(record, columns) : record));
    } else {
      const isWorkbook = format === 'xlsx';
      const totals = isWorkbook ? { label: totalLabel, of: (column: number) => tally.totalOf(column) } : null;
      await addExportSheet(file.writer, { name: balancesSheet, columns, rows: rows(), totals, frozenColumns: 1 });
      if (isWorkbook && comparison !== null) await addExportSheet(file.writer, comparison.sheet());
      if (isWorkbook) await writeSummary(file.writer, summaryWidths, summaryOf(options, result()));
    }
    return { ...result(), path: await finishExportFile(file, target) };
  });
}

const summaryWidths = [30, 20, 20, 20];

function summaryOf(
  { now, service, query }: BalancesOptions,
  { records, found, totals, changes, notices }: Omit<BalancesResult, 'path'>,
): Summary {
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
  const [time = '', zone = ''] = now.toTimeString().split(' ');
  return {
    title: 'Loan balances',
    facts: [
      [`Exported (${zone})`, { value: { day: localDay(now), time }, style: 'date-time' }],
      ['Service', service],
      ['Found', found],
      ...(asked === '' ? [] : [['Asked with', asked] as const]),
      ['Records', integer(records)],
      ...Object.entries(totals).map(([label, sum]) => [`Total ${label}`, money(sum)] as const),
    ],
    tables: changes === null ? [] : changeTables(changes),
    notices,
  };
}

function changeTables({ before, added, gone, changed, same, amounts }: ChangeCounts): Summary['tables'] {
  const counts = ['Records', ...[added, gone, changed, same].map(integer)];
  const sums = amounts.map(([label, ...digits]) => [label, ...digits.map(money)]);
  const tables = [
    { title: `Since ${before}`, headers: ['', 'New', 'Gone', 'Changed', 'The same'], wordColumns: 1, rows: [counts] },
    { title: null, headers: ['Amount', 'Before', 'Now', 'Change'], wordColumns: 1, rows: sums },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

const longestShown = 40;

/** Exact sums of the columns of amounts, and what is in no sum. */
class Tally {
  readonly #sums: ReadonlyMap<number, { readonly label: string; sum: Big; texts: number; firstText: string }>;
  /** Amounts with more digits than a number in a spreadsheet holds: they stand as text, and are in no formula. */
  #textAmounts = 0;

  constructor(columns: readonly SourceColumn[]) {
    const sums = columns.map(
      ({ label }, index) => [index, { label, sum: new Big(0), texts: 0, firstText: '' }] as const,
    );
    this.#sums = new Map(sums.filter((_, index) => isSummed(columns[index] as SourceColumn)));
  }

  add(row: readonly OutputValue[]): void {
    for (const [column, sum] of this.#sums) {
      const value = row[column] ?? null;
      const text = textOfCell(value);
      if (/^-?\d+(\.\d+)?$/.test(text)) {
        sum.sum = sum.sum.plus(text);
        if (typeof value === 'string') this.#textAmounts += 1;
      } else if (text.trim() !== '') {
        if (sum.texts === 0) sum.firstText = copyOf(text.slice(0, longestShown));
        sum.texts += 1;
      }
    }
  }

  totalOf(column: number): string {
    return this.#sums.get(column)?.sum.toFixed() ?? '0';
  }

  /** Exact sums by label. */
  totals(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#sums.values()].map(({ label, sum }) => [label, sum.toFixed()]));
  }

  notices(): readonly string[] {
    const noAmounts = [...this.#sums.values()].filter(({ texts }) => texts > 0);
    const told = noAmounts.map(
      ({ label, texts, firstText }) =>
        `${texts} of the values of ${label} are no amounts, the first of them "${firstText}": they are in no sum.`,
    );
    if (this.#textAmounts === 0) return told;
    const tooLong = `${this.#textAmounts} amounts have more than ${excelDigits} digits, which a number in a spreadsheet cannot hold: they stand as text, and the formulas leave them out. The sums told here count them.`;
    return [...told, tooLong];
  }
}

/**
 * Refuses the second record with an id: the list changed while it was read, or a loan stands there twice.
 *
 * @returns told of each record; throws DealsheetError `output-failed`
 */
function refuseRepeated({ segments }: SourceColumn): (record: JsonObject) => void {
  // By its digest: a number takes a fraction of the room of a text.
  const seen = new Set<number>();
  return (record) => {
    const id = textOf(valueAt(record, segments) as never);
    if (id === null || id.trim() === '') return;
    const digest = digestOf(id);
    if (seen.has(digest))
      throw balanceFault('there-twice', { name: segments.join('.'), id: shortened(plainText(id), longestId) });
    seen.add(digest);
  };
}

/** A number holds 53 bits exactly. */
const lowBits = 21;

function digestOf(id: string): number {
  const { high, low } = shortDigest(id);
  return (high >>> 0) * 2 ** lowBits + (low >>> (32 - lowBits));
}

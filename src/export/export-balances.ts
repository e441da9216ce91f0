/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import { shortDigest } from '../checks/first-rows.ts';
import { valueAt } from '../contract/body-path.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import type { ServiceClient } from '../service/client.ts';
import type { OutputValue } from '../sheets/sheet-writer.ts';
import {
  addExportSheet,
  addExportSummary,
  type ChangeCounts,
  type ExportSummary,
  totalLabel,
} from '../workbooks/export-sheet.ts';
import { recordsOf } from './balance-layout.ts';
import { fetchBalances, stopped } from './balance-pages.ts';
import { rowOf, valuesByPath, withoutSensitive } from './cell-values.ts';
import {
  chooseColumns,
  columnsBefore,
  groupColumns,
  isNamed,
  type ListColumns,
  ownIdOf,
  type SourceColumn,
} from './columns.ts';
import { exactText, type JsonObject, textOf } from './exact-json.ts';
import {
  type ExportFormat,
  exportTarget,
  finishExportFile,
  localDay,
  type SharedOptions,
  withExportFile,
} from './export-file.ts';
import { ExportTally } from './export-tally.ts';
import { MonthComparison, type PreviousFile, readPrevious } from './month-comparison.ts';
import type { Query } from './next-page.ts';
import { balanceFault } from './read-fault.ts';
import { RecordShape } from './record-shape.ts';

export interface BalancesOptions extends SharedOptions {
  readonly query: Query;
  /** Labels or paths of the columns by whose values the summary counts; empty for status and funder. */
  readonly groupBy: readonly string[];
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
  const { output, mask, signal, lists } = options;
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
    const { columns, notices } = columnsOf(shape, chosen, lists, previous);
    const groups = groupColumns(columns, options.groupBy.length > 0 ? options.groupBy : balances.groupBy);
    const tally = new ExportTally(columns, groups);
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    const comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find((column) => isNamed(column, key));
    const own = named ?? comparison?.key ?? ownIdOf(chooseColumns(shape, { columns: [], lists }).columns);
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
      const totals = tally.totals().map(({ column, sum }) => [columns[column]?.label ?? '', sum]);
      return {
        ...{ format, records: shape.records, pages: pages.length, found },
        columns: columns.map(({ label }) => label),
        totals: Object.fromEntries(totals) as Record<string, string>,
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
      if (isWorkbook) await addExportSummary(file.writer, summaryOf(options, result(), columns, tally));
    }
    return { ...result(), path: await finishExportFile(file, target) };
  });
}

/** The columns, and what a person should know before anything is written. */
function columnsOf(
  shape: RecordShape,
  chosen: readonly string[],
  lists: ListColumns,
  previous: PreviousFile | null,
): { readonly columns: readonly SourceColumn[]; readonly notices: readonly string[] } {
  if (shape.records === 0) {
    const isBare = chosen.length === 0 && previous !== null;
    const columns = isBare
      ? columnsBefore(previous.labels, previous.rows)
      : chooseColumns(shape, { columns: chosen, lists }).columns;
    return { columns, notices: ['The service gave no balances.'] };
  }
  const { columns, missing } = chooseColumns(shape, { columns: chosen, lists });
  const isFirst = previous?.rows.length === 0;
  return {
    columns,
    notices: [
      ...(isFirst ? [`${previous.name} holds no balances: all of this month are new.`] : []),
      ...missing.map((name) => `No record has "${name}": its column is blank.`),
    ],
  };
}

function summaryOf(
  { now, service, query }: BalancesOptions,
  { records, found, changes, notices }: Omit<BalancesResult, 'path'>,
  columns: readonly SourceColumn[],
  tally: ExportTally,
): ExportSummary {
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
  const [time = '', zone = ''] = now.toTimeString().split(' ');
  return {
    title: 'Loan balances',
    facts: [
      [`Exported (${zone})`, { value: { day: localDay(now), time }, style: 'date-time' }],
      ['Service', service],
      ['Found', found],
      ...(asked === '' ? [] : [['Asked with', asked] as const]),
      ['Records', { value: records, style: 'integer' }],
    ],
    ...{ sheet: balancesSheet, records, columns, changes, notices },
    totals: records === 0 ? [] : tally.totals(),
    groups: records === 0 ? [] : tally.groups(),
  };
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

/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import { firstAt } from '../contract/body-path.ts';
import type { ServiceClient } from '../service/client.ts';
import type { OutputCell, OutputValue, SheetWriter } from '../sheets/sheet-writer.ts';
import { addExportSheet, addExportSummary, type ChangeCounts, totalLabel } from '../workbooks/export-sheet.ts';
import { recordsOf } from './balance-layout.ts';
import { fetchBalances, type KeptBalances, stopped } from './balance-pages.ts';
import { rowOf, valuesByPath } from './cell-values.ts';
import { chooseColumns, columnsBefore, groupColumns, isNamed, type SourceColumn } from './columns.ts';
import { exactText, type JsonObject } from './exact-json.ts';
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
import { RecordShape } from './record-shape.ts';
import { ownIdOf, refuseRepeated } from './repeated-records.ts';
import { withoutSensitive } from './sensitive-values.ts';

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

/** @throws DealsheetError when an option is wrong, or there is no whole file at the end; the one that stood there before then still does */
export async function exportBalances(
  options: BalancesOptions,
  client: ServiceClient,
  events: ExportEvents,
): Promise<BalancesResult> {
  const { output, previous: path, mask } = options;
  const target = exportTarget(output, options.format);
  const { format } = target;
  const previous = path === null ? null : await readPrevious(path, balancesSheet, mask);
  return withExportFile(target, 'balances', async (file, folder) => {
    const shape = new RecordShape();
    const onRecord = (record: JsonObject) => shape.look(record);
    const kept = await fetchBalances({ ...options, client, folder, onRecord, onPage: events.onPage });
    const report = new BalancesReport(options, events, shape, kept, previous);
    if (file.holds === 'records') for (const record of report.records()) await file.writer.add(report.json(record));
    else {
      await addExportSheet(file.writer, {
        name: balancesSheet,
        columns: report.columns,
        rows: report.rows(),
        totals: format === 'xlsx' ? { label: totalLabel, of: (column) => report.tally.totalOf(column) } : null,
        frozenColumns: 1,
      });
      if (format === 'xlsx') await report.writeOtherSheets(file.writer);
    }
    return { format, ...report.result(), path: await finishExportFile(file, target) };
  });
}

/** What is learnt of the balances while they are written. */
class BalancesReport {
  readonly columns: readonly SourceColumn[];
  readonly tally: ExportTally;
  readonly #options: BalancesOptions;
  readonly #events: ExportEvents;
  readonly #kept: KeptBalances;
  readonly #count: number;
  readonly #isChosen: boolean;
  /** What a person should know, before anything is written. */
  readonly #notices: readonly string[];
  readonly #comparison: MonthComparison | null;
  readonly #refuseRepeated: ((record: JsonObject) => void) | undefined;
  /** The row of the record that was read last. */
  #row: readonly OutputValue[] = [];

  constructor(
    options: BalancesOptions,
    events: ExportEvents,
    shape: RecordShape,
    kept: KeptBalances,
    previous: PreviousFile | null,
  ) {
    this.#options = options;
    this.#events = events;
    this.#kept = kept;
    this.#count = shape.records;
    const { lists } = options;
    const { balances } = options.contract;
    const chosen = options.columns.length > 0 ? options.columns : balances.columns;
    this.#isChosen = chosen.length > 0;
    const isBare = shape.records === 0 && chosen.length === 0 && previous !== null;
    const { columns, missing } = isBare
      ? { columns: columnsBefore(previous), missing: [] }
      : chooseColumns(shape, { columns: chosen, lists });
    this.columns = columns;
    const isFirst = shape.records > 0 && previous?.rows.length === 0;
    this.#notices = [
      ...(shape.records === 0 ? ['The service gave no balances.'] : []),
      ...(isFirst ? [`${previous.name} holds no balances: all of this month are new.`] : []),
      ...kept.said.map((text) => `The service says beside the balances: ${text}`),
      ...(shape.records === 0 ? [] : missing.map((name) => `No record has "${name}": its column is blank.`)),
    ];
    this.tally = new ExportTally(
      columns,
      groupColumns(columns, options.groupBy.length > 0 ? options.groupBy : balances.groupBy),
    );
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    this.#comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find((column) => isNamed(column, key));
    const own = named ?? this.#comparison?.key ?? ownIdOf(chooseColumns(shape, { columns: [], lists }).columns);
    this.#refuseRepeated = own && refuseRepeated(own);
  }

  /** The records as they are shown, counted and compared on the way. */
  *records(): Generator<JsonObject> {
    let written = 0;
    for (const answer of this.#kept.pages)
      for (const answered of recordsOf(answer, this.#kept.layout)) {
        if (this.#options.signal.aborted) throw stopped();
        const record = this.#options.mask ? withoutSensitive(answered) : answered;
        this.#row = rowOf(record, this.columns);
        this.#refuseRepeated?.(record);
        this.tally.add(this.#row);
        this.#comparison?.note(this.#row);
        yield record;
        written += 1;
        if (written % progressStep === 0) this.#events.onWritten(written, this.#count);
      }
  }

  *rows(): Generator<readonly OutputValue[]> {
    for (const _ of this.records()) yield this.#row;
  }

  /** A record as the service gave it, or its chosen values by their paths. */
  json(record: JsonObject): string {
    return exactText(this.#isChosen ? valuesByPath(record, this.columns) : record);
  }

  /** What there is to say, once every record has been read. */
  result(): Omit<BalancesResult, 'format' | 'path'> {
    const totals = this.tally.totals().map(({ column, sum }) => [this.columns[column]?.label ?? '', sum]);
    return {
      records: this.#count,
      pages: this.#kept.pages.length,
      found: this.#kept.found,
      columns: this.columns.map(({ label }) => label),
      totals: Object.fromEntries(totals) as Record<string, string>,
      changes: this.#comparison?.counts() ?? null,
      notices: [...this.#notices, ...this.tally.notices()],
    };
  }

  async writeOtherSheets(writer: SheetWriter): Promise<void> {
    const { now, service, query } = this.#options;
    if (this.#comparison !== null) await addExportSheet(writer, this.#comparison.sheet());
    const { records, found, changes, notices } = this.result();
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
    const asOf = firstAt(this.#kept.around, ['asOf', 'as_of', 'asOfDate', 'meta.asOf', 'meta.asOfDate']);
    const [time = '', zone = ''] = now.toTimeString().split(' ');
    const exportedAt: OutputCell = { value: { day: localDay(now), time }, style: 'date-time' };
    await addExportSummary(writer, {
      title: 'Loan balances',
      facts: [
        [`Exported (${zone})`, exportedAt],
        ...(typeof asOf === 'string' && asOf !== '' ? [['As of, by the service', asOf] as const] : []),
        ['Service', service],
        ['Found', found],
        ...(asked === '' ? [] : [['Asked with', asked] as const]),
        ['Records', { value: records, style: 'integer' }],
      ],
      sheet: balancesSheet,
      records,
      columns: this.columns,
      totals: records === 0 ? [] : this.tally.totals(),
      groups: records === 0 ? [] : this.tally.groups(),
      changes,
      notices,
    });
  }
}

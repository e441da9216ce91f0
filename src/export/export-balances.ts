/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import { firstAt } from '../contract/body-path.ts';
import { folded } from '../mapping/headers.ts';
import { balanceNotices } from '../messages/balances.ts';
import type { ServiceClient } from '../service/client.ts';
import type { OutputCell, OutputValue, SheetWriter } from '../sheets/sheet-writer.ts';
import { addExportSheet, totalLabel } from '../workbooks/export-sheet.ts';
import { addExportSummary } from '../workbooks/export-summary.ts';
import { recordsOf } from './balance-layout.ts';
import { fetchBalances, type KeptBalances, stopped } from './balance-pages.ts';
import { rowOf, valuesByPath } from './cell-values.ts';
import { chooseColumns, columnsBefore, groupColumns, type SourceColumn } from './columns.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import { exportTarget, finishExportFile, withExportFile } from './export-file.ts';
import { localDay, localTime, localZone } from './export-moment.ts';
import type { BalancesOptions, BalancesResult, ExportEvents } from './export-options.ts';
import { ExportTally } from './export-tally.ts';
import { MonthComparison } from './month-comparison.ts';
import { type PreviousFile, readPrevious } from './previous-file.ts';
import { RecordShape } from './record-shape.ts';
import { placeOfOwnId, RepeatedRecords } from './repeated-records.ts';
import { withoutSensitive } from './sensitive-values.ts';

const balancesSheet = 'Balances';
const progressStep = 1000;

/** @throws DealsheetError when an option is wrong, or there is no whole file at the end; the one that stood there before then still does */
export async function exportBalances(
  options: BalancesOptions,
  client: ServiceClient,
  events: ExportEvents,
): Promise<BalancesResult> {
  const { output, previous: path, mask, now, standardOutput } = options;
  const target = exportTarget(output, options.format);
  const { format } = target;
  const day = localDay(now);
  const previous = path === null ? null : await readPrevious(path, balancesSheet, mask);
  return withExportFile(target, `balances ${day}`, async (file, folder) => {
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
    return { format, ...report.result(), path: await finishExportFile(file, target, standardOutput) };
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
  readonly #repeated: RepeatedRecords | null;
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
      ...kept.said.map(balanceNotices.said),
      ...(shape.records === 0 ? [] : missing.map((name) => `No record has "${name}": its column is blank.`)),
    ];
    this.tally = new ExportTally(
      columns,
      groupColumns(columns, options.groupBy.length > 0 ? options.groupBy : balances.groupBy),
    );
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    this.#comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find(({ label }) => folded(label) === folded(key));
    const place = named?.segments ?? placeOfOwnId(chooseColumns(shape, { columns: [], lists }).columns);
    this.#repeated = place === null ? null : new RepeatedRecords(place);
  }

  /** The records as they are shown, counted and compared on the way. */
  *records(): Generator<JsonObject> {
    let written = 0;
    for (const [page, answer] of this.#kept.pages.entries())
      for (const answered of recordsOf(answer, this.#kept.layout)) {
        if (this.#options.signal.aborted) throw stopped();
        const record = this.#options.mask ? withoutSensitive(answered) : answered;
        this.#row = rowOf(record, this.columns);
        this.#repeated?.add(record, page);
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
    const repeated = this.#repeated?.notice ?? null;
    return {
      records: this.#count,
      pages: this.#kept.pages.length,
      found: this.#kept.found,
      columns: this.columns.map(({ label }) => label),
      totals: Object.fromEntries(totals) as Record<string, string>,
      changes: this.#comparison?.counts() ?? null,
      notices: [...this.#notices, ...(repeated === null ? [] : [repeated]), ...this.tally.notices()],
    };
  }

  async writeOtherSheets(writer: SheetWriter): Promise<void> {
    const { now, service, query } = this.#options;
    if (this.#comparison !== null) await addExportSheet(writer, this.#comparison.sheet());
    const { records, found, changes, notices } = this.result();
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
    const asOf = firstAt(this.#kept.around, ['asOf', 'as_of', 'asOfDate', 'meta.asOf', 'meta.asOfDate']);
    const exportedAt: OutputCell = { value: { day: localDay(now), time: localTime(now) }, style: 'date-time' };
    await addExportSummary(writer, {
      title: 'Loan balances',
      facts: [
        [`Exported (${localZone(now)})`, exportedAt],
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

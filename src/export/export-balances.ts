/** The story of `export balances`: ask, keep, learn the columns, write, and say what has changed since last month. */
import { firstAt } from '../contract/body-path.ts';
import type { ServiceClient } from '../service/client.ts';
import type { OutputValue, SheetWriter } from '../sheets/sheet-writer.ts';
import { addExportSheet, totalLabel } from '../workbooks/export-sheet.ts';
import { addExportSummary, type ChangeCounts } from '../workbooks/export-summary.ts';
import { everyRecord, fetchBalances, type KeptBalances, stopped } from './balance-pages.ts';
import { rowOf, valuesByPath } from './cell-values.ts';
import { chooseColumns, columnsBefore, folded, groupColumns, type SourceColumn } from './columns.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import { type ExportFile, exportTarget, finishExportFile, withExportFile } from './export-file.ts';
import { localDay, localTime, localZone } from './export-moment.ts';
import type { BalancesOptions, BalancesResult, ExportEvents } from './export-options.ts';
import { ExportTally } from './export-tally.ts';
import { MonthComparison } from './month-comparison.ts';
import { needBalances, type PreviousFile, readPrevious } from './previous-file.ts';
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
  const { output, format, previous: path, mask, now, standardOutput } = options;
  const target = exportTarget(output, format);
  const previous = path === null ? null : await readPrevious(path, balancesSheet, mask);
  return withExportFile(target, `balances ${localDay(now)}`, async (file, folder) => {
    const shape = new RecordShape();
    const onRecord = (record: JsonObject) => shape.look(record);
    const kept = await fetchBalances({ ...options, client, folder, onRecord, onPage: events.onPage });
    const report = new BalancesReport(options, events, shape, kept, previous);
    await report.write(file, target.format === 'xlsx');
    return { format: target.format, ...report.result(await finishExportFile(file, target, standardOutput)) };
  });
}

class BalancesReport {
  readonly #options: BalancesOptions;
  readonly #events: ExportEvents;
  readonly #shape: RecordShape;
  readonly #kept: KeptBalances;
  readonly #chosen: readonly string[];
  readonly #columns: readonly SourceColumn[];
  /** What a person should know, before anything is written. */
  readonly #notices: string[] = [];
  readonly #tally: ExportTally;
  readonly #comparison: MonthComparison | null;
  readonly #repeated: RepeatedRecords | null;
  #changes: ChangeCounts | null = null;

  constructor(
    options: BalancesOptions,
    events: ExportEvents,
    shape: RecordShape,
    kept: KeptBalances,
    previous: PreviousFile | null,
  ) {
    this.#options = options;
    this.#events = events;
    this.#shape = shape;
    this.#kept = kept;
    const { balances } = options.contract;
    const groupBy = options.groupBy.length > 0 ? options.groupBy : balances.groupBy;
    this.#chosen = options.columns.length > 0 ? options.columns : balances.columns;
    const { lists } = options;
    const isBare = shape.records === 0 && this.#chosen.length === 0 && previous !== null;
    const { columns, missing } = isBare
      ? { columns: columnsBefore(previous), missing: [] }
      : chooseColumns(shape, { columns: this.#chosen, lists });
    this.#columns = columns;
    if (shape.records === 0) this.#notices.push('The service gave no balances.');
    else {
      if (previous?.rows.length === 0)
        this.#notices.push(`${previous.name} holds no balances: all of this month are new.`);
      this.#notices.push(...missing.map((name) => `No record has "${name}": its column is blank.`));
    }
    if (previous !== null) needBalances(previous, columns);
    this.#tally = new ExportTally(columns, groupColumns(columns, groupBy));
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    this.#comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find(({ label }) => folded(label) === folded(key));
    const place = named?.segments ?? placeOfOwnId(chooseColumns(shape, { columns: [], lists }).columns);
    this.#repeated = place === null ? null : new RepeatedRecords(place);
  }

  async write(file: ExportFile, isWorkbook: boolean): Promise<void> {
    if (file.holds === 'records') {
      for (const { record } of this.#noted()) await file.writer.add(this.#json(record));
    } else {
      const { now } = this.#options;
      const day = localDay(now);
      await addExportSheet(file.writer, {
        name: balancesSheet,
        columns: this.#columns,
        rows: rowsAlone(this.#noted()),
        totals: isWorkbook ? { label: totalLabel, of: (column) => this.#tally.totalOf(column) } : null,
        day,
        footer: `Loan balances of ${day}`,
        frozenColumns: 1,
      });
    }
    this.#changes = this.#comparison?.counts() ?? null;
    if (file.holds === 'sheets' && isWorkbook) await this.#writeOtherSheets(file.writer);
  }

  result(path: string | null): Omit<BalancesResult, 'format'> {
    const totals = this.#tally.totals().map(({ column, sum }) => [this.#columns[column]?.label ?? '', sum]);
    return {
      path,
      records: this.#shape.records,
      pages: this.#kept.pages.length,
      found: this.#kept.found,
      columns: this.#columns.map(({ label }) => label),
      totals: Object.fromEntries(totals) as Record<string, string>,
      changes: this.#changes,
      notices: [...this.#notices, ...this.#tally.notices()],
    };
  }

  async #writeOtherSheets(writer: SheetWriter): Promise<void> {
    const { now, service, query } = this.#options;
    const { records } = this.#shape;
    const day = localDay(now);
    if (this.#comparison !== null) await addExportSheet(writer, this.#comparison.sheet(rowsAlone(this.#rows()), day));
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
    const asOf = firstAt(this.#kept.around, ['asOf', 'as_of', 'asOfDate', 'meta.asOf', 'meta.asOfDate']);
    await addExportSummary(writer, {
      title: 'Loan balances',
      facts: [
        [`Exported (${localZone(now)})`, { value: { day, time: localTime(now) }, style: 'date-time' }],
        ...(typeof asOf === 'string' && asOf !== '' ? [['As of, by the service', asOf] as const] : []),
        ['Service', service],
        ['Found', this.#kept.found],
        ...(asked === '' ? [] : [['Asked with', asked] as const]),
        ['Records', { value: records, style: 'integer' }],
      ],
      sheet: balancesSheet,
      records,
      columns: this.#columns,
      totals: records === 0 ? [] : this.#tally.totals(),
      groups: records === 0 ? [] : this.#tally.groups(),
      changes: this.#changes,
      notices: this.result(null).notices,
    });
  }

  /** The records with their rows, counted and compared on the way. */
  *#noted(): Generator<RecordAndRow> {
    let written = 0;
    for (const found of this.#rows()) {
      this.#repeated?.add(found.record);
      this.#tally.add(found.row);
      this.#comparison?.note(found.row);
      yield found;
      written += 1;
      if (written % progressStep === 0) this.#events.onWritten(written, this.#shape.records);
    }
    const twice = this.#repeated?.told(this.#kept, (record) => this.#shown(record)) ?? null;
    if (twice !== null) this.#notices.push(twice);
  }

  *#rows(): Generator<RecordAndRow> {
    for (const answered of everyRecord(this.#kept)) {
      if (this.#options.signal.aborted) throw stopped();
      const record = this.#shown(answered);
      yield { record, row: rowOf(record, this.#columns) };
    }
  }

  #shown(record: JsonObject): JsonObject {
    return this.#options.mask ? withoutSensitive(record) : record;
  }

  /** A record as the service gave it, or its chosen values by their paths. */
  #json(record: JsonObject): string {
    return exactText(this.#chosen.length > 0 ? valuesByPath(record, this.#columns) : record);
  }
}

interface RecordAndRow {
  readonly record: JsonObject;
  readonly row: readonly OutputValue[];
}

function* rowsAlone(found: Iterable<RecordAndRow>): Generator<RecordAndRow['row']> {
  for (const { row } of found) yield row;
}

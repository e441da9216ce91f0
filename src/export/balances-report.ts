import { firstAt } from '../contract/body-path.ts';
import type { SheetWriter } from '../sheets/sheet-writer.ts';
import { addChangesSheet } from '../workbooks/changes-sheet.ts';
import type { ExportRow } from '../workbooks/export-column.ts';
import { addExportSheet } from '../workbooks/export-sheet.ts';
import { addExportSummary, type ChangeCounts } from '../workbooks/export-summary.ts';
import { everyRecord, type KeptBalances, stopped } from './balance-pages.ts';
import type { BalancesOptions, BalancesResult, ExportEvents } from './balances-options.ts';
import { rowOf, valuesByPath } from './cell-values.ts';
import { chooseColumns, columnsBefore, folded, type SourceColumn } from './columns.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import type { ExportFile, ExportFormat } from './export-file.ts';
import { exportedFact, localDay, localTime, localZone } from './export-moment.ts';
import { ExportTally } from './export-tally.ts';
import { groupColumns } from './group-columns.ts';
import { MonthComparison } from './month-comparison.ts';
import { needBalances, type PreviousFile } from './previous-file.ts';
import type { RecordShape } from './record-shape.ts';
import { placeOfOwnId, RepeatedRecords } from './repeated-records.ts';
import { shownBefore, withoutSensitive } from './sensitive-values.ts';

export const balancesSheet = 'Balances';
const progressStep = 1000;

export class BalancesReport {
  readonly #options: BalancesOptions;
  readonly #events: ExportEvents;
  readonly #shape: RecordShape;
  readonly #kept: KeptBalances;
  readonly #columns: readonly SourceColumn[];
  readonly #missing: readonly string[];
  readonly #tally: ExportTally;
  readonly #comparison: MonthComparison | null;
  readonly #repeated: RepeatedRecords | null;
  /** What is told of loans that stand there twice. */
  #twice: string | null = null;
  /** The name of last month's file, when it holds no balance. */
  readonly #emptyBefore: string | null;
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
    const chosen = options.columns.length > 0 ? options.columns : balances.columns;
    const labelsBefore = previous?.labels ?? [];
    const isBare = shape.records === 0 && chosen.length === 0;
    const { columns, missing } = isBare
      ? { columns: columnsBefore(labelsBefore, previous?.rows ?? []), missing: [] }
      : chooseColumns(shape, { columns: chosen, lists: options.lists, labelsBefore });
    this.#columns = columns;
    this.#missing = shape.records === 0 ? [] : missing;
    if (previous !== null) needBalances(previous, columns);
    if (options.mask)
      for (const row of previous?.rows ?? [])
        row.values = row.values.map((text, index) => shownBefore(labelsBefore[index] ?? '', text));
    this.#tally = new ExportTally(columns, groupColumns(columns, groupBy));
    const key = options.key ?? balances.key;
    // Two months without balances have no column, and nothing that could have changed.
    this.#comparison = previous === null || columns.length === 0 ? null : new MonthComparison(columns, previous, key);
    const named = key === null ? undefined : columns.find(({ label }) => folded(label) === folded(key));
    const place = named?.segments ?? placeOfOwnId(shape.root);
    this.#repeated = place === null ? null : new RepeatedRecords(place);
    this.#emptyBefore = previous?.rows.length === 0 ? previous.name : null;
  }

  async write(file: ExportFile): Promise<void> {
    if (file.holds === 'records') {
      for (const { record } of this.#noted()) await file.writer.add(this.#json(record));
    } else if (file.holds === 'rows') await this.#writeTable(file.writer);
    else await this.#writeWorkbook(file.writer);
    this.#changes ??= this.#comparison?.counts() ?? null;
  }

  result(path: string | null, format: ExportFormat): BalancesResult {
    const totals = this.#tally.totals().map(({ column, sum }) => [this.#columns[column]?.label ?? '', sum]);
    return {
      path,
      format,
      records: this.#shape.records,
      pages: this.#kept.pages.length,
      found: this.#kept.found,
      columns: this.#columns.map(({ label }) => label),
      totals: Object.fromEntries(totals) as Record<string, string>,
      changes: this.#changes,
      notices: this.#notices(),
    };
  }

  async #writeWorkbook(writer: SheetWriter): Promise<void> {
    const { now, service, query } = this.#options;
    const day = localDay(now);
    const footer = `Loan balances of ${day}`;
    await addExportSheet(writer, {
      name: balancesSheet,
      columns: this.#columns,
      rows: rowsAlone(this.#noted()),
      totalOf: (column) => this.#tally.totalOf(column),
      day,
      footer,
      frozenColumns: 1,
    });
    if (this.#comparison !== null) {
      this.#changes = this.#comparison.counts();
      await addChangesSheet(writer, this.#comparison.sheet(rowsAlone(this.#rows())), this.#changes);
    }
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
    await addExportSummary(writer, {
      title: 'Loan balances',
      facts: [
        [`${exportedFact} (${localZone(now)})`, { value: { day, time: localTime(now) }, style: 'date-time' }],
        ...this.#asOfService(),
        ['Service', service],
        ['Found', this.#kept.found],
        ...(asked === '' ? [] : [['Asked with', asked] as const]),
        ['Records', { value: this.#shape.records, style: 'integer' }],
      ],
      sheet: balancesSheet,
      records: this.#shape.records,
      columns: this.#columns,
      totals: this.#shape.records === 0 ? [] : this.#tally.totals(),
      groups: this.#shape.records === 0 ? [] : this.#tally.groups(),
      changes: this.#changes,
      notices: this.#notices(),
    });
  }

  /** The day for which the service says that its balances hold, where it says one. */
  #asOfService(): readonly (readonly [string, string])[] {
    const { around } = this.#kept;
    const text = firstAt(around, ['asOf', 'as_of', 'asOfDate', 'meta.asOf', 'meta.asOfDate']);
    return typeof text === 'string' && text !== '' ? [['As of, by the service', text]] : [];
  }

  async #writeTable(writer: SheetWriter): Promise<void> {
    const sheet = await writer.addSheet({
      name: balancesSheet,
      columns: [],
      frozenRows: 1,
      frozenColumns: 0,
      filterRow: null,
      place: 'last',
    });
    await sheet.addRow(this.#columns.map(({ label }) => label));
    for (const { row } of this.#noted()) await sheet.addRow(row);
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
    this.#twice = this.#repeated?.told(this.#kept, (record) => this.#shown(record)) ?? null;
  }

  *#rows(): Generator<RecordAndRow> {
    const { signal } = this.#options;
    for (const answered of everyRecord(this.#kept)) {
      if (signal.aborted) throw stopped();
      const record = this.#shown(answered);
      yield { record, row: rowOf(record, this.#columns) };
    }
  }

  #shown(record: JsonObject): JsonObject {
    return this.#options.mask ? withoutSensitive(record) : record;
  }

  /** A record as the service gave it, or its chosen values by their paths. */
  #json(record: JsonObject): string {
    const isChosen = this.#options.columns.length > 0 || this.#options.contract.balances.columns.length > 0;
    return exactText(isChosen ? valuesByPath(record, this.#columns) : record);
  }

  #notices(): readonly string[] {
    return [
      ...(this.#shape.records === 0 ? ['The service gave no balances.'] : []),
      ...(this.#twice === null ? [] : [this.#twice]),
      ...(this.#emptyBefore === null || this.#shape.records === 0
        ? []
        : [`${this.#emptyBefore} holds no balances: all of this month are new.`]),
      ...this.#missing.map((name) => `No record has "${name}": its column is blank.`),
      ...this.#tally.notices(),
    ];
  }
}

interface RecordAndRow {
  readonly record: JsonObject;
  readonly row: ExportRow;
}

function* rowsAlone(found: Iterable<RecordAndRow>): Generator<ExportRow> {
  for (const { row } of found) yield row;
}

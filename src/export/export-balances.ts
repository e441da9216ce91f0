/** The flow of `export balances`: ask, keep, learn the columns, write, and compare with last month. */

import { valueAt } from '../contract/body-path.ts';
import { localDay } from '../mapping/values/dates.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import type { ServiceClient } from '../service/client.ts';
import { addExportSheet, sumIn } from '../workbooks/export-sheet.ts';
import { integer, money, type Summary, writeSummary } from '../workbooks/summary.ts';
import { recordsOf } from './balance-layout.ts';
import { fetchBalances } from './balance-pages.ts';
import { rowOf, valuesByPath, withoutSensitive } from './cell-values.ts';
import {
  chooseColumns,
  groupColumns,
  hasName,
  mostFields,
  ownIdOf,
  RecordShape,
  type SourceColumn,
  shapeBefore,
} from './columns.ts';
import { copyOf, type JsonObject, type JsonValue, textOf as textOfJson } from './exact-json.ts';
import { type ExportTarget, readByExport, type SharedOptions, withExportFile, writeRecords } from './export-file.ts';
import { type ExportTally, exportTally } from './export-tally.ts';
import type { Query } from './further-pages.ts';
import { balancesTitle, type ChangeCounts, compareMonths, readPrevious } from './month-comparison.ts';

export interface BalancesOptions extends SharedOptions {
  readonly query: Query;
  /** Labels or paths of the columns that the summary groups by; empty for status and funder. */
  readonly groupBy: readonly string[];
  /** Last month's file, or `null`. */
  readonly previous: string | null;
  /** The column that identifies a record in both months, or `null` for the record's own id. */
  readonly key: string | null;
  readonly service: string;
}

export interface ExportEvents {
  onPage(pages: number, records: number): void;
  /** Emitted every thousand records. */
  onWritten(records: number, of: number): void;
}

export interface BalancesResult extends ExportTarget {
  readonly records: number;
  readonly pages: number;
  /** Where the balances were found, and how their pages were requested. */
  readonly found: string;
  readonly columns: readonly string[];
  readonly totals: Readonly<Record<string, string>>;
  readonly changes: ChangeCounts | null;
  /** Notes for the person, as complete sentences. */
  readonly notices: readonly string[];
}

const balancesSheet = 'Balances';
const progressStep = 1000;
const longestId = 80;

/** @throws DealsheetError when an option is wrong or the file could not be completed; an earlier file then stays */
export async function exportBalances(
  options: BalancesOptions,
  client: ServiceClient,
  events: ExportEvents,
): Promise<BalancesResult> {
  const { mask, signal, lists, previous: path, service } = options;
  const { balances } = options.contract;
  const previous = path === null ? null : await readPrevious(path, balancesSheet, mask, service);
  const chosen = options.columns.length > 0 ? options.columns : balances.columns;
  const kept = path === null ? [] : [readByExport(path)];
  return withExportFile(options, { mark: 'balances', kept, asTemplate: false }, async (file, folder, format) => {
    const shape = new RecordShape();
    const onRecord = (record: JsonObject) => shape.look(record);
    const { pages, layout, found } = await fetchBalances({ ...options, ...events, client, folder, onRecord });
    // A month without balances has the columns of the previous one.
    const before = shape.records === 0 && chosen.length === 0 ? previous : null;
    const like = before === null ? shape : shapeBefore(before.labels, before.rows);
    const { columns, missing } = chooseColumns(like, { columns: chosen, lists });
    const groups = groupColumns(columns, options.groupBy.length > 0 ? options.groupBy : balances.groupBy);
    const tally = exportTally(columns, groups);
    const key = options.key ?? balances.key;
    // Two months without balances have no columns, and nothing to compare.
    const comparison = previous === null || columns.length === 0 ? null : compareMonths(columns, previous, key);
    const named = key === null ? undefined : columns.find((column) => hasName(column, key));
    const keyColumn = named ?? comparison?.key ?? ownIdOf(chooseColumns(shape, { columns: [], lists }).columns);
    const refuse = keyColumn && refuseRepeated(keyColumn);

    /** Yields the records as shown, and counts and compares them on the way. */
    function* shown() {
      let written = 0;
      for (const answer of pages)
        for (const answered of recordsOf(answer, layout)) {
          if (signal.aborted) throw errorOf('export-interrupted');
          const record = mask ? withoutSensitive(answered) : answered;
          const row = rowOf(record, columns);
          refuse?.(record);
          tally.add(row);
          comparison?.note(row);
          // The record as received, or the chosen values by path.
          yield { row, json: () => (chosen.length > 0 ? valuesByPath(record, columns) : record) };
          written += 1;
          if (written % progressStep === 0) events.onWritten(written, shape.records);
        }
    }
    const totals = format === 'xlsx' ? tally.sumOf : null;
    await writeRecords(file, { name: balancesSheet, columns, totals, frozenColumns: 1 }, shown());
    const compared = comparison?.end(tally.sumOf);
    const blank = missing.map((name) => messageOf('export-column-blank', { name }));
    const isCut = shape.fields > mostFields && chosen.length === 0 && !('add' in file);
    const cut = isCut ? [messageOf('export-columns-cut', { most: mostFields })] : [];
    const notices = shape.records === 0 ? [messageOf('no-balances')] : [...blank, ...cut];
    const result = {
      records: shape.records,
      pages: pages.length,
      found,
      columns: columns.map(({ label }) => label),
      totals: Object.fromEntries(tally.totals().map(({ label, sum }) => [label, sum])),
      changes: compared?.changes ?? null,
      notices: [...(previous?.notices ?? []), ...notices, ...(compared?.notices ?? []), ...tally.notices()].map(textOf),
    };
    if (totals !== null && 'addSheet' in file) {
      if (compared !== undefined) await addExportSheet(file, compared.sheet);
      await writeSummary(file, summaryWidths, summaryOf(options, result, tally));
    }
    return result;
  });
}

const zoneFormat = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' });
const summaryWidths = [30, 20, 20, 20, 20];

function summaryOf(
  { now, service, query }: BalancesOptions,
  { records, found, changes, notices }: Omit<BalancesResult, keyof ExportTarget>,
  tally: ExportTally,
): Summary {
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
  const [time = ''] = now.toTimeString().split(' ');
  const zone = zoneFormat.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
  const sums = tally.totals().map(({ column, label, sum }) => [label, sumIn(balancesSheet, column, records, sum)]);
  const totals = { title: 'Totals', headers: ['Amount', 'Total'], rows: sums };
  const tables = records === 0 ? [] : [totals, ...groupTables(tally)];
  return {
    title: balancesTitle,
    facts: [
      [`Exported (${zone})`, { value: { day: localDay(now), time }, style: 'date-time' }],
      ['Service', service],
      ['Read from the answer', found],
      ...(asked === '' ? [] : [['Asked with', asked] as const]),
      ['Records', integer(records)],
    ],
    tables: [...tables, ...(changes === null ? [] : changeTables(changes))],
    notices,
  };
}

function groupTables(tally: ExportTally): Summary['tables'] {
  return tally.groups().map(({ label, sumLabel, rows }) => ({
    title: `By ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`,
    headers: [label, 'Records', ...(sumLabel === null ? [] : [sumLabel])],
    rows: rows.map(({ name, count, sum }) => [name, integer(count), ...(sumLabel === null ? [] : [money(sum)])]),
  }));
}

function changeTables({ before, added, gone, changed, same, amounts }: ChangeCounts): Summary['tables'] {
  const counts = ['Records', ...[added, gone, changed, same].map(integer)];
  const sums = amounts.map(([label, ...digits]) => [label, ...digits.map(money)]);
  return [
    { title: `Since ${before}`, headers: ['', 'New', 'Gone', 'Changed', 'The same'], rows: [counts] },
    { title: null, headers: ['Amount', 'Before', 'Now', 'Change'], rows: sums },
  ];
}

/** Throws at the second record with the same id: the list changed while it was read, or a loan is listed twice. */
function refuseRepeated({ segments }: SourceColumn): (record: JsonObject) => void {
  const seen = new Set<string>();
  return (record) => {
    const id = textOfJson(valueAt<JsonValue>(record, segments))?.trim() ?? '';
    if (id === '') return;
    if (seen.has(id))
      throw errorOf('balance-twice', { name: segments.join('.'), id: shortened(plainText(id), longestId) });
    seen.add(copyOf(id));
  };
}

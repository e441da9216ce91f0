/** The story of `export deals` and `export companies`: read each id, and write what came of it in its row. */
import { join } from 'node:path';
import { recordKind } from '../contract/record-kinds.ts';
import { usageError } from '../errors.ts';
import { ownerOnly } from '../file-modes.ts';
import type { ServiceClient } from '../service/client.ts';
import { addExportSheet, type ExportColumn, type ExportRow } from '../workbooks/export-sheet.ts';
import { addUpdateSheet, type ExportedCompany, serviceMark } from '../workbooks/update-template.ts';
import { rowOf, valuesByPath, withoutSensitive } from './cell-values.ts';
import { chooseColumns, type SourceColumn } from './columns.ts';
import { CompanyCells } from './company-cells.ts';
import { exactText, isJsonObject, type JsonValue } from './exact-json.ts';
import {
  type ExportFile,
  type ExportFormat,
  exportTarget,
  finishExportFile,
  recordTextWriter,
  type SharedOptions,
  withExportFile,
} from './export-file.ts';
import { openAnswer } from './kept-answers.ts';
import { type ReadRecord, readRecords } from './read-records.ts';
import { RecordShape } from './record-shape.ts';

export interface RecordsOptions extends SharedOptions {
  readonly wanted: RecordsWanted;
  /** The identity of the service in the ledger. */
  readonly service: string;
  readonly ids: readonly string[];
  /** Companies alone: in the columns of an update template. */
  readonly asTemplate: boolean;
}

export type RecordsWanted = 'deals' | 'companies';

export interface RecordsEvents {
  onRead(read: number, of: number): void;
}

export interface RecordsResult {
  readonly path: string | null;
  readonly format: ExportFormat;
  readonly counts: {
    readonly asked: number;
    readonly found: number;
    readonly notFound: number;
    readonly failed: number;
  };
  readonly columns: readonly string[];
  /** The first ids that have no record, with the reason. */
  readonly problems: readonly string[];
}

/** What stands in front of the records: how each id was answered. */
const ownColumns = (['Asked for', 'Answer', 'Reason'] as const).map(
  (label, index): ExportColumn => ({ label, look: 'text', width: [20, 12, 40][index] ?? 0 }),
);
const answers: Readonly<Record<ReadRecord['state'], string>> = {
  found: 'Found',
  'not-found': 'Not found',
  failed: 'Failed',
};
const mostProblems = 5;

/** @throws DealsheetError when an option is wrong, or there is no whole file at the end; the one that stood there before then still does */
export async function exportRecords(
  options: RecordsOptions,
  client: ServiceClient,
  events: RecordsEvents,
): Promise<RecordsResult> {
  const { output, wanted, ids } = options;
  const target = exportTarget(output, options.format);
  const { format } = target;
  if (options.asTemplate) refuseTemplate(wanted, format);
  return withExportFile(target, wanted, async (file, folder) => {
    const spool = await recordTextWriter(join(folder, 'records'), false, ownerOnly);
    const shape = new RecordShape();
    const cells = new CompanyCells(recordKind('company-updates'));
    const counts = { found: 0, 'not-found': 0, failed: 0 };
    const problems: string[] = [];
    let read = 0;
    const onRecord = async (answered: ReadRecord): Promise<void> => {
      const isBlank = options.asTemplate && answered.record !== null && !cells.holds(answered.record);
      const { id, state, message, record } = isBlank ? withoutFields(answered) : answered;
      const shown = record === null || !options.mask ? record : withoutSensitive(record);
      await spool.add(exactText([id, state, message, shown]));
      counts[state] += 1;
      if (shown === null) problems.push(`${id}: ${answers[state].toLowerCase()}. ${message}`);
      else if (options.asTemplate) cells.look(shown);
      else shape.look(shown);
      problems.splice(mostProblems);
      read += 1;
      events.onRead(read, ids.length);
    };
    await readRecords({ ...options, client, kind: recordKind(wanted), onRecord }).catch(async (error) => {
      await spool.abandon();
      throw error;
    });
    const kept = await spool.finish();
    const columns = options.asTemplate
      ? await writeTemplate(file, options, cells, kept)
      : await writeRecords(file, options, shape, kept);
    const path = await finishExportFile(file, target);
    const { found, failed, 'not-found': notFound } = counts;
    return { path, format, counts: { asked: ids.length, found, notFound, failed }, columns, problems };
  });
}

/** A row without a value would say that the company has none. */
function withoutFields({ id }: ReadRecord): ReadRecord {
  return { id, state: 'failed', message: 'Its answer holds no field of a company.', record: null };
}

/** @returns the labels of the columns */
async function writeRecords(
  file: ExportFile,
  options: RecordsOptions,
  shape: RecordShape,
  kept: string,
): Promise<readonly string[]> {
  const { columns } = chooseColumns(shape, options);
  if (file.holds === 'records') {
    const isChosen = options.columns.length > 0;
    for (const answered of keptIn(kept)) await file.writer.add(jsonOf(answered, isChosen ? columns : null));
  } else {
    const name = options.wanted === 'deals' ? 'Deals' : 'Companies';
    await addExportSheet(file.writer, {
      name,
      columns: [...ownColumns, ...columns],
      rows: rowsOf(kept, columns),
      totals: null,
      frozenColumns: 1,
    });
  }
  return columns.map(({ label }) => label);
}

function* rowsOf(kept: string, columns: readonly SourceColumn[]): Generator<ExportRow> {
  for (const { id, state, message, record } of keptIn(kept)) {
    yield [
      id,
      { value: answers[state], style: state === 'found' ? 'good' : 'bad' },
      message === '' ? null : { value: message, style: 'note' },
      ...(record === null ? [] : rowOf(record, columns)),
    ];
  }
}

/** @param columns  those that a person has chosen, or `null` for the record as it is */
function jsonOf({ id, state, message, record }: ReadRecord, columns: readonly SourceColumn[] | null): string {
  const told: [string, JsonValue] =
    record === null ? ['reason', message] : ['record', columns === null ? record : valuesByPath(record, columns)];
  return exactText(new Map([['askedFor', id], ['answer', answers[state]], told]));
}

/** @returns the headers of the columns */
async function writeTemplate(
  file: ExportFile,
  options: RecordsOptions,
  cells: CompanyCells,
  kept: string,
): Promise<readonly string[]> {
  const columns = cells.columns();
  const exported = { service: serviceMark(options.service), exportedAt: options.now.toISOString() };
  function* companies(): Generator<ExportedCompany> {
    for (const { id, record } of keptIn(kept)) if (record !== null) yield { ...cells.company(id, record), ...exported };
  }
  if (file.holds === 'sheets') await addUpdateSheet(file.writer, recordKind('company-updates'), columns, companies());
  return columns.map(({ header }) => header);
}

/** What became of each id, in their order, from the private file in which it is kept until the columns are known. */
function* keptIn(path: string): Generator<ReadRecord> {
  const { reader, close } = openAnswer(path);
  try {
    while (reader.peek() !== 'end') {
      const [id, state, message, record] = reader.value() as [string, ReadRecord['state'], string, JsonValue];
      yield { id, state, message, record: isJsonObject(record) ? record : null };
    }
  } finally {
    close();
  }
}

function refuseTemplate(wanted: RecordsWanted, format: ExportFormat): void {
  if (wanted === 'deals') {
    throw usageError(
      'The service offers no way to change a deal: there is no template for that.',
      'Leave --as-template out, or export companies.',
    );
  }
  if (format === 'xlsx' || format === 'csv') return;
  throw usageError(`A template cannot be written as ${format}.`, 'Write it to an .xlsx or .csv file.');
}

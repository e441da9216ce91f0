/** The flow of `export deals` and `export companies`: read each id, and write one row with the outcome. */

import { join } from 'node:path';
import { firstAt } from '../contract/body-path.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { documentedBy } from '../contract/rename.ts';
import type { KeptFile } from '../disk/output-guard.ts';
import { isDealsheetError } from '../errors.ts';
import { isMessage, type Message } from '../messages/message.ts';
import { shortened } from '../messages/plain-text.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import type { ReadResult, ServiceClient } from '../service/client.ts';
import type { ExportColumn, ExportRow } from '../workbooks/export-sheet.ts';
import { addUpdateSheet, type CompanyRow, serviceMark } from '../workbooks/update-template.ts';
import { readFault } from './balance-pages.ts';
import { rowOf, valuesByPath, withoutSensitive } from './cell-values.ts';
import { chooseColumns, RecordShape } from './columns.ts';
import { type CompanyCells, companyCells } from './company-cells.ts';
import {
  decodedBy,
  ExactNumber,
  exactText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseExactly,
} from './exact-json.ts';
import { type ExportFile, type ExportTarget, type SharedOptions, withExportFile, writeRecords } from './export-file.ts';
import { FileKeeper, openAnswer } from './kept-answers.ts';

export interface RecordsOptions extends SharedOptions {
  readonly wanted: RecordsWanted;
  /** The service's key in the ledger. */
  readonly service: string;
  readonly ids: readonly string[];
  /** Files that the export must not replace. */
  readonly kept: readonly KeptFile[];
  /** Companies only: in the columns of an update template. */
  readonly asTemplate: boolean;
}

export type RecordsWanted = 'deals' | 'companies';

export interface RecordsEvents {
  onRead(read: number, of: number): void;
}

export interface RecordsResult extends ExportTarget {
  readonly counts: Readonly<Record<'asked' | 'found' | 'notFound' | 'failed', number>>;
  readonly columns: readonly string[];
  /** Values of companies that their template does not show. */
  readonly hidden: number;
  /** The first ids without a record, with the reason. */
  readonly problems: readonly string[];
}

/** The leading columns: how each id was answered. */
const ownColumns = (['Asked for', 'Answer', 'Reason'] as const).map(
  (label, index): ExportColumn => ({ label, look: 'text', width: [20, 12, 40][index] ?? 0 }),
);
const answers: Readonly<Record<ReadRecord['state'], string>> = {
  found: 'Found',
  'not-found': 'Not found',
  failed: 'Failed',
};
const mostProblems = 5;

/** @throws DealsheetError when an option is wrong or the file could not be completed; an earlier file then stays */
export async function exportRecords(
  options: RecordsOptions,
  client: ServiceClient,
  events: RecordsEvents,
): Promise<RecordsResult> {
  const { wanted, ids } = options;
  return withExportFile(options, { ...options, mark: wanted }, async (file, folder, format) => {
    if (options.asTemplate && wanted === 'deals') throw errorOf('export-template-of-deals');
    if (options.asTemplate && format !== 'xlsx' && format !== 'csv')
      throw errorOf('export-template-format', { format });
    const spool = new FileKeeper(join(folder, 'records'));
    const shape = new RecordShape();
    const cells = companyCells(recordKind('company-updates'));
    const counts = { found: 0, 'not-found': 0, failed: 0 };
    const problems: string[] = [];
    spool.begin();
    for await (const answered of readRecords(options, client)) {
      // An empty template row would claim that the company has no values.
      const isBlank = options.asTemplate && answered.record !== null && !cells.holds(answered.record);
      const { id, state, message, record } = isBlank
        ? withoutRecord(answered.id, messageOf('read-without-field'))
        : answered;
      const shown = record === null || !options.mask ? record : withoutSensitive(record);
      spool.add(Buffer.from(exactText([id, state, message, shown])));
      spool.settle();
      counts[state] += 1;
      if (shown === null) problems.push(`${id}: ${answers[state].toLowerCase()}. ${message}`);
      else if (options.asTemplate) cells.look(shown);
      else shape.look(shown);
      problems.splice(mostProblems);
      events.onRead(counts.found + counts['not-found'] + counts.failed, ids.length);
    }
    const columns = options.asTemplate
      ? await writeTemplate(file, options, cells, spool.path)
      : await writeAnswered(file, options, shape, spool.path);
    const { found, failed, 'not-found': notFound } = counts;
    return {
      counts: { asked: ids.length, found, notFound, failed },
      columns,
      hidden: cells.hidden(),
      problems,
    };
  });
}

async function writeAnswered(
  file: ExportFile,
  options: RecordsOptions,
  shape: RecordShape,
  kept: string,
): Promise<readonly string[]> {
  const { columns } = chooseColumns(shape, options);
  const isChosen = options.columns.length > 0;
  function* answered() {
    for (const { id, state, message, record } of keptIn(kept)) {
      const what = (): [string, JsonValue] =>
        record === null ? ['reason', message] : ['record', isChosen ? valuesByPath(record, columns) : record];
      const row: ExportRow = [
        id,
        { value: answers[state], style: state === 'found' ? 'good' : 'bad' },
        message === '' ? null : { value: message, style: 'note' },
        ...(record === null ? [] : rowOf(record, columns)),
      ];
      yield { row, json: () => new Map([['askedFor', id], ['answer', answers[state]], what()]) };
    }
  }
  const name = options.wanted === 'deals' ? 'Deals' : 'Companies';
  const sheet = { name, columns: [...ownColumns, ...columns], totals: null, frozenColumns: 1 };
  await writeRecords(file, sheet, answered());
  return columns.map(({ label }) => label);
}

async function writeTemplate(
  file: ExportFile,
  options: RecordsOptions,
  cells: CompanyCells,
  kept: string,
): Promise<readonly string[]> {
  const columns = cells.columns();
  const exported = { service: serviceMark(options.service), exportedAt: options.now.toISOString() };
  function* companies(): Generator<CompanyRow> {
    for (const { id, record } of keptIn(kept)) {
      const company = record && cells.company(id, record);
      if (company !== null) yield [{ ...company, ...exported }, company.values];
    }
  }
  if ('addSheet' in file) await addUpdateSheet(file, recordKind('company-updates'), columns, companies());
  return columns.map(({ header }) => header);
}

/** The outcome of each id, in order, from the private file that holds them until the columns are known. */
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

interface ReadRecord {
  readonly id: string;
  readonly state: 'found' | 'not-found' | 'failed';
  /** Why there is no record; empty when there is one. */
  readonly message: string;
  readonly record: JsonObject | null;
}

type UnusableService = Extract<ReadResult, { state: 'failed' }>;

/** Reads started ahead of the next record to write, so that one slow answer does not block the others. */
const ahead = 128;

/** @throws DealsheetError when the service becomes unusable; a missing record is a value */
async function* readRecords(options: RecordsOptions, client: ServiceClient): AsyncGenerator<ReadRecord> {
  const { ids, signal } = options;
  const underWay = ids.slice(0, ahead).map((id) => readOne(options, client, id));
  for (const place of ids.keys()) {
    const result = (await underWay.shift()) as ReadRecord | UnusableService;
    if (signal.aborted) throw errorOf('export-interrupted');
    if (!('id' in result)) throw await readFault(result);
    const next = ids[place + ahead];
    if (next !== undefined) underWay.push(readOne(options, client, next));
    yield result;
  }
}

async function readOne(
  { contract, wanted }: RecordsOptions,
  client: ServiceClient,
  id: string,
): Promise<ReadRecord | UnusableService> {
  const kind = recordKind(wanted);
  const result = await client.read(kind, id);
  if (result.state !== 'found') {
    if (result.state === 'failed' && result.stopReason !== null) return result;
    return { id, state: result.state, message: textOf(result.message), record: null };
  }
  if (result.noRecord !== null) return withoutRecord(id, result.noRecord);
  if (result.httpStatus === 206) return withoutRecord(id, messageOf('read-in-part'));
  try {
    const text = decodedBy(new TextDecoder('utf-8', { fatal: true }), result.bytes);
    const held = firstAt(parseExactly(text), result.path === null ? [] : [result.path]) as JsonValue | undefined;
    if (!isJsonObject(held)) return withoutRecord(id, messageOf('read-without-record', { shape: null }));
    // With documented names, and its numbers digit by digit.
    const record = jsonObjectOf(documentedBy(contract.requests[kind.name].rename)(Object.fromEntries(held)));
    return { id, state: 'found', message: '', record };
  } catch (error) {
    if (!(isDealsheetError(error) && error.reason === 'answer-broken')) throw error;
    return withoutRecord(id, error.message);
  }
}

function jsonObjectOf(value: Readonly<Record<string, unknown>>): JsonObject {
  return new Map(Object.entries(value).map(([name, held]) => [name, jsonValueOf(held)]));
}

/** Renaming creates plain lists and objects; untouched parts are still exact. */
function jsonValueOf(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(jsonValueOf);
  if (typeof value === 'number') return new ExactNumber(String(value));
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? jsonObjectOf(value as Record<string, unknown>) : (value as JsonValue);
}

function withoutRecord(id: string, why: Message | string): ReadRecord {
  const message = shortened(isMessage(why) ? textOf(why) : why, longestReason);
  return { id, state: 'failed', message, record: null };
}

const longestReason = 300;

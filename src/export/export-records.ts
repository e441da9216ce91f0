/** The story of `export deals` and `export companies`: read each id, and write what came of it in its row. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordKind } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { ownerOnly } from '../file-modes.ts';
import type { ServiceClient } from '../service/client.ts';
import type { SheetWriter } from '../sheets/sheet-writer.ts';
import { addExportSheet, type ExportColumn, type ExportRow } from '../workbooks/export-sheet.ts';
import { addUpdateSheet, type ExportedCompany, serviceMark } from '../workbooks/update-template.ts';
import { rowOf, valuesByPath } from './cell-values.ts';
import { chooseColumns, type SourceColumn } from './columns.ts';
import { CompanyCells } from './company-cells.ts';
import { exactText, isJsonObject, type JsonValue } from './exact-json.ts';
import { type ExportFile, type ExportFormat, exportTarget, finishExportFile, withExportFile } from './export-file.ts';
import { localDay } from './export-moment.ts';
import {
  type RecordsEvents,
  type RecordsOptions,
  type RecordsResult,
  type RecordsWanted,
  refuseWrongExport,
  wantedRecords,
} from './export-options.ts';
import { openAnswer } from './kept-answers.ts';
import { type ReadRecord, readRecords } from './read-records.ts';
import { RecordShape } from './record-shape.ts';
import { withoutSensitive } from './sensitive-values.ts';

/** What stands in front of the records: how each id was answered. */
const ownColumns = (['Asked for', 'Answer', 'Reason'] as const).map(
  (label, index): ExportColumn => ({ label, look: 'text', meaning: null, width: [20, 12, 40][index] ?? 0 }),
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
  refuseWrongExport({ options, client, events }, wantedRecords, ['onRead']);
  const { output, wanted, now, standardOutput } = options;
  const target = exportTarget(output, options.format);
  const { format } = target;
  if (options.asTemplate) refuseTemplate(wanted, format);
  return withExportFile(target, `${wanted} ${localDay(now)}`, async (file, folder) => {
    const story = new RecordsStory(options, new RecordSpool(folder.path));
    await story.read(client, events);
    const columns = await story.write(file);
    return { format, columns, ...story.result(await finishExportFile(file, target, standardOutput)) };
  });
}

class RecordsStory {
  readonly #options: RecordsOptions;
  readonly #spool: RecordSpool;
  readonly #shape = new RecordShape();
  readonly #cells = new CompanyCells(recordKind('company-updates'));
  readonly #counts = { found: 0, 'not-found': 0, failed: 0 };
  readonly #problems: string[] = [];

  constructor(options: RecordsOptions, spool: RecordSpool) {
    this.#options = options;
    this.#spool = spool;
  }

  async read(client: ServiceClient, events: RecordsEvents): Promise<void> {
    const { contract, ids, signal, wanted, mask, asTemplate } = this.#options;
    let read = 0;
    await readRecords({
      client,
      contract,
      endpoint: wanted === 'deals' ? 'getDeal' : 'getCompany',
      ids,
      signal,
      onRecord: (answered) => {
        const { record, state, id, message } = asTemplate ? this.#forTemplate(answered) : answered;
        const shown = record === null || !mask ? record : withoutSensitive(record);
        this.#spool.add({ id, state, message, record: shown });
        this.#counts[state] += 1;
        if (shown !== null) {
          if (asTemplate) this.#cells.look(id, shown);
          else this.#shape.look(shown);
        } else if (this.#problems.length < mostProblems) {
          this.#problems.push(`${id}: ${answers[state].toLowerCase()}. ${message}`);
        }
        read += 1;
        events.onRead(read, ids.length);
      },
    });
  }

  /** A row without a value would say that the company has none. */
  #forTemplate(answered: ReadRecord): ReadRecord {
    const { id, record } = answered;
    if (record === null || this.#cells.holds(record)) return answered;
    return { id, state: 'failed', message: 'Its answer holds no field of a company.', record: null };
  }

  /** @returns the labels of the columns */
  async write(file: ExportFile): Promise<readonly string[]> {
    if (this.#options.asTemplate && file.holds !== 'records') return this.#writeTemplate(file.writer);
    const { columns } = chooseColumns(this.#shape, this.#options);
    if (file.holds === 'records') {
      for (const answered of this.#spool.records()) await file.writer.add(this.#json(answered, columns));
    } else {
      await this.#writeSheet(file.writer, columns);
    }
    return columns.map(({ label }) => label);
  }

  result(path: string | null): Omit<RecordsResult, 'format' | 'columns'> {
    const { found, failed, 'not-found': notFound } = this.#counts;
    const counts = { asked: this.#options.ids.length, found, notFound, failed };
    return { path, counts, problems: this.#problems };
  }

  async #writeSheet(writer: SheetWriter, columns: readonly SourceColumn[]): Promise<void> {
    const name = this.#options.wanted === 'deals' ? 'Deals' : 'Companies';
    await addExportSheet(writer, {
      name,
      columns: [...ownColumns, ...columns],
      rows: this.#rows(columns),
      totals: null,
      day: localDay(this.#options.now),
      footer: name,
      frozenColumns: 1,
    });
  }

  *#rows(columns: readonly SourceColumn[]): Generator<ExportRow> {
    for (const { id, state, message, record } of this.#spool.records()) {
      yield [
        id,
        { value: answers[state], style: state === 'found' ? 'good' : 'bad' },
        message === '' ? null : { value: message, style: 'note' },
        ...(record === null ? [] : rowOf(record, columns)),
      ];
    }
  }

  async #writeTemplate(writer: SheetWriter): Promise<readonly string[]> {
    const columns = [...this.#cells.columns()];
    await addUpdateSheet(writer, recordKind('company-updates'), columns, this.#companies());
    return columns.map(({ header }) => header);
  }

  *#companies(): Generator<ExportedCompany> {
    const service = serviceMark(this.#options.service);
    const exportedAt = this.#options.now.toISOString();
    for (const { id, record } of this.#spool.records()) {
      if (record !== null) yield { ...this.#cells.company(id, record), service, exportedAt };
    }
  }

  #json({ id, state, message, record }: ReadRecord, columns: readonly SourceColumn[]): string {
    const isChosen = this.#options.columns.length > 0;
    const parts: [string, JsonValue][] = [
      ['askedFor', id],
      ['answer', answers[state]],
    ];
    if (record === null) parts.push(['reason', message]);
    else parts.push(['record', isChosen ? valuesByPath(record, columns) : record]);
    return exactText(new Map(parts));
  }
}

/** Records that were read one by one, kept on disk in their order until the columns are known. */
class RecordSpool {
  readonly #path: string;
  #pending = '';

  /** @param folder  a private one */
  constructor(folder: string) {
    this.#path = join(folder, 'records');
    appendFileSync(this.#path, '', { mode: ownerOnly });
  }

  add({ id, state, message, record }: ReadRecord): void {
    this.#pending += `${exactText([id, state, message, record])}\n`;
    if (this.#pending.length >= flushLength) this.#flush();
  }

  *records(): Generator<ReadRecord> {
    this.#flush();
    const { reader, close } = openAnswer(this.#path);
    try {
      while (reader.peek() !== '') {
        const [id, state, message, record] = reader.value() as [string, ReadRecord['state'], string, JsonValue];
        yield { id, state, message, record: isJsonObject(record) ? record : null };
      }
    } finally {
      close();
    }
  }

  #flush(): void {
    appendFileSync(this.#path, this.#pending);
    this.#pending = '';
  }
}

const flushLength = 1 << 18;

function refuseTemplate(wanted: RecordsWanted, format: ExportFormat): void {
  if (wanted === 'deals') {
    throw new DealsheetError(
      'usage',
      'The service offers no way to change a deal: there is no template for that.',
      'Leave --as-template out, or export companies.',
    );
  }
  if (format === 'xlsx' || format === 'csv') return;
  throw new DealsheetError('usage', `A template cannot be written as ${format}.`, 'Write it to an .xlsx or .csv file.');
}

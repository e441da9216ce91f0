/** XLSX out, streamed: each sheet is deflated while its rows come, so that memory does not grow with them. */
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import { DealsheetError } from '../../errors.ts';
import type { OutputSheetOptions, SheetWriter, SheetWriterOptions } from '../sheet-writer.ts';
import { openTemporaryFile } from '../temporary-file.ts';
import { commentsPart, drawingPart } from './comment-parts.ts';
import { type FinishedSheet, packageParts, sheetRelationships } from './package-parts.ts';
import { freeSheetName } from './sheet-name.ts';
import { SheetXml } from './sheet-xml.ts';

/** A zip made twice from the same rows is the same: no clock in it. */
const entryTime = new Date('2000-01-01T00:00:00');

/** @throws DealsheetError `unwritable-results` when the folder cannot be written */
export async function createXlsxWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode);
  const zip = new ZipFile();
  const written = pump(zip.outputStream, file.handle);
  written.catch(() => undefined);
  const writer = new WorkbookWriter(zip, written, options);
  return {
    addSheet: (sheet) => writer.addSheet(sheet),
    finish: async () => {
      await writer.finish();
      return file.place();
    },
    abandon: async () => {
      (zip.outputStream as unknown as Writable).destroy();
      await written.catch(() => undefined);
      await file.remove();
    },
  };
}

async function pump(from: NodeJS.ReadableStream, to: FileHandle): Promise<void> {
  for await (const chunk of from) await to.write(chunk as Buffer);
}

class WorkbookWriter {
  readonly #zip: ZipFile;
  readonly #written: Promise<void>;
  readonly #options: SheetWriterOptions;
  readonly #sheets: FinishedSheet[] = [];
  #current: { xml: SheetXml; options: OutputSheetOptions; name: string } | null = null;

  constructor(zip: ZipFile, written: Promise<void>, options: SheetWriterOptions) {
    this.#zip = zip;
    this.#written = written;
    this.#options = options;
  }

  async addSheet(options: OutputSheetOptions) {
    await this.#endSheet();
    const name = freeSheetName(
      options.name,
      this.#sheets.map((sheet) => sheet.name),
    );
    const stream = new PassThrough({ highWaterMark: 1 << 18 });
    const number = this.#sheets.length + 1;
    this.#zip.addReadStream(stream, `xl/worksheets/sheet${number}.xml`, this.#entry());
    const xml = new SheetXml(stream, this.#written, options);
    this.#current = { xml, options, name };
    return { addRow: xml.addRow.bind(xml), addDataBar: xml.addDataBar.bind(xml) };
  }

  async finish(): Promise<void> {
    await this.#endSheet();
    if (this.#sheets.length === 0)
      throw new DealsheetError('output-failed', 'A workbook needs a sheet.', 'Nothing was written.');
    for (const [name, text] of packageParts(this.#sheets, this.#options.properties)) this.#add(name, text);
    this.#zip.end();
    await this.#written;
  }

  async #endSheet(): Promise<void> {
    if (this.#current === null) return;
    const { xml, options, name } = this.#current;
    this.#current = null;
    const number = this.#sheets.length + 1;
    const { links, notes, rowCount, columnCount } = await xml.end();
    if (links.length > 0 || notes.length > 0)
      this.#add(`xl/worksheets/_rels/sheet${number}.xml.rels`, sheetRelationships(number, links, notes));
    if (notes.length > 0) {
      this.#add(`xl/comments${number}.xml`, commentsPart(notes));
      this.#add(`xl/drawings/vmlDrawing${number}.vml`, drawingPart(notes));
    }
    this.#sheets.push({
      number,
      name,
      place: options.place,
      filterRow: options.filterRow,
      printTitleRows: options.footer === undefined ? 0 : options.frozenRows,
      rowCount: options.hasTotals === true ? rowCount - 1 : rowCount,
      columnCount,
      hasNotes: notes.length > 0,
    });
  }

  #add(name: string, text: string): void {
    this.#zip.addBuffer(Buffer.from(text, 'utf8'), name, this.#entry());
  }

  #entry() {
    return { mtime: entryTime, compressionLevel: this.#options.compression, forceDosTimestamp: true };
  }
}

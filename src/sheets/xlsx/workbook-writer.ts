/** XLSX out, streamed: each sheet is deflated while its rows come, so that memory does not grow with them. */
import { DealsheetError } from '../../errors.ts';
import type { OutputSheetOptions, SheetWriter, SheetWriterOptions } from '../sheet-writer.ts';
import { openTemporaryFile } from '../temporary-file.ts';
import { commentsPart, drawingPart } from './comment-parts.ts';
import { type FinishedSheet, packageParts, sheetRelationships } from './package-parts.ts';
import { freeSheetName } from './sheet-name.ts';
import { SheetXml } from './sheet-xml.ts';
import { ZipWriter } from './zip-writer.ts';

/** @throws DealsheetError `unwritable-results` when the folder cannot be written */
export async function createXlsxWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode, options.mayReplace);
  const zip = new ZipWriter({ compression: options.compression, write: file.write });
  const writer = new WorkbookWriter(zip, options);
  return {
    addSheet: (sheet) => writer.addSheet(sheet),
    finish: async () => {
      await writer.finish();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

class WorkbookWriter {
  readonly #zip: ZipWriter;
  readonly #options: SheetWriterOptions;
  readonly #sheets: FinishedSheet[] = [];
  #current: { xml: SheetXml; options: OutputSheetOptions; name: string } | null = null;

  constructor(zip: ZipWriter, options: SheetWriterOptions) {
    this.#zip = zip;
    this.#options = options;
  }

  async addSheet(options: OutputSheetOptions) {
    await this.#endSheet();
    const name = freeSheetName(
      options.name,
      this.#sheets.map((sheet) => sheet.name),
    );
    const number = this.#sheets.length + 1;
    const xml = new SheetXml(await this.#zip.begin(`xl/worksheets/sheet${number}.xml`), options);
    this.#current = { xml, options, name };
    return { addRow: xml.addRow.bind(xml), addDataBar: xml.addDataBar.bind(xml) };
  }

  async finish(): Promise<void> {
    await this.#endSheet();
    if (this.#sheets.length === 0)
      throw new DealsheetError('output-failed', 'A workbook needs a sheet.', 'Nothing was written.');
    for (const [name, text] of packageParts(this.#sheets, this.#options.properties)) await this.#zip.add(name, [text]);
    await this.#zip.end();
  }

  async #endSheet(): Promise<void> {
    if (this.#current === null) return;
    const { xml, options, name } = this.#current;
    this.#current = null;
    const number = this.#sheets.length + 1;
    const { links, notes, rowCount, columnCount } = await xml.end();
    if (links.length > 0 || notes.length > 0)
      await this.#zip.add(
        `xl/worksheets/_rels/sheet${number}.xml.rels`,
        sheetRelationships(number, links, notes.length > 0),
      );
    if (notes.length > 0) {
      await this.#zip.add(`xl/comments${number}.xml`, [commentsPart(notes)]);
      await this.#zip.add(`xl/drawings/vmlDrawing${number}.vml`, [drawingPart(notes)]);
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
}

/** One sheet as XML, row by row: inline strings, so that there is no table of strings to keep in memory. */
import { once } from 'node:events';
import type { PassThrough } from 'node:stream';
import { DealsheetError } from '../../errors.ts';
import type { DataBar, OutputCell, OutputSheetOptions, OutputValue, StyleName } from '../sheet-writer.ts';
import { columnName } from './cell-reference.ts';
import type { SheetNote } from './comment-parts.ts';
import { dataBarExtension, dataBarRules } from './data-bars.ts';
import type { SheetLink } from './package-parts.ts';
import { serialOfDate } from './serial-date.ts';
import { styleIndex, topStyleIndex } from './writer-styles.ts';
import { xmlText } from './xml-text.ts';

/** Excel's own limits (ECMA-376, Excel specifications and limits). */
const mostRows = 1_048_576;
const longestText = 32_767;
const mostLinks = 65_530;
/** Of a text within a formula. */
const longestFormulaText = 255;
/** Notes are kept in memory until the sheet ends; a sheet with more wrong cells than this is not read note by note. */
const mostNotes = 20_000;
const flushLength = 131_072;
/** Heights in points, the width in characters. */
const lineHeight = 15;
const titleHeight = 21;
const highestRow = 409;
const defaultWidth = 9;
/** A line breaks before a word that does not fit: it is rarely full. */
const fullShare = 0.85;
/** Excel refuses a footer of more than 255 characters. */
const longestFooter = 200;

export interface EndedSheet {
  readonly links: readonly SheetLink[];
  readonly notes: readonly SheetNote[];
  readonly rowCount: number;
  readonly columnCount: number;
}

export class SheetXml {
  readonly #stream: PassThrough;
  readonly #failed: Promise<never>;
  readonly #options: OutputSheetOptions;
  readonly #links: SheetLink[] = [];
  readonly #notes: SheetNote[] = [];
  readonly #columnNames: string[] = [];
  readonly #bars: DataBar[] = [];
  #pending: string;
  #row = 0;
  #columns = 0;
  /** Of the row under way, in points; 0 for the usual one. */
  #height = 0;

  constructor(stream: PassThrough, written: Promise<void>, options: OutputSheetOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#pending = opening(options);
    this.#failed = written.then(() => {
      throw new Error('The workbook ended before its sheet.');
    });
    this.#failed.catch(() => undefined);
  }

  async addRow(cells: readonly OutputCell[]): Promise<void> {
    this.#row += 1;
    if (this.#row > mostRows) {
      throw new DealsheetError(
        'output-failed',
        `A sheet of Excel has room for ${mostRows} rows.`,
        'Write to a .csv file.',
      );
    }
    let xml = '';
    this.#height = 0;
    for (let column = 0; column < cells.length; column += 1) {
      const cell = cells[column];
      if (cell !== null && cell !== undefined) xml += this.#cell(cell, column);
    }
    this.#columns = Math.max(this.#columns, cells.length);
    const isTall = this.#height > lineHeight;
    const height = isTall ? ` ht="${Math.min(this.#height, highestRow)}" customHeight="1"` : '';
    this.#pending += `<row r="${this.#row}"${height}>${isTall ? atTop(xml) : xml}</row>`;
    if (this.#pending.length >= flushLength) await this.#flush();
  }

  addDataBar(bar: DataBar): void {
    this.#bars.push(bar);
  }

  async end(): Promise<EndedSheet> {
    this.#pending += this.#closing();
    await this.#flush();
    this.#stream.end();
    return { links: this.#links, notes: this.#notes, rowCount: this.#row, columnCount: this.#columns };
  }

  async #flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (this.#stream.write(text)) return;
    await Promise.race([once(this.#stream, 'drain'), this.#failed]);
  }

  #reference(column: number): string {
    let name = this.#columnNames[column];
    if (name === undefined) {
      name = columnName(column);
      this.#columnNames[column] = name;
    }
    return name + this.#row;
  }

  #cell(cell: Exclude<OutputCell, null>, column: number): string {
    if (typeof cell !== 'object' || !('value' in cell)) return this.#value(cell, column, 'plain');
    if (cell.note !== undefined && this.#notes.length < mostNotes) {
      this.#notes.push({ row: this.#row - 1, column, reference: this.#reference(column), text: cell.note });
    }
    if (cell.style === 'title') this.#height = Math.max(this.#height, titleHeight);
    if (cell.style === 'note' && typeof cell.value === 'string') this.#makeRoom(cell.value, column);
    return this.#value(cell.value, column, cell.style);
  }

  /** Programs that open the file do not all give a wrapped text the height that it needs. */
  #makeRoom(text: string, column: number): void {
    const width = this.#options.columns[column]?.width ?? defaultWidth;
    const lines = text
      .split('\n')
      .reduce((count, line) => count + Math.max(1, Math.ceil(line.length / (width * fullShare))), 0);
    this.#height = Math.max(this.#height, lines * lineHeight);
  }

  #value(value: OutputValue, column: number, style: StyleName): string {
    const reference = this.#reference(column);
    const start = `<c r="${reference}"${styleAttribute(style)}`;
    if (value === null) return `${start}/>`;
    if (typeof value === 'string') return textCell(start, value);
    if (typeof value === 'number')
      return Number.isFinite(value) ? `${start}><v>${value}</v></c>` : textCell(start, String(value));
    if (typeof value === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
    if ('formula' in value) return `${start}><f>${xmlText(value.formula)}</f><v>${value.digits}</v></c>`;
    if ('digits' in value)
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.digits)
        ? `${start}><v>${value.digits}</v></c>`
        : textCell(start, value.digits);
    if ('day' in value) return dateCell(reference, style, value.day, value.time);
    return this.#link(start, reference, value.link, value.text);
  }

  /** Beyond the links that a sheet may have, a formula does the same; what is too long for one stays text. */
  #link(start: string, reference: string, address: string, text: string): string {
    if (this.#links.length < mostLinks) {
      this.#links.push({ reference, address });
      return textCell(start, text);
    }
    if (Math.max(address.length, text.length) > longestFormulaText) return textCell(start, text);
    const formula = `HYPERLINK("${address.replaceAll('"', '""')}","${text.replaceAll('"', '""')}")`;
    return `${start} t="str"><f>${xmlText(formula)}</f><v>${xmlText(text)}</v></c>`;
  }

  /** What follows the rows, in the order that the schema wants (ECMA-376 18.3.1.99). */
  #closing(): string {
    const { filterRow, footer } = this.#options;
    const lastRow = this.#options.hasTotals === true ? this.#row - 1 : this.#row;
    const lastColumn = columnName(Math.max(0, this.#columns - 1));
    const filter =
      filterRow === null ? '' : `<autoFilter ref="A${filterRow}:${lastColumn}${Math.max(filterRow, lastRow)}"/>`;
    const links = this.#links
      .map(({ reference }, index) => `<hyperlink ref="${reference}" r:id="link${index + 1}"/>`)
      .join('');
    const hyperlinks = links === '' ? '' : `<hyperlinks>${links}</hyperlinks>`;
    const drawing = this.#notes.length === 0 ? '' : '<legacyDrawing r:id="drawing1"/>';
    const margins = '<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>';
    const foot =
      footer === undefined ? '' : `<headerFooter><oddFooter>${xmlText(footerCode(footer))}</oddFooter></headerFooter>`;
    // Ids are text on purpose: no green corner at each of them (ECMA-376 18.3.1.50).
    const quiet =
      footer === undefined || this.#row === 0
        ? ''
        : `<ignoredErrors><ignoredError sqref="A1:${lastColumn}${this.#row}" numberStoredAsText="1"/></ignoredErrors>`;
    const page = `${margins}<pageSetup orientation="landscape" fitToHeight="0"/>${foot}`;
    return `</sheetData>${filter}${dataBarRules(this.#bars)}${hyperlinks}${page}${quiet}${drawing}${dataBarExtension(this.#bars)}</worksheet>`;
  }
}

function opening(options: OutputSheetOptions): string {
  const columns = options.columns.map(
    ({ width, hidden }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${hidden === true ? ' hidden="1"' : ''}/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ',
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">',
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    `<sheetViews><sheetView workbookViewId="0">${pane(options)}</sheetView></sheetViews>`,
    '<sheetFormatPr defaultRowHeight="15"/>',
    columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`,
    '<sheetData>',
  ].join('');
}

/** In the codes of a footer, a lone & begins a code (ECMA-376 18.3.1.46). */
function footerCode(text: string): string {
  return `&L${text.replaceAll('&', '&&').slice(0, longestFooter)}&RPage &P of &N`;
}

function pane({ frozenRows, frozenColumns }: OutputSheetOptions): string {
  if (frozenRows === 0 && frozenColumns === 0) return '';
  const x = frozenColumns === 0 ? '' : ` xSplit="${frozenColumns}"`;
  const y = frozenRows === 0 ? '' : ` ySplit="${frozenRows}"`;
  const active = frozenRows === 0 ? 'topRight' : frozenColumns === 0 ? 'bottomLeft' : 'bottomRight';
  return `<pane${x}${y} topLeftCell="${columnName(frozenColumns)}${frozenRows + 1}" activePane="${active}" state="frozen"/><selection pane="${active}"/>`;
}

/** In a tall row, cells without a style of their own stand beside the others at the top, not at the bottom. */
function atTop(xml: string): string {
  return xml.replace(/<c r="([A-Z]+\d+)"(?! s=)/g, `<c r="$1" s="${topStyleIndex}"`);
}

function styleAttribute(style: StyleName): string {
  return style === 'plain' ? '' : ` s="${styleIndex[style]}"`;
}

function textCell(start: string, text: string): string {
  if (text === '') return `${start}/>`;
  const fit = text.length > longestText ? cut(text) : text;
  const space = /^\s|\s$|\n/.test(fit) ? ' xml:space="preserve"' : '';
  return `${start} t="inlineStr"><is><t${space}>${xmlText(fit)}</t></is></c>`;
}

/** Excel refuses a file with a longer text; that it was cut is said in the cell itself. */
function cut(text: string): string {
  const mark = ` … (cut: ${text.length} characters in all)`;
  return text.slice(0, longestText - mark.length) + mark;
}

function dateCell(reference: string, style: StyleName, day: string, time: string | undefined): string {
  const shown = style === 'plain' ? (time === undefined ? 'date' : 'date-time') : style;
  const serial = serialOfDate(day, time);
  const start = `<c r="${reference}"${styleAttribute(shown)}`;
  if (serial === null) return textCell(start, time === undefined ? day : `${day} ${time}`);
  return `${start}><v>${serial}</v></c>`;
}

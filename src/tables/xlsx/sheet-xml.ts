/** Writes one sheet as XML, row by row, and the named styles of a workbook. */

import { textWriter } from '../../disk/temporary-file.ts';
import { errorOf } from '../../messages/text.ts';
import { columnName, longestCell, mostColumns, mostLinks, mostRows } from '../excel-limits.ts';
import {
  dayFormat,
  isStyled,
  type Look,
  looks,
  momentFormat,
  type OutputCell,
  type OutputSheetOptions,
  type OutputValue,
  problem,
  type StyleName,
} from '../sheet-writer.ts';
import { serialOfDate } from './cell-value.ts';
import { xmlText } from './xml-text.ts';
import type { ZipEntryWriter } from './zip-writer.ts';

/** In points. */
const lineHeight = 15;
/** The highest row has 409 points. */
const mostLines = 27;
/** In characters. */
const defaultWidth = 9;

export interface SheetLink {
  readonly row: number;
  readonly column: number;
  readonly address: string;
}

export class SheetXml {
  readonly #entry: ZipEntryWriter;
  readonly #options: OutputSheetOptions;
  readonly #links: SheetLink[] = [];
  readonly #text: ReturnType<typeof textWriter>;
  readonly #names: string[] = [];
  #row = 0;
  #columns = 0;

  constructor(entry: ZipEntryWriter, options: OutputSheetOptions) {
    this.#entry = entry;
    this.#options = options;
    this.#text = textWriter(entry.write, opening(options));
  }

  async addRow(cells: readonly OutputCell[]): Promise<void> {
    this.#row += 1;
    if (this.#row > mostRows) throw errorOf('sheet-too-large', { most: mostRows, isWide: false });
    if (cells.length > mostColumns) throw errorOf('sheet-too-large', { most: mostColumns, isWide: true });
    const height = lineHeight * Math.min(mostLines, this.#linesOf(cells));
    let xml = `<row r="${this.#row}"${height > lineHeight ? ` ht="${height}" customHeight="1"` : ''}>`;
    for (let column = 0; column < cells.length; column += 1) {
      const cell = cells[column];
      if (cell === null || cell === undefined) continue;
      this.#names[column] ??= columnName(column);
      const place = `${this.#names[column]}${this.#row}`;
      const keep = (address: string) => this.#keepLink(column, address);
      xml += isStyled(cell) ? cellXml(cell.value, place, cell.style, keep) : cellXml(cell, place, 'plain', keep);
    }
    this.#columns = Math.max(this.#columns, cells.length);
    return this.#text.add(`${xml}</row>`);
  }

  async end() {
    await this.#text.add(`</sheetData>${this.#filter()}`);
    await this.#addHyperlinks();
    await this.#text.add(this.#closing());
    await this.#text.end();
    await this.#entry.end();
    return { links: this.#links, rowCount: this.#lastDataRow(), columnCount: this.#columns };
  }

  #keepLink(column: number, address: string): boolean {
    if (this.#links.length >= mostLinks) return false;
    this.#links.push({ row: this.#row, column, address });
    return true;
  }

  /** Some programs do not fit the row height to wrapped text, so it is set. */
  #linesOf(cells: readonly OutputCell[]): number {
    let lines = 1;
    for (const [column, cell] of cells.entries()) {
      if (!isStyled(cell) || cell.style !== 'note' || typeof cell.value !== 'string') continue;
      lines = Math.max(lines, wrappedLines(cell.value, this.#options.columns[column]?.width ?? defaultWidth));
    }
    return lines;
  }

  // The elements after the rows have the order of the schema (ECMA-376 18.3.1.99).

  #filter(): string {
    if (this.#options.isSummary === true) return '';
    return `<autoFilter ref="A1:${this.#lastColumn()}${Math.max(1, this.#lastDataRow())}"/>`;
  }

  async #addHyperlinks(): Promise<void> {
    if (this.#links.length === 0) return;
    await this.#text.add('<hyperlinks>');
    for (const [index, { row, column }] of this.#links.entries())
      await this.#text.add(`<hyperlink ref="${columnName(column)}${row}" r:id="link${index + 1}"/>`);
    await this.#text.add('</hyperlinks>');
  }

  #lastDataRow(): number {
    return this.#options.hasTotals === true ? this.#row - 1 : this.#row;
  }

  #lastColumn(): string {
    return columnName(Math.max(0, this.#columns - 1));
  }

  #closing(): string {
    const margins = '<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>';
    const width = this.#options.columns.reduce((sum, column) => sum + (column.hidden === true ? 0 : column.width), 0);
    const pages = Math.max(1, Math.ceil(width / widthOfPage));
    const setup = `${margins}<pageSetup orientation="landscape" fitToWidth="${pages}" fitToHeight="0"/>`;
    if (this.#row === 0) return `${setup}</worksheet>`;
    const all = `A1:${this.#lastColumn()}${this.#row}`;
    // Ids are text on purpose, so Excel should not flag them with a green corner (ECMA-376 18.3.1.50).
    return `${setup}<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
  }
}

/** A word that does not fit begins a new line. */
function wrappedLines(text: string, width: number): number {
  let lines = 0;
  for (const line of text.split('\n')) {
    let left = -1;
    for (const { length } of line.split(' ')) {
      if (length <= left) left -= length + 1;
      else {
        lines += Math.max(1, Math.ceil(length / width));
        left = width - (length % width) - 1;
      }
    }
  }
  return lines;
}

/** In characters. A printed page of more is too small to read. */
const widthOfPage = 220;

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

function pane({ isSummary, frozenColumns = 0 }: OutputSheetOptions): string {
  if (isSummary === true) return '';
  const x = frozenColumns === 0 ? '' : ` xSplit="${frozenColumns}"`;
  const active = frozenColumns === 0 ? 'bottomLeft' : 'bottomRight';
  return `<pane${x} ySplit="1" topLeftCell="${columnName(frozenColumns)}2" activePane="${active}" state="frozen"/><selection pane="${active}"/>`;
}

/** Adds a link, or returns `false` if the sheet has no room for it. */
export type KeepLink = (address: string) => boolean;

function cellXml(value: OutputValue, place: string, style: StyleName, keepLink: KeepLink): string {
  if (value !== null && typeof value === 'object' && 'day' in value)
    return `<c r="${place}" s="${indexOf(style, value.time === undefined ? 'day' : 'moment')}"${dateXml(value)}`;
  const isText = typeof value === 'string' || (value !== null && typeof value === 'object' && 'link' in value);
  const index = indexOf(style, isText ? 'text' : 'other');
  return `<c r="${place}"${index === 0 ? '' : ` s="${index}"`}${contentXml(value, keepLink)}`;
}

type DateValue = Extract<OutputValue, { readonly day: string }>;

function dateXml({ day, time }: DateValue): string {
  const serial = serialOfDate(day, time);
  return serial === null ? textXml(time === undefined ? day : `${day} ${time}`) : numberXml(serial);
}

function contentXml(value: Exclude<OutputValue, DateValue>, keepLink: KeepLink): string {
  if (value === null) return '/>';
  if (typeof value === 'string') return textXml(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberXml(value) : textXml(String(value));
  if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v></c>`;
  if ('link' in value) return linkXml(value.link, value.text, keepLink);
  if ('formula' in value) return `><f>${xmlText(value.formula)}</f><v>${value.digits}</v></c>`;
  return isNumber(value.digits) ? numberXml(value.digits) : textXml(value.digits);
}

function numberXml(digits: number | string): string {
  return `><v>${digits}</v></c>`;
}

function textXml(text: string): string {
  if (text === '') return '/>';
  const keep = hasSpaceToKeep(text) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${keep}>${xmlText(fitText(text))}</t></is></c>`;
}

/** Above the limit of links, writes the address. */
function linkXml(address: string, text: string, keepLink: KeepLink): string {
  const target = linkAddress(address);
  return textXml(target !== null && keepLink(target) ? text : address);
}

function isNumber(digits: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(digits) && Number.isFinite(Number(digits));
}

/** Whether programs would drop a leading or trailing space, or a line break. */
function hasSpaceToKeep(text: string): boolean {
  return text.trim().length !== text.length || text.includes('\n');
}

/** Cuts a text that is too long for Excel, and says so in the cell. */
export function fitText(text: string): string {
  if (text.length <= longestCell) return text;
  const mark = ` … (cut: ${text.length} characters in all)`;
  return text.slice(0, longestCell - mark.length).replace(/[\ud800-\udbff]$/, '') + mark;
}

const longestAddress = 2079;

/** The address with escapes, or `null` for an invalid one, because Excel would report the workbook as damaged. */
export function linkAddress(address: string): string | null {
  if (!URL.canParse(address) || /\p{Surrogate}/u.test(address)) return null;
  const { username, password } = new URL(address);
  // `https://bank.example@evil.example` leads to another host than it seems to.
  if (username !== '' || password !== '') return null;
  const fit = address.replace(/[\u0000-\u0020\u007f<>"{}|\\^`]/g, encodeURIComponent);
  return fit.length > longestAddress ? null : fit;
}

const names = Object.keys(looks) as StyleName[];
const lookOf: Readonly<Record<StyleName, Look>> = looks;
const firstOwnFormat = 164;
const fontSize = 11;

const styleIndex = Object.fromEntries(names.map((name, index) => [name, index])) as Readonly<Record<StyleName, number>>;

/** What each style becomes for a value. An indent keeps text from touching the number to its left. */
const variants = {
  other: {},
  day: { format: dayFormat },
  moment: { format: momentFormat },
  text: { indent: true },
} as const;
const variantNames = Object.keys(variants);

function indexOf(style: StyleName, variant: keyof typeof variants): number {
  return names.length * variantNames.indexOf(variant) + styleIndex[style];
}

export function stylesPart(): string {
  const all = names.map((name) => lookOf[name]);
  const formats = [...new Set(all.flatMap(({ format }) => (typeof format === 'string' ? [format] : [])))];
  const formatId = (format: Look['format']) =>
    typeof format === 'string' ? firstOwnFormat + formats.indexOf(format) : (format ?? 0);
  const cellFormat = (look: Look & { readonly indent?: true }, fontId: number): string => {
    const horizontal = look.right ? ' horizontal="right"' : look.indent ? ' horizontal="left" indent="1"' : '';
    const alignment = `<alignment vertical="top"${horizontal}${look.wrap ? ' wrapText="1"' : ''}/>`;
    const fillId = look.fill === undefined ? 0 : fills(all).indexOf(look.fill) + 2;
    return `<xf numFmtId="${formatId(look.format)}" fontId="${fontId}" fillId="${fillId}" borderId="${look.border ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${alignment}</xf>`;
  };
  const cellFormats = Object.values(variants).flatMap((variant) =>
    all.map((look, index) => cellFormat({ ...look, ...variant }, index)),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${firstOwnFormat + index}" formatCode="${xmlText(code)}"/>`).join('')}</numFmts>`,
    `<fonts count="${all.length}">${all.map(fontOf).join('')}</fonts>`,
    `<fills count="${fills(all).length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fills(all).map(fillOf).join('')}</fills>`,
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
    `<border>${['left', 'right', 'top', 'bottom'].map((side) => `<${side} style="thin"><color rgb="${problem.color}"/></${side}>`).join('')}<diagonal/></border></borders>`,
    // Of cells without a style, some programs show this alignment only.
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" applyAlignment="1"><alignment vertical="top"/></xf></cellStyleXfs>',
    `<cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

function fills(all: readonly Look[]): readonly string[] {
  return [...new Set(all.flatMap(({ fill }) => (fill === undefined ? [] : [fill])))];
}

function fillOf(color: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
}

function fontOf(look: Look): string {
  const bold = look.bold ? '<b/>' : '';
  const underline = look.underline ? '<u/>' : '';
  const color = look.color === undefined ? '<color theme="1"/>' : `<color rgb="${look.color}"/>`;
  return `<font>${bold}${underline}<sz val="${look.size ?? fontSize}"/>${color}<name val="Calibri"/><family val="2"/></font>`;
}

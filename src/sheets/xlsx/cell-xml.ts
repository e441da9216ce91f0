/** One cell as XML: text inline, so that there is no table of strings to keep in memory. */
import type { OutputValue, StyleName } from '../sheet-writer.ts';
import { columnName } from './cell-reference.ts';
import { codesOf, lastAscii, space } from './character-codes.ts';
import { serialOfDate } from './serial-date.ts';
import { dateStyleIndex, styleIndex, topStyleIndex } from './writer-styles.ts';
import type { XmlBytes } from './xml-bytes.ts';
import { xmlText } from './xml-bytes.ts';

/** Excel's own limit (ECMA-376, Excel specifications and limits). */
const longestText = 32_767;
/** Of a text within a formula. */
const longestFormulaText = 255;

const blank = codesOf('/>');
const inlineOpen = codesOf(' t="inlineStr"><is><t>');
const inlineOpenPreserved = codesOf(' t="inlineStr"><is><t xml:space="preserve">');
const inlineClose = codesOf('</t></is></c>');
const valueOpen = codesOf('><v>');
const booleanOpen = codesOf(' t="b"><v>');
const valueClose = codesOf('</v></c>');
const afterReference = codesOf('"');
const styles = Object.fromEntries(
  Object.entries(styleIndex).map(([name, index]) => [name, codesOf(name === 'plain' ? '"' : `" s="${index}"`)]),
) as Readonly<Record<StyleName, Uint8Array>>;
const dateStyles = Object.fromEntries(
  Object.keys(styleIndex).map((name) => {
    const of = (hasTime: boolean) => codesOf(`" s="${dateStyleIndex(name as StyleName, hasTime)}"`);
    return [name, { date: of(false), 'date-time': of(true) }];
  }),
) as Readonly<Record<StyleName, Readonly<Record<'date' | 'date-time', Uint8Array>>>>;
const topStyle = codesOf(`" s="${topStyleIndex}"`);

/** Keeps a link, or says that the sheet has no room for another. */
export type KeepLink = (column: number, address: string) => boolean;

/** Writes the cells of one sheet, row after row. */
export class CellXml {
  readonly #xml: XmlBytes;
  readonly #keepLink: KeepLink;
  /** `<c r="A` for each column. */
  readonly #starts: Uint8Array[] = [];
  #row = codesOf('');
  #plain = afterReference;

  constructor(xml: XmlBytes, keepLink: KeepLink) {
    this.#xml = xml;
    this.#keepLink = keepLink;
  }

  /** @param isTall  cells without a style of their own stand beside the others at the top, not at the bottom */
  beginRow(number: number, isTall: boolean): void {
    this.#row = codesOf(String(number));
    this.#plain = isTall ? topStyle : afterReference;
  }

  write(value: OutputValue, column: number, style: StyleName): void {
    const xml = this.#xml;
    if (typeof value === 'string') {
      this.#start(column, style);
      this.#text(value);
    } else if (value === null) {
      this.#start(column, style);
      xml.codes(blank);
    } else if (typeof value === 'number') {
      this.#start(column, style);
      if (Number.isFinite(value)) this.#stored(String(value));
      else this.#text(String(value));
    } else if (typeof value === 'boolean') {
      this.#start(column, style);
      xml.codes(booleanOpen);
      xml.text(value ? '1' : '0');
      xml.codes(valueClose);
    } else if ('digits' in value && !('formula' in value)) {
      this.#start(column, style);
      if (isNumber(value.digits)) this.#stored(value.digits);
      else this.#text(value.digits);
    } else if ('day' in value) {
      this.#date(value.day, value.time, column, style);
    } else if ('formula' in value) {
      this.#start(column, style);
      xml.markup(`><f>${xmlText(value.formula)}</f><v>${value.digits}</v></c>`);
    } else {
      this.#link(value.link, value.text, column, style);
    }
  }

  #start(column: number, style: StyleName): void {
    this.#startWith(column, style === 'plain' ? this.#plain : styles[style]);
  }

  /** @param style  the rest of the start tag's first attributes, from the quotation mark behind the reference on */
  #startWith(column: number, style: Uint8Array): void {
    let start = this.#starts[column];
    if (start === undefined) {
      start = codesOf(`<c r="${columnName(column)}`);
      this.#starts[column] = start;
    }
    this.#xml.codes(start);
    this.#xml.codes(this.#row);
    this.#xml.codes(style);
  }

  #text(text: string): void {
    if (text === '') {
      this.#xml.codes(blank);
      return;
    }
    const fit = fitText(text);
    this.#xml.codes(hasSpaceToKeep(fit) ? inlineOpenPreserved : inlineOpen);
    this.#xml.text(fit);
    this.#xml.codes(inlineClose);
  }

  #stored(digits: string): void {
    this.#xml.codes(valueOpen);
    this.#xml.text(digits);
    this.#xml.codes(valueClose);
  }

  #date(day: string, time: string | undefined, column: number, style: StyleName): void {
    this.#startWith(column, dateStyles[style][time === undefined ? 'date' : 'date-time']);
    const serial = serialOfDate(day, time);
    if (serial === null) this.#text(time === undefined ? day : `${day} ${time}`);
    else this.#stored(String(serial));
  }

  /** Beyond the links that a sheet may have, a formula does the same; where neither can be, the address is written. */
  #link(address: string, text: string, column: number, style: StyleName): void {
    this.#start(column, style);
    const target = linkAddress(address);
    if (target !== null && this.#keepLink(column, target)) this.#text(text);
    else if (target === null || Math.max(target.length, text.length) > longestFormulaText) this.#text(address);
    else {
      const formula = `HYPERLINK("${target}","${text.replaceAll('"', '""')}")`;
      this.#xml.markup(` t="str"><f>${xmlText(formula)}</f><v>${xmlText(text)}</v></c>`);
    }
  }
}

function isNumber(digits: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(digits) && Number.isFinite(Number(digits));
}

/** Whether programs would lose a space at an end, or a line break, without being asked to keep it. */
function hasSpaceToKeep(text: string): boolean {
  return isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1)) || text.includes('\n');
}

function isSpace(code: number): boolean {
  return code <= space || (code > lastAscii && /\s/.test(String.fromCharCode(code)));
}

/** Excel refuses a file with a longer text; that it was cut is said in the cell itself. */
function fitText(text: string): string {
  if (text.length <= longestText) return text;
  const mark = ` … (cut: ${text.length} characters in all)`;
  return text.slice(0, longestText - mark.length).replace(/[\ud800-\udbff]$/, '') + mark;
}

// For an address that Excel does not take for a link, it calls the whole workbook damaged.

/** Of Excel, in characters. */
const longestAddress = 2079;

/** An address of the web without a character that would be written otherwise: looked at in a tenth of the time. */
const usualAddress = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,4})?\/[\w\-.~/]*$/;

/** @returns the address with what no address may hold written as `%20`, or `null` when it is none or too long */
export function linkAddress(address: string): string | null {
  if (address.length <= longestAddress && usualAddress.test(address)) return address;
  if (!URL.canParse(address) || /\p{Surrogate}/u.test(address)) return null;
  const { username, password } = new URL(address);
  // `https://bank.example@evil.example` leads elsewhere than it seems to.
  if (username !== '' || password !== '') return null;
  const fit = address.replace(/[\u0000-\u0020\u007f<>"{}|\\^`]/g, encodeURIComponent);
  return fit.length > longestAddress ? null : fit;
}

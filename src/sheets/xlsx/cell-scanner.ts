/**
 * The cells of a row. Those in the form in which nearly every program writes them are read in one go over their characters, a
 * third of the time of the general way, which takes the others. What is no cell is refused.
 */
import type { Cell } from '../cell.ts';
import { mostColumns } from '../excel-limits.ts';
import { widestUsualGap } from '../row.ts';
import { damaged } from '../unreadable.ts';
import { columnIndex } from './cell-reference.ts';
import {
  isoDate,
  readNumber,
  type SheetContext,
  sharedString,
  stringNumber,
  textOrBlank,
  truthOf,
} from './cell-value.ts';
import { ampersand, carriageReturn, codesOf, holds, lessThan, quote, space, underscore } from './character-codes.ts';
import { decoded, elementText } from './string-item.ts';

/** The text ends before the row does, as `indexOf` says it. */
export const notWhole = -1;
/** Not the plain form: the cell is for the general way. */
const notPlain = -1;

/** What stands in a tag behind its name; anything else than plain attributes is for a full parser. */
export const plainAttributes = '((?: [\\w:.-]+="[^"<>&=]*")*) ?';
const element = (name: string) => `<${name}(?: [^<>]*)?(?:/>|>([^<]*)</${name}>)`;
const inline = '<is>([^<]*(?:<(?!/is>)[^<]*)*)</is>|<is/>';
const content = [`(${element('f')})`, element('v'), inline].map((one) => `(?:(?:${one})\\s*)?`).join('');
const anyCell = new RegExp(`\\s*<c${plainAttributes}(?:/>|>\\s*${content}</c>)`, 'y');
const endOfRow = /\s*<\/row>/y;

/** @param attributes  in plain form, each with a space before it */
export function attribute(attributes: string, name: string): string | null {
  const start = attributes.indexOf(` ${name}="`);
  if (start === -1) return null;
  const from = start + name.length + 3;
  return attributes.slice(from, attributes.indexOf('"', from));
}

export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** What programs that do not calculate put beside every formula, for the one that opens the workbook next. */
const notCalculated = '0';
const linkFunction = 'HYPERLINK(';

const longestExactInteger = 15;
const digit0 = 0x30;
const digit9 = 0x39;
const letterA = 0x41;
const letterZ = 0x5a;
const lettersOfColumns = 26;
const nameOfReference = 0x72;
const nameOfStyle = 0x73;
const nameOfType = 0x74;
const equals = 0x3d;
const slash = 0x2f;
const greater = 0x3e;
const cellTag = codesOf('<c ');
const inlineType = codesOf('inlineStr"');
const sharedType = codesOf('s"');
const textType = codesOf('str"');
const numberType = codesOf('n"');
const inlineOpen = codesOf('<is><t>');
const inlineOpenPreserved = codesOf('<is><t xml:space="preserve">');
const inlineClose = codesOf('</t></is></c>');
const valueOpen = codesOf('<v>');
const valueClose = codesOf('</v></c>');

export class CellScanner {
  readonly #context: SheetContext;
  /** Where the row has ended, after `take`; or `notWhole`. */
  end = notWhole;
  /** The columns of the cells, after `take`, where gaps between them were left out. */
  columns: number[] | undefined;
  // What was read last: an object for each cell would cost as much as its reading.
  #cell: Cell = null;
  #column = 0;
  #style = -1;
  #type: 'number' | 'shared' | 'formula text' | 'inline' = 'number';

  constructor(context: SheetContext) {
    this.#context = context;
  }

  /**
   * The cells from there to the end of their row, from column A on or those of `columns`, without trailing blanks. Where the
   * text ends before the row does, `end` says so, and what is given is for nothing.
   *
   * @throws DealsheetError `unreadable-source` for anything that is no cell, and for cells out of their places
   */
  take(text: string, from: number, row: number): Cell[] {
    const cells: Cell[] = [];
    let columns: number[] | undefined;
    let start = from;
    let lastColumn = -1;
    for (;;) {
      let end = this.#readPlain(text, start, row);
      if (end === notPlain) {
        if (execAt(endOfRow, text, start) !== null) {
          this.end = endOfRow.lastIndex;
          this.columns = columns;
          return cells;
        }
        end = this.#readAny(text, start, row, lastColumn);
        if (end === notWhole) {
          this.end = notWhole;
          return cells;
        }
      }
      const column = this.#column;
      if (column <= lastColumn || column >= mostColumns) throw this.#outOfPlace(row, text.slice(start, end));
      start = end;
      lastColumn = column;
      if (this.#cell === null) continue;
      if (columns === undefined && column - cells.length > widestUsualGap) columns = [...cells.keys()];
      if (columns === undefined) while (cells.length < column) cells.push(null);
      else columns.push(column);
      cells.push(this.#cell);
    }
  }

  #outOfPlace(row: number, what: string): Error {
    return damaged(`row ${row} of ${this.#context.part} has a cell out of its place (${/[A-Z]+\d+/i.exec(what)?.[0]})`);
  }

  /** @returns where the cell ends, or `notPlain` */
  #readPlain(text: string, start: number, row: number): number {
    if (!holds(text, start, cellTag)) return notPlain;
    const head = this.#readAttributes(text, start + cellTag.length, row);
    if (head === notPlain) return notPlain;
    if (text.charCodeAt(head - 2) === slash) {
      this.#cell = null;
      return head;
    }
    switch (this.#type) {
      case 'number':
        return this.#readNumber(text, head, row);
      case 'shared':
        return this.#readShared(text, head, row);
      case 'formula text':
        return this.#readText(text, head, valueOpen, valueClose);
      case 'inline': {
        const open = holds(text, head, inlineOpen) ? inlineOpen : inlineOpenPreserved;
        return this.#readText(text, head, open, inlineClose);
      }
    }
  }

  /** `r`, `s` and `t`, in any order: where the tag has ended, or `notPlain` for anything else. */
  #readAttributes(text: string, from: number, row: number): number {
    let at = from;
    this.#style = -1;
    this.#type = 'number';
    let column = 0;
    for (;;) {
      const name = text.charCodeAt(at);
      if (text.charCodeAt(at + 1) !== equals || text.charCodeAt(at + 2) !== quote) return notPlain;
      at += 3;
      let code = text.charCodeAt(at);
      if (name === nameOfReference) {
        if (column !== 0) return notPlain;
        for (; code >= letterA && code <= letterZ; code = text.charCodeAt(++at))
          column = column * lettersOfColumns + code - letterA + 1;
        let number = 0;
        for (; code >= digit0 && code <= digit9; code = text.charCodeAt(++at)) number = number * 10 + code - digit0;
        if (number !== row) return notPlain;
      } else if (name === nameOfStyle) {
        let number = 0;
        for (; code >= digit0 && code <= digit9; code = text.charCodeAt(++at)) number = number * 10 + code - digit0;
        this.#style = number;
      } else if (name === nameOfType) {
        at = this.#readType(text, at);
        code = text.charCodeAt(at);
      } else return notPlain;
      if (code !== quote) return notPlain;
      const next = text.charCodeAt(at + 1);
      if (next === greater || (next === slash && text.charCodeAt(at + 2) === greater)) {
        if (column === 0) return notPlain;
        this.#column = column - 1;
        return next === greater ? at + 2 : at + 3;
      }
      if (next !== space) return notPlain;
      at += 2;
    }
  }

  /** Where the type's closing quotation mark stands; where it is a rare type, a place that holds none. */
  #readType(text: string, at: number): number {
    if (holds(text, at, inlineType)) {
      this.#type = 'inline';
      return at + inlineType.length - 1;
    }
    if (holds(text, at, sharedType)) {
      this.#type = 'shared';
      return at + 1;
    }
    if (holds(text, at, textType)) {
      this.#type = 'formula text';
      return at + textType.length - 1;
    }
    return holds(text, at, numberType) ? at + 1 : at;
  }

  #readText(text: string, head: number, open: Uint8Array, close: Uint8Array): number {
    if (!holds(text, head, open)) return notPlain;
    const from = head + open.length;
    let at = from;
    let isPlain = true;
    for (let code = text.charCodeAt(at); code !== lessThan; code = text.charCodeAt(++at)) {
      if (Number.isNaN(code)) return notPlain;
      if (code === ampersand || code === underscore || code === carriageReturn) isPlain = false;
    }
    if (!holds(text, at, close)) return notPlain;
    const written = text.slice(from, at);
    this.#cell = textOrBlank(isPlain ? written : decoded(written, this.#context.part));
    return at + close.length;
  }

  #readShared(text: string, head: number, row: number): number {
    if (!holds(text, head, valueOpen)) return notPlain;
    const from = head + valueOpen.length;
    let at = from;
    let index = 0;
    for (let code = text.charCodeAt(at); code >= digit0 && code <= digit9; code = text.charCodeAt(++at)) {
      index = index * 10 + code - digit0;
    }
    if (at === from || !holds(text, at, valueClose)) return notPlain;
    this.#cell = sharedString(index, this.#context, row);
    return at + valueClose.length;
  }

  #readNumber(text: string, head: number, row: number): number {
    if (!holds(text, head, valueOpen)) return notPlain;
    const from = head + valueOpen.length;
    let at = from;
    let value = 0;
    for (let code = text.charCodeAt(at); code >= digit0 && code <= digit9; code = text.charCodeAt(++at)) {
      value = value * 10 + code - digit0;
    }
    const digits = at - from;
    const isExact = text.charCodeAt(at) === lessThan && digits > 0 && digits <= longestExactInteger;
    if (!isExact) at = text.indexOf('<', at);
    if (at === -1 || !holds(text, at, valueClose)) return notPlain;
    // Blanks around a number, or alone, are for the general way.
    if (at === from || text.charCodeAt(from) <= space || text.charCodeAt(at - 1) <= space) return notPlain;
    this.#cell = readNumber(text.slice(from, at), isExact ? value : null, this.#style, this.#context, row);
    return at + valueClose.length;
  }

  /** A cell of any form. @returns where it ends, or `notWhole` */
  #readAny(text: string, start: number, row: number, lastColumn: number): number {
    const found = execAt(anyCell, text, start);
    if (found === null) {
      if (text.indexOf('</row>', start) === -1) return notWhole;
      throw damaged(`row ${row} of ${this.#context.part} holds something else than cells`);
    }
    const [, attributes = '', formula, formulaText = '', stored, inside] = found;
    this.#column = this.#columnOf(attributes, lastColumn, row);
    const written = formula === undefined ? null : formulaText;
    this.#cell = this.#cellOf(attributes, written, stored, inside, row);
    return anyCell.lastIndex;
  }

  #columnOf(attributes: string, before: number, row: number): number {
    const reference = attribute(attributes, 'r');
    if (reference === null) {
      if (before + 1 < mostColumns) return before + 1;
      throw damaged(`row ${row} of ${this.#context.part} has more cells than a sheet has columns`);
    }
    const [, name = '', number] = /^([A-Z]{1,3})(\d+)$/i.exec(reference) ?? [];
    if (Number(number) !== row) throw this.#outOfPlace(row, reference);
    return columnIndex(name);
  }

  #cellOf(
    attributes: string,
    formula: string | null,
    stored: string | undefined,
    inside: string | undefined,
    row: number,
  ): Cell {
    const context = this.#context;
    const type = attribute(attributes, 't') ?? 'n';
    if (inside !== undefined && (type === 'inlineStr' || stored === undefined))
      return textOrBlank(elementText(inside, context.part));
    const isAwaited = type === 'n' && formula !== null && context.awaitsCalculation && stored?.trim() === notCalculated;
    if (stored === undefined || (type !== 'str' && stored.trim() === '') || isAwaited)
      return formula === null ? null : { kind: 'formula-without-value', formula: decoded(formula, context.part) };
    switch (type) {
      case 'inlineStr':
      case 's':
        return sharedString(stringNumber(stored.trim(), context, row), context, row);
      case 'str':
        if (formula?.includes(linkFunction)) context.onFormula(row, this.#column, decoded(formula, context.part));
        return textOrBlank(decoded(stored, context.part));
      case 'b':
        return { kind: 'boolean', value: truthOf(stored.trim(), context, row) };
      case 'e':
        return { kind: 'error', text: decoded(stored, context.part) };
      case 'd':
        return isoDate(decoded(stored, context.part));
      case 'n':
        return readNumber(stored.trim(), null, Number(attribute(attributes, 's') ?? -1), context, row);
      default:
        throw damaged(`row ${row} of ${context.part} has a cell of the unknown type ${type}`);
    }
  }
}

/** Scans the cells of a row. The usual form takes a third of the time of the general one. Anything else is refused. */
import { errorOf } from '../../messages/text.ts';
import { columnIndex, mostColumns } from '../excel-limits.ts';
import type { Cell } from '../row.ts';
import {
  isoDate,
  readNumber,
  type SheetContext,
  sharedString,
  stringNumber,
  textOrBlank,
  truthOf,
} from './cell-value.ts';
import { decoded, elementText } from './xml-text.ts';

/** The text ends before the row does. Equals the `-1` of `indexOf`. */
export const notWhole = -1;
/** The cell is not in the plain form and needs the general one. */
const notPlain = -1;

/** Plain attributes after the name of a tag. Any other form needs a full XML parser. */
export const plainAttributes = '((?: [\\w:.-]+="[^"<>&=]*")*) ?';
const element = (name: string) => `<${name}(?: [^<>]*)?(?:/>|>([^<]*)</${name}>)`;
const inline = '<is>([^<]*(?:<(?!/is>)[^<]*)*)</is>|<is/>';
const content = [`(${element('f')})`, element('v'), inline].map((one) => `(?:(?:${one})\\s*)?`).join('');
const anyCell = new RegExp(`\\s*<c${plainAttributes}(?:/>|>\\s*${content}</c>)`, 'y');
const endOfRow = /\s*<\/row>/y;

/** @param attributes in plain form, each with a space before it */
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

/** Programs that do not calculate write this beside every formula. */
const notCalculated = '0';
const linkFunction = 'HYPERLINK(';

/** The form that nearly every program writes. It takes a third of the time of {@link anyCell}. */
const plainCell =
  /<c r="([A-Z]{1,3})(\d+)"(?: s="(\d+)")?(?: t="(n|s|str|inlineStr)")?(?:\/>|>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>)/y;

export class CellScanner {
  readonly #context: SheetContext;
  /** The offset after the row, once `take` has returned, or `notWhole`. */
  end = notWhole;
  // The last cell. Fields, because an object for each cell would cost as much as reading it.
  #cell: Cell = null;
  #column = 0;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  /** Reads the cells up to the end of the row. Sets `end` to `notWhole` if the text ends first. @throws for anything else */
  take(text: string, from: number, row: number): Cell[] {
    const cells: Cell[] = [];
    let start = from;
    let lastColumn = -1;
    for (;;) {
      let end = this.#readPlain(text, start, row);
      if (end === notPlain) {
        if (execAt(endOfRow, text, start) !== null) {
          this.end = endOfRow.lastIndex;
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
      while (cells.length < column) cells.push(null);
      cells.push(this.#cell);
    }
  }

  #outOfPlace(row: number, what: string): Error {
    const reference = /[A-Z]+\d+/i.exec(what)?.[0] ?? null;
    return errorOf('row-unreadable', { row, sheet: this.#context.sheet, stored: reference });
  }

  /** @returns the offset after the cell, or `notPlain` */
  #readPlain(text: string, start: number, row: number): number {
    const found = execAt(plainCell, text, start);
    if (found === null || Number(found[2]) !== row) return notPlain;
    // By index, because destructuring costs as much as finding the cell.
    const type = found[4] ?? 'n';
    const stored = found[5];
    const inline = found[6];
    if (inline !== undefined) {
      if (type !== 'inlineStr') return notPlain;
      this.#cell = textOrBlank(decoded(inline, this.#context.sheet));
    } else if (stored === undefined) this.#cell = null;
    else if (type === 'str') this.#cell = textOrBlank(decoded(stored, this.#context.sheet));
    // A value with blanks around it, or a blank one, needs the general form.
    else if (stored === '' || stored.trim() !== stored) return notPlain;
    else if (type === 'n') this.#cell = readNumber(stored, Number(found[3] ?? -1), this.#context, row);
    else if (type === 's') this.#cell = sharedString(stringNumber(stored, this.#context, row), this.#context, row);
    else return notPlain;
    this.#column = columnIndex(found[1] ?? '');
    return plainCell.lastIndex;
  }

  /** Reads a cell of any form. @returns the offset after it, or `notWhole` */
  #readAny(text: string, start: number, row: number, lastColumn: number): number {
    const found = execAt(anyCell, text, start);
    if (found === null) {
      if (text.indexOf('</row>', start) === -1) return notWhole;
      throw errorOf('row-unreadable', { row, sheet: this.#context.sheet, stored: null });
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
      throw errorOf('row-unreadable', { row, sheet: this.#context.sheet, stored: null });
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
      return textOrBlank(elementText(inside, context.sheet));
    const isAwaited = type === 'n' && formula !== null && context.awaitsCalculation && stored?.trim() === notCalculated;
    if (stored === undefined || (type !== 'str' && stored.trim() === '') || isAwaited)
      return formula === null ? null : { kind: 'formula-without-value', formula: decoded(formula, context.sheet) };
    switch (type) {
      case 'inlineStr':
      case 's':
        return sharedString(stringNumber(stored.trim(), context, row), context, row);
      case 'str':
        if (formula?.includes(linkFunction)) context.onFormula(row, this.#column, decoded(formula, context.sheet));
        return textOrBlank(decoded(stored, context.sheet));
      case 'b':
        return { kind: 'boolean', value: truthOf(stored.trim(), context, row) };
      case 'e':
        return { kind: 'error', text: decoded(stored, context.sheet) };
      case 'd':
        return isoDate(decoded(stored, context.sheet));
      case 'n':
        return readNumber(stored.trim(), Number(attribute(attributes, 's') ?? -1), context, row);
      default:
        throw errorOf('row-unreadable', { row, sheet: context.sheet, stored: type });
    }
  }
}

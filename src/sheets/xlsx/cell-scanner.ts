/** The cells of a row, whatever the form that they are written in; what is no cell is refused. */
import type { Cell } from '../cell.ts';
import { mostColumns } from '../sheet-limits.ts';
import { damaged } from '../unreadable.ts';
import {
  isoDate,
  readNumber,
  type SheetContext,
  sharedString,
  stringNumber,
  textOrBlank,
  truthOf,
} from './cell-value.ts';
import { letterA, lettersOfColumns, letterZ, slash, upperCase } from './character-codes.ts';
import { notPlain, QuickCell } from './quick-cell.ts';
import { attribute, between, isTag, type SheetTags, skipSpace } from './sheet-tags.ts';
import { decoded, elementText } from './string-item.ts';
import { usualContent } from './usual-cell.ts';

/** The text ends before the row does, as `indexOf` says it. */
export const notWhole = -1;

/** What programs that do not calculate put beside every formula, for the one that opens the workbook next. */
const notCalculated = '0';

/** One by one, the blanks of a row whose only cell is in the last column took a millisecond; put together twice, as much again. */
const widestUsualGap = 64;
const blanks = new Array<Cell>(mostColumns).fill(null);

function widened(cells: readonly Cell[], length: number): Cell[] {
  const wide = blanks.slice(0, length);
  for (let index = 0; index < cells.length; index += 1) wide[index] = cells[index] ?? null;
  return wide;
}

const linkFunction = 'HYPERLINK(';

export class CellScanner {
  readonly #tags: SheetTags;
  readonly #context: SheetContext;
  readonly #quick: QuickCell;

  constructor(tags: SheetTags, context: SheetContext) {
    this.#tags = tags;
    this.#context = context;
    this.#quick = new QuickCell(context);
  }

  /** Where the row's end stands, after `take`; or `notWhole`. */
  end = notWhole;

  /**
   * The cells from there to the end of their row, from column A on, without trailing blanks. Where the text ends before the
   * row does, `end` says so, and what is given is for nothing.
   *
   * @throws DealsheetError `unreadable-source` for anything that is no cell, and for cells out of their places
   */
  take(text: string, from: number, row: number): Cell[] {
    let cells: Cell[] = [];
    const quick = this.#quick;
    let start = from;
    let lastColumn = -1;
    // Looked for once: from each cell of a row of 16,000 it would be the row's length again.
    let endOfRow: number | null = null;
    for (;;) {
      const end = quick.read(text, start, row);
      let { column, cell } = quick;
      if (end !== notPlain) {
        if (column <= lastColumn || column >= mostColumns) throw this.#outOfPlace(row, text.slice(start, end));
        start = end;
      } else {
        start = skipSpace(text, start);
        endOfRow ??= text.indexOf(this.#tags.endOfRow, start);
        this.end = endOfRow;
        const taken = this.#takeCell(text, start, row, lastColumn);
        if (taken === null) return cells;
        ({ column, cell } = taken);
        start = taken.end;
      }
      lastColumn = column;
      if (cell !== null) {
        if (column > 2 * cells.length + widestUsualGap) cells = widened(cells, column + 1);
        while (cells.length < column) cells.push(null);
        cells[column] = cell;
      }
    }
  }

  /** A cell of any form, or `null` where the row ends, or is not whole. */
  #takeCell(text: string, start: number, row: number, lastColumn: number): TakenCell | null {
    const { cell: tag, endOfCell } = this.#tags;
    const limit = this.end;
    if (limit === notWhole || limit === start) return null;
    const head = text.indexOf('>', start);
    if (!isTag(text, start, tag) || head > limit)
      throw damaged(`row ${row} of ${this.#context.part} holds something else than cells`);
    const isEmpty = text.charCodeAt(head - 1) === slash;
    const attributes = text.slice(start + tag.length, isEmpty ? head - 1 : head);
    const close = isEmpty ? head : text.indexOf(endOfCell, head);
    if (close === -1 || close > limit) throw damaged(`a cell in row ${row} of ${this.#context.part} has no end`);
    const column = this.#columnOf(attributes, lastColumn, row);
    return {
      column,
      cell: isEmpty ? null : this.#cellOf(attributes, text.slice(head + 1, close), row, column),
      end: isEmpty ? head + 1 : close + endOfCell.length,
    };
  }

  #columnOf(attributes: string, before: number, row: number): number {
    const reference = attribute(attributes, 'r');
    if (reference === null) {
      if (before + 1 >= mostColumns)
        throw damaged(`row ${row} of ${this.#context.part} has more cells than a sheet has columns`);
      return before + 1;
    }
    let column = 0;
    let index = 0;
    for (; index < reference.length; index += 1) {
      const code = reference.charCodeAt(index) & upperCase;
      if (code < letterA || code > letterZ) break;
      column = column * lettersOfColumns + code - letterA + 1;
    }
    if (Number(reference.slice(index)) !== row || column - 1 <= before || column > mostColumns)
      throw this.#outOfPlace(row, reference);
    return column - 1;
  }

  #outOfPlace(row: number, what: string): Error {
    return damaged(`row ${row} of ${this.#context.part} has a cell out of its place (${/[A-Z]+\d+/i.exec(what)?.[0]})`);
  }

  #cellOf(attributes: string, xml: string, row: number, column: number): Cell {
    const { prefix } = this.#tags;
    const context = this.#context;
    if (/['&]/.test(attributes) || !usualContent(prefix).test(xml))
      throw damaged(`row ${row} of ${context.part} has a cell that is not what a cell is`);
    const type = attribute(attributes, 't') ?? 'n';
    const stored = between(xml, `${prefix}v`);
    const inside = type === 'inlineStr' || stored === null ? between(xml, `${prefix}is`) : null;
    if (inside !== null) return textOrBlank(elementText(inside, context.part));
    if (stored === null || (type !== 'str' && stored.trim() === '')) return this.#withoutValue(xml);
    switch (type) {
      case 'inlineStr':
      case 's':
        return sharedString(stringNumber(stored.trim(), context, row), context, row);
      case 'str':
        if (xml.includes(linkFunction)) context.onFormula(row, column, this.#formulaIn(xml));
        return textOrBlank(decoded(stored, context.part));
      case 'b':
        return { kind: 'boolean', value: truthOf(stored.trim(), context, row) };
      case 'e':
        return { kind: 'error', text: decoded(stored, context.part) };
      case 'd':
        return isoDate(decoded(stored, this.#context.part));
      case 'n': {
        const awaited = context.awaitsCalculation && stored.trim() === notCalculated ? this.#withoutValue(xml) : null;
        return awaited ?? readNumber(stored.trim(), null, styleOf(attributes), context, row);
      }
      default:
        throw damaged(`row ${row} of ${context.part} has a cell of the unknown type ${type}`);
    }
  }

  #withoutValue(xml: string): Cell {
    const { prefix } = this.#tags;
    if (!xml.includes(`<${prefix}f`)) return null;
    return { kind: 'formula-without-value', formula: this.#formulaIn(xml) };
  }

  #formulaIn(xml: string): string {
    return decoded(between(xml, `${this.#tags.prefix}f`) ?? '', this.#context.part);
  }
}

interface TakenCell {
  readonly column: number;
  readonly cell: Cell;
  readonly end: number;
}

function styleOf(attributes: string): number {
  const style = attribute(attributes, 's');
  return style === null ? -1 : Number(style);
}

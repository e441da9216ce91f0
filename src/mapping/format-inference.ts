/** Infers the date order and the decimal mark of a column: each cell shows at most one clue, and their numbers decide. */
import { type ColumnOrder, type DateOrder, shownOrders } from '../contract/date-order.ts';
import { roundToExcel } from '../tables/excel-limits.ts';
import type { SheetRow } from '../tables/row.ts';
import { type Column, isDate, isTyped } from './column.ts';
import { type FilledCell, isTooLong, readOnce } from './reading.ts';
import { type ColumnDecimal, type DecimalMark, decimalMarks, shapeOfText } from './values/amounts.ts';
import { mayBeMonth, orderShownBy } from './values/dates.ts';

export interface ColumnFormat {
  readonly dateOrder: ColumnOrder;
  /** The date order that a person declared, or `null` if only the cells show one. */
  readonly saidOrder: DateOrder | null;
  /** Few cells show the order, and many could be two days, so a typo may have turned all of them. */
  readonly isShownByFew: boolean;
  readonly decimal: ColumnDecimal;
  /** The decimal mark that a person declared, or `null` if only the cells show one. */
  readonly saidDecimal: DecimalMark | null;
  /** Whether a spreadsheet may have swapped day and month, and left as text the dates that it could not read. */
  readonly mayBeSwapped: boolean;
  /** The decimal mark of amounts that a spreadsheet may have left as text. Its numbers may have lost a thousands mark. */
  readonly leftAsText: DecimalMark | null;
}

export type SheetFormats = ReadonlyMap<number, ColumnFormat>;

export const unknownFormat: ColumnFormat = {
  dateOrder: 'unknown',
  saidOrder: null,
  isShownByFew: false,
  decimal: 'unknown',
  saidDecimal: null,
  mayBeSwapped: false,
  leftAsText: null,
};

/** A date order, a decimal mark, a day that may or cannot be a month, a number, thousandths; semicolons between the cells. */
export const clueNames = [
  ...[...shownOrders, ...decimalMarks],
  ...(['early-day', 'late-day', 'number', 'thousandths', 'semicolon'] as const),
] as const;
type Clue = (typeof clueNames)[number];

/** What the cells of a column have shown, without their values. */
export interface ColumnClues {
  readonly sheet: string;
  readonly path: string;
  readonly clues: readonly Clue[];
}

/** The clues that decide how the other cells of a column are read. */
const decisiveClues: readonly Clue[] = [...shownOrders, ...decimalMarks];

export function withoutContradiction(shown: ColumnClues['clues']): ColumnClues['clues'] {
  const both = [shownOrders, decimalMarks].filter((pair) => pair.every((clue) => shown.includes(clue))).flat();
  return shown.filter((clue) => !both.some((one) => one === clue));
}

/** Six of ten days are after the twelfth, so at least one date in six should show an order with the day first. */
const mostShownByOne = 5;

/** A text with two readings is no clue, but it counts: a typo among few clues may have decided about many of these. */
type Shown = Clue | 'two readings';

class WatchedColumn {
  readonly column: Column;
  readonly #shownBy: (cell: FilledCell) => Shown | null;
  readonly #counts: Map<Shown, number>;

  /** @param known clues that count more than any number of cells */
  constructor(column: Column, known: readonly Clue[]) {
    const isMoney = column.format === 'money';
    this.column = column;
    this.#shownBy = readOnce(isDate(column) ? shownByDate : (cell) => shownByAmount(cell, isMoney));
    this.#counts = new Map(known.map((clue) => [clue, Number.POSITIVE_INFINITY]));
  }

  look(row: SheetRow): void {
    const cell = this.column.cellOf(row);
    const shown = cell === null || isTooLong(cell) ? null : this.#shownBy(cell);
    if (shown !== null) this.#counts.set(shown, (this.#counts.get(shown) ?? 0) + 1);
  }

  has(shown: Shown): boolean {
    return this.#counts.has(shown);
  }

  /** Whether reading with {@link unknownFormat} may have misread or refused a cell. */
  get matters(): boolean {
    if (shownOrders.some((order) => this.has(order)) || this.has('comma') || this.has('semicolon')) return true;
    return this.has('point') && (this.has('two readings') || this.has('thousandths'));
  }

  /** Leaves out what few cells or a single date show: it may be a typo, which later results no longer have. */
  get clues(): readonly Clue[] {
    const isSure = !this.#isShownByFew && !(isDate(this.column) && this.#showing === 1);
    const left = isSure ? [] : decisiveClues;
    return clueNames.filter((clue) => this.has(clue) && !left.includes(clue)).sort();
  }

  /** @param hasCommaElsewhere whether the rest of the sheet speaks for decimal commas only: `1,285` is then hardly 1285 */
  format(hasCommaElsewhere: boolean): ColumnFormat {
    const order = this.#onlyOf(shownOrders);
    const decimalByOthers = hasCommaElsewhere && !isDate(this.column) ? 'comma elsewhere' : 'unknown';
    return {
      dateOrder: order ?? 'unknown',
      saidOrder: null,
      isShownByFew: order !== null && this.#isShownByFew,
      decimal: this.#onlyOf(decimalMarks) ?? decimalByOthers,
      saidDecimal: null,
      // A spreadsheet that reads the month first turns `02/03/2026` into 3 February, and leaves `13/03/2026` as text.
      mayBeSwapped: order !== null && this.has('early-day') && !this.has('late-day'),
      leftAsText: this.#leftAsText,
    };
  }

  /**
   * A spreadsheet with a decimal point leaves `1.250,50` as text but reads `1.250` as 1.25, and one with a comma does the
   * same with `1,250.50` and `1,250`. The usual point also needs a number with thousandths as evidence.
   */
  get #leftAsText(): DecimalMark | null {
    if (this.has('comma') && (this.has('number') || this.has('thousandths'))) return 'comma';
    return this.has('point') && this.has('thousandths') ? 'point' : null;
  }

  #onlyOf<One extends Clue>([one, other]: readonly [One, One]): One | 'contradictory' | null {
    if (this.has(one)) return this.has(other) ? 'contradictory' : one;
    return this.has(other) ? other : null;
  }

  get #isShownByFew(): boolean {
    return this.#showing * mostShownByOne < (this.#counts.get('two readings') ?? 0);
  }

  get #showing(): number {
    return decisiveClues.reduce((sum, clue) => sum + (this.#counts.get(clue) ?? 0), 0);
  }
}

/** Looks at every row once. The result is for the reading that follows. */
export class FormatInference {
  readonly #columns: readonly WatchedColumn[];

  /** @param known clues from rows that are no longer in the sheet, or are masked */
  constructor(columns: readonly Column[], known: readonly Omit<ColumnClues, 'sheet'>[] = [], delimiter?: string) {
    const ofFile: readonly Clue[] = delimiter === ';' ? ['semicolon'] : [];
    const cluesOf = (column: Column) => ofFile.concat(known.find(({ path }) => path === column.path)?.clues ?? []);
    this.#columns = columns.filter(isTyped).map((column) => new WatchedColumn(column, cluesOf(column)));
  }

  look(row: SheetRow): void {
    for (const column of this.#columns) column.look(row);
  }

  get matters(): boolean {
    return this.#columns.some((column) => column.matters);
  }

  formats(): SheetFormats {
    const hasElsewhere = (clue: Clue) => this.#columns.some((column) => column.has(clue));
    // One program wrote all columns of a sheet.
    const [isComma, isSemicolon] = [hasElsewhere('comma'), hasElsewhere('semicolon')];
    // Money has no thousandths, so `1,250` is rarely anything else there.
    const isMoney = ({ column }: WatchedColumn) => column.format === 'money';
    const hasCommaElsewhere = (each: WatchedColumn) =>
      (isComma || (isSemicolon && !isMoney(each))) && !hasElsewhere('point');
    return new Map(this.#columns.map((each) => [each.column.index, each.format(hasCommaElsewhere(each))]));
  }

  get shown(): readonly Omit<ColumnClues, 'sheet'>[] {
    const shown = this.#columns.map(({ column, clues }) => ({ path: column.path, clues }));
    return shown.filter(({ clues }) => clues.length > 0);
  }
}

export interface PersonsWord {
  readonly dateOrder: DateOrder | null;
  readonly decimals: DecimalMark | null;
}

export function withWord(format: ColumnFormat, { dateOrder, decimals }: PersonsWord): ColumnFormat {
  return {
    ...format,
    dateOrder: dateOrder ?? format.dateOrder,
    saidOrder: dateOrder,
    isShownByFew: dateOrder === null && format.isShownByFew,
    decimal: decimals ?? format.decimal,
    saidDecimal: decimals,
  };
}

function shownByDate(cell: FilledCell): Shown | null {
  if (typeof cell === 'string') return orderShownBy(cell);
  if (cell.kind !== 'date') return null;
  return mayBeMonth(cell.day) ? 'early-day' : 'late-day';
}

const thousand = 1000;
const hundred = 100;

function shownByAmount(cell: FilledCell, isMoney: boolean): Shown | null {
  if (typeof cell === 'string') {
    const shape = /[.,]/.test(cell) ? shapeOfText(cell, isMoney) : null;
    // `1,250` is a thousand in a column that shows nothing.
    return shape === '1.250' ? 'two readings' : shape === '1,250' ? null : shape;
  }
  if (!isMoney || cell.kind !== 'number' || cell.value === 0) return null;
  const isIn = (parts: number) => Number.isInteger(roundToExcel(cell.value * parts));
  return Math.abs(cell.value) < thousand && !isIn(hundred) && isIn(thousand) ? 'thousandths' : 'number';
}

/** Infers the date order and the decimal mark of a column from all its cells. */
import { type ColumnOrder, type DateOrder, shownOrders } from '../contract/date-order.ts';
import type { Cell } from '../sheets/cell.ts';
import { roundToExcel } from '../sheets/excel-limits.ts';
import type { SheetRow } from '../sheets/row.ts';
import { type Column, isAmountColumn, isDateColumn, pathOfColumn } from './column.ts';
import { isTooLong } from './reading.ts';
import {
  type ColumnDecimal,
  type DecimalMark,
  decimalMarkShownBy,
  decimalMarks,
  looksLikeAmount,
  mayBeSlip,
  mayBeThousands,
} from './values/amounts.ts';
import { dateOrderShownBy, mayBeMonth, mayBeTwoDays } from './values/dates.ts';

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

/** What cells can show: a date order, a decimal mark, days that may or cannot be a month, numbers, and thousandths. */
export const clueNames = [...shownOrders, ...decimalMarks, 'early-day', 'late-day', 'number', 'thousandths'] as const;
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

interface Watch {
  readonly column: Column;
  readonly isDate: boolean;
  readonly isMoney: boolean;
  readonly clues: Set<Clue>;
  /** Texts that show the date order or decimal mark (`Infinity` if known before), and texts with two readings. */
  showing: number;
  unclear: number;
}

function isShownByFew({ showing, unclear }: Pick<Watch, 'showing' | 'unclear'>): boolean {
  return showing * mostShownByOne < unclear;
}

/** Six of ten days are after the twelfth, so at least one date in six should show an order with the day first. */
const mostShownByOne = 5;

/** Looks at every row once. The result is for the reading that follows. */
export class FormatInference {
  readonly #watches: readonly Watch[];

  /** @param known clues from rows that are no longer in the sheet, or are masked */
  constructor(columns: readonly Column[], known: readonly Omit<ColumnClues, 'sheet'>[] = []) {
    this.#watches = columns
      .filter((column) => isDateColumn(column) || isAmountColumn(column))
      .map((column) => ({
        column,
        isDate: isDateColumn(column),
        isMoney: column.use === 'field' && column.field.format === 'money',
        clues: new Set(known.find(({ path }) => path === pathOfColumn(column))?.clues),
        showing: 0,
        unclear: 0,
      }));
    for (const watch of this.#watches)
      if (decisiveClues.some((clue) => watch.clues.has(clue))) watch.showing = Number.POSITIVE_INFINITY;
  }

  look(row: SheetRow): void {
    for (const watch of this.#watches) {
      const cell = watch.column.cellOf(row);
      if (cell === null || isTooLong(cell)) continue;
      if (watch.isDate) lookAtDate(watch, cell);
      else lookAtAmount(watch, cell);
    }
  }

  /** Whether reading with {@link unknownFormat} may have misread or refused a cell. */
  get matters(): boolean {
    return this.#watches.some(({ clues, unclear }) => {
      const hasOrder = shownOrders.some((order) => clues.has(order));
      return hasOrder || clues.has('comma') || (clues.has('point') && (unclear > 0 || clues.has('thousandths')));
    });
  }

  formats(): SheetFormats {
    return new Map(this.#watches.map((watch) => [watch.column.index, this.#formatOf(watch)]));
  }

  /** Leaves out what few cells or a single date show: it may be a typo, which later results no longer have. */
  get shown(): readonly Omit<ColumnClues, 'sheet'>[] {
    const shown = this.#watches.map((watch) => {
      const isSure = !isShownByFew(watch) && !(watch.isDate && watch.showing === 1);
      const clues = [...watch.clues].filter((clue) => isSure || !decisiveClues.some((one) => one === clue));
      return { path: pathOfColumn(watch.column), clues: clues.sort() };
    });
    return shown.filter(({ clues }) => clues.length > 0);
  }

  #formatOf(watch: Watch): ColumnFormat {
    const { isDate, clues } = watch;
    const order = onlyOf(shownOrders, clues);
    return {
      dateOrder: order ?? 'unknown',
      saidOrder: null,
      isShownByFew: order !== null && isShownByFew(watch),
      decimal: onlyOf(decimalMarks, clues) ?? (!isDate && this.#hasCommaElsewhere() ? 'comma elsewhere' : 'unknown'),
      saidDecimal: null,
      // A spreadsheet that reads the month first turns `02/03/2026` into 3 February, and leaves `13/03/2026` as text.
      mayBeSwapped: order !== null && clues.has('early-day') && !clues.has('late-day'),
      leftAsText: leftAsText(watch),
    };
  }

  /** One program wrote all columns of a sheet. If the others have decimal commas only, `1,285` is hardly 1285. */
  #hasCommaElsewhere(): boolean {
    const hasElsewhere = (mark: DecimalMark) => this.#watches.some(({ clues }) => clues.has(mark));
    return hasElsewhere('comma') && !hasElsewhere('point');
  }
}

function onlyOf<Shown extends Clue>(
  [one, other]: readonly [Shown, Shown],
  shown: ReadonlySet<Clue>,
): Shown | 'contradictory' | null {
  if (shown.has(one)) return shown.has(other) ? 'contradictory' : one;
  return shown.has(other) ? other : null;
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

function lookAtDate(watch: Watch, cell: Cell): void {
  if (typeof cell === 'string') {
    const order = dateOrderShownBy(cell);
    if (order !== null) {
      watch.clues.add(order);
      watch.showing += 1;
    } else if (mayBeTwoDays(cell)) watch.unclear += 1;
  } else if (cell?.kind === 'date') {
    watch.clues.add(mayBeMonth(cell.day) ? 'early-day' : 'late-day');
  }
}

const thousand = 1000;
const hundred = 100;

function lookAtAmount(watch: Watch, cell: Cell): void {
  if (typeof cell !== 'string') {
    if (!watch.isMoney || cell?.kind !== 'number' || cell.value === 0) return;
    watch.clues.add('number');
    const isIn = (parts: number) => Number.isInteger(roundToExcel(cell.value * parts));
    if (Math.abs(cell.value) < thousand && !isIn(hundred) && isIn(thousand)) watch.clues.add('thousandths');
    return;
  }
  if (!/[.,]/.test(cell) || (watch.isMoney && mayBeSlip(cell))) return;
  const mark = decimalMarkShownBy(cell);
  if (mark === null) watch.unclear += mayBeThousands(cell, 'point') ? 1 : 0;
  else if (watch.clues.has(mark) || looksLikeAmount(cell)) {
    watch.clues.add(mark);
    watch.showing += 1;
  }
}

/**
 * A spreadsheet with a decimal point leaves `1.250,50` as text but reads `1.250` as 1.25, and one with a comma does the
 * same with `1,250.50` and `1,250`. The usual point also needs a number with thousandths as evidence.
 */
function leftAsText({ clues }: Watch): DecimalMark | null {
  if (clues.has('number') && clues.has('comma')) return 'comma';
  return clues.has('thousandths') && clues.has('point') ? 'point' : null;
}

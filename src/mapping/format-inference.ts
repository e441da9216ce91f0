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

/** How many cells of a column have shown what. */
type Counts = ReadonlyMap<Shown, number>;

function isShownByFew(counts: Counts): boolean {
  return countOfDecisive(counts) * mostShownByOne < (counts.get('two readings') ?? 0);
}

function countOfDecisive(counts: Counts): number {
  return decisiveClues.reduce((sum, clue) => sum + (counts.get(clue) ?? 0), 0);
}

/** Leaves out what few cells or a single date show: it may be a typo, which later results no longer have. */
function sureClues(column: Column, counts: Counts): readonly Clue[] {
  const isSure = !isShownByFew(counts) && !(isDate(column) && countOfDecisive(counts) === 1);
  const left = isSure ? [] : decisiveClues;
  return clueNames.filter((clue) => counts.has(clue) && !left.includes(clue)).sort();
}

/** Whether reading with {@link unknownFormat} may have misread or refused a cell. */
function mattersFor(counts: Counts): boolean {
  if (shownOrders.some((order) => counts.has(order)) || counts.has('comma') || counts.has('semicolon')) return true;
  return counts.has('point') && (counts.has('two readings') || counts.has('thousandths'));
}

/** @param undecided what the rest of the sheet speaks for */
function formatOf(counts: Counts, undecided: ColumnDecimal): ColumnFormat {
  const order = onlyOf(counts, shownOrders);
  return {
    dateOrder: order ?? 'unknown',
    saidOrder: null,
    isShownByFew: order !== null && isShownByFew(counts),
    decimal: onlyOf(counts, decimalMarks) ?? undecided,
    saidDecimal: null,
    // A spreadsheet that reads the month first turns `02/03/2026` into 3 February, and leaves `13/03/2026` as text.
    mayBeSwapped: order !== null && counts.has('early-day') && !counts.has('late-day'),
    leftAsText: markLeftAsText(counts),
  };
}

export const unknownFormat = formatOf(new Map(), 'unknown');

/**
 * A spreadsheet with a decimal point leaves `1.250,50` as text but reads `1.250` as 1.25, and one with a comma does the
 * same with `1,250.50` and `1,250`. The usual point also needs a number with thousandths as evidence.
 */
function markLeftAsText(counts: Counts): DecimalMark | null {
  if (counts.has('comma') && (counts.has('number') || counts.has('thousandths'))) return 'comma';
  return counts.has('point') && counts.has('thousandths') ? 'point' : null;
}

function onlyOf<One extends Clue>(counts: Counts, [one, other]: readonly [One, One]): One | 'contradictory' | null {
  if (counts.has(one)) return counts.has(other) ? 'contradictory' : one;
  return counts.has(other) ? other : null;
}

/**
 * Looks at every row once. The result is for the reading that follows.
 * @param known clues from rows that are no longer in the sheet, or are masked. They count more than any number of cells
 */
export function formatInference(
  columns: readonly Column[],
  known: readonly Omit<ColumnClues, 'sheet'>[] = [],
  delimiter?: string,
) {
  const ofFile: readonly Clue[] = delimiter === ';' ? ['semicolon'] : [];
  const watched = columns.filter(isTyped).map((column) => {
    const clues = [...ofFile, ...(known.find(({ path }) => path === column.path)?.clues ?? [])];
    const counts = new Map<Shown, number>(clues.map((clue) => [clue, Number.POSITIVE_INFINITY]));
    // Money has no thousandths, so `1,250` is rarely anything else there.
    const isMoney = column.format === 'money';
    const shownBy = readOnce(isDate(column) ? shownByDate : (cell) => shownByAmount(cell, isMoney));
    return { column, isMoney, shownBy, counts };
  });
  const isAnywhere = (clue: Clue) => watched.some(({ counts }) => counts.has(clue));
  return {
    look(row: SheetRow): void {
      for (const { column, shownBy, counts } of watched) {
        const cell = column.cellOf(row);
        const shown = cell === null || isTooLong(cell) ? null : shownBy(cell);
        if (shown !== null) counts.set(shown, (counts.get(shown) ?? 0) + 1);
      }
    },
    matters: () => watched.some(({ counts }) => mattersFor(counts)),
    formats(): SheetFormats {
      // One program wrote all columns of a sheet. If the rest speaks for decimal commas only, `1,285` is hardly 1285.
      const [isComma, isSemicolon, isPoint] = [isAnywhere('comma'), isAnywhere('semicolon'), isAnywhere('point')];
      return new Map(
        watched.map(({ column, isMoney, counts }) => {
          const isCommaElsewhere = !isDate(column) && !isPoint && (isComma || (isSemicolon && !isMoney));
          return [column.index, formatOf(counts, isCommaElsewhere ? 'comma elsewhere' : 'unknown')];
        }),
      );
    },
    shown: () =>
      watched
        .map(({ column, counts }) => ({ path: column.path, clues: sureClues(column, counts) }))
        .filter(({ clues }) => clues.length > 0),
  };
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

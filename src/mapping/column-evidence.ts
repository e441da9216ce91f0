/** What the cells of a column tell about each other: the order of its dates, the decimal mark of its numbers. */
import type { SheetRow } from '../sheets/cell.ts';
import { roundToExcel } from '../sheets/excel-digits.ts';
import { type Column, isAmountColumn } from './column.ts';
import { isTooLong } from './reading.ts';
import { type ColumnDecimal, looksLikeAmount } from './values/amounts.ts';
import { mayBeMonth } from './values/calendar.ts';
import type { ColumnOrder, DateOrder, ShownOrder } from './values/date-order.ts';
import { type DecimalMark, decimalMarkShownBy, isPointOfThousands } from './values/decimal-marks.ts';
import { dateOrderShownBy, isAmbiguousDate } from './values/numeric-dates.ts';

export interface ColumnEvidence {
  readonly dateOrder: ColumnOrder;
  readonly decimal: ColumnDecimal;
  /** A person's word on the decimal mark, or `null` where only the cells tell. */
  readonly saidDecimal: DecimalMark | null;
  /** Whether a spreadsheet has perhaps taken day and month of its dates for each other, and left as text what it could not. */
  readonly mayBeSwapped: boolean;
  /**
   * The mark in front of the decimals of amounts that a spreadsheet has perhaps left as text because it knows the other one: its
   * numbers are then perhaps of texts with a mark of thousands. `null` where nothing says so.
   */
  readonly leftAsText: DecimalMark | null;
}

/** By the index of the column. */
export type SheetEvidence = ReadonlyMap<number, ColumnEvidence>;

export const noEvidence: ColumnEvidence = {
  dateOrder: 'unknown',
  decimal: 'unknown',
  saidDecimal: null,
  mayBeSwapped: false,
  leftAsText: null,
};

interface Watch {
  readonly index: number;
  readonly isDate: boolean;
  readonly orders: Set<ShownOrder>;
  readonly marks: Set<DecimalMark>;
  /** Whether a cell was seen whose meaning hangs on the others. */
  depends: boolean;
  /** Whether one was seen that is refused until the others tell its meaning. */
  waits: boolean;
  /** Whether dates that are no text were seen of which the day may be a month, and others. */
  hasEarlyDays: boolean;
  hasLateDays: boolean;
  /** Of money: the texts that show a mark, and the numbers but zero, with what their decimals are like. */
  readonly isMoney: boolean;
  readonly texts: Record<DecimalMark, number>;
  numbers: number;
  hasThousandths: boolean;
  hasOtherFractions: boolean;
}

/** Looks at every row once; what it has learnt holds for the reading that follows. */
export class EvidenceCollector {
  readonly #watches: readonly Watch[];

  /** @param shown  the orders that are known of a column before any of its cells was seen */
  constructor(columns: readonly Column[], shown: (column: Column) => readonly ShownOrder[] = () => []) {
    this.#watches = columns.flatMap((column) => {
      const isDate = isDateColumn(column);
      if (!isDate && !isAmountColumn(column)) return [];
      return [
        {
          index: column.index,
          isDate,
          orders: new Set(shown(column)),
          marks: new Set<DecimalMark>(),
          depends: false,
          waits: false,
          hasEarlyDays: false,
          hasLateDays: false,
          isMoney: column.use === 'field' && column.field.format === 'money',
          texts: { point: 0, comma: 0 },
          numbers: 0,
          hasThousandths: false,
          hasOtherFractions: false,
        },
      ];
    });
  }

  look(row: SheetRow): void {
    for (const watch of this.#watches) {
      const cell = row.cells[watch.index];
      if (isTooLong(cell ?? null)) continue;
      if (typeof cell !== 'string') {
        if (watch.isDate && cell?.kind === 'date') lookAtDay(watch, cell.day);
        else if (watch.isMoney && cell?.kind === 'number') lookAtNumber(watch, cell.value);
      } else if (watch.isDate) lookAtDate(watch, cell);
      else lookAtAmount(watch, cell);
    }
  }

  /** Whether reading with {@link noEvidence} may have misread or refused a cell. */
  get matters(): boolean {
    return this.#watches.some(
      (watch) =>
        (watch.depends && (watch.orders.size > 0 || watch.marks.has('comma'))) ||
        (watch.waits && watch.marks.size > 0) ||
        (watch.depends && this.#decimalOf(watch) === 'comma elsewhere') ||
        mayBeSwapped(watch) ||
        leftAsText(watch) !== null,
    );
  }

  /** The orders that the days of a column have shown. */
  ordersOf(index: number): readonly ShownOrder[] {
    return [...(this.#watches.find((watch) => watch.index === index)?.orders ?? [])].sort();
  }

  evidence(): SheetEvidence {
    return new Map(
      this.#watches.map((watch) => [
        watch.index,
        {
          dateOrder: orderOf(watch.orders),
          decimal: this.#decimalOf(watch),
          saidDecimal: null,
          mayBeSwapped: mayBeSwapped(watch),
          leftAsText: leftAsText(watch),
        },
      ]),
    );
  }

  /** One program has written all columns of a sheet: beside decimal commas alone, `1,285` is hardly twelve hundred. */
  #decimalOf({ isDate, marks }: Watch): ColumnDecimal {
    const [mark, other] = [...marks];
    if (other !== undefined) return 'contradictory';
    if (mark !== undefined || isDate) return mark ?? 'unknown';
    const elsewhere = new Set(this.#watches.flatMap((watch) => [...watch.marks]));
    return elsewhere.has('comma') && !elsewhere.has('point') ? 'comma elsewhere' : 'unknown';
  }
}

/** What a person says of all dates and of all amounts that are text; `null` where nothing is said. */
export interface PersonsWord {
  readonly dateOrder: DateOrder | null;
  readonly decimals: DecimalMark | null;
}

/** Where no mapping speaks. */
export const nothingSaid: PersonsWord = { dateOrder: null, decimals: null };

/** A person's word goes above what the columns show. */
export function withWord(evidence: ColumnEvidence, { dateOrder, decimals }: PersonsWord): ColumnEvidence {
  return {
    dateOrder: dateOrder ?? evidence.dateOrder,
    decimal: decimals ?? evidence.decimal,
    saidDecimal: decimals,
    mayBeSwapped: evidence.mayBeSwapped,
    leftAsText: evidence.leftAsText,
  };
}

function lookAtDate(watch: Watch, text: string): void {
  const order = dateOrderShownBy(text);
  if (order !== null) watch.orders.add(order);
  if (isAmbiguousDate(text)) watch.depends = true;
}

function lookAtDay(watch: Watch, day: string): void {
  if (mayBeMonth(day)) watch.hasEarlyDays = true;
  else watch.hasLateDays = true;
}

/**
 * A spreadsheet that reads the month first makes 3 February of `02/03/2026`, and leaves `13/03/2026` as text: then no date has
 * a day that is no month.
 */
function mayBeSwapped({ orders, hasEarlyDays, hasLateDays }: Watch): boolean {
  return orders.size > 0 && hasEarlyDays && !hasLateDays;
}

const centsOfUnit = 100;
const thousand = 1000;

function lookAtNumber(watch: Watch, amount: number): void {
  if (amount !== 0) watch.numbers += 1;
  if (Number.isInteger(amount) || watch.hasOtherFractions) return;
  if (Math.abs(amount) >= thousand) watch.hasOtherFractions = true;
  else if (Number.isInteger(roundToExcel(amount * centsOfUnit))) return;
  else if (Number.isInteger(roundToExcel(amount * thousand))) watch.hasThousandths = true;
  else watch.hasOtherFractions = true;
}

/**
 * A spreadsheet that knows the decimal point leaves `1.250,50` as text and makes 1.25 of `1.250`; one that knows the comma leaves
 * `1,250.50` and makes 1.25 of `1,250`. Where the point is usual, texts among numbers may be there for other reasons: then
 * 1.234, which is no amount in cents, has to show it, and no number may have decimals that no thousands make: more than three,
 * as a formula gives them, or any behind four digits. One text among many numbers is rather a slip.
 */
function leftAsText({ marks, texts, numbers, hasThousandths, hasOtherFractions }: Watch): DecimalMark | null {
  const isUsual = (mark: DecimalMark) => marks.has(mark) && texts[mark] * numbersToOneText >= numbers;
  if (numbers === 0) return null;
  if (isUsual('comma')) return 'comma';
  return isUsual('point') && hasThousandths && !hasOtherFractions ? 'point' : null;
}

const numbersToOneText = 10;

function lookAtAmount(watch: Watch, text: string): void {
  if (!/[.,]/.test(text)) return;
  watch.depends = true;
  const mark = decimalMarkShownBy(text);
  if (mark !== null) watch.texts[mark] += 1;
  if (mark === null) watch.waits ||= isPointOfThousands(text);
  else if (!watch.marks.has(mark) && looksLikeAmount(text)) watch.marks.add(mark);
}

function orderOf(orders: ReadonlySet<ShownOrder>): ColumnOrder {
  const [first, second] = [...orders];
  return second !== undefined ? 'contradictory' : (first ?? 'unknown');
}

function isDateColumn(column: Column): boolean {
  return (
    (column.use === 'field' && column.field.format === 'date') || (column.use === 'open' && column.valueType === 'date')
  );
}

/** What the cells of a column tell about each other: the order of its dates, the decimal mark of its numbers. */
import type { SheetRow } from '../sheets/cell.ts';
import { type Column, isAmountColumn } from './column.ts';
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
}

/** By the index of the column. */
export type SheetEvidence = ReadonlyMap<number, ColumnEvidence>;

export const noEvidence: ColumnEvidence = {
  dateOrder: 'unknown',
  decimal: 'unknown',
  saidDecimal: null,
  mayBeSwapped: false,
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
        },
      ];
    });
  }

  look(row: SheetRow): void {
    for (const watch of this.#watches) {
      const cell = row.cells[watch.index];
      if (typeof cell !== 'string') {
        if (watch.isDate && cell?.kind === 'date') lookAtDay(watch, cell.day);
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
        mayBeSwapped(watch),
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

function lookAtAmount(watch: Watch, text: string): void {
  if (!/[.,]/.test(text)) return;
  watch.depends = true;
  const mark = decimalMarkShownBy(text);
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

/** What the cells of a column tell about each other: the order of its dates, the decimal mark of its numbers. */
import type { ColumnOrder, DateOrder, ShownOrder } from '../contract/formats.ts';
import type { Cell } from '../sheets/cell.ts';
import { roundToExcel } from '../sheets/excel-limits.ts';
import type { SheetRow } from '../sheets/row.ts';
import { type Column, isAmountColumn, isDateColumn } from './column.ts';
import { isTooLong } from './reading.ts';
import { type ColumnDecimal, looksLikeAmount } from './values/amounts.ts';
import { dateOrderShownBy, mayBeMonth } from './values/dates.ts';
import { type DecimalMark, decimalMarkShownBy, mayBeThousands } from './values/written-numbers.ts';

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

/** By the place of the column. */
export type SheetEvidence = ReadonlyMap<number, ColumnEvidence>;

export const noEvidence: ColumnEvidence = {
  dateOrder: 'unknown',
  decimal: 'unknown',
  saidDecimal: null,
  mayBeSwapped: false,
  leftAsText: null,
};

/** What was seen in one column. */
interface Watch {
  readonly column: Column;
  readonly isDate: boolean;
  readonly isMoney: boolean;
  readonly orders: Set<ShownOrder>;
  readonly marks: Set<DecimalMark>;
  /** A cell is refused until others tell what it means. */
  waits: boolean;
  /** Dates that are no text, of which the day may be a month, and others. */
  hasEarlyDays: boolean;
  hasLateDays: boolean;
  /** Numbers but zero, and one with decimals as thousands have them. */
  hasNumbers: boolean;
  hasThousandths: boolean;
}

/** Looks at every row once; what it has learnt holds for the reading that follows. */
export class EvidenceCollector {
  readonly #watches: readonly Watch[];

  constructor(columns: readonly Column[]) {
    this.#watches = columns
      .filter((column) => isDateColumn(column) || isAmountColumn(column))
      .map((column) => ({
        column,
        isDate: isDateColumn(column),
        isMoney: column.use === 'field' && column.field.format === 'money',
        orders: new Set<ShownOrder>(),
        marks: new Set<DecimalMark>(),
        waits: false,
        hasEarlyDays: false,
        hasLateDays: false,
        hasNumbers: false,
        hasThousandths: false,
      }));
  }

  look(row: SheetRow): void {
    for (const watch of this.#watches) {
      const cell = watch.column.cellOf(row);
      if (cell === null || isTooLong(cell)) continue;
      if (watch.isDate) lookAtDate(watch, cell);
      else lookAtAmount(watch, cell);
    }
  }

  /** Whether reading with {@link noEvidence} may have misread or refused a cell. */
  get matters(): boolean {
    return this.#watches.some(({ orders, marks, waits, hasThousandths }) => {
      return orders.size > 0 || marks.has('comma') || (marks.has('point') && (waits || hasThousandths));
    });
  }

  evidence(): SheetEvidence {
    return new Map(this.#watches.map((watch) => [watch.column.index, this.#evidenceOf(watch)]));
  }

  #evidenceOf(watch: Watch): ColumnEvidence {
    const { isDate, orders, hasEarlyDays, hasLateDays } = watch;
    return {
      dateOrder: onlyOf(orders) ?? 'unknown',
      decimal: onlyOf(watch.marks) ?? (!isDate && this.#hasCommaElsewhere() ? 'comma elsewhere' : 'unknown'),
      saidDecimal: null,
      // A spreadsheet that reads the month first makes 3 February of `02/03/2026`, and leaves `13/03/2026` as text.
      mayBeSwapped: orders.size > 0 && hasEarlyDays && !hasLateDays,
      leftAsText: leftAsText(watch),
    };
  }

  /** One program has written all columns of a sheet: beside decimal commas alone, `1,285` is hardly twelve hundred. */
  #hasCommaElsewhere(): boolean {
    const elsewhere = new Set(this.#watches.flatMap((watch) => [...watch.marks]));
    return elsewhere.has('comma') && !elsewhere.has('point');
  }
}

function onlyOf<Thing>(things: ReadonlySet<Thing>): Thing | 'contradictory' | undefined {
  const [first, second] = things;
  return second === undefined ? first : 'contradictory';
}

/** What a person says of all dates and of all amounts that are text; `null` where nothing is said. */
export interface PersonsWord {
  readonly dateOrder: DateOrder | null;
  readonly decimals: DecimalMark | null;
}

/** A person's word goes above what the columns show. */
export function withWord(evidence: ColumnEvidence, { dateOrder, decimals }: PersonsWord): ColumnEvidence {
  return {
    ...evidence,
    dateOrder: dateOrder ?? evidence.dateOrder,
    decimal: decimals ?? evidence.decimal,
    saidDecimal: decimals,
  };
}

function lookAtDate(watch: Watch, cell: Cell): void {
  if (typeof cell === 'string') {
    const order = dateOrderShownBy(cell);
    if (order !== null) watch.orders.add(order);
  } else if (cell?.kind === 'date') {
    if (mayBeMonth(cell.day)) watch.hasEarlyDays = true;
    else watch.hasLateDays = true;
  }
}

const thousand = 1000;
const hundred = 100;

function lookAtAmount(watch: Watch, cell: Cell): void {
  if (typeof cell !== 'string') {
    if (!watch.isMoney || cell?.kind !== 'number' || cell.value === 0) return;
    watch.hasNumbers = true;
    const isIn = (parts: number) => Number.isInteger(roundToExcel(cell.value * parts));
    if (Math.abs(cell.value) < thousand && !isIn(hundred) && isIn(thousand)) watch.hasThousandths = true;
    return;
  }
  if (!/[.,]/.test(cell)) return;
  const mark = decimalMarkShownBy(cell);
  if (mark === null) watch.waits ||= mayBeThousands(cell, 'point');
  else if (!watch.marks.has(mark) && looksLikeAmount(cell)) watch.marks.add(mark);
}

/**
 * A spreadsheet that knows the decimal point leaves `1.250,50` as text and makes 1.25 of `1.250`; one that knows the comma leaves
 * `1,250.50` and makes 1.25 of `1,250`. Where the point is usual, a number that is no amount in cents has to show it.
 */
function leftAsText({ marks, hasNumbers, hasThousandths }: Watch): DecimalMark | null {
  if (hasNumbers && marks.has('comma')) return 'comma';
  return hasThousandths && marks.has('point') ? 'point' : null;
}

/**
 * The order of the dates that results hide. Once rows are in, their days of birth are stars, and tell the cells that are
 * corrected beside them nothing any more: so a run keeps what they told, sheet by sheet, and nothing of the cells.
 */
import { type Column, type FieldColumn, pathOfColumn } from '../../mapping/column.ts';
import { EvidenceCollector } from '../../mapping/column-evidence.ts';
import type { ShownOrder } from '../../mapping/values/date-order.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

type OrdersOfColumns = Readonly<Record<string, readonly ShownOrder[]>>;

/** By the name of the sheet, then by the path of the column's field. */
export type HiddenOrders = Readonly<Record<string, OrdersOfColumns>>;

/** What earlier loads kept of a column; a CSV file is one sheet, whatever its name. */
export function keptOrders(hidden: HiddenOrders, sheet: string): (column: Column) => readonly ShownOrder[] {
  const [only, second] = Object.values(hidden);
  const ofSheet = hidden[sheet] ?? (second === undefined ? only : undefined) ?? {};
  return (column) => (isHidden(column) ? (ofSheet[pathOfColumn(column)] ?? []) : []);
}

/** All that is said in either. */
export function joinedOrders(all: readonly HiddenOrders[]): Record<string, Record<string, ShownOrder[]>> {
  const joined: Record<string, Record<string, ShownOrder[]>> = {};
  for (const hidden of all) {
    for (const [sheet, columns] of Object.entries(hidden)) {
      const known = joined[sheet] ?? {};
      for (const [path, orders] of Object.entries(columns)) {
        known[path] = [...new Set([...(known[path] ?? []), ...orders])].sort();
      }
      joined[sheet] = known;
    }
  }
  return joined;
}

/** Looks at the rows of a sheet that may go in. */
export class HiddenOrderFinder {
  readonly #sheet: MatchedSheet;
  readonly #columns: readonly FieldColumn[];
  readonly #evidence: EvidenceCollector;

  constructor(sheet: MatchedSheet, kept: HiddenOrders) {
    this.#sheet = sheet;
    this.#columns = sheet.columns.filter(isHidden);
    this.#evidence = new EvidenceCollector(this.#columns, keptOrders(kept, sheet.name));
  }

  look(row: SheetRow): void {
    if (this.#columns.length > 0) this.#evidence.look(this.#sheet.shape?.reshape(row) ?? row);
  }

  get found(): HiddenOrders {
    const orders = this.#columns
      .map((column) => [pathOfColumn(column), this.#evidence.ordersOf(column.index)] as const)
      .filter(([, shown]) => shown.length > 0);
    return orders.length === 0 ? {} : { [this.#sheet.name]: Object.fromEntries(orders) };
  }
}

function isHidden(column: Column): column is FieldColumn {
  return column.use === 'field' && column.field.format === 'date' && column.field.facts.sensitive === true;
}

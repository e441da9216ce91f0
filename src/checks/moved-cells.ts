/**
 * Reports CSV rows with more cells than headers. An unquoted comma (1,250.50) splits a cell in two and shifts all cells
 * after it, so an amount of 1 would be sent.
 */
import { isTyped } from '../mapping/column.ts';
import { checkMessage } from '../messages/checks.ts';
import type { Cell } from '../sheets/cell.ts';
import { cellAt, widthOf } from '../sheets/row.ts';
import { type Check, found } from './check.ts';

const mostNamed = 5;
/** `1` and `250.50`: the parts of 1,250.50 when its comma splits it. */
const beforeComma = /^[^\p{L}\d]*\d{1,3}$/u;
const behindComma = /^\d{3}(?:\.\d*)?[^\p{L}\d]*$/u;

export const movedCells: Check = {
  codes: ['moved-cells'],
  begin({ header: { width: headers }, columns }) {
    if (headers === undefined) return null;
    const typed = columns.filter(isTyped).flatMap(({ origins }) => origins);
    const widths = new Set<number>();
    const named: string[] = [];
    let rows = 0;
    let hasMoved = false;
    return {
      row(_, row) {
        const { number, width } = row;
        if (width === undefined) return [];
        widths.add(width);
        if (width <= headers) return [];
        rows += 1;
        const isParted = (column: number) =>
          isText(cellAt(row, column), beforeComma) && isText(cellAt(row, column + 1), behindComma);
        hasMoved ||= widthOf(row) > headers || typed.some(isParted);
        if (named.length < mostNamed) named.push(`row ${number} has ${width}`);
        return [];
      },
      *end() {
        // Some programs end each data row with one more comma than the headers, which shifts nothing.
        if (rows === 0 || (widths.size === 1 && !hasMoved)) return;
        const more = rows > named.length ? `, and ${rows - named.length} more` : '';
        yield found(checkMessage('moved-cells', { headers, rows: named.join(', ') + more }));
      },
    };
  },
};

function isText(cell: Cell | undefined, form: RegExp): boolean {
  return typeof cell === 'string' && form.test(cell);
}

/**
 * Rows of a CSV file that have more cells than there are headers. A comma in a cell without quotation marks (1,250.50) makes two
 * cells of it and moves all behind it, and an amount of 1 would be sent.
 */
import { isTyped } from '../mapping/column.ts';
import { isBlank } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import type { Cell, SheetRow } from '../sheets/cell.ts';
import { type Check, found } from './check.ts';

const mostTold = 5;
/** `1` and `250.50`, as of 1,250.50: figures that one comma made two cells of. */
const beforeComma = /^[^\p{L}\d]*\d{1,3}$/u;
const behindComma = /^\d{3}(?:\.\d*)?[^\p{L}\d]*$/u;

export const movedCells: Check = {
  codes: ['moved-cells'],
  begin({ header: { width: headers }, columns, originsOf }) {
    if (headers === undefined) return null;
    const typed = columns.filter(isTyped).flatMap(originsOf);
    const widths = new Set<number>();
    const told: string[] = [];
    let rows = 0;
    let hasFurtherValues = false;
    /** Columns whose amounts may go on in the next cell, and those where a row shows that they do not. */
    const [parted, apart] = [new Set<number>(), new Set<number>()];
    const lookBehind = (column: number, cells: SheetRow['cells']) => {
      const isParted = isText(cells[column], beforeComma) && isText(cells[column + 1], behindComma);
      const wouldFitMoved = typed.every(
        (other) => other <= column || isBlank(cells[other + 1]) || isText(cells[other + 1], /\d/),
      );
      if (isParted && wouldFitMoved) parted.add(column);
      if (!isParted && isText(cells[column], /\d/) && isText(cells[column + 1], figure)) apart.add(column);
    };
    return {
      look(_, { number, cells, width }) {
        if (width === undefined) return;
        widths.add(width);
        if (width <= headers) return;
        rows += 1;
        hasFurtherValues ||= cells.length > headers;
        for (const column of typed) lookBehind(column, cells);
        if (told.length < mostTold) told.push(`row ${number} has ${width}`);
      },
      *end() {
        // Some programs end each row with a comma more than the headers: that moves nothing.
        const mayBeParted = [...parted].some((column) => !apart.has(column));
        const endAlike = widths.size === 1 && !hasFurtherValues && !mayBeParted;
        const more = rows > told.length ? `, and ${rows - told.length} more` : '';
        if (rows > 0 && !endAlike) yield found(checkMessage('moved-cells', { headers, rows: told.join(', ') + more }));
      },
    };
  },
};

const figure = /^[^\p{L}\d]*\d[\d.]*[^\p{L}\d]*$/u;

function isText(cell: Cell | undefined, form: RegExp): boolean {
  return typeof cell === 'string' && form.test(cell);
}

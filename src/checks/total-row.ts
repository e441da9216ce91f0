/** Rows that sum up others: sent, a total would be a payment that nobody made. */

import { isBlank } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import { shortened } from '../messages/shown-value.ts';
import type { Cell } from '../sheets/cell.ts';
import { cellAt, columnOf } from '../sheets/row.ts';
import { type Check, found, type SheetToCheck } from './check.ts';

export const totalRow: Check = {
  codes: ['total-row', 'total-like'],
  begin(sheet) {
    const parents = parentColumns(sheet);
    const dates = sheet.columns.filter((column) => column.use === 'field' && column.field.format === 'date');
    const [parentCells, dateCells] = [parents, dates].map((columns) => columns.flatMap(sheet.originsOf));
    const hasParents = sheet.kind.references.some(({ fills }) => !fills.includes('.'));
    const isOfTable = (column: number) => column >= sheet.ownColumns && column < sheet.header.headers.length;
    return {
      *row(_, row) {
        const first = (isTotal: (cell: Cell) => boolean) =>
          row.values.findIndex((cell, place) => isTotal(cell) && isOfTable(columnOf(row, place)));
        const begins = first(beginsAsTotal);
        if (begins === -1) return;
        const whole = first(isTotalLabel);
        const place = whole === -1 ? begins : whole;
        const [label, column] = [textIn(row.values[place]), columnOf(row, place)];
        // A label in the place of an id or a day names neither.
        const areBlank = (columns: readonly number[] = []) =>
          columns.every((index) => isBlank(cellAt(row, index)) || beginsAsTotal(cellAt(row, index)));
        const namesNothing = areBlank(parentCells) && areBlank(dateCells);
        if (hasParents && whole !== -1 && namesNothing) {
          yield found(checkMessage('total-row', { label }), { column, label: null });
        } else if (whole !== -1 || (hasParents && (areBlank(parentCells) || areBlank(dateCells)))) {
          yield found(checkMessage('total-like', { label, singular: sheet.kind.singular }), { column, label: null });
        }
      },
    };
  },
};

/** The columns in which the sheet names the records that its rows belong to. */
function parentColumns({ kind, columns }: SheetToCheck) {
  const paths = kind.references
    .filter(({ fills }) => !fills.includes('.'))
    .flatMap(({ column, fills }) => [column, fills]);
  return columns.filter((column) => column.use === 'field' && paths.includes(column.field.path));
}

function textIn(cell: Cell | undefined): string {
  return typeof cell === 'string' ? shortened(cell.trim()) : '';
}

/** The label of a total, as people and programs write it. */
const totals = String.raw`(?:(?:grand|running|overall)\s+)?(?:sub[\s-]?)?totals?|sum`;
const wholeLabel = new RegExp(String.raw`^[^\p{L}\d]*(?:${totals})[^\p{L}\d]*$`, 'iu');
const beginsAsLabel = new RegExp(String.raw`^[^\p{L}\d]*(?:${totals})(?![\p{L}\d])`, 'iu');
/** Asked of every text of every row: a regular expression that knows all letters takes 20 times as long. */
const mayBeLabel = /tot|sum/i;

/** `Total`, `GRAND TOTAL:`, `Sub-total`, and nothing else. */
function isTotalLabel(cell: unknown): cell is string {
  return typeof cell === 'string' && mayBeLabel.test(cell) && wholeLabel.test(cell);
}

/** `Total of October`, and whole labels. */
function beginsAsTotal(cell: unknown): cell is string {
  return typeof cell === 'string' && mayBeLabel.test(cell) && beginsAsLabel.test(cell);
}

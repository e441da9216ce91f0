/** Finds rows that total others. If sent, a total would be a payment that never happened. */
import { type Column, isAmountColumn, isDateColumn, pathOfColumn } from '../mapping/column.ts';
import { isBlank } from '../mapping/reading.ts';
import { looksLikeAmount } from '../mapping/values/amounts.ts';
import { checkMessage } from '../messages/checks.ts';
import { shortened } from '../messages/message.ts';
import type { Cell } from '../sheets/cell.ts';
import { cellAt, columnOf } from '../sheets/row.ts';
import { type Check, found } from './check.ts';

export const totalRow: Check = {
  codes: ['total-row', 'total-like'],
  begin({ kind, columns, header, ownColumns }) {
    const parents = kind.references.flatMap(({ column, fills }) => (fills.includes('.') ? [] : [column, fills]));
    const hasParents = parents.length > 0;
    const placesOf = (isOne: (column: Column) => boolean) => columns.filter(isOne).flatMap(({ origins }) => origins);
    const ofParents = placesOf((column) => parents.includes(pathOfColumn(column)));
    const ofDates = placesOf(isDateColumn);
    const ofWords = placesOf((column) => !isAmountColumn(column));
    const isOfTable = (column: number) => column >= ownColumns && column < header.headers.length;
    return {
      *row({ isValid }, row) {
        const first = (isTotal: (cell: unknown) => boolean) =>
          row.values.findIndex((cell, place) => isTotal(cell) && isOfTable(columnOf(row, place)));
        const begins = first(beginsAsTotal);
        if (begins === -1) return;
        const whole = first(isTotalLabel);
        const place = whole === -1 ? begins : whole;
        const at = { column: columnOf(row, place), label: null };
        const label = shortened(String(row.values[place]).trim());
        // A total label in place of an id or a day names neither.
        const isSilent = (column: number) => isBlank(cellAt(row, column)) || beginsAsTotal(cellAt(row, column));
        const [namesNoParent, namesNoDay, saysNoWord] = [ofParents, ofDates, ofWords].map((of) => of.every(isSilent));
        // Without a parent to name, a row may be a record by the name of Total, unless it has figures and nothing else.
        const isOther = (cell: Cell) => !isBlank(cell) && !beginsAsTotal(cell);
        const others = row.values.filter((cell, nth) => isOther(cell) && isOfTable(columnOf(row, nth)));
        const isNoRecord = hasParents || (!isValid && others.length > 0 && others.every(isFigure) && saysNoWord);
        if (whole !== -1 && namesNoParent && namesNoDay && isNoRecord)
          yield found(checkMessage('total-row', { label, isPart: hasParents }), at);
        else if (whole !== -1 || (hasParents && (namesNoParent || namesNoDay)))
          yield found(checkMessage('total-like', { label, singular: kind.singular }), at);
      },
    };
  },
};

function isFigure(cell: Cell): boolean {
  return typeof cell === 'string' ? looksLikeAmount(cell) : cell?.kind === 'number';
}

/** The label of a total, as people and programs write it. */
const totals = String.raw`(?:(?:grand|running|overall)\s+)?(?:sub[\s-]?)?totals?|sum`;
/** A fast first test, because an expression with all letters takes 20 times as long for each text. */
const mayBeLabel = /tot|sum/i;
const labelTest = (form: string) => {
  const label = new RegExp(form, 'iu');
  return (cell: unknown) => typeof cell === 'string' && mayBeLabel.test(cell) && label.test(cell);
};
/** `Total`, `GRAND TOTAL:`, `Sub-total`, and nothing else. */
const isTotalLabel = labelTest(String.raw`^[^\p{L}\d]*(?:${totals})[^\p{L}\d]*$`);
/** `Total of October`, and whole labels. */
const beginsAsTotal = labelTest(String.raw`^[^\p{L}\d]*(?:${totals})(?![\p{L}\d])`);

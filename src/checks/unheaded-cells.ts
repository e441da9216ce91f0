/** Reports values in columns without a header, and CSV rows with more cells than headers. */
import { cellAddress, isTyped } from '../mapping/column.ts';
import { isBlank } from '../mapping/reading.ts';
import { messageOf } from '../messages/text.ts';
import { columnName } from '../tables/excel-limits.ts';
import { type Cell, cellAt } from '../tables/row.ts';
import { type Check, found } from './check.ts';

/** What stands in a column without a header would be lost. */
export const unheadedCells: Check = {
  codes: ['cells-beside-table', 'column-without-header'],
  begin({ name, header, ownColumns }) {
    const headed = new Set(header.headers.flatMap((text, index) => (text === null ? [] : [index])));
    const last = Math.max(-1, ...headed);
    const seen = new Map<number, { readonly row: number; cells: number }>();
    return {
      row(_, row) {
        if (row.values.length <= last + 1 && headed.size === last + 1) return [];
        for (const [index, cell] of row.values.entries()) {
          if (cell === null || index < ownColumns || headed.has(index) || isBlank(cell)) continue;
          const before = seen.get(index);
          if (before === undefined) seen.set(index, { row: row.number, cells: 1 });
          else before.cells += 1;
        }
        return [];
      },
      *end() {
        for (const [index, { row, cells }] of seen) {
          const address = cellAddress(name, index, row);
          const message =
            index < last
              ? messageOf('column-without-header', { column: columnName(index), address })
              : messageOf('cells-beside-table', { cells, address });
          yield found(message, { column: index, label: null });
        }
      },
    };
  },
};

const mostNamed = 5;
/** `1` and `250.50`: the parts of 1,250.50 when its comma splits it. */
const beforeComma = /^[^\p{L}\d]*\d{1,3}$/u;
const behindComma = /^\d{3}(?:\.\d*)?[^\p{L}\d]*$/u;
const centsBehindComma = /^\d{3}\.\d\d$/;
/** ` "ACH` and `net"`, or `\u201cACH` and `net\u201d`: marks after a blank, or those of a word processor, do not quote a comma. */
const quotations: readonly (readonly [opens: RegExp, closes: RegExp])[] = [
  [/^\s+"\s*[^\s"][^"]*$/, /^[^"]*[^\s"]\s*"\s*$/],
  [/^\s*\u201c[^\u201c\u201d]*$/, /^[^\u201c\u201d]*\u201d\s*$/],
];

/** Commas before blanks, and of amounts, as a text has them and rows do not: `Paid 1,250.50, then`. */
const commasOfText = /[,;|] +|[ $]\d{1,3}(?:,\d{3})+(?!\d)/g;

/**
 * Also finds a quotation that spans cells, or holds rows. An unquoted comma (1,250.50) splits a cell in two and shifts all cells after
 * it, so an amount of 1 would be sent. A row that is not too long has one where a text behind an amount has nothing but cents.
 */
export const movedCells: Check = {
  codes: ['moved-cells'],
  begin({ header: { width: headers }, columns, sheet: { delimiter = ',' } }) {
    if (headers === undefined) return null;
    const mark = delimiter === '\t' ? 'tab' : delimiter;
    const typed = columns.filter(isTyped).flatMap(({ origins }) => origins);
    const texts = new Set(columns.flatMap((one) => (one.field === null || isTyped(one) ? [] : one.origins)));
    const beforeTexts = delimiter === ',' ? typed.filter((column) => texts.has(column + 1)) : [];
    const widths = new Set<number>();
    const named: string[] = [];
    let split: number | null = null;
    let rows = 0;
    let hasMoved = false;
    return {
      row(_, row) {
        const { number, width } = row;
        if (width === undefined) return [];
        widths.add(width);
        const isParted = (behind: RegExp) => (column: number) =>
          isText(cellAt(row, column), beforeComma) && isText(cellAt(row, column + 1), behind);
        const isSplit =
          quotations.some((marks) => isQuotedAcross(row.values, marks)) ||
          row.values.some((cell, at) => holdsRows(cell, at, delimiter, width)) ||
          (width <= headers && beforeTexts.some(isParted(centsBehindComma)));
        if (isSplit) split ??= number;
        if (width <= headers) return [];
        rows += 1;
        hasMoved ||= row.values.length > headers || typed.some(isParted(behindComma));
        if (named.length < mostNamed) named.push(`row ${number} has ${width}`);
        return [];
      },
      *end() {
        if (split !== null) yield found(messageOf('moved-cells', { split, headers, rows: '', mark }));
        // Some programs end each data row with one more comma than the headers, which shifts nothing.
        if (rows === 0 || (widths.size === 1 && !hasMoved)) return;
        const more = rows > named.length ? `, and ${rows - named.length} more` : '';
        yield found(messageOf('moved-cells', { split: null, headers, rows: named.join(', ') + more, mark }));
      },
    };
  },
};

/** Whether the lines of the cell are the end of its row, at least one whole row, and the beginning of another. */
function holdsRows(cell: Cell | undefined, at: number, delimiter: string, width: number): boolean {
  if (typeof cell !== 'string' || width < 3 || !/[\r\n]/.test(cell)) return false;
  const lines = cell.replace(commasOfText, '').split(/\r\n?|\n/);
  const [first, ...others] = lines.map((line) => line.split(delimiter).length - 1);
  const last = others.pop();
  const hasRow = others.length === 0 || others.some((each) => each >= width - 1);
  return first === width - 1 - at && last === at && hasRow;
}

function isQuotedAcross(cells: readonly (Cell | undefined)[], [opens, closes]: (typeof quotations)[number]): boolean {
  const opening = cells.findIndex((cell) => isText(cell, opens));
  return opening !== -1 && cells.some((cell, at) => at > opening && isText(cell, closes));
}

function isText(cell: Cell | undefined, form: RegExp): boolean {
  return typeof cell === 'string' && form.test(cell);
}

/** Reports values in columns without a header, because they would be lost. */
import { cellAddress } from '../mapping/column.ts';
import { isBlank } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import { columnName } from '../sheets/excel-limits.ts';
import { columnOf, widthOf } from '../sheets/row.ts';
import { type Check, found } from './check.ts';

export const unheadedCells: Check = {
  codes: ['cells-beside-table', 'column-without-header'],
  begin({ name, header, ownColumns }) {
    const headed = new Set(header.headers.flatMap((text, index) => (text === null ? [] : [index])));
    const last = Math.max(-1, ...headed);
    const seen = new Map<number, { readonly row: number; cells: number }>();
    return {
      row(_, row) {
        if (widthOf(row) - 1 <= last && headed.size === last + 1) return [];
        for (const [place, cell] of row.values.entries()) {
          const index = columnOf(row, place);
          if (cell === null || index < ownColumns || headed.has(index) || isBlank(cell)) continue;
          const known = seen.get(index);
          if (known === undefined) seen.set(index, { row: row.number, cells: 1 });
          else known.cells += 1;
        }
        return [];
      },
      *end() {
        for (const [index, { row, cells }] of seen) {
          const address = cellAddress(name, index, row);
          const message =
            index < last
              ? checkMessage('column-without-header', { column: columnName(index), address })
              : checkMessage('cells-beside-table', { cells, address });
          yield found(message, { column: index, label: null });
        }
      },
    };
  },
};

/** Cells that are a link and show another text than its address. */

import { labelOfColumn } from '../mapping/column.ts';
import { isBlank, shownText } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import type { LinkedRange } from '../sheets/cell.ts';
import { cellAt } from '../sheets/row.ts';
import { type Check, type Found, found, sentColumns } from './check.ts';
import { RangesInOrder } from './ranges.ts';

export const linkText: Check = {
  codes: ['link-text'],
  begin(sheet) {
    const columns = new Map(
      [...sentColumns(sheet)].filter(([, column]) => column.use === 'field' && column.field.format === 'website'),
    );
    if (columns.size === 0) return null;
    const links = new RangesInOrder<LinkedRange>();
    const foundAt = new Map<number, readonly Found[]>();
    return {
      learn: (behind) =>
        links.learn(
          behind.links.filter(
            ({ firstRow, firstColumn }) => firstRow >= sheet.header.number && columns.has(firstColumn),
          ),
        ),
      get tellsOfRowsAbove() {
        return links.areThere;
      },
      look(_, row) {
        const problems = links.at(row.number, columns.keys()).flatMap(([index, { address }]) => {
          const [cell, column] = [cellAt(row, index), columns.get(index)];
          if (cell === null || isBlank(cell) || column === undefined) return [];
          if (bareAddress(shownText(cell)) === bareAddress(address)) return [];
          const label = labelOfColumn(column);
          return [found(checkMessage('link-text', { label, address }), { column: index, label })];
        });
        if (problems.length > 0) foundAt.set(row.number, problems);
      },
      row: ({ row }) => foundAt.get(row) ?? [],
      forget: () => links.begin(),
    };
  },
};

/** `https://www.harbor.example/` and `harbor.example` are the same to a person. */
function bareAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

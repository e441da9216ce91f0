/** Reports links whose text differs from their address. */
import { labelOfColumn } from '../mapping/column.ts';
import { isBlank, shownText } from '../mapping/reading.ts';
import { checkMessage } from '../messages/checks.ts';
import { cellAt } from '../sheets/row.ts';
import { type Check, found, rangesInOrder, sentColumns } from './check.ts';

export const linkText: Check = {
  codes: ['link-text'],
  begin(sheet) {
    const columns = new Map(
      [...sentColumns(sheet)].filter(([, column]) => column.use === 'field' && column.field.format === 'website'),
    );
    const links = sheet.behind.links.filter(
      ({ firstRow, firstColumn }) => firstRow >= sheet.header.number && columns.has(firstColumn),
    );
    if (links.length === 0) return null;
    const linksAt = rangesInOrder(links, [...columns.keys()]);
    return {
      *row(_, row) {
        for (const [index, { address }] of linksAt(row.number)) {
          const [cell, column] = [cellAt(row, index), columns.get(index)];
          if (cell === null || isBlank(cell) || column === undefined) continue;
          if (bareAddress(shownText(cell)) === bareAddress(address)) continue;
          const label = labelOfColumn(column);
          yield found(checkMessage('link-text', { label, address }), { column: index, label });
        }
      },
    };
  },
};

/** `https://www.harbor.example/` and `harbor.example` look the same to a person. */
function bareAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

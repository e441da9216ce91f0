/** Reports what a sheet shows otherwise than its cells say: merged cells, links, and what is hidden. */
import { isBlank, shownText, trimmedText } from '../mapping/reading.ts';
import { messageOf } from '../messages/text.ts';
import { columnName } from '../tables/excel-limits.ts';
import { cellAt, type MergedRange, type SheetRow } from '../tables/row.ts';
import { type Check, type Found, found, rangesInOrder, sentColumns } from './check.ts';

/** Merged cells all show the first cell's value, but the rows below would send none, or another one. */
export const mergedCells: Check = {
  codes: ['merged-cell', 'value-under-merge'],
  begin(sheet) {
    const labels = new Map([...sentColumns(sheet)].map(([index, column]) => [index, column.label]));
    const merges = sheet.behind.merges.filter(({ firstRow }) => firstRow >= sheet.header.number);
    if (merges.length === 0) return null;
    const mergesAt = rangesInOrder(merges, [...labels.keys()]);
    const shown = new Map<MergedRange, string>();
    function* foundUnder(column: number, range: MergedRange, row: SheetRow): Iterable<Found> {
      if (row.number - 1 === range.firstRow) shown.set(range, trimmedText(cellAt(row, range.firstColumn)));
      const [top = '', text, label = ''] = [shown.get(range), trimmedText(cellAt(row, column)), labels.get(column)];
      const address = columnName(range.firstColumn) + (range.firstRow + 1);
      if (text === top || (text === '' && column !== range.firstColumn)) return;
      const message =
        text === '' ? messageOf('merged-cell', { label }) : messageOf('value-under-merge', { label, address });
      yield found(message, { column, label });
    }
    return {
      *row(_, row) {
        for (const [column, range] of mergesAt(row.number)) yield* foundUnder(column, range, row);
      },
    };
  },
};

/** A link's text may differ from its address. */
export const linkText: Check = {
  codes: ['link-text'],
  begin(sheet) {
    const columns = new Map([...sentColumns(sheet)].filter(([, column]) => column.format === 'website'));
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
          const label = column.label;
          yield found(messageOf('link-text', { label, address }), { column: index, label });
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

/** Rows hidden by hand or by a filter, and hidden columns. */
export const hiddenRows: Check = {
  codes: ['hidden-rows'],
  begin(sheet) {
    const sent = [...sentColumns(sheet).keys()];
    let rows = 0;
    return {
      row(_, { hidden }) {
        if (hidden) rows += 1;
        return [];
      },
      *end({ hiddenColumns }) {
        const columns = sent
          .filter((index) => hiddenColumns.some((range) => range.firstColumn <= index && index <= range.lastColumn))
          .map(columnName);
        if (rows + columns.length > 0) yield found(messageOf('hidden-rows', { rows, columns }));
      },
    };
  },
};

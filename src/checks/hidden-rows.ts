/** Reports rows hidden by hand or by a filter, and hidden columns. */
import { checkMessage } from '../messages/checks.ts';
import { columnName } from '../sheets/excel-limits.ts';
import { type Check, found, sentColumns } from './check.ts';

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
        if (rows + columns.length > 0) yield found(checkMessage('hidden-rows', { rows, columns }));
      },
    };
  },
};

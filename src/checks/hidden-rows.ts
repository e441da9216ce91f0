/** Hidden rows, by hand or by a filter. */
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';

export const hiddenRows: Check = {
  codes: ['hidden-rows'],
  begin() {
    let rows = 0;
    return {
      row(_, { hidden }) {
        if (hidden) rows += 1;
        return [];
      },
      *end() {
        if (rows > 0) yield found(checkMessage('hidden-rows', { rows }));
      },
    };
  },
};

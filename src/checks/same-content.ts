/** Rows that say what an earlier row of the file says. Both may be meant. */
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';
import { Digester } from './digester.ts';
import { Remembered } from './remembered.ts';

export const sameContent: Check = {
  codes: ['same-content'],
  begin(sheet, { first }) {
    if (sheet.kind.sending === 'update') return null;
    return new Remembered((row) => {
      const whole = new Digester()
        .text(row.kind.name)
        .text(row.pathId ?? '')
        .value(row.body);
      const earlier = first.placeOf(whole, sheet.name, row.row);
      return earlier === null ? [] : [found(checkMessage('same-content', { first: earlier }))];
    });
  },
};

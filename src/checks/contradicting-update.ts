/** Updates that give a field of a company another value than an earlier row of the file. */
import type { CheckedRow } from '../mapping/checked-row.ts';
import { labelOfColumn, memberOfColumn } from '../mapping/column.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, type FileToCheck, type Found, found, Remembered, type SheetToCheck } from './check.ts';
import { Digester } from './digester.ts';

export const contradictingUpdate: Check = {
  codes: ['contradicting-update'],
  begin(sheet, { first }) {
    if (!sheet.kind.sending.isUpdate) return null;
    return new Remembered((row) =>
      contradictedFields(row, sheet.name, first).map(({ name, earlier }) => otherValue(sheet, name, earlier)),
    );
  },
};

/** The fields of an update to which an earlier row gives another value, with the place of that row. */
function contradictedFields({ kind, pathId, body, row }: CheckedRow, sheet: string, first: FileToCheck['first']) {
  return Object.keys(body).flatMap((name) => {
    const ofField = () => new Digester().text(kind.name).text(`${pathId}`).text(name);
    const earlier = first.placeOf(ofField(), sheet, row);
    const same = first.placeOf(ofField().value(body[name]), sheet, row);
    // What is not remembered any more would look as if nobody had said it.
    return earlier === null || earlier === same || first.isFull ? [] : [{ name, earlier }];
  });
}

function otherValue(sheet: SheetToCheck, name: string, first: string): Found {
  const [found1] = sheet.columns.flatMap((one) => (one.use !== 'ignored' && memberOfColumn(one) === name ? [one] : []));
  const label = found1 === undefined ? name : labelOfColumn(found1);
  const column = found1 === undefined ? null : (sheet.originsOf(found1)[0] ?? null);
  return found(checkMessage('contradicting-update', { label, first }), { column, label });
}

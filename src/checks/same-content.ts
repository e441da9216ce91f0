/** Reports rows that repeat an earlier row of the file, or create the same company. Both may be intended. */
import { valueAt } from '../contract/body-path.ts';
import { originOf } from '../mapping/column.ts';
import { bareText } from '../mapping/spreadsheet-rewriting.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';
import { shortDigest } from './seen-rows.ts';

/** The fields that identify a company, in its own record and in a record that includes its company. */
const identifiesCompany = /^(?:company\.)?(name|ein|emails\[0\]\.email)$/;
const idOfCompany = 'company.id';

export const sameContent: Check = {
  codes: ['same-content', 'same-company'],
  begin(sheet, { first }) {
    if (sheet.kind.sending.isUpdate) return null;
    const facts = sheet.columns.flatMap((column) => {
      const [, fact] = (column.use === 'field' && identifiesCompany.exec(column.field.path)) || [];
      return column.use === 'field' && fact !== undefined ? [{ ...column.field, fact, column: originOf(column) }] : [];
    });
    return {
      *row({ kind, body, row, references, isValid }) {
        // An unreadable cell is missing from the record, which may equal others only for that reason.
        if (!isValid) return;
        const equal = first.placeOf(shortDigest(`${kind.name}\n${JSON.stringify(body)}`), sheet.name, row);
        if (equal !== null) return yield found(checkMessage('same-content', { first: equal, isIn: false }));
        const isOfKnown = references.some(({ reference }) => reference.fills === idOfCompany);
        if (isOfKnown || valueAt(body, idOfCompany.split('.')) !== undefined) return;
        for (const { fact, segments, label, column } of facts) {
          const said = valueAt(body, segments);
          const value = fact === 'ein' ? bareText(said) : typeof said === 'string' ? comparableName(said) : null;
          if (value === null) continue;
          const earlier = first.placeOf(shortDigest(`company\n${fact}\n${value}`), sheet.name, row);
          if (earlier !== null) yield found(checkMessage('same-company', { label, first: earlier }), { column, label });
        }
      },
    };
  },
};

/** `Acme Bakery, Inc.` is `Acme  Bakery Inc`, but A-B Supply is not AB Supply. */
function comparableName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[.,](?=\s|$)/g, '')
    .replace(/\s+/g, ' ');
}

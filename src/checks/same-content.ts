/** Reports rows that repeat an earlier row of the file, or create the same company. Both may be intended. */
import { valueAt } from '../mapping/body.ts';
import { originOf } from '../mapping/column.ts';
import { bareText } from '../mapping/spreadsheet-rewriting.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';
import { shortDigest } from './first-rows.ts';

/** The fields that identify a company, in its own record and in a record that includes its company. */
const companyPaths: ReadonlySet<string> = new Set(
  ['', 'company.'].flatMap((prefix) => ['name', 'ein', 'emails[0].email'].map((path) => `${prefix}${path}`)),
);

export const sameContent: Check = {
  codes: ['same-content', 'same-company'],
  begin(sheet, { first }) {
    if (sheet.kind.sending.isUpdate) return null;
    const facts = sheet.columns.flatMap((column) =>
      column.use === 'field' && companyPaths.has(column.field.path)
        ? [{ ...column.field, column: originOf(column) }]
        : [],
    );
    const isCompany = sheet.kind.name === 'companies';
    return {
      *row({ kind, body, row, isValid }) {
        // An unreadable cell is missing from the record, which may equal others only for that reason.
        if (!isValid) return;
        const equal = first.placeOf(shortDigest(`${kind.name}\n${JSON.stringify(body)}`), sheet.name, row);
        if (equal !== null) return yield found(checkMessage('same-content', { first: equal }));
        for (const { path, segments, label, column } of facts) {
          const value = bareText(valueAt(body, segments));
          if (value === null) continue;
          const earlier = first.placeOf(shortDigest(`${kind.name}\n${path}\n${value}`), sheet.name, row);
          if (earlier !== null)
            yield found(checkMessage('same-company', { label, first: earlier, isCompany }), { column, label });
        }
      },
    };
  },
};

/** Rows that make a company which an earlier row of the file makes, too: told by name, EIN and e-mail. */
import { fieldsOf } from '../contract/fields.ts';
import { valueAt } from '../mapping/body.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found, type SheetToCheck } from './check.ts';
import { Digester } from './digester.ts';
import { Remembered } from './remembered.ts';

/** In a record of its own, and in one that brings its company along. */
const paths: ReadonlySet<string> = new Set(
  ['', 'company.'].flatMap((prefix) => ['name', 'ein', 'emails[0].email'].map((path) => `${prefix}${path}`)),
);

export const sameCompany: Check = {
  codes: ['same-company'],
  begin(sheet, { first }) {
    const facts = companyFacts(sheet);
    if (sheet.kind.sending === 'update' || facts.length === 0) return null;
    const isCompany = sheet.kind.name === 'companies';
    return new Remembered((row) =>
      facts.flatMap(({ path, segments, label, column }) => {
        const value = valueAt(row.body, segments);
        if (typeof value !== 'string' || value === '') return [];
        const digest = new Digester().text(row.kind.name).text(path).text(value.trim().toLowerCase());
        const earlier = first.placeOf(digest, sheet.name, row.row);
        if (earlier === null) return [];
        return [found(checkMessage('same-company', { label, first: earlier, isCompany }), { column, label })];
      }),
    );
  },
};

function companyFacts({ kind, columns, originsOf }: SheetToCheck) {
  const fields = fieldsOf(kind).filter(({ path, place }) => place === 'body' && paths.has(path));
  return fields.flatMap(({ path, segments, label }) => {
    const column = columns.find((one) => one.use === 'field' && one.field.path === path);
    return column === undefined ? [] : [{ path, segments, label, column: originsOf(column)[0] ?? null }];
  });
}

/** Rows that say what an earlier row of the file says, or that make a company which that one makes, too. Both may be meant. */
import { fieldsOf } from '../contract/fields.ts';
import { valueAt } from '../mapping/body.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found, Remembered, type SheetToCheck } from './check.ts';
import { Digester } from './digester.ts';

/** What tells a company from others, in a record of its own and in one that brings its company along. */
const companyPaths: ReadonlySet<string> = new Set(
  ['', 'company.'].flatMap((prefix) => ['name', 'ein', 'emails[0].email'].map((path) => `${prefix}${path}`)),
);

export const sameContent: Check = {
  codes: ['same-content', 'same-company'],
  begin(sheet, { first }) {
    if (sheet.kind.sending.isUpdate) return null;
    const facts = companyFacts(sheet);
    const isCompany = sheet.kind.name === 'companies';
    return new Remembered(({ kind, pathId, body, row }) => {
      const ofKind = () => new Digester().text(kind.name);
      const equal = first.placeOf(
        ofKind()
          .text(pathId ?? '')
          .value(body),
        sheet.name,
        row,
      );
      if (equal !== null) return [found(checkMessage('same-content', { first: equal }))];
      return facts.flatMap(({ path, segments, label, column }) => {
        const value = valueAt(body, segments);
        if (typeof value !== 'string' || value === '') return [];
        const earlier = first.placeOf(ofKind().text(path).text(value.trim().toLowerCase()), sheet.name, row);
        if (earlier === null) return [];
        return [found(checkMessage('same-company', { label, first: earlier, isCompany }), { column, label })];
      });
    });
  },
};

function companyFacts({ kind, columns, originsOf }: SheetToCheck) {
  const fields = fieldsOf(kind).filter(({ path, place }) => place === 'body' && companyPaths.has(path));
  return fields.flatMap(({ path, segments, label }) => {
    const column = columns.find((one) => one.use === 'field' && one.field.path === path);
    return column === undefined ? [] : [{ path, segments, label, column: originsOf(column)[0] ?? null }];
  });
}

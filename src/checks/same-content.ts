/**
 * Reports rows that repeat an earlier row of the file, create the same company, or describe another company than the one that they
 * name. All may be intended.
 */
import { segmentsOf, valueAt } from '../contract/body-path.ts';
import { originOf } from '../mapping/column.ts';
import { bareText, comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { shownValue } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { type Check, found } from './check.ts';
import { shortDigest } from './seen-rows.ts';

/** The fields that identify a company, in its own record and in a record that includes its company. */
const identifiesCompany = /^(?:company\.)?(name|ein|emails\[0\]\.email)$/;
const idOfCompany = 'company.id';
const partsOfId = segmentsOf(idOfCompany);
/** Names are written in many ways, so the EIN comes first. An e-mail may be that of any contact. */
const telling = ['ein', 'name'];

export const sameContent: Check = {
  codes: ['same-content', 'same-company', 'other-company'],
  begin(sheet, { first }) {
    if (sheet.kind.sending.isUpdate) return null;
    const facts = sheet.columns.flatMap((column) => {
      const [, fact] = identifiesCompany.exec(column.path) ?? [];
      return fact === undefined ? [] : [{ ...column, fact, column: originOf(column) }];
    });
    const tellingFacts = telling.flatMap((name) => facts.filter(({ fact }) => fact === name));
    const saidIn = (body: object, { fact, segments }: (typeof facts)[number]): string | null => {
      const said = valueAt(body, segments);
      return fact === 'ein' ? bareText(said) : typeof said === 'string' ? comparableName(said) : null;
    };
    return {
      *row({ kind, body, row, ref, references, isValid }, _, said) {
        // An unreadable cell is missing from the record, which may equal others only for that reason.
        if (!isValid) return;
        const equal = first.placeOf(shortDigest(`${kind.name}\n${said}`), sheet.name, row);
        if (equal !== null) return yield found(messageOf('same-content', { first: equal, isIn: false }));
        const named = references.find(({ reference }) => reference.fills === idOfCompany);
        if (named !== undefined) {
          const both = tellingFacts.find((one) => saidIn(body, one) !== null && first.has(factOf(named.ref, one.fact)));
          if (both !== undefined && !first.has(factOf(named.ref, both.fact, saidIn(body, both))))
            yield found(messageOf('other-company', { label: both.label, ref: shownValue(named.ref) }), both);
          return;
        }
        if (valueAt(body, partsOfId) !== undefined) return;
        for (const field of facts) {
          const { fact, label, column } = field;
          const value = saidIn(body, field);
          if (value === null) continue;
          const earlier = first.placeOf(shortDigest(`company\n${fact}\n${value}`), sheet.name, row);
          if (earlier !== null) yield found(messageOf('same-company', { label, first: earlier }), { column, label });
          if (ref === null || sheet.kind.references.length > 0) continue;
          for (const one of [factOf(ref, fact), factOf(ref, fact, value)]) first.placeOf(one, sheet.name, row);
        }
      },
    };
  },
};

function factOf(ref: string, fact: string, value: string | null = null): number {
  return shortDigest(`of ${comparableKey(ref)}\n${fact}\n${value ?? ''}`);
}

/** `Acme Bakery, Inc.` is `Acme  Bakery Inc`, but A-B Supply is not AB Supply. */
function comparableName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[.,](?=\s|$)/g, '')
    .replace(/\s+/g, ' ');
}

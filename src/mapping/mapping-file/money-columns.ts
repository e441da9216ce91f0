/** Columns of which one holds what went out and the other what came in: together they are the amount of a row. */
import { fieldsOf } from '../../contract/fields.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { folded } from '../headers.ts';
import type { Join, SheetMappingRules } from './mapping.ts';
import { filledPaths } from './unfilled.ts';

const wordsOfOut = ['debit', 'debits', 'withdrawal', 'withdrawals', 'moneyout', 'paidout', 'outflow'];
const wordsOfIn = ['credit', 'credits', 'deposit', 'deposits', 'moneyin', 'paidin', 'inflow'];

/** The join of the two where both are open and nothing else is the amount, or `null`. */
export function joinOfMoney(rules: SheetMappingRules): Join | null {
  const kind = recordKind(rules.kind);
  const amount = fieldsOf(kind).find(({ path }) => path === kind.amount);
  if (amount === undefined || filledPaths(rules, kind).includes(amount.path)) return null;
  const open = Object.entries(rules.columns).flatMap(([header, rule]) =>
    typeof rule === 'object' && rule !== null && rule.split === undefined && rule.field == null ? [header] : [],
  );
  const [out, ...otherOut] = open.filter((header) => wordsOfOut.includes(folded(header)));
  const [into, ...otherIn] = open.filter((header) => wordsOfIn.includes(folded(header)));
  if (out === undefined || into === undefined || otherOut.length + otherIn.length > 0) return null;
  return { field: amount.label, columns: [out, into], with: '', minus: [out] };
}

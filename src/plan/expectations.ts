/** What a person expects a file to hold, from the list that it was made from: a load that would be another one does not begin. */
import Big from 'big.js';
import { fieldsOf } from '../contract/fields.ts';
import { DealsheetError } from '../errors.ts';
import { folded } from '../mapping/headers.ts';
import { isError } from '../messages/finding.ts';
import type { Preview, PreviewedSheet } from './preview.ts';

export interface Expectation {
  /** A kind or a sheet, or `null` for the whole file. */
  readonly of: string | null;
  readonly what: 'rows' | 'amount';
  /** A whole number, or an amount as decimal digits. */
  readonly value: string;
}

/** @throws DealsheetError `usage` with every expectation that the source does not meet */
export function meetExpectations(preview: Preview, expectations: readonly Expectation[]): void {
  const faults = expectations.flatMap((expectation) => faultOf(preview, expectation) ?? []);
  if (faults.length === 0) return;
  throw new DealsheetError(
    'usage',
    `The file is not what was expected.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'Look for rows that are missing, there twice or changed, then try again. Nothing was sent.',
  );
}

function faultOf({ sheets }: Preview, { of, what, value }: Expectation): string | null {
  const filled = sheets.filter(({ rows }) => rows > 0);
  const found = filled.filter(({ name, kind }) => of === null || folded(name) === folded(of) || kind.name === of);
  if (found.length === 0)
    return `Nothing in the file is called ${of}: ${sheets.map(({ name, kind }) => `${name} (${kind.name})`).join(', ')}.`;
  const fault = what === 'rows' ? countFault(found, value) : amountFault(found, value);
  return fault === null ? null : `${of ?? 'The file'}: ${fault}`;
}

function countFault(sheets: readonly PreviewedSheet[], value: string): string | null {
  const rows = sheets.reduce((sum, sheet) => sum + sheet.rows - (sheet.staying['left-out'] ?? 0), 0);
  const more = rows - Number(value);
  return more === 0
    ? null
    : `rows expected: ${value}, found: ${rows} (${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'}).`;
}

function amountFault(sheets: readonly PreviewedSheet[], value: string): string | null {
  const withAmounts = sheets.filter((sheet) => sheet.amount !== null);
  const kinds = [...new Set(withAmounts.map(({ kind }) => kind.name))];
  if (kinds.length === 0) return 'it has no amounts. Deals, submission loans and transactions do.';
  if (kinds.length > 1)
    return `it has amounts of several kinds (${kinds.join(', ')}): say which, as in --expect-total ${kinds[0]}=${value}.`;
  const total = withAmounts.reduce((sum, sheet) => sum.plus(sheet.amount ?? 0), new Big(0));
  const wrong = withAmounts.reduce((sum, sheet) => sum + wrongAmounts(sheet), 0);
  const difference = total.minus(value);
  // A sum that leaves amounts out is no proof that the file is the one that was meant.
  if (difference.eq(0))
    return wrong === 0 ? null : `the total is as expected, but by accident. Rows with a wrong amount: ${wrong}.`;
  const without = withAmounts.reduce((sum, sheet) => sum + (sheet.totals.amounts?.unreadable ?? 0), 0);
  const left = without === 0 ? '' : ` Rows without a readable amount, which are not in it: ${without}.`;
  return `a total of ${new Big(value).toFixed()} was expected, and it is ${total.toFixed()}, ${difference.abs().toFixed()} ${difference.gt(0) ? 'more' : 'less'}.${left}`;
}

/** Rows whose amount is wrong: it stands in no sum, or is none that can be sent. */
function wrongAmounts(sheet: PreviewedSheet): number {
  const label = fieldsOf(sheet.kind).find(({ path }) => path === sheet.kind.amount)?.label;
  const wrong = sheet.findings.filter(({ first: { finding } }) => isError(finding) && finding.label === label);
  return wrong.reduce((sum, group) => sum + group.rows, 0);
}

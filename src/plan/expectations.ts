/** What a person expects a file to hold, from the list that it was made from: a load that would be another one does not begin. */
import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import { folded } from '../mapping/headers.ts';
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
  const faults = expectations.flatMap((expectation) => {
    const fault = faultOf(preview, expectation);
    return fault === null ? [] : [fault];
  });
  if (faults.length === 0) return;
  throw new DealsheetError(
    'usage',
    `The file is not what was expected.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'Look for rows that are missing, there twice or changed, then try again. Nothing was sent.',
  );
}

function faultOf(preview: Preview, expectation: Expectation): string | null {
  const sheets = sheetsOf(preview, expectation.of);
  if (sheets.length === 0) return `Nothing in the file is called ${expectation.of}: ${namesIn(preview)}.`;
  return expectation.what === 'rows' ? countFault(sheets, expectation) : amountFault(sheets, expectation);
}

function sheetsOf(preview: Preview, name: string | null): readonly PreviewedSheet[] {
  const filled = preview.sheets.filter((sheet) => sheet.rows > 0);
  if (name === null) return filled;
  return filled.filter((sheet) => folded(sheet.name) === folded(name) || sheet.kind.name === name);
}

function countFault(sheets: readonly PreviewedSheet[], { of, value }: Expectation): string | null {
  const rows = sheets.reduce((sum, sheet) => sum + sheet.rows - (sheet.staying['left-out'] ?? 0), 0);
  const more = rows - Number(value);
  if (more === 0) return null;
  return `${subject(of)}: ${value === '1' ? '1 row was' : `${value} rows were`} expected, and there ${rows === 1 ? 'is 1' : `are ${rows}`}, ${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'}.`;
}

function amountFault(sheets: readonly PreviewedSheet[], { of, value }: Expectation): string | null {
  const withAmounts = sheets.filter((sheet) => sheet.amount !== null);
  if (withAmounts.length === 0) return `${subject(of)} has no amounts: deals, submission loans and transactions do.`;
  const kinds = new Set(withAmounts.map((sheet) => sheet.kind.name));
  if (kinds.size > 1) {
    return `${subject(of)} has amounts of several kinds (${[...kinds].join(', ')}): say which, as in --expect-total ${[...kinds][0]}=${value}.`;
  }
  const total = withAmounts.reduce((sum, sheet) => sum.plus(sheet.amount ?? 0), new Big(0));
  const difference = total.minus(value);
  const wrong = withAmounts.reduce((sum, sheet) => sum + sheet.wrongAmounts, 0);
  if (difference.eq(0)) return wrong === 0 ? null : tiesByAccident(of, wrong);
  const unreadable = withAmounts.reduce((sum, sheet) => sum + sheet.unreadableAmounts, 0);
  const left =
    unreadable === 0
      ? ''
      : ` ${unreadable === 1 ? '1 row has no readable amount and is' : `${unreadable} rows have no readable amount and are`} not in it.`;
  return `${subject(of)}: a total of ${new Big(value).toFixed()} was expected, and it is ${total.toFixed()}, ${difference.abs().toFixed()} ${difference.gt(0) ? 'more' : 'less'}.${left}`;
}

/** A sum that leaves amounts out is no proof that the file is the one that was meant. */
function tiesByAccident(of: string | null, wrong: number): string {
  const amounts = wrong === 1 ? 'the amount of 1 row is wrong' : `the amounts of ${wrong} rows are wrong`;
  return `${subject(of)}: the total is as expected, but ${amounts}, so that it ties by accident. Correct what check finds there first.`;
}

function subject(of: string | null): string {
  return of === null ? 'The file' : of;
}

function namesIn(preview: Preview): string {
  return preview.sheets.map((sheet) => `${sheet.name} (${sheet.kind.name})`).join(', ');
}

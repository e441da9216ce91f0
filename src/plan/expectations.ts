/** What a person expects a file to hold, from a control list or from the last such file. A load that differs does not begin. */

import Big from 'big.js';
import { fieldsOf } from '../contract/fields.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { stemOf } from '../disk/new-file.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/run-records.ts';
import { folded } from '../mapping/headers.ts';
import { sameButForMonth } from '../mapping/mapping-file/mapped-sheet.ts';
import { isError } from '../messages/finding.ts';
import { errorOf } from '../messages/text.ts';
import { type Expectation, type KindTotals, recordedOptionsOf } from './options.ts';
import type { Preview, PreviewedSheet } from './preview.ts';

/** @throws DealsheetError `usage` that lists every expectation the source does not meet */
export function meetExpectations(preview: Preview, expectations: readonly Expectation[]): void {
  const faults = expectations.flatMap((expectation) => faultOf(preview, expectation) ?? []);
  if (faults.length > 0) throw errorOf('not-as-expected', { faults });
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
  const withAmount = recordKinds.filter(({ amount }) => amount !== null).map(({ name }) => name);
  if (kinds.length === 0) return `it has no amounts. These kinds have: ${withAmount.join(', ')}.`;
  if (kinds.length > 1)
    return `it has amounts of several kinds (${kinds.join(', ')}): say which, as in --expect-total ${kinds[0]}=${value}.`;
  const total = withAmounts.reduce((sum, sheet) => sum.plus(sheet.amount ?? 0), new Big(0));
  const wrong = withAmounts.reduce((sum, sheet) => sum + wrongAmounts(sheet), 0);
  const difference = total.minus(value);
  // A total that leaves amounts out proves nothing.
  if (difference.eq(0))
    return wrong === 0
      ? null
      : `the total is as expected, but the amounts of some rows are missing or wrong: ${wrong}.`;
  const without = withAmounts.reduce((sum, sheet) => sum + (sheet.totals.amounts?.unreadable ?? 0), 0);
  const left = without === 0 ? '' : ` Rows without a readable amount, which are not in it: ${without}.`;
  return `a total of ${new Big(value).toFixed()} was expected, and it is ${total.toFixed()}, ${difference.abs().toFixed()} ${difference.gt(0) ? 'more' : 'less'}.${left}`;
}

/** Rows with an error in their amount, which is in no total or cannot be sent. */
function wrongAmounts(sheet: PreviewedSheet): number {
  const label = fieldsOf(sheet.kind).find(({ path }) => path === sheet.kind.amount)?.label;
  const wrong = sheet.findings.filter(({ first: { finding } }) => isError(finding) && finding.label === label);
  return wrong.reduce((sum, group) => sum + group.rows, 0);
}

export interface FileContents extends Pick<RunRecord, 'service' | 'sourceDigest' | 'sourceName'> {
  readonly mapping: string | null;
  readonly totals: KindTotals;
}

/** Rows and exact amounts by record kind, without rows that are left out. */
export function totalsOf({ sheets }: Pick<Preview, 'sheets'>): KindTotals {
  const totals: Record<string, KindTotals[string]> = {};
  for (const { kind, rows, staying, amount } of sheets) {
    const before = totals[kind.name] ?? { rows: 0, amount: null };
    totals[kind.name] = {
      rows: before.rows + rows - (staying['left-out'] ?? 0),
      amount: amount === null ? before.amount : new Big(before.amount ?? 0).plus(amount).toFixed(),
    };
  }
  return totals;
}

/** `null` if the options of the run cannot be read. */
export function contentsOfRun(run: RunRecord): FileContents | null {
  const recorded = recordedOptionsOf(run);
  return recorded === null ? null : { ...run, mapping: recorded.mapping?.path ?? null, totals: recorded.held };
}

/**
 * Compares a file with the last load of another file whose name differs only in month or number, else with the last one that used
 * the same mapping. Returns what differs by more than the share; `null` without such a load.
 *
 * @param runs  the newest first
 */
export function unlikeLast(file: FileContents, runs: readonly RunRecord[], share: number): readonly string[] | null {
  const earlier = runs.flatMap((run) => {
    const before = contentsOfRun(run);
    const isOther = run.service === file.service && run.sourceDigest !== file.sourceDigest;
    return isOther && before !== null && Object.keys(before.totals).length > 0 ? [{ run, ...before }] : [];
  });
  const last =
    earlier.find(({ sourceName }) => haveSameName(sourceName, file.sourceName)) ??
    earlier.find(({ mapping }) => mapping !== null && mapping === file.mapping);
  if (last === undefined) return null;
  const before = `in ${last.sourceName} of ${dayOf(last.run.startedAt)}`;
  const said = (kind: string, what: 'rows' | 'amount') => {
    const [was, is] = [last.totals[kind]?.[what] ?? 0, file.totals[kind]?.[what] ?? 0];
    const by = difference(was, is, share);
    const now = what === 'rows' ? `${is} rows` : `a total of ${is}`;
    return by === null ? [] : [`${kind}: ${now}, and ${was} ${before} (${by}).`];
  };
  const kinds = [...new Set([...Object.keys(last.totals), ...Object.keys(file.totals)])];
  return kinds.flatMap((kind) => [...said(kind, 'rows'), ...said(kind, 'amount')]);
}

/** @throws DealsheetError `usage` that lists all that differs by more than the share, or without a load to compare with */
export function needLikeLast(file: FileContents, runs: readonly RunRecord[], share: number): void {
  const faults = unlikeLast(file, runs, share);
  if (faults === null) throw errorOf('no-last-load', { name: file.sourceName });
  if (faults.length > 0) throw errorOf('not-like-last', { faults });
}

/** `67 % less`, or `null` where the difference is within the share. */
function difference(was: string | number, is: string | number, share: number): string | null {
  const more = new Big(is).minus(was);
  const base = new Big(was).abs();
  if (more.abs().lte(base.times(share))) return null;
  if (base.eq(0)) return 'new';
  return `${more.abs().div(base).times(100).toFixed(0)} % ${more.gt(0) ? 'more' : 'less'}`;
}

function haveSameName(one: string, other: string): boolean {
  const [stem, otherStem] = [stemOf(one), stemOf(other)];
  return numberless(stem) === numberless(otherStem) || sameButForMonth(stem, otherStem);
}

/** The pattern that the names of a series of files share. */
export function numberless(stem: string): string {
  return stem.toLowerCase().replace(/\d+/g, '#');
}

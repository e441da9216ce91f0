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
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { type Expectation, type KindTotals, recordedOptionsOf } from './options.ts';
import type { Preview, PreviewedSheet } from './preview.ts';

/** @throws DealsheetError `usage` that lists every expectation the source does not meet */
export function meetExpectations(preview: Preview, expectations: readonly Expectation[]): void {
  const faults = expectations.flatMap((expectation) => faultOf(preview, expectation) ?? []);
  if (faults.length > 0) throw errorOf('not-as-expected', { faults });
}

function faultOf({ sheets }: Preview, { of, what, value }: Expectation): Message | null {
  const filled = sheets.filter(({ rows }) => rows > 0);
  const found = filled.filter(({ name, kind }) => of === null || folded(name) === folded(of) || kind.name === of);
  const all = sheets.map(({ name, kind }) => `${name} (${kind.name})`);
  if (found.length === 0) return messageOf('expected-unknown', { of: of ?? '', sheets: all });
  const said = what === 'rows' ? countFault(found, value) : amountFault(found, value);
  return said === null ? null : messageOf('expected-of', { of, said });
}

function countFault(sheets: readonly PreviewedSheet[], value: string): Message | null {
  const rows = sheets.reduce((sum, sheet) => sum + sheet.rows - (sheet.staying['left-out'] ?? 0), 0);
  const more = rows - Number(value);
  const of = { value, rows, difference: Math.abs(more), isMore: more > 0 };
  return more === 0 ? null : messageOf('expected-rows', of);
}

function amountFault(sheets: readonly PreviewedSheet[], value: string): Message | null {
  const withAmounts = sheets.filter((sheet) => sheet.amount !== null);
  const kinds = [...new Set(withAmounts.map(({ kind }) => kind.name))];
  const withAmount = recordKinds.filter(({ amount }) => amount !== null).map(({ name }) => name);
  const [first] = kinds;
  if (first === undefined) return messageOf('expected-amounts', { kinds: withAmount });
  if (kinds.length > 1) return messageOf('expected-one-kind', { kinds, first, value });
  const total = withAmounts.reduce((sum, sheet) => sum.plus(sheet.amount ?? 0), new Big(0));
  const wrong = withAmounts.reduce((sum, sheet) => sum + wrongAmounts(sheet), 0);
  const difference = total.minus(value);
  // A total that leaves amounts out proves nothing.
  if (difference.eq(0)) return wrong === 0 ? null : messageOf('expected-whole-total', { rows: wrong });
  const without = withAmounts.reduce((sum, sheet) => sum + (sheet.totals.amounts?.unreadable ?? 0), 0);
  const of = { value: new Big(value).toFixed(), total: total.toFixed(), difference: difference.abs().toFixed() };
  return messageOf('expected-total', { ...of, isMore: difference.gt(0), without });
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
export function unlikeLast(file: FileContents, runs: readonly RunRecord[], share: number): readonly Message[] | null {
  const earlier = runs.flatMap((run) => {
    const before = contentsOfRun(run);
    const isOther = run.service === file.service && run.sourceDigest !== file.sourceDigest;
    return isOther && before !== null && Object.keys(before.totals).length > 0 ? [{ run, ...before }] : [];
  });
  const last =
    earlier.find(({ sourceName }) => haveSameName(sourceName, file.sourceName)) ??
    earlier.find(({ mapping }) => mapping !== null && mapping === file.mapping);
  if (last === undefined) return null;
  const before = { name: last.sourceName, day: dayOf(last.run.startedAt) };
  const said = (kind: string, what: 'rows' | 'amount') => {
    const [was, is] = [last.totals[kind]?.[what] ?? 0, file.totals[kind]?.[what] ?? 0];
    const by = difference(was, is, share);
    return by === null
      ? []
      : [messageOf('unlike-last', { kind, isTotal: what === 'amount', was, is, ...before, ...by })];
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

/** `null` where it is within the share. */
function difference(was: string | number, is: string | number, share: number) {
  const more = new Big(is).minus(was);
  const base = new Big(was).abs();
  if (more.abs().lte(base.times(share))) return null;
  if (base.eq(0)) return { isNew: true, percent: '', isMore: false, isLess: false };
  const percent = more.abs().div(base).times(100).toFixed(0);
  return { isNew: false, percent, isMore: more.gt(0), isLess: more.lt(0) };
}

function haveSameName(one: string, other: string): boolean {
  const [stem, otherStem] = [stemOf(one), stemOf(other)];
  return numberless(stem) === numberless(otherStem) || sameButForMonth(stem, otherStem);
}

/** The pattern that the names of a series of files share. */
export function numberless(stem: string): string {
  return stem.toLowerCase().replace(/\d+/g, '#');
}

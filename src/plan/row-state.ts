/** The result of a row: its state, and a message from the code of its decision. Also the counts and sums over all rows. */

import Big from 'big.js';
import { hasRefs } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Counts, emptyCounts, type RowState, rowStates } from '../contract/row-state.ts';
import type { RowNote, RunEntry } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/run-records.ts';
import { type Finding, findingOf, isError, isOfRecord } from '../messages/finding.ts';
import { type Message, type Parameters, shownValue } from '../messages/message.ts';
import type { planTexts } from '../messages/plan.ts';
import { messageFrom, messageOf } from '../messages/text.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { AmountTotals, SheetTotals } from '../workbooks/summary.ts';
import {
  type Allowed,
  type KeptRow,
  reasonFacts,
  type Skipped,
  type StagedDecision,
  type StagedSending,
} from './decision.ts';

export function stateDecided(decision: StagedDecision): RowState {
  if (decision.do === 'send') return 'ready';
  const { reportedAs = null } = decision.do === 'settle' ? decision : {};
  if (reportedAs?.other?.phase === 'committed') return stateOf(reportedAs);
  // Until a run takes the typed answer, the row stays in doubt.
  if (decision.do === 'settle' || decision.settles === 'not-created') return 'in-doubt';
  return stateOf(decision);
}

export function noteOfSkipped(decision: Skipped): RowNote {
  return { state: stateOf(decision), message: messageOfDecision(decision) };
}

function stateOf({ do: what, why, other }: Skipped): RowState {
  if (what === 'invalid') return 'invalid';
  if (what === 'wait') return 'waiting';
  if (what === 'leave') return 'ready';
  const isCopy = why === 'copy-of-row' || why === 'copies-differ';
  if (isCopy && (other?.phase === 'in-doubt' || other?.phase === 'sending')) return 'in-doubt';
  return reasonFacts(why).state ?? 'not-sent';
}

type Explained = Allowed & Pick<Skipped, 'typed' | 'isRounded' | 'changed'>;

function messageOfDecision(decision: Explained, isAllowed = false): Message | null {
  const { why, other, typed = null, isRounded = false, changed: fields = [] } = decision;
  const { isUntold, alone } = reasonFacts(why);
  if (isUntold) return null;
  const code = (other === null ? alone : undefined) ?? (why as keyof typeof planTexts);
  return messageFrom(code, { ...(other && ofRow(other)), typed, isRounded, fields, isAllowed, named: null });
}

/** Adds what the ledger does not store: from the source, the parents and what cannot be read, and the run, once there is one. */
export function completeMessage(
  run: string | null,
  message: Message | null,
  row: KnownStaged,
  staging: Staging,
): Message | null {
  if (message?.code === 'changed-since-loaded') {
    const hasUnread = staging.data(row).unread.length > 0;
    return { ...message, params: { ...message.params, hasUnread, updatesOf: run } };
  }
  if (message === null || !('named' in message.params)) return message;
  let isHere = false;
  const named = row.parents.flatMap(({ kind, ref }) => {
    if (ref === null) return [];
    const [first] = staging.withRef(kind, ref);
    const of = first === undefined ? null : staging.one(first);
    isHere ||= of !== null;
    const place = of === null ? '' : ` (${staging.sheetOf(of).name} row ${of.row})`;
    return [`${recordKind(kind).singular} with the Ref "${shownValue(ref)}"${place}`];
  });
  return { code: message.code, params: { ...message.params, named: named.join(' or the '), isHere } };
}

/**
 * For a committed row with changed values, only errors count, and not that its cells are masked. For one that was loaded earlier,
 * only that its record may be there twice, which holds until somebody removes one.
 */
export function findingsThatCount(state: RowState, findings: readonly Finding[]): readonly Finding[] {
  if (state === 'changed-since-loaded')
    return findings.filter((finding) => isError(finding) && finding.code !== 'masked');
  const counted = state === 'already-loaded' ? findings.filter(isOfRecord) : findings;
  // What a person would delete is a record by now, and no longer a row.
  return rowStates[state].isIn ? counted.map((one) => ({ ...one, params: { ...one.params, isIn: true } })) : counted;
}

/** What speaks against a row that is sent all the same; `null` for nothing. */
export function againstSent({ allowed = [] }: StagedSending): Message | null {
  const notes = allowed.flatMap((one) => messageOfDecision(one, true) ?? []);
  return notes.length === 0 ? null : messageOf('sent-although', { notes });
}

/** {@link againstSent} as warnings. In a resume, and in results that are written again, the ledger has it. */
export function findingsOfSent(decision: StagedDecision | null, entry: RunEntry | null = null): readonly Finding[] {
  const against = entry?.against ?? (decision?.do === 'send' ? againstSent(decision) : null);
  return ((against?.params.notes ?? []) as readonly Message[]).map((one) => findingOf('warning', one));
}

function ofRow({ at, record, kind }: KeptRow): Parameters {
  const { run, sheet, row, sourceName: source, startedAt } = at;
  const facts = recordKind(kind);
  const ofKind = {
    singular: facts.singular,
    isCompany: kind === 'companies',
    isUpdate: facts.sending.isUpdate,
    isOfDeal: facts.references.some(({ to }) => to === 'deals'),
    isDated: facts.sharedBy.some(({ paths }) => paths.includes('date')),
    hasRefs: hasRefs(facts),
  };
  return { source, sheet, row, day: dayOf(startedAt), run, record, ...ofKind };
}

export class StateTally {
  readonly #sheet: MatchedSheet;
  readonly #rows: Partial<Record<RowState, number>> = {};
  readonly #amounts: Partial<Record<RowState, Big>> = {};
  #total = 0;
  readonly #withoutAmount = { counted: 0, leftOut: 0 };

  constructor(sheet: MatchedSheet) {
    this.#sheet = sheet;
  }

  add(state: RowState, amount: number | null): void {
    this.#total += 1;
    this.#rows[state] = (this.#rows[state] ?? 0) + 1;
    if (amount !== null) this.#amounts[state] = (this.#amounts[state] ?? new Big(0)).plus(amount);
    else this.#withoutAmount[state === 'left-out' ? 'leftOut' : 'counted'] += 1;
  }

  totals(): SheetTotals {
    const { name, kind } = this.#sheet;
    return { name, kind: kind.name, rows: this.#total, byState: this.#rows, amounts: this.#amountTotals() };
  }

  #amountTotals(): AmountTotals | null {
    const { columns, kind } = this.#sheet;
    const column = columns.find((one) => one.path === kind.amount);
    if (column === undefined) return null;
    const { 'left-out': leftOut = new Big(0), ...counted } = this.#amounts;
    const source = Object.values(counted).reduce((sum, amount) => sum.plus(amount), new Big(0));
    return {
      label: column.header,
      source: source.toFixed(),
      byState: Object.fromEntries(Object.entries(counted).map(([state, sum]) => [state, sum.toFixed()])),
      unreadable: this.#withoutAmount.counted,
      leftOut: leftOut.toFixed(),
      leftOutUnreadable: this.#withoutAmount.leftOut,
    };
  }
}

export function countsOf(sheets: readonly SheetTotals[]): Counts {
  const counts = emptyCounts();
  for (const { rows, byState } of sheets) {
    counts.rows += rows;
    for (const [state, count] of Object.entries(byState)) counts[rowStates[state as RowState].count] += count;
  }
  return counts;
}

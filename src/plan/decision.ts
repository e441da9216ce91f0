/** The decision on a row, and the plain facts that it depends on. */
import * as z from 'zod';
import type { RefScope } from '../contract/record-kind.ts';
import type { RowState } from '../contract/row-state.ts';
import type { LogicalRow } from '../ledger/ledger.ts';
import type { planTexts } from '../messages/plan.ts';
import type { Answer, Aside, FoundBy, KnownStaged } from '../staging/staged-row.ts';

interface ReasonFacts {
  /** The state of the row; `not-sent` without it, unless what happens to the row says more. */
  readonly state?: RowState;
  /** Whether the other row of the decision is the row itself, as it was sent earlier. */
  readonly isOfItself?: boolean;
  /** Whether the state of the row says all. */
  readonly isUntold?: boolean;
  /** The code of the message where no other row is known. */
  readonly alone?: keyof typeof planTexts;
}

/** Why a row is not sent. Each that is told is the code of a message. */
const skipReasons = {
  'already-loaded': { state: 'already-loaded', isOfItself: true, alone: 'by-results' },
  'loaded-otherwise': { state: 'already-loaded', isOfItself: true },
  'changed-since-loaded': { state: 'changed-since-loaded', isOfItself: true },
  'copy-of-row': { alone: 'copy-of-line' },
  'copies-differ': { alone: 'copy-of-line' },
  'unknown-key': { state: 'in-doubt' },
  'key-of-another-kind': {},
  'ref-of-several': {},
  'ids-differ': {},
  'id-of-row-not-in': { alone: 'id-beside-status' },
  'being-sent': { state: 'in-doubt', isOfItself: true },
  'in-doubt': { state: 'in-doubt', isOfItself: true, alone: 'in-doubt-by-results' },
  'in-doubt-otherwise': { state: 'in-doubt', isOfItself: true },
  'answer-unclear': { state: 'in-doubt', isOfItself: true },
  'answer-beside-status': { state: 'in-doubt', isOfItself: true },
  'answer-to-other-attempt': { state: 'in-doubt', isOfItself: true },
  invalid: { isUntold: true },
  'waits-for-parent': {},
  'same-ref': {},
  'parent-without-id': {},
  'equal-to-loaded-row': {},
  'possible-correction': {},
  'possible-duplicate': {},
  'like-loaded': {},
  'later-update': {},
  'refused-before': { state: 'rejected', isUntold: true },
  'not-its-turn': { isUntold: true },
  'left-out': { state: 'left-out', isUntold: true },
  unchanged: { state: 'unchanged' },
} as const satisfies Readonly<Record<string, ReasonFacts>>;
export type SkipReason = keyof typeof skipReasons;

export function reasonFacts(why: SkipReason): ReasonFacts {
  return skipReasons[why];
}

export type WaitReason = Extract<SkipReason, 'same-ref' | 'waits-for-parent' | 'parent-without-id'>;

export interface Facts {
  readonly isValid: boolean;
  readonly foundBy: FoundBy;
  readonly aside: Aside | null;
  /** Whether two lines of one logical row have different contents. */
  readonly copiesDiffer: boolean;
  /** `null` for a new row. */
  readonly known: LogicalRow | null;
  /** Whether its content is new for its logical row. Masked cells count as unchanged. */
  readonly saysNew: boolean;
  /** Whether its content differs from what was last sent, even if the logical row had it before. */
  readonly saysOther: boolean;
  /** Whether its Status cell says that it is in. */
  readonly saysIn: boolean;
  /** The answer in its ID cell, and the attempt that its results report. */
  readonly answer: (Answer & { readonly attempt: number }) | null;
  /** Why it waits for its parents. */
  readonly waits: readonly WaitReason[];
  /** Each reason to hold this one with the other row, the first reason first. They hold it even beyond the limit of the load. */
  readonly holds: readonly (readonly [why: SkipReason, other: LogicalRow])[];
  /** Whether this load does not reach it, because of its limit or because invalid rows keep all rows from being sent. */
  readonly isTurnOver: boolean;
}

/**
 * Which rows may be sent: `null` for all, the first so many in loading order, or one row. The sheet of the one row may be `null`
 * in a source with a single sheet.
 */
export const limitSchema = z
  .union([z.int().min(0), z.object({ sheet: z.string().nullable(), row: z.int() })])
  .nullable();
export type Limit = z.output<typeof limitSchema>;

export interface DecideOptions {
  /** Committed rows are sent again. */
  readonly again: boolean;
  /** The run to resume. What the service rejected in it stays rejected, and rows are matched first with those that it registered. */
  readonly resumes?: string | null;
  /** Codes that do not hold a row. */
  readonly allow: ReadonlySet<string>;
}

export interface PlanOptions extends DecideOptions {
  readonly service: string;
  readonly sourceDigest: string;
  readonly sourceName: string;
  readonly origin: string;
  /** Whether the sheet is named after its file, as in CSV. */
  readonly isNamedByFile?: boolean;
  readonly refScope: RefScope;
  /** Whether a Ref without a row in the file counts as found: a check without a service cannot look it up. */
  readonly takesRefs?: boolean;
  /** Whether to trust results of a run that the ledger does not know. */
  readonly trustResults: boolean;
  readonly limit: Limit;
  readonly allOrNothing: boolean;
  /** Rows per look-up; smaller in tests. */
  readonly batch?: number;
  /** Ways to leave out, for tests that prove each is needed. */
  readonly without?: readonly FoundBy[];
}

interface MayBeHeld {
  /** The id of the row that this one may correct, repeat or overwrite. The ledger keeps it, since by the next load this row is not new. */
  readonly heldFor?: number | undefined;
  /** Whether the row is meant once more than it is in. It is another row for the ledger, sent or not. */
  readonly isAgain?: boolean;
}

/** Decisions are kept for messages, which show no content. */
export type KeptRow = Omit<LogicalRow, 'runs' | 'isFirst'>;

export interface Skipped extends MayBeHeld {
  /** `skip`: nothing to send. `leave`: beyond the limit of this load. */
  readonly do: 'skip' | 'leave' | 'hold' | 'wait' | 'invalid';
  readonly why: SkipReason;
  readonly other: KeptRow | null;
  /** The answer in the ID cell counts even if the row is not sent this time. */
  readonly settles?: 'not-created';
  /** The text of the ID cell, where it is the reason. */
  readonly typed?: string;
  readonly isRounded?: boolean;
  /** The paths of fields that changed since the row was sent. */
  readonly changed?: readonly string[];
}

export type Allowed = Pick<Skipped, 'why' | 'other'>;

/** The person's answer is taken: the record exists. */
interface Settled extends MayBeHeld {
  readonly do: 'settle';
  readonly id: string | null;
  /** How the row is reported once it is in, if it has other values than what was sent. */
  readonly reportedAs?: Skipped;
}

export interface Sent extends MayBeHeld {
  readonly do: 'send';
  readonly settles: 'not-created' | null;
  readonly isAgain: boolean;
}

export type Decision = Sent | Settled | Skipped;

export interface StagedSending extends Sent {
  /** How many other live rows may have the same content. */
  readonly equals: number;
  /** Whether an earlier attempt may have been applied. */
  readonly mayBeApplied: boolean;
  /** What would hold the row or keep it waiting, had the checks not allowed it. */
  readonly allowed?: readonly Allowed[];
}

export type StagedDecision = StagedSending | Settled | Skipped;

/** A cache of one: most rows of a file have the same decision. */
let last: { readonly text: string | null; readonly decided: StagedDecision | null } = { text: null, decided: null };

export function decisionOf({ decision: text }: KnownStaged): StagedDecision | null {
  if (text !== last.text) last = { text, decided: text === null ? null : (JSON.parse(text) as StagedDecision) };
  return last.decided;
}

/** `null` for a row that is sent or settled. */
export function whyOf(decision: StagedDecision | null): SkipReason | null {
  return decision !== null && 'why' in decision ? decision.why : null;
}

/** The row itself, as it was sent earlier, where the decision is about that. */
export function earlierOf(decision: StagedDecision | null): KeptRow | null {
  return decision !== null && 'why' in decision && reasonFacts(decision.why).isOfItself ? decision.other : null;
}

export function withoutContent({ runs, isFirst, ...row }: KeptRow & Partial<LogicalRow>): KeptRow {
  return { ...row, content: null, fields: null };
}

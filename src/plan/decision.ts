/** What happens to a row, as it is staged, and the plain facts by which that is decided. */
import * as z from 'zod';
import type { LogicalRow } from '../ledger/ledger.ts';
import type { Answer, Aside, FoundBy, KnownStaged } from '../staging/staged-row.ts';

/** Why a row is not sent; each is a code of its text. */
export type SkipReason =
  | 'already-loaded'
  | 'loaded-otherwise'
  | 'changed-since-loaded'
  | 'copy-of-row'
  | 'copies-differ'
  | 'unknown-key'
  | 'key-of-another-kind'
  | 'ref-of-several'
  | 'ids-differ'
  | 'id-of-row-not-in'
  | 'not-in-any-more'
  | 'in-doubt'
  | 'answer-unclear'
  | 'answer-to-other-attempt'
  | 'invalid'
  | 'waits-for-parent'
  | 'parent-changed'
  | 'parent-without-id'
  | 'equal-to-loaded-row'
  | 'possible-correction'
  | 'possible-duplicate'
  | 'like-loaded'
  | 'later-update'
  | 'refused-before'
  | 'not-its-turn'
  | Aside;

/** What is known of the record that a row belongs to. */
export type ParentState = 'in' | 'comes' | 'not-in' | 'without-id' | 'changed';

export interface Facts {
  readonly isValid: boolean;
  readonly foundBy: FoundBy;
  readonly aside: Aside | null;
  /** Of two rows of one logical row: whether they say different things. */
  readonly copiesDiffer: boolean;
  /** The logical row; `null` for one that is met for the first time. */
  readonly known: LogicalRow | null;
  /** Whether it says what its logical row never said. Masked cells say what they said. */
  readonly saysNew: boolean;
  /** Whether it says something else than when its logical row went out last, be it what that said before. */
  readonly saysOther: boolean;
  /** Whether its Status cell says that it is in. */
  readonly saysIn: boolean;
  /** What its ID cell says, and of which attempt its results speak. */
  readonly answer: (Answer & { readonly attempt: number }) | null;
  readonly parents: readonly ParentState[];
  /** A row that says the same, and is in or in doubt but in no line of this file, or in a line that has its key. */
  readonly equal: LogicalRow | null;
  /** Another row that is in or in doubt and has the Ref of this one. */
  readonly sameRef: LogicalRow | null;
  /** A row of the same source with the same identifying values that is in or in doubt, and may be another line of this one. */
  readonly sameValues: LogicalRow | null;
  /** A record that is in or in doubt, and has a value in common with this row which no two have. */
  readonly sameUnique: LogicalRow | null;
  /** A record of no row of this file that is in or in doubt and may be the same, by what it says. */
  readonly like: LogicalRow | null;
  /** A later update of the same company that is in or in doubt. */
  readonly laterUpdate: LogicalRow | null;
  /** Whether its turn does not come in this load: a limit, or rows that are wrong where all or nothing is to be sent. */
  readonly isTurnOver: boolean;
}

/**
 * Which rows may go out: `null` for all, the number of the first ones over all sheets in the order of loading, or the one that a
 * person names; its sheet may be `null` in a source of one.
 */
export const limitSchema = z
  .union([z.int().min(0), z.object({ sheet: z.string().nullable(), row: z.int() })])
  .nullable();
export type Limit = z.output<typeof limitSchema>;

export interface DecideOptions {
  /** Rows that are in go out once more. */
  readonly again: boolean;
  /** A run that goes on: what the service refused in it stays refused, and its rows are first of all those that it entered. */
  readonly resumes?: string | null;
  /** Codes that do not hold a row back. */
  readonly allow: ReadonlySet<string>;
}

/** What a source is, and how its rows are identified and decided. */
export interface PlanOptions extends DecideOptions {
  readonly service: string;
  readonly sourceDigest: string;
  readonly sourceName: string;
  readonly origin: string;
  /** The name that a sheet of the source has where the source is called otherwise: that of a CSV file follows the file. */
  readonly nameOfSheet?: (name: string, sourceName: string) => string;
  /** Whether Refs name records of a service, or link the rows of one file alone. */
  readonly refScope: 'service' | 'file';
  /** A Ref that no row of the file has is taken for that of a record: a check that names no service cannot look it up. */
  readonly takesRefs?: boolean;
  /** Whether what results say of a run is believed that the ledger does not know. */
  readonly trustResults: boolean;
  readonly limit: Limit;
  readonly allOrNothing: boolean;
  /** Rows in one look-up; a smaller one in tests. */
  readonly batch?: number;
  /** Ways that are left out, to prove by tests that each is needed. */
  readonly without?: readonly FoundBy[];
}

export interface Skipped {
  /** `skip`: there is nothing to send. `leave`: it would be sent with another load. */
  readonly do: 'skip' | 'leave' | 'hold' | 'wait' | 'invalid';
  readonly why: SkipReason;
  readonly other: LogicalRow | null;
  /** What the ID cell says of a doubt is taken also of a row that is not sent this time. */
  readonly settles?: 'not-created';
  /** What stands in the ID cell, where it is the reason. */
  readonly typed?: { readonly text: string; readonly isRounded: boolean };
  /** The paths of fields that say something else than when the row went in. */
  readonly changed?: readonly string[];
}

/** The person's answer is taken: the record is there. */
interface Settled {
  readonly do: 'settle';
  readonly id: string | null;
}

interface Sent {
  readonly do: 'send';
  readonly settles: 'not-created' | null;
  readonly isAgain: boolean;
}

export type Decision = Sent | Settled | Skipped;

/** A row to send as it is staged. */
export interface StagedSending extends Sent {
  /** So many other live rows may say the same. */
  readonly equals: number;
  /** An earlier sending of it may have been applied. */
  readonly mayBeApplied: boolean;
  /** See {@link Facts.like}. */
  readonly like?: LogicalRow;
}

export type StagedDecision = StagedSending | Settled | Skipped;

/** Most rows of a file have the same one. */
let last: { readonly text: string | null; readonly decided: StagedDecision | null } = { text: null, decided: null };

export function decisionOf({ decision: text }: KnownStaged): StagedDecision | null {
  if (text !== last.text) last = { text, decided: text === null ? null : (JSON.parse(text) as StagedDecision) };
  return last.decided;
}

/** Why nothing is sent for a row, or `null`. */
export function whyOf(decision: StagedDecision | null): SkipReason | null {
  return decision !== null && 'why' in decision ? decision.why : null;
}

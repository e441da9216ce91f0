/**
 * What happens to a row, and why not more. Pure: no ledger, no clock, no state. Its one rule: a row goes out only where nothing
 * is known that speaks against it; what cannot be known is held, with the code of what would settle it.
 */
import type { LogicalRow } from '../ledger/ledger.ts';
import { isRewritten } from '../mapping/spreadsheet-rewriting.ts';
import type { Answer, Aside, How, KnownStaged } from '../staging/staged-row.ts';

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
  | 'later-update'
  | 'refused-before'
  | 'not-its-turn'
  | Aside;

/** What is known of the record that a row belongs to. */
export type ParentStanding = 'in' | 'comes' | 'not-in' | 'without-id' | 'changed';

export interface Facts {
  readonly isValid: boolean;
  readonly how: How;
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
  readonly parents: readonly ParentStanding[];
  /** A row that says the same, and is in or in doubt but in no line of this file, or in a line that has its key. */
  readonly equal: LogicalRow | null;
  /** Another row that is in or in doubt and has the Ref of this one. */
  readonly sameRef: LogicalRow | null;
  /** A row of the same source with the same identifying values that is in or in doubt, and may be another line of this one. */
  readonly sameValues: LogicalRow | null;
  /** A record that is in or in doubt, and has a value in common with this row which no two have. */
  readonly sameUnique: LogicalRow | null;
  /** A later update of the same company that is in or in doubt. */
  readonly laterUpdate: LogicalRow | null;
  /** Whether its turn does not come in this load: a limit, or rows that are wrong where all or nothing is to be sent. */
  readonly isTurnOver: boolean;
}

export interface DecideOptions {
  /** Rows that are in go out once more. */
  readonly again: boolean;
  /** A run that goes on: what the service refused in it stays refused. */
  readonly resumes?: string | null;
  /** Codes that do not hold a row back. */
  readonly allow: ReadonlySet<string>;
}

/** Nothing is sent. */
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
}

export type StagedDecision = StagedSending | Settled | Skipped;

export function decisionOf({ decision }: KnownStaged): StagedDecision | null {
  return decision === null ? null : (JSON.parse(decision) as StagedDecision);
}

export function decide(row: Facts, options: DecideOptions): Decision {
  const { known, how, aside } = row;
  if (how === 'unknown-key') {
    const id = row.answer?.kind === 'created' ? row.answer.id : null;
    return { ...not('hold', 'unknown-key'), ...(id === null ? {} : { typed: { text: id, isRounded: false } }) };
  }
  if (how === 'other-kind') return not('invalid', 'key-of-another-kind', known);
  if (how === 'trusted') return decideTrusted(row, options);
  if (known?.standing === 'committed') return decideCommitted(row, known, options);
  const isUnknown = known?.standing === 'in-doubt' || known?.standing === 'sending';
  if (aside !== null && !isUnknown) return not('skip', aside);
  if (row.copiesDiffer) return not(isUnknown ? 'hold' : 'invalid', 'copies-differ', known);
  if (how === 'copy') return not('skip', 'copy-of-row', known);
  if (known !== null && isUnknown) return decideDoubt(row, known, options);
  if (row.saysIn && known !== null) return not('hold', 'not-in-any-more', known);
  const isMeant = known === null && options.again;
  if (row.answer?.kind === 'created' && !isMeant)
    return { ...not('invalid', 'id-of-row-not-in', known), typed: { text: row.answer.id ?? '', isRounded: false } };
  return decideOpen(row, options, null);
}

/** A row that is in. */
function decideCommitted(row: Facts, known: LogicalRow, options: DecideOptions): Decision {
  const { answer } = row;
  const typed = answer?.kind === 'created' ? answer.id : null;
  if (typed !== null && known.record !== null && typed !== known.record && !isRewritten(typed, known.record))
    return { ...not('invalid', 'ids-differ', known), typed: { text: typed, isRounded: false } };
  // Of the run that goes on: what an earlier load of the same bytes brought in is to go out once more.
  const isDone = options.resumes != null && known.at.run === options.resumes;
  if (options.again && row.how !== 'copy' && !isDone) return decideOpen(row, options, null, true);
  if (row.saysNew) return not('skip', 'changed-since-loaded', known);
  return not('skip', row.saysOther ? 'loaded-otherwise' : 'already-loaded', known);
}

/** A row that may be in. */
function decideDoubt(row: Facts, known: LogicalRow, options: DecideOptions): Decision {
  const { answer } = row;
  if (answer === null) return not('hold', 'in-doubt', known);
  if (answer.kind === 'unclear')
    return { ...not('hold', 'answer-unclear', known), typed: { text: answer.typed, isRounded: answer.isRounded } };
  if (answer.attempt !== known.attempt) return not('hold', 'answer-to-other-attempt', known);
  if (answer.kind === 'created') return { do: 'settle', id: answer.id };
  const decision = decideOpen(row, options, 'not-created');
  return decision.do === 'settle' ? decision : { ...decision, settles: 'not-created' };
}

/** By the word of results of which the ledger knows nothing. */
function decideTrusted(row: Facts, options: DecideOptions): Decision {
  const { saysIn, answer, known } = row;
  const id = answer?.kind === 'created' ? answer.id : null;
  if (known?.standing === 'in-doubt' && (saysIn || id !== null)) return { do: 'settle', id };
  if (saysIn) return not('skip', 'already-loaded');
  if (answer?.kind === 'created') return not('skip', 'already-loaded');
  return answer?.kind === 'not-created' ? decideOpen(row, options, null) : not('hold', 'in-doubt');
}

/** A row that may be sent, if nothing else speaks against it. */
function decideOpen(row: Facts, options: DecideOptions, settles: 'not-created' | null, isAgain = false): Decision {
  const { known } = row;
  if (!row.isValid) return not('invalid', 'invalid');
  const isRefusedHere = known?.outcome === 'rejected' && known.at.run === options.resumes;
  if (isRefusedHere) return not('skip', 'refused-before', known);
  if (row.parents.includes('changed') && !options.allow.has('same-ref')) return not('wait', 'parent-changed');
  const held = isAgain ? null : heldBack(row, options);
  if (held !== null) return held;
  if (row.isTurnOver) return not('leave', 'not-its-turn');
  if (row.parents.includes('not-in')) return not('wait', 'waits-for-parent');
  if (row.parents.includes('without-id')) return not('wait', 'parent-without-id');
  return { do: 'send', settles, isAgain };
}

/** What a person is to settle before the row goes out, whenever its turn comes; all but the first can be allowed. */
const holds: readonly (readonly [why: SkipReason, other: (row: Facts) => LogicalRow | null])[] = [
  ['ref-of-several', ({ sameRef }) => sameRef],
  ['later-update', ({ laterUpdate }) => laterUpdate],
  ['equal-to-loaded-row', ({ equal }) => equal],
  ['possible-duplicate', ({ sameUnique }) => sameUnique],
  ['possible-correction', ({ sameValues }) => sameValues],
];

function heldBack(row: Facts, { allow }: DecideOptions): Skipped | null {
  for (const [why, otherOf] of holds) {
    const other = otherOf(row);
    if (other !== null && (why === 'ref-of-several' || !allow.has(why))) return not('hold', why, other);
  }
  return null;
}

function not(what: Skipped['do'], why: SkipReason, other: LogicalRow | null = null): Skipped {
  return { do: what, why, other };
}

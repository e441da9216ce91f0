/**
 * What happens to a row, and why not more. Pure: no ledger, no clock, no state. Its one rule: a row goes out only where nothing
 * is known that speaks against it; what cannot be known is held, with the code of what would settle it.
 */
import type { LogicalRow } from '../ledger/next/ledger.ts';
import type { How } from '../staging/staging.ts';

/** Why a row is not sent; each is a code of its text. */
export type SkipReason =
  | 'already-loaded'
  | 'changed-since-loaded'
  | 'copy-of-row'
  | 'copies-differ'
  | 'unknown-key'
  | 'key-of-another-kind'
  | 'ref-of-several'
  | 'in-doubt'
  | 'answer-to-other-attempt'
  | 'invalid'
  | 'waits-for-parent'
  | 'parent-changed'
  | 'equal-to-loaded-row'
  | 'possible-correction'
  | 'later-update';

/** What is known of the record that a row belongs to. */
export type ParentStanding = 'in' | 'comes' | 'not-in' | 'changed';

export interface Facts {
  readonly isValid: boolean;
  readonly isUpdate: boolean;
  readonly how: How;
  /** Of two rows of one logical row: whether they say different things. */
  readonly copiesDiffer: boolean;
  /** The logical row; `null` for one that is met for the first time. */
  readonly known: LogicalRow | null;
  /** Whether it says what its logical row never said. Masked cells say what they said. */
  readonly saysNew: boolean;
  /** What its ID cell says, and of which attempt its results speak. */
  readonly answer: { readonly attempt: number; readonly created: string | null } | null;
  readonly parents: readonly ParentStanding[];
  /** A row in no line of this file that says the same, and is in or in doubt. */
  readonly equal: LogicalRow | null;
  /** A row of the same source with the same identifying values that is in or in doubt, and may be another line of this one. */
  readonly sameValues: LogicalRow | null;
  /** A later update of the same company that is in or in doubt. */
  readonly laterUpdate: LogicalRow | null;
}

export interface DecideOptions {
  /** Rows that are in go out once more. */
  readonly again: boolean;
  /** Codes that do not hold a row back. */
  readonly allow: ReadonlySet<string>;
  /** Answers to an earlier attempt are taken, to prove by tests that they must not be. */
  readonly anyAnswer?: boolean;
}

export type Decision =
  | { readonly do: 'send'; readonly settles: 'not-created' | null; readonly isAgain: boolean }
  /** The person's answer is taken: the record is there. */
  | { readonly do: 'settle'; readonly created: string }
  | { readonly do: 'skip' | 'hold' | 'wait' | 'invalid'; readonly why: SkipReason; readonly other: LogicalRow | null };

export function decide(row: Facts, options: DecideOptions): Decision {
  const { known, how, answer } = row;
  if (how === 'unknown-key') return hold('unknown-key');
  if (how === 'other-kind') return not('invalid', 'key-of-another-kind', known);
  if (how === 'several') return hold('ref-of-several');
  if (known?.standing === 'committed') return decideCommitted(row, known, options);
  if (row.copiesDiffer) return not('invalid', 'copies-differ', known);
  if (how === 'copy') return not('skip', 'copy-of-row', known);
  if (known?.standing === 'in-doubt' || known?.standing === 'sending') {
    if (answer === null) return isRepeatable(row) ? decideOpen(row, options, null) : hold('in-doubt', known);
    if (answer.attempt !== known.attempt && options.anyAnswer !== true) return hold('answer-to-other-attempt', known);
    if (answer.created !== null) return { do: 'settle', created: answer.created };
    return decideOpen(row, options, 'not-created');
  }
  return decideOpen(row, options, null);
}

/** A row that is in. */
function decideCommitted(row: Facts, known: LogicalRow, options: DecideOptions): Decision {
  const isMeantAgain = row.isUpdate && row.how === 'content' && row.laterUpdate !== null;
  if ((options.again || isMeantAgain) && row.how !== 'copy') return decideOpen(row, options, null, true);
  return not('skip', row.saysNew ? 'changed-since-loaded' : 'already-loaded', known);
}

/** A row that may be sent, if nothing else speaks against it. */
function decideOpen(row: Facts, options: DecideOptions, settles: 'not-created' | null, isAgain = false): Decision {
  const isAllowed = (code: SkipReason): boolean => options.allow.has(code);
  if (!row.isValid) return not('invalid', 'invalid', null);
  if (row.parents.includes('not-in')) return not('wait', 'waits-for-parent', null);
  if (row.parents.includes('changed') && !options.allow.has('same-ref')) return not('wait', 'parent-changed', null);
  if (isAgain) return { do: 'send', settles, isAgain };
  const { how, equal, sameValues, laterUpdate, saysNew } = row;
  if (laterUpdate !== null && !isAllowed('later-update')) return hold('later-update', laterUpdate);
  if (equal !== null && saysNew && how !== 'new' && !isAllowed('equal-to-loaded-row'))
    return hold('equal-to-loaded-row', equal);
  if (sameValues !== null && !isAllowed('possible-correction')) return hold('possible-correction', sameValues);
  return { do: 'send', settles, isAgain };
}

/** An update that is in doubt goes out again: it leaves what it leaves when it is sent once. */
function isRepeatable({ isUpdate, saysNew }: Facts): boolean {
  return isUpdate && !saysNew;
}

function hold(why: SkipReason, other: LogicalRow | null = null): Decision {
  return not('hold', why, other);
}

function not(what: 'skip' | 'hold' | 'wait' | 'invalid', why: SkipReason, other: LogicalRow | null): Decision {
  return { do: what, why, other };
}

/**
 * Decides what happens to a row, and why it is not sent. Pure: no ledger, no clock, no state. Its one rule: a row is sent only if
 * nothing known speaks against it. What cannot be known is held, with the code of what would settle it.
 */
import { type LogicalRow, takesAnswer } from '../ledger/ledger.ts';
import { isRewritten } from '../mapping/spreadsheet-rewriting.ts';
import { answerToDoubt, notCreatedMark, typedAnswerOf } from '../staging/own-columns.ts';
import type { Allowed, DecideOptions, Decision, Facts, Sent, Skipped, SkipReason } from './decision.ts';

export function decide(row: Facts, options: DecideOptions): Decision {
  const { known, foundBy, aside } = row;
  if (foundBy === 'unknown-key') {
    const id = row.answer?.id ?? null;
    return { ...notSent('hold', 'unknown-key'), ...(id !== null && { typed: id }) };
  }
  if (foundBy === 'other-kind') return notSent('invalid', 'key-of-another-kind', known);
  if (foundBy === 'trusted') return decideTrusted(row, options);
  if (known?.phase === 'committed') return decideCommitted(row, known, options);
  const isUnknown = known?.phase === 'in-doubt' || known?.phase === 'sending';
  if (aside !== null && !isUnknown) return notSent('skip', aside);
  if (row.copiesDiffer) return notSent(isUnknown ? 'hold' : 'invalid', 'copies-differ', known);
  if (foundBy === 'copy') return notSent('skip', 'copy-of-row', known);
  // Its load is still running. An answer would count for the doubt that the row may become.
  if (known?.phase === 'sending') return notSent('hold', 'being-sent', known);
  if (known !== null && isUnknown) return decideDoubt(row, known, options);
  if (row.saysIn || row.answer?.kind === 'created')
    return { ...notSent('invalid', 'id-of-row-not-in', known), typed: createdAs(row.answer?.id ?? '') };
  return decideOpen(row, options);
}

/** The typed text if the next load reads it as an id, else `created`: the Status cell changes, and the ID cell must say it alone. */
function createdAs(typed: string): string {
  return typedAnswerOf(typed).kind === 'created' ? typed : 'created';
}

function decideCommitted(row: Facts, known: LogicalRow, options: DecideOptions): Decision {
  const { answer, saysIn } = row;
  const { record } = known;
  const mayGetId = takesAnswer(known, true) && answer?.attempt === known.attempt;
  const id = mayGetId ? (answerToDoubt(row)?.id ?? null) : null;
  const typed = answer?.id ?? (saysIn || record === null ? textThatIsNoId(answer, record) : null);
  const isOther = typed !== null && (record === null ? id === null : typed !== record && !isRewritten(typed, record));
  const isDenied = answer?.kind === 'not-created' && answer.attempt === known.attempt && !isWordForNotCreated(record);
  if (isOther || isDenied) return { ...notSent('invalid', 'ids-differ', known), typed: typed ?? notCreatedMark };
  const isDone = known.at.run === options.resumes;
  if (options.again && row.foundBy !== 'copy' && row.aside === null && !isDone) {
    const decided = decideOpen(row, options, true);
    // The rows that a run sends again have new ids since it registered them.
    const wasRegistered = options.resumes != null && known.runs.includes(options.resumes);
    if (decided.do !== 'send' || !wasRegistered) return { ...decided, isAgain: true };
  }
  const settled = settledAs(row, known);
  return id === null || row.foundBy === 'copy' ? settled : { do: 'settle', id, reportedAs: settled };
}

function settledAs({ aside, saysIn, saysNew, saysOther }: Facts, known: LogicalRow): Skipped {
  // Where its results say that it is in, a row that equals its export was put back since.
  const isChanged = saysNew || (aside === 'unchanged' && saysIn && saysOther);
  return notSent('skip', isChanged ? 'changed-since-loaded' : saysOther ? 'loaded-otherwise' : 'already-loaded', known);
}

/** A rounded id may still be that of the row, where it has one. */
function textThatIsNoId(answer: Facts['answer'], record: string | null): string | null {
  return answer?.kind === 'unclear' && (record === null || !answer.isRounded) ? answer.typed : null;
}

/** Whether the id that the service gave a record happens to be such a word. */
function isWordForNotCreated(id: string | null): boolean {
  return id !== null && typedAnswerOf(id).kind === 'not-created';
}

function decideDoubt(row: Facts, known: LogicalRow, options: DecideOptions): Decision {
  const answer = answerToDoubt(row);
  const inDoubt = notSent('hold', row.saysOther ? 'in-doubt-otherwise' : 'in-doubt', known);
  if (answer === null) {
    const repeated = known.isToRepeat ? decideOpen(row, options) : inDoubt;
    return repeated.do === 'send' ? repeated : inDoubt;
  }
  if (answer.kind === 'unclear')
    return { ...notSent('hold', 'answer-unclear', known), typed: answer.typed, isRounded: answer.isRounded };
  if (row.answer?.attempt !== known.attempt) return notSent('hold', 'answer-to-other-attempt', known);
  if (row.saysIn && answer.kind === 'not-created') return notSent('hold', 'answer-beside-status', known);
  if (answer.kind === 'created') {
    const { id } = answer;
    return { do: 'settle', id, ...(row.saysOther && { reportedAs: settledAs(row, { ...known, record: id }) }) };
  }
  return { ...decideOpen(row, options), settles: 'not-created' };
}

/** For a row that is known only from a results sheet that the person trusts. */
function decideTrusted(row: Facts, options: DecideOptions): Decision {
  const { saysIn, answer, known } = row;
  if (saysIn && answer?.kind === 'not-created') return notSent('hold', 'answer-beside-status', known);
  if (saysIn || answer?.kind === 'created') {
    if (known?.phase === 'in-doubt') return { do: 'settle', id: answer?.id ?? null };
    return { ...notSent('skip', 'already-loaded'), ...(answer?.kind === 'unclear' && { typed: answer.typed }) };
  }
  return answer?.kind === 'not-created' ? decideOpen(row, options) : notSent('hold', 'in-doubt');
}

/** For a row that is sent unless one of these reasons prevents it. */
function decideOpen(row: Facts, options: DecideOptions, isAgain = false): Sent | Skipped {
  const { known, aside } = row;
  if (aside !== null) return notSent('skip', aside);
  const isRepeat = isAgain || (known !== null && known.repeats !== null && known.firstRun === options.resumes);
  const heldFor = isRepeat ? undefined : rowHeldFor(row, options);
  if (!row.isValid) return { ...notSent('invalid', 'invalid'), heldFor };
  const isRefusedHere = known?.outcome === 'rejected' && known.at.run === options.resumes;
  if (isRefusedHere) return notSent('skip', 'refused-before', known);
  const held = isRepeat ? null : firstHold(row, options);
  if (held !== null) return { ...held, heldFor };
  for (const why of ['same-ref', 'waits-for-parent', 'parent-without-id'] as const)
    if (row.waits.includes(why) && !options.allow.has(why)) return notSent('wait', why);
  if (row.isTurnOver) return notSent('leave', 'not-its-turn');
  return { do: 'send', settles: null, isAgain };
}

/** What a person must settle before the row is sent. All but a Ref of several records can be allowed. */
function firstHold({ holds }: Facts, { allow }: DecideOptions): Skipped | null {
  for (const [why, other] of holds) if (why === 'ref-of-several' || !allow.has(why)) return notSent('hold', why, other);
  return null;
}

/** What speaks against a row that is sent, and is allowed. */
export function allowedIn({ holds, waits }: Facts, { allow }: DecideOptions): readonly Allowed[] {
  const held = holds.flatMap(([why, other]) => (allow.has(why) ? [{ why, other }] : []));
  return waits.includes('same-ref') ? [{ why: 'same-ref', other: null }, ...held] : held;
}

/** The id of the row that a row is held for. A row with a key is another row even if it equals one, unless it may be a correction. */
function rowHeldFor({ foundBy, holds }: Facts, { allow }: DecideOptions): number | undefined {
  const counts = (why: SkipReason) => !allow.has(why) && (foundBy !== 'key' || why !== 'equal-to-loaded-row');
  const reasons = ['equal-to-loaded-row', 'possible-correction', 'later-update'] as const;
  const held = reasons.flatMap((reason) => holds.filter(([why]) => why === reason && counts(why)));
  return held[0]?.[1].id;
}

function notSent(what: Skipped['do'], why: SkipReason, other: LogicalRow | null = null): Skipped {
  return { do: what, why, other };
}

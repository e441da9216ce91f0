/** Gathers the facts about a batch of rows from the ledger and staging, and decides each row. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { isLater, type LogicalRow, type Place } from '../ledger/ledger.ts';
import { oncePerText } from '../once.ts';
import { isRegistered, type KnownStaged, numberOfNew } from '../staging/staged-row.ts';
import { exportedAtOf } from '../staging/unchanged-cells.ts';
import { pathsShown, RowFields, sensitiveOf } from './changed-fields.ts';
import { allowedIn, decide } from './decide.ts';
import {
  type Allowed,
  decisionOf,
  type Facts,
  type KeptRow,
  type PlanOptions,
  type SkipReason,
  type StagedDecision,
  whyOf,
  withoutContent,
} from './decision.ts';
import { digestsFor, whyWaits } from './parents.ts';
import {
  type Around,
  areTwo,
  candidatesOf,
  isLive,
  isOfFile,
  joined,
  mayBeSince,
  type RowDigests,
  updatesOf,
} from './row-digests.ts';
import { claimantsIn, type LaterOf, type ReplacedRows } from './unclaimed-rows.ts';

export interface FactsAround extends PlanOptions, Around {
  /** The files that the source may be a copy of. It may hold corrections of their rows. */
  readonly origins: ReadonlyMap<string, number>;
  readonly laterOf: LaterOf;
  readonly replaced: ReplacedRows;
  /** By the id of a row and a digest that identifies both: a row further up that goes out. The ledger learns it when the load begins. */
  readonly sentBefore: Map<string, LogicalRow[]>;
}

/** @returns decides a row of the batch, once all rows before it are decided */
export async function decisionFacts(kind: RecordKindName, rows: readonly KnownStaged[], around: FactsAround) {
  const batch = await batchOf(kind, rows, around);
  return (row: KnownStaged, isTurnOver: boolean): StagedDecision => decided(batch, row, isTurnOver);
}

async function batchOf(kind: RecordKindName, rows: readonly KnownStaged[], around: FactsAround) {
  const { ledger, staging, resumes = null } = around;
  const maybeKnown = rows.filter(({ mayBeKnown }) => mayBeKnown);
  const keyed = maybeKnown.filter(({ own }) => own !== null);
  const places = await ledger.lookupPlaces(keyed.map(({ own }) => own as Place));
  const equals = staging.equalsOf(rows);
  const keyedEquals = [...equals.values()].flatMap(([, id]) => id ?? []);
  const known = await ledger.lookupRows([...maybeKnown.map(({ id }) => id).filter(isRegistered), ...keyedEquals]);
  const marked = await digestsFor(kind, rows, around);
  const asked = new Set(maybeKnown.flatMap(marked.digests.all));
  for (const { id, content } of maybeKnown) {
    const own = known.get(id ?? 0) ?? null;
    if (own?.content !== content) for (const digest of updatesOf(own, around)) asked.add(digest);
  }
  const candidates = await candidatesOf(around, [...asked]);
  const rowsWith = oncePerText((digest) => candidates([digest]));
  const ofRun = resumes === null ? [] : [...asked].flatMap(rowsWith).filter(({ firstRun }) => firstRun === resumes);
  const claimantOf = claimantsIn(staging, new Map(ofRun.map(({ id, repeats }) => [repeats ?? 0, id])));
  return {
    ...around,
    ...marked,
    kind: recordKind(kind),
    known,
    /** The rows that the known ones were held for: as possible corrections of them, or as equal to them. */
    corrected: await ledger.lookupRows([...known.values()].flatMap(({ corrects }) => corrects ?? [])),
    candidates,
    equals,
    claimantOf,
    /** The rows of the ledger that have a digest: all, and those that no row of this file claims. */
    rowsWith,
    unclaimed: oncePerText((digest) => rowsWith(digest).filter((row) => claimantOf(row) === null)),
    later: await around.laterOf([...known.values()].filter(({ phase }) => phase === 'open')),
    /** What the ledger has for the key of each row: its attempt and its service. */
    appearances: new Map(keyed.map(({ number }, at) => [number, places[at] ?? null])),
  };
}

type Batch = Awaited<ReturnType<typeof batchOf>>;

function decided(batch: Batch, row: KnownStaged, isTurnOver: boolean): StagedDecision {
  const { kind, staging, ledger, service, refScope, resumes, again, origin, origins, sourceName } = batch;
  const { candidates, digests, claimantOf: hereAs } = batch;
  const { isUpdate, hasFile } = kind.sending;
  /** As the ledger has it. */
  const registered = batch.known.get(row.id ?? 0) ?? null;
  const { phase, attempt, firstRun, repeats } = registered ?? {};
  const isNew = phase === 'open' && firstRun === resumes && attempt === 0 && repeats === null;
  /** `null` for a new row, also once the run that goes on has registered it: it decides on the row as it did then. */
  const known = isNew ? null : registered;
  const isCompared = row.mayBeKnown || batch.replaced.has(row.number);
  const corrects = isCompared ? mayCorrect() : [];
  return staged();

  function staged(): StagedDecision {
    // A copy is held for the same reason as its line.
    const first = row.foundBy === 'copy' ? (numberOfNew(row.id) ?? hereAs({ id: row.id ?? 0 })?.number) : null;
    const line = first == null ? null : staging.one(first);
    const ofLine = line === null || line.foundBy === 'key' || row.differs ? null : decisionOf(line);
    if (ofLine !== null && whyOf(ofLine) === 'equal-to-loaded-row') return ofLine;
    const facts = factsOf();
    const decision = decide(facts, batch);
    if (decision.do === 'send') {
      const isBelow = (other: LogicalRow) => (hereAs(other)?.number ?? 0) > row.number;
      for (const { id } of registered === null ? [] : corrects.filter(isBelow))
        for (const digest of digests.identifies(row))
          batch.sentBefore.set(`${id} ${digest}`, [registered as LogicalRow]);
      const mayBeApplied = decision.settles === null && known?.isToRepeat === true;
      const allowed = (decision.isAgain ? [] : allowedIn(facts, batch)).map(withChanged);
      const equals = equalsIn(decision.isAgain);
      return { equals, mayBeApplied, ...decision, ...(allowed.length > 0 && { allowed }) };
    }
    if (decision.do !== 'settle') return withChanged(decision);
    const { reportedAs } = decision;
    return reportedAs === undefined ? decision : { ...decision, reportedAs: withChanged(reportedAs) };
  }

  function withChanged<Of extends Allowed>(decision: Of): Of {
    if (decision.other === null) return decision;
    const changed = decision.why === 'changed-since-loaded' ? changedSince(decision.other) : null;
    return { ...decision, other: withoutContent(decision.other), ...(changed !== null && { changed }) };
  }

  function factsOf(): Facts {
    const isOwnUpdated = known !== null && isUpdated(known);
    const appearance = batch.appearances.get(row.number) ?? null;
    // The Status, ID and Run cells count only for the row that they name, and only in its service. `--again` overrules an unknown key.
    const isOther = appearance === null ? again : appearance.service !== service || appearance.row.id !== row.id;
    const own = isOther ? null : row.own;
    return {
      isValid: row.isValid,
      foundBy: row.foundBy,
      aside: row.aside ?? null,
      copiesDiffer: row.differs,
      known,
      saysNew: known !== null && !isOwnUpdated && !hadContent(known),
      saysOther: known !== null && !isOwnUpdated && saysOther(known),
      saysIn: own?.saysIn ?? false,
      answer: own?.answer ? { ...own.answer, attempt: Math.min(own.attempt, appearance?.attempt ?? -1) } : null,
      waits: row.parents.flatMap((parent) => whyWaits(parent, batch, isTurnOver) ?? []),
      holds: holds(),
      isTurnOver,
    };
  }

  function holds(): Facts['holds'] {
    const before = (digest: string) => batch.sentBefore.get(`${row.id} ${digest}`) ?? [];
    const [sentBefore] = batch.sentBefore.size === 0 ? [] : sharing('agrees', before);
    const reasons: readonly (readonly [SkipReason, LogicalRow | null | undefined])[] = [
      ['ref-of-several', sameRef()],
      ['later-update', laterUpdate()],
      ['equal-to-loaded-row', equal()],
      ['possible-duplicate', other('unique', isLive)],
      ['possible-correction', corrects.find(isLiveOrComes) ?? sentBefore],
      // A check reports two rows of one file that may be the same, so rows that this file claims do not count.
      ['like-loaded', sharing('likes', batch.unclaimed).find(isLive)],
    ];
    return reasons.filter((one): one is Facts['holds'][number] => one[1] != null);
  }

  /** The rows of the ledger that share a digest with this one, which may be among them. */
  function sharing(digest: keyof RowDigests, rowsWith = batch.rowsWith): readonly LogicalRow[] {
    return row.mayBeKnown ? joined(digests[digest](row).map(rowsWith)) : [];
  }

  /** @param isMeant  gets another row that shares the digest, and the row of this file that claims it, if any */
  function other(digest: keyof RowDigests, isMeant: (other: LogicalRow, here: KnownStaged | null) => boolean) {
    return sharing(digest).find((one) => one.id !== row.id && isMeant(one, hereAs(one)));
  }

  function fields(): RowFields {
    return new RowFields(ledger, row, staging.data(row), batch.forms);
  }

  function changedSince(sent: KeptRow, orSensitive = true): readonly string[] | null {
    const { columns } = staging.sheetOf(row);
    const changed = fields().changedSince(sent, pathsShown(staging.data(row), columns));
    return changed?.length === 0 && orSensitive ? sensitiveOf(columns) : changed;
  }

  /** Whether later updates account for every changed field of the row, so that there is no change to report. */
  function isUpdated(sent: LogicalRow): boolean {
    // Masked values have no digest.
    if (hadContent(sent) || row.isMasked === true || digests.masked(row).length > 0) return false;
    const updates = candidates(updatesOf(sent, batch)).filter((one) => isLive(one) && one.kind === kind.updatedBy);
    if (updates.length === 0) return false;
    const latestFirst = updates.sort((one, other) => (isLater(one.at.order, other.at.order) ? -1 : 1));
    const changed = changedSince(sent) ?? [];
    return changed.length > 0 && fields().areUpdatedBy(latestFirst, changed);
  }

  function hadContent(sent: LogicalRow): boolean {
    return sharing('content').some(({ id }) => id === sent.id) || isUnseenSame(sent);
  }

  function saysOther(sent: LogicalRow): boolean {
    if (row.isMasked === true) return (changedSince(sent, false) ?? []).length > 0;
    return sent.content !== null && !wasSentAs(sent) && !isUnseenSame(sent);
  }

  function wasSentAs({ content }: LogicalRow): boolean {
    return content !== null && digests.content(row).includes(content);
  }

  /** The values that a trusted results sheet masked, and a file that is gone, are unknown, so they count as unchanged. */
  function isUnseenSame(sent: LogicalRow): boolean {
    const isMasked = sent.content !== null && digests.masked(row).includes(sent.content);
    return isMasked || (hasFile && staging.data(row).file === null && changedSince(sent)?.length === 0);
  }

  /** How many other rows have the same content, live in the ledger or in this file. With `--again` the row as it was sent is one of them. */
  function equalsIn(isAgain: boolean): number {
    const live = sharing('content').filter((one) => (isAgain || one.id !== row.id) && isLive(one)).length;
    const [here = 1] = batch.equals.get(row.content ?? '') ?? [];
    return live + here - 1;
  }

  /** A row with the same content that this one may duplicate: committed or in doubt, or in this file by its key. */
  function equal(): LogicalRow | null {
    // An update that restores an earlier value is meant.
    if (isUpdate && known === null) return null;
    const isSaidAnew = known === null || known.content === null || saysOther(known);
    // Two rows that met are two, unless the one was held for the other.
    const isUnmet = (one: LogicalRow) =>
      !isUpdate && known !== null && !isLive(known) && (one.corrects === known.id || !areTwo(known, one));
    const alike = other('content', (one, here) => {
      if (here?.foundBy === 'key' && row.foundBy !== 'key') return true;
      if (!isLive(one)) return false;
      // A line without a key beside the line with its key may be the original line, pasted in.
      if (here !== null && here.foundBy !== 'key' && row.foundBy === 'key' && !hasOtherRef(one)) return true;
      // The other sheet may be a copy of this one, unless the run that goes on was to send both.
      if (here !== null && known === null && here.sheet !== row.sheet && one.firstRun !== resumes) return true;
      // If this file claims it with the same content, both are meant.
      if (saysTheSame(here)) return false;
      // One that says what it always said may have been invalid whenever the two met.
      if (!isSaidAnew || wereEqual(one)) return isUnmet(one);
      // A row that is in this file with other values counts only by the content it was sent with.
      return known !== null || here === null || wasSentAs(one);
    });
    if (alike !== undefined) return alike;
    const held = heldFor(true);
    // Beside the line of the other, both are meant if they have two Refs and say the same, or were equal at first.
    const here = held === null ? null : hereAs(held);
    const areMeant = here !== null && held !== null && ((hasOtherRef(held) && saysTheSame(here)) || wereEqual(held));
    if (!areMeant && held !== null) return held;
    // A line with the key beside one that has none: that may be the original line, pasted in, and corrected in both places.
    const [, keyed = null] = batch.equals.get(row.content ?? '') ?? [];
    return row.foundBy !== 'key' && keyed !== null ? (batch.known.get(keyed) ?? null) : null;
  }

  function saysTheSame(here: KnownStaged | null): boolean {
    return here !== null && here.content !== null && here.content === row.content;
  }

  /** Whether both rows said the same when one load first met them: then both are meant, whatever this one said in between. */
  function wereEqual({ id, firstRun: met }: LogicalRow): boolean {
    const atFirst = candidates(digests.content(row)).filter((one) => one.isFirst && one.firstRun === met);
    return [id, row.id].every((one) => atFirst.some((first) => first.id === one));
  }

  /** A live record that has the Ref of this row. Excludes repeats, and rows that this file claims unchanged with another Ref. */
  function sameRef() {
    const [ref] = digests.ref(row);
    const of = known?.repeats ?? null;
    const isCopy = (one: LogicalRow) => one.repeats === known?.id || of === one.id;
    return other('ref', (one, here) => {
      const isByOtherRef =
        here !== null && here.ref !== row.ref && here.content !== null && here.content === one.content;
      return isLive(one) && one.ref === ref && !isCopy(one) && !isByOtherRef;
    });
  }

  /** An update of the same company, later in the ledger or further down in this file, that may be applied before this row is sent. */
  function laterUpdate() {
    // Another file has sent it: this one restores it, or is sorted.
    const isApart = (one: LogicalRow) => registered === null && one.origin !== origin && hereAs(one) === null;
    return other('updates', (update, here) => {
      // Excludes an update that is repeated after this row.
      const isMaybeApplied = update.isToRepeat ? here === null || here.number < row.number : isLiveOrComes(update);
      // Rows may have been sorted since, so those that were sent or came in one sheet keep the order of the ledger.
      const wereOne = registered?.at.order[0] === update.at.order[0];
      const isOrderKnown = registered !== null && (registered.attempt > 0 || here === null || wereOne);
      // Rows that came in one load have ids in its order, whichever was sent again since. What is in counts as it went in.
      const isAfterOf = (one: LogicalRow) =>
        update.firstRun === one.firstRun && one.phase !== 'committed'
          ? update.id > one.id
          : isLater(update.at.order, one.at.order);
      const isAfter = isOrderKnown ? isAfterOf(registered) : here !== null && here.number > row.number;
      // This file sent the other one itself, so a row of a file that it was only once a copy of restores a value.
      const fewest = isOfFile(update, origin) ? 1 : 0;
      // The file has grown since the other came with another one, or has the other beside what a third one sent.
      const isOlder = (one: LogicalRow) =>
        ((origins.get(one.origin) ?? -1) >= fewest && !isOfFile(one, update.at.sourceName)) ||
        (here !== null && update.origin !== origin && isApart(one));
      const isOvertaken = sharing('content').some((one) => isOlder(one) && isAfterOf(one));
      return isMaybeApplied && (isAfter || isOvertaken || registered?.corrects === update.id || undoes(update));
    });
  }

  /** Whether a row of an export would undo a newer update, with a value that was not changed or in a file of another name. */
  function undoes(update: LogicalRow): boolean {
    const exportedAt = exportedAtOf(staging.cellsOf(row));
    if (exportedAt === null || !mayBeSince(update, exportedAt)) return false;
    const since = sharing('updates').filter((one) => isLive(one) && isLater(one.at.order, update.at.order));
    const ofList = isOfFile(update, sourceName) ? (staging.data(row).asExported ?? []) : null;
    return fields().overwrites(update, ofList, since);
  }

  /** The rows that this one may correct. */
  function mayCorrect(): readonly LogicalRow[] {
    // Rows that share a Ref were found by it, so two that have one are two.
    const others = [...alikeRows(), ...laterThan()].filter((one) => !hasOtherRef(one));
    // An open row that says the same and is not in this file may be this row. Then the other must have met that one, too.
    const mayBeThis = (one: LogicalRow) => one.phase === 'open' && registered !== null && !areTwo(registered, one);
    const mine = [registered ?? [], sharing('content', batch.unclaimed).filter(mayBeThis)].flat();
    const isApart = (one: LogicalRow) =>
      one.firstRun === registered?.firstRun || (mine.length > 0 && mine.every((me) => areTwo(me, one)));
    const apart = others.filter((one) => !isApart(one));
    const held = heldFor(false);
    return held === null ? apart : [held, ...apart];
  }

  /**
   * Once held for a row that is in, in doubt or in this file, a row stays held, however the rows around it are sorted or changed.
   *
   * @param isEqual  whether the other says what this one says, or once said it
   */
  function heldFor(isEqual: boolean): LogicalRow | null {
    const other = registered?.phase === 'open' && !isUpdate && batch.corrected.get(registered.corrects ?? 0);
    if (!other || !(isLive(other) || hereAs(other) !== null)) return null;
    return (hadContent(other) || saysTheSame(hereAs(other))) === isEqual ? other : null;
  }

  /** Rows with the same identifying values, whose own line said the same in a later file, or that were once in the place of this one. */
  function alikeRows(): readonly LogicalRow[] {
    if (known !== null && isLive(known)) return [];
    const numbered = digests.numbered(row).map((digest) => candidates([digest]).filter(isLive));
    const withValues = [...sharing('agrees'), ...numbered.filter(({ length }) => length === 1).flat()];
    // A new row is compared only with rows that this file does not claim.
    const isOfSource = (one: LogicalRow) =>
      known === null
        ? (row.own !== null || origins.has(one.origin)) && hereAs(one) === null
        : one.origin === known.origin;
    const saidSince = sharing('since', batch.unclaimed);
    const inPlace = (batch.replaced.get(row.number) ?? []).filter((one) => fields().areMostlyOf(one));
    const all = [...withValues.filter(isOfSource), ...saidSince, ...inPlace];
    return all.filter((one) => one.id !== row.id);
  }

  /**
   * For an open row: what a later load of the same source may have sent in its place. A row that this file lacks must say much the
   * same. If the person changed the identifying values since, any such row counts, and one beside it that says much the same. So
   * does one in its place that says much the same, unless what identifies the two tells them apart.
   */
  function laterThan(): readonly LogicalRow[] {
    const later = batch.later.get(registered?.id ?? 0);
    if (registered === null || later === undefined) return [];
    const alike = new Set(sharing('agrees').map(({ id }) => id));
    const isChanged = row.foundBy === 'key' && !alike.has(registered.id);
    const isApart = (one: LogicalRow) => !isChanged && !alike.has(one.id) && digests.agrees(row).length > 0;
    const mayBe = (one: LogicalRow) => (isChanged === (hereAs(one) !== null) ? fields().areMostlyOf(one) : isChanged);
    const inPlace = later.inPlace.filter((one) => !isApart(one) && fields().areMostlyOf(one));
    return [...later.ofShared.filter(mayBe), ...inPlace];
  }

  function hasOtherRef(one: LogicalRow): boolean {
    return (one.ref ?? hereAs(one)?.ref ?? null) !== null && row.ref !== null && refScope === 'service';
  }

  /** Committed, in doubt, or about to be sent by another row of this file. */
  function isLiveOrComes(one: LogicalRow): boolean {
    const here = hereAs(one);
    return isLive(one) || (here !== null && decisionOf(staging.one(here.number))?.do === 'send');
  }
}

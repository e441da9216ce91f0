/** Gathers the facts about a batch of rows from the ledger and staging, and decides each row. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Appearance, isLater, type LogicalRow, type Place } from '../ledger/ledger.ts';
import { oncePerText } from '../once.ts';
import { isRegistered, type KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { exportedAtOf } from '../staging/unchanged-cells.ts';
import { pathsShown, RowFields, sensitiveOf } from './changed-fields.ts';
import { allowedIn, decide } from './decide.ts';
import {
  type Allowed,
  areCopies,
  decisionOf,
  type Facts,
  haveSameContent,
  isNewIn,
  type PlanOptions,
  type SkipReason,
  type StagedDecision,
  withoutContent,
} from './decision.ts';
import { digestsFor, whyWaits } from './parents.ts';
import type { Around, RowDigests } from './row-digests.ts';
import { candidatesOf, certainlyTwo, isLive, isOfFile, liveOf, mayBeSince, updatesOf } from './row-digests.ts';
import { type ClaimantOf, claimantsIn, type LaterRows, type ReplacedRows } from './unclaimed-rows.ts';

export interface FactsAround extends PlanOptions, Around {
  /** The files that the source may be a copy of. It may hold corrections of their rows. */
  readonly origins: ReadonlyMap<string, number>;
  readonly laterThan: LaterRows;
  readonly replaced: ReplacedRows;
}

interface Batch extends FactsAround, Awaited<ReturnType<typeof digestsFor>> {
  readonly kind: RecordKindName;
  readonly known: ReadonlyMap<number, LogicalRow>;
  /** The rows that the known ones were held for: as possible corrections of them, or as equal to them. */
  readonly corrected: ReadonlyMap<number, LogicalRow>;
  readonly candidates: Awaited<ReturnType<typeof candidatesOf>>;
  readonly equals: ReturnType<Staging['equalsOf']>;
  /** What the ledger has for the key of each row: its attempt and its service. */
  readonly appearances: ReadonlyMap<number, Appearance | null>;
  readonly claimantOf: ClaimantOf;
  /** The rows of the ledger that have a digest: all, and those that no row of this file claims. */
  readonly rowsWith: (digest: string) => readonly LogicalRow[];
  readonly unclaimed: Batch['rowsWith'];
  /** In a resume with `--again`: the rows that its run has registered. */
  readonly registered: ReadonlySet<number>;
}

/** @returns decides a row of the batch, once all rows before it are decided */
export async function decisionFacts(kind: RecordKindName, rows: readonly KnownStaged[], around: FactsAround) {
  const { ledger, staging, again, resumes = null } = around;
  const maybeKnown = rows.filter(({ mayBeKnown }) => mayBeKnown);
  const keyed = maybeKnown.filter(({ own }) => own !== null);
  const places = await ledger.lookupPlaces(keyed.map(({ own }) => own as Place));
  const inRun = ({ row, ...of }: KnownStaged) => ({ run: resumes ?? '', sheet: staging.sheetOf(of).name, row });
  const registered = again && resumes !== null ? await ledger.lookupPlaces(rows.map(inRun)) : [];
  const equals = staging.equalsOf(rows);
  const keyedEquals = [...equals.values()].flatMap(([, id]) => id ?? []);
  const known = await ledger.lookupRows([...maybeKnown.map(({ id }) => id).filter(isRegistered), ...keyedEquals]);
  const saysOther = ({ id, content }: KnownStaged) => known.get(id ?? 0)?.content !== content;
  const marked = await digestsFor(kind, rows, around);
  const asked = new Set([
    ...maybeKnown.flatMap(marked.digests.all),
    ...maybeKnown.filter(saysOther).flatMap(({ id }) => updatesOf(known.get(id ?? 0) ?? null, around)),
  ]);
  const candidates = await candidatesOf(around, [...asked]);
  const rowsWith = oncePerText((digest) => candidates([digest]).map(({ row }) => row));
  const ofRun = resumes === null ? [] : [...asked].flatMap(rowsWith).filter(({ firstRun }) => firstRun === resumes);
  const claimantOf = claimantsIn(staging, new Map(ofRun.map(({ id, repeats }) => [repeats ?? 0, id])));
  const batch: Batch = {
    ...around,
    ...marked,
    kind,
    known,
    corrected: await ledger.lookupRows([...known.values()].flatMap(({ corrects }) => corrects ?? [])),
    candidates,
    equals,
    claimantOf,
    rowsWith,
    unclaimed: oncePerText((digest) => rowsWith(digest).filter((row) => claimantOf(row) === null)),
    appearances: new Map(keyed.map(({ number }, at) => [number, places[at] ?? null])),
    registered: new Set(rows.filter((_, at) => registered[at] != null).map(({ number }) => number)),
  };
  const facts = new Map(rows.map((row) => [row.number, new RowFacts(row, batch)]));
  await lookUpOthers([...facts.values()], batch);
  return ({ number }: KnownStaged, isTurnOver: boolean) => (facts.get(number) as RowFacts).staged(isTurnOver);
}

/** Leaves out rows that are certainly distinct. */
async function lookUpOthers(rows: readonly RowFacts[], { ledger, replaced }: Batch): Promise<void> {
  const asked = rows.filter(({ row }) => row.mayBeKnown || replaced.has(row.number));
  const others = await Promise.all(asked.map(async (one) => [one, await one.mayCorrect(), one.mayEqual()] as const));
  const compared = others.map(([one, ...found]) => [one.registered, found.flat()] as const);
  const areTwo = await certainlyTwo(ledger, compared);
  for (const [one, corrects, equal] of others) {
    one.corrects = corrects.filter((other) => !areTwo(one.registered, other));
    one.secondLineOf = equal.filter((other) => !areTwo(one.registered, other));
  }
}

class RowFacts {
  readonly row: KnownStaged;
  corrects: readonly LogicalRow[] = [];
  /** The rows that this one, which was never sent, may be a second line of. */
  secondLineOf: readonly LogicalRow[] = [];
  /** As the ledger has it. */
  readonly registered: LogicalRow | null;
  /** `null` for a new row, also once the run that goes on has registered it. */
  readonly #known: LogicalRow | null;
  readonly #batch: Batch;
  readonly #hereAs: ClaimantOf;

  constructor(row: KnownStaged, batch: Batch) {
    this.row = row;
    this.registered = row.id === null ? null : (batch.known.get(row.id) ?? null);
    this.#known = isNewIn(batch, this.registered) ? null : this.registered;
    this.#batch = batch;
    this.#hereAs = batch.claimantOf;
  }

  staged(isTurnOver: boolean): StagedDecision {
    const facts = this.#facts(isTurnOver);
    const decision = decide(facts, this.#batch);
    if (decision.do === 'send') {
      const mayBeApplied = decision.settles === null && this.#known?.isToRepeat === true;
      const allowed = (decision.isAgain ? [] : allowedIn(facts, this.#batch)).map((one) => this.#withChanged(one));
      const equals = this.#equals(decision.isAgain);
      return { equals, mayBeApplied, ...decision, ...(allowed.length > 0 && { allowed }) };
    }
    if (decision.do !== 'settle') return this.#withChanged(decision);
    const { reportedAs } = decision;
    return reportedAs === undefined ? decision : { ...decision, reportedAs: this.#withChanged(reportedAs) };
  }

  #withChanged<Of extends Allowed>(decision: Of): Of {
    if (decision.other === null) return decision;
    const changed = decision.why === 'changed-since-loaded' ? this.#changed(decision.other) : null;
    return { ...decision, other: withoutContent(decision.other), ...(changed !== null && { changed }) };
  }

  #facts(isTurnOver: boolean): Facts {
    const [row, known] = [this.row, this.#known];
    const { service, again, appearances } = this.#batch;
    const isUpdated = known !== null && this.#isUpdated(known);
    const appearance = appearances.get(row.number) ?? null;
    // The Status, ID and Run cells count only for the row that they name, and only in its service. `--again` overrules an unknown key.
    const isOther = appearance === null ? again : appearance.service !== service || appearance.row.id !== row.id;
    const own = isOther ? null : row.own;
    return {
      isValid: row.isValid,
      foundBy: row.foundBy,
      aside: row.aside ?? null,
      copiesDiffer: row.differs,
      known,
      saysNew: known !== null && !isUpdated && !this.#hadContent(known),
      saysOther: known !== null && !isUpdated && this.#saysOther(known),
      saysIn: own?.saysIn ?? false,
      answer: own?.answer ? { ...own.answer, attempt: Math.min(own.attempt, appearance?.attempt ?? -1) } : null,
      waits: row.parents.flatMap((parent) => whyWaits(parent, this.#batch, isTurnOver) ?? []),
      holds: this.#holds(),
      isTurnOver,
      isRegistered: this.#batch.registered.has(row.number),
    };
  }

  #holds(): Facts['holds'] {
    const reasons: readonly (readonly [SkipReason, LogicalRow | null])[] = [
      ['ref-of-several', this.#sameRef()],
      ['later-update', this.#laterUpdate()],
      ['equal-to-loaded-row', this.#equal()],
      ['possible-duplicate', this.#other('unique', isLive)],
      ['possible-correction', this.corrects.find((one) => this.#isLiveOrComes(one)) ?? null],
      // A check reports two rows of one file that may be the same, so rows that this file claims do not count.
      ['like-loaded', this.#sharing('likes', this.#batch.unclaimed).find(isLive) ?? null],
    ];
    return reasons.filter((one): one is Facts['holds'][number] => one[1] !== null);
  }

  /** The rows of the ledger that share a digest with this one, which may be among them. */
  #sharing(digest: keyof RowDigests, rowsWith = this.#batch.rowsWith): readonly LogicalRow[] {
    return this.row.mayBeKnown ? this.#batch.digests[digest](this.row).flatMap(rowsWith) : [];
  }

  /** @param isMeant  gets another row that shares the digest, and the row of this file that claims it, if any */
  #other(digest: keyof RowDigests, isMeant: (other: LogicalRow, here: KnownStaged | null) => boolean) {
    return this.#sharing(digest).find((one) => one.id !== this.row.id && isMeant(one, this.#hereAs(one))) ?? null;
  }

  get #fields(): RowFields {
    const { ledger, staging, forms } = this.#batch;
    return new RowFields(ledger, this.row, staging.data(this.row), forms);
  }

  #changed(known: LogicalRow, orSensitive = true): readonly string[] | null {
    const { staging } = this.#batch;
    const { columns } = staging.sheetOf(this.row);
    const changed = this.#fields.changedSince(known, pathsShown(staging.data(this.row), columns));
    return changed?.length === 0 && orSensitive ? sensitiveOf(columns) : changed;
  }

  /** Whether later updates account for every changed field of the row, so that there is no change to report. */
  #isUpdated(known: LogicalRow): boolean {
    const { candidates, digests } = this.#batch;
    // Masked values have no digest.
    if (this.#hadContent(known) || this.row.isMasked === true || digests.masked(this.row).length > 0) return false;
    const { updatedBy } = recordKind(known.kind);
    const sent = liveOf(candidates(updatesOf(known, this.#batch))).filter(({ kind }) => kind === updatedBy);
    if (sent.length === 0) return false;
    const latestFirst = sent.sort((one, other) => (isLater(one.at.order, other.at.order) ? -1 : 1));
    const changed = this.#changed(known) ?? [];
    return changed.length > 0 && this.#fields.areUpdatedBy(latestFirst, changed);
  }

  #hadContent(known: LogicalRow): boolean {
    return this.#sharing('content').some(({ id }) => id === known.id) || this.#isUnseenSame(known);
  }

  #saysOther(known: LogicalRow): boolean {
    if (this.row.isMasked === true) return (this.#changed(known, false) ?? []).length > 0;
    return known.content !== null && !this.#wasSentAs(known) && !this.#isUnseenSame(known);
  }

  #wasSentAs({ content }: LogicalRow): boolean {
    return content !== null && this.#batch.digests.content(this.row).includes(content);
  }

  /** The values that a trusted results sheet masked, and a file that is gone, are unknown, so they count as unchanged. */
  #isUnseenSame(known: LogicalRow): boolean {
    const { kind, staging, digests } = this.#batch;
    const isMasked = known.content !== null && digests.masked(this.row).includes(known.content);
    if (isMasked || !recordKind(kind).sending.hasFile) return isMasked;
    return staging.data(this.row).file === null && this.#changed(known)?.length === 0;
  }

  /** How many other rows have the same content, live in the ledger or in this file. With `--again` the row as it was sent is one of them. */
  #equals(isAgain: boolean): number {
    const live = this.#sharing('content').filter((one) => (isAgain || one.id !== this.row.id) && isLive(one)).length;
    const [here = 1] = this.#batch.equals.get(this.row.content ?? '') ?? [];
    return live + here - 1;
  }

  /** A row with the same content that this one may duplicate: committed or in doubt, or in this file by its key. */
  #equal(): LogicalRow | null {
    const [row, known] = [this.row, this.#known];
    // An update that restores an earlier value is meant.
    if (recordKind(this.#batch.kind).sending.isUpdate && known === null) return null;
    const isSaidAnew = known === null || known.content === null || this.#saysOther(known);
    const alike = this.#other('content', (other, here) => {
      if (here?.foundBy === 'key' && row.foundBy !== 'key') return true;
      if (!isLive(other)) return false;
      // A line without a key beside the line with its key may be the original line, pasted in.
      if (here !== null && here.foundBy !== 'key' && row.foundBy === 'key' && !this.#hasOtherRef(other)) return true;
      // The other sheet may be a copy of this one, unless the run that goes on was to send both.
      const isOfLoad = other.firstRun === this.#batch.resumes;
      if (here !== null && known === null && here.sheet !== row.sheet && !isOfLoad) return true;
      // If this file claims it with the same content, both are meant.
      if (!isSaidAnew || haveSameContent(here, row) || this.#wereEqual(other)) return false;
      // A row that is in this file with other values counts only by the content it was sent with.
      return known !== null || here === null || this.#wasSentAs(other);
    });
    const [equal = null] = alike === null ? this.secondLineOf : [alike];
    if (equal !== null) return equal;
    const heldFor = this.#heldFor();
    // Beside the line of the other, another Ref says that both are meant.
    const isBeside = heldFor !== null && this.#hasOtherRef(heldFor) && this.#hereAs(heldFor) !== null;
    if (heldFor !== null && !isBeside && this.#isAsHeldFor(heldFor)) return heldFor;
    // A line with the key beside one that has none: that may be the original line, pasted in, and corrected in both places.
    const [, keyed = null] = this.#batch.equals.get(row.content ?? '') ?? [];
    return known === null && keyed !== null ? (this.#batch.known.get(keyed) ?? null) : null;
  }

  /** Whether both rows said the same when one load first met them: then both are meant, whatever this one said in between. */
  #wereEqual({ id, firstRun }: LogicalRow): boolean {
    const { candidates, digests } = this.#batch;
    const atFirst = candidates(digests.content(this.row)).filter((one) => one.isFirst && one.row.firstRun === firstRun);
    return [id, this.row.id].every((one) => atFirst.some(({ row }) => row.id === one));
  }

  /** A live record that has the Ref of this row. Excludes repeats, and rows that this file claims unchanged with another Ref. */
  #sameRef(): LogicalRow | null {
    const [ref] = this.#batch.digests.ref(this.row);
    return this.#other('ref', (other, here) => {
      const hasOtherRef = here !== null && here.ref !== this.row.ref && haveSameContent(here, other);
      return isLive(other) && other.ref === ref && !areCopies(this.#known, other) && !hasOtherRef;
    });
  }

  /** An update of the same company, later in the ledger or further down in this file, that may be applied before this row is sent. */
  #laterUpdate(): LogicalRow | null {
    const [{ number }, known, { origin, origins }] = [this.row, this.registered, this.#batch];
    // Another file has sent it: this one restores it, or is sorted.
    const isApart = (one: LogicalRow) => known === null && one.origin !== origin && this.#hereAs(one) === null;
    return this.#other('updates', (other, here) => {
      // Excludes an update that is repeated after this row.
      const isMaybeApplied = other.isToRepeat ? here === null || here.number < number : this.#isLiveOrComes(other);
      // Rows may have been sorted since, so those that were sent or came in one sheet keep the order of the ledger.
      const wereOne = known?.at.order[0] === other.at.order[0];
      const isOrderKnown = known !== null && (known.attempt > 0 || here === null || wereOne);
      const isAfter = isOrderKnown ? isLater(other.at.order, known.at.order) : here !== null && here.number > number;
      // This file sent the other one itself, so a row of a file that it was only once a copy of restores a value.
      const fewest = isOfFile(other, origin) ? 1 : 0;
      // The file has grown since the other came with another one, or has the other beside what a third one sent.
      const isOlder = (one: LogicalRow) =>
        ((origins.get(one.origin) ?? -1) >= fewest && !isOfFile(one, other.at.sourceName)) ||
        (here !== null && other.origin !== origin && isApart(one));
      const isOvertaken = this.#sharing('content').some((one) => isOlder(one) && isLater(other.at.order, one.at.order));
      return isMaybeApplied && (isAfter || isOvertaken || known?.corrects === other.id || this.#undoes(other));
    });
  }

  /** Whether a row of an export would undo a newer update, with a value that was not changed or in a file of another name. */
  #undoes(update: LogicalRow): boolean {
    const { staging, sourceName } = this.#batch;
    const exportedAt = exportedAtOf(staging.cellsOf(this.row));
    if (exportedAt === null || !mayBeSince(update, exportedAt)) return false;
    const since = this.#sharing('updates').filter((one) => isLive(one) && isLater(one.at.order, update.at.order));
    const ofList = isOfFile(update, sourceName) ? (staging.data(this.row).asExported ?? []) : null;
    return this.#fields.overwrites(update, ofList, since);
  }

  /** Live rows with the content of one that was never sent. It may have been invalid whenever the two met. */
  mayEqual(): readonly LogicalRow[] {
    const known = recordKind(this.#batch.kind).sending.isUpdate ? null : this.#known;
    if (known === null || isLive(known) || known.attempt > 0) return [];
    const isOther = (one: LogicalRow) => one.id !== this.row.id && isLive(one);
    return this.#sharing('content').filter((one) => isOther(one) && !haveSameContent(this.#hereAs(one), this.row));
  }

  /** The rows that this one may correct, certainly distinct ones included. */
  async mayCorrect(): Promise<readonly LogicalRow[]> {
    const heldFor = this.#heldFor();
    // Beside the line of the other, it is a correction while it says much the same.
    const mayBe = (one: LogicalRow) => this.#hereAs(one) === null || this.#fields.areMostlyOf(one);
    return [
      ...(heldFor !== null && mayBe(heldFor) && !this.#isAsHeldFor(heldFor) ? [heldFor] : []),
      ...this.#alike(),
      ...(await this.#laterThan()),
    ];
  }

  /** Once held for another row, a row stays held, however the rows around it are sorted or changed. */
  #heldFor(): LogicalRow | null {
    const row = this.registered;
    const isUpdate = recordKind(this.#batch.kind).sending.isUpdate;
    return row?.phase === 'open' && !isUpdate ? (this.#batch.corrected.get(row.corrects ?? 0) ?? null) : null;
  }

  #isAsHeldFor(other: LogicalRow): boolean {
    return (isLive(other) && this.#wasSentAs(other)) || haveSameContent(this.#hereAs(other), this.row);
  }

  /** Rows with the same identifying values, whose own line said the same in a later file, or that were once in the place of this one. */
  #alike(): readonly LogicalRow[] {
    const known = this.#known;
    const { candidates, digests, origins, replaced } = this.#batch;
    if (known !== null && isLive(known)) return [];
    const numbered = digests.numbered(this.row).map((digest) => liveOf(candidates([digest])));
    const sharing = [...this.#sharing('agrees'), ...numbered.filter(({ length }) => length === 1).flat()];
    const isOfSource = ({ origin }: LogicalRow) =>
      known === null ? this.row.own !== null || origins.has(origin) : origin === known.origin;
    // A new row is compared only with rows that this file does not claim.
    const withSameValues = sharing.filter((one) => isOfSource(one) && (known !== null || this.#hereAs(one) === null));
    const saidSince = this.#sharing('since', this.#batch.unclaimed);
    const inPlace = [replaced.get(this.row.number) ?? []].flat().filter((one) => this.#fields.areMostlyOf(one));
    return [...withSameValues, ...saidSince, ...inPlace].filter(
      (one) => one.id !== this.row.id && !this.#hasOtherRef(one),
    );
  }

  /**
   * For an open row without a Ref: what a later load of the same source may have sent in its place. A row that this file lacks must
   * say much the same. If the person changed the identifying values since, any such row counts, and one beside it that says much
   * the same.
   */
  async #laterThan(): Promise<readonly LogicalRow[]> {
    const { row } = this;
    const known = this.registered;
    if (known?.phase !== 'open' || (row.ref !== null && known.ref !== null)) return [];
    const isChanged = row.foundBy === 'key' && !this.#sharing('agrees').some(({ id }) => id === known.id);
    const later = await this.#batch.laterThan(known);
    return later.filter((other) => {
      const isBeside = this.#hereAs(other) !== null;
      return isChanged === isBeside ? this.#fields.areMostlyOf(other) : isChanged;
    });
  }

  /** Rows that share a Ref were found by it, so two that have one are two. */
  #hasOtherRef(other: LogicalRow): boolean {
    return other.ref !== null && this.row.ref !== null && this.#batch.refScope === 'service';
  }

  /** Committed, in doubt, or about to be sent by another row of this file. */
  #isLiveOrComes(row: LogicalRow): boolean {
    const here = this.#hereAs(row);
    return isLive(row) || (here !== null && decisionOf(this.#batch.staging.one(here.number))?.do === 'send');
  }
}

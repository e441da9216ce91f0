/** Gathers the facts about a batch of rows from the ledger and staging, and decides each row. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Appearance, isLater, type Ledger, type LogicalRow, type Place } from '../ledger/ledger.ts';
import { isRegistered, type KnownStaged, type NamedParent, type OwnCells } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { changedFields, isMostlyAs, isUpdatedBy, pathsShown, sensitiveOf } from './changed-fields.ts';
import { decide } from './decide.ts';
import {
  type Decision,
  decisionOf,
  type ParentState,
  type PlanOptions,
  type SkipReason,
  type StagedDecision,
} from './decision.ts';
import { digestsFor, type FoundParent } from './parents.ts';
import { candidatesOf, type Lookups, type RowDigests, updatesDigest } from './row-digests.ts';
import type { LaterRows, ReplacedRows } from './unclaimed-rows.ts';

export type PlanLedger = Lookups &
  Pick<Ledger, 'lookupRows' | 'lookupBeside' | 'lookupPairs' | 'sheets' | 'entries' | 'newestResolution'>;

export interface FactsAround extends PlanOptions {
  /** The files that the source may be a copy of. It may hold corrections of their rows. */
  readonly origins: ReadonlyMap<string, number>;
  readonly staging: Staging;
  readonly ledger: PlanLedger;
  readonly laterThan: LaterRows;
  readonly replaced: ReplacedRows;
}

interface LookedUp extends Awaited<ReturnType<typeof digestsFor>> {
  readonly known: ReadonlyMap<number, LogicalRow>;
  readonly candidates: Awaited<ReturnType<typeof candidatesOf>>;
  /** See {@link Staging.equalsOf}. */
  readonly equals: ReturnType<Staging['equalsOf']>;
  /** What the ledger has for the key of each row: its attempt and its service. */
  readonly appearances: ReadonlyMap<number, Appearance | null>;
}

export async function decisionFacts(
  kind: RecordKindName,
  rows: readonly KnownStaged[],
  around: FactsAround,
): Promise<(row: KnownStaged, isTurnOver: boolean) => StagedDecision> {
  const { ledger } = around;
  const maybeKnown = rows.filter(({ mayBeKnown }) => mayBeKnown);
  const marked = await digestsFor(kind, rows, around);
  const keyed = maybeKnown.filter(({ own }) => own !== null);
  const places = await ledger.lookupPlaces(keyed.map(({ own }) => own as Place));
  const equals = around.staging.equalsOf(rows);
  const keyedEquals = [...equals.values()].flatMap(([, id]) => id ?? []);
  const facts = new DecisionFacts(kind, around, {
    ...marked,
    known: await ledger.lookupRows([...maybeKnown.map(({ id }) => id).filter(isRegistered), ...keyedEquals]),
    candidates: await candidatesOf(around, maybeKnown.flatMap(marked.digests.all)),
    equals,
    appearances: new Map(keyed.map(({ number }, at) => [number, places[at] ?? null])),
  });
  const same = await facts.sameValues(
    rows.filter(({ mayBeKnown, number }) => mayBeKnown || around.replaced.has(number)),
  );
  const updates = await facts.updatesOf(maybeKnown);
  return (row, isTurnOver) => facts.staged(row, isTurnOver, same.get(row.number) ?? [], updates(row));
}

class DecisionFacts {
  readonly #kind: RecordKindName;
  readonly #around: FactsAround;
  readonly #lookedUp: LookedUp;

  constructor(kind: RecordKindName, around: FactsAround, lookedUp: LookedUp) {
    this.#kind = kind;
    this.#around = around;
    this.#lookedUp = lookedUp;
  }

  /** The rows that each row may be a correction of, without those that are certainly distinct. */
  async sameValues(rows: readonly KnownStaged[]): Promise<ReadonlyMap<number, readonly LogicalRow[]>> {
    const pairs: { readonly row: KnownStaged; readonly other: LogicalRow }[] = [];
    const taken = await this.#around.ledger.lookupRows(rows.flatMap((row) => this.#known(row)?.corrects ?? []));
    for (const row of rows) {
      const before = this.#takenFor(row, taken);
      const others = [
        ...before,
        ...this.#withSameValues(row),
        ...(await this.#laterThan(row)),
        ...this.#replacedBy(row),
      ];
      pairs.push(...others.map((other) => ({ row, other })));
    }
    const areTwo = await this.#around.ledger.lookupPairs(pairs.map(({ row, other }) => [row.id ?? 0, other.id]));
    const same = new Map<number, LogicalRow[]>();
    pairs.forEach(({ row, other }, at) => {
      if (areTwo[at] !== true) same.set(row.number, [...(same.get(row.number) ?? []), other]);
    });
    return same;
  }

  /** For each row with new content for a committed record: the updates of that record that were sent, the latest first. */
  async updatesOf(rows: readonly KnownStaged[]): Promise<(row: KnownStaged) => readonly LogicalRow[]> {
    const { ledger, service } = this.#around;
    const { updatedBy } = recordKind(this.#kind);
    const digestsOf = (row: KnownStaged): readonly string[] => {
      const known = this.#known(row);
      if (updatedBy === undefined || known === null || known.record === null || this.#hadContent(row, known)) return [];
      return [updatesDigest(ledger, service, known.record)];
    };
    const candidates = await candidatesOf(this.#around, rows.flatMap(digestsOf));
    return (row) => {
      const updates = candidates(digestsOf(row)).map((one) => one.row);
      const wentOut = updates.filter(({ kind, phase }) => kind === updatedBy && phase !== 'open');
      return wentOut.sort((one, other) => (isLater(one.at.order, other.at.order) ? -1 : 1));
    };
  }

  staged(
    row: KnownStaged,
    isTurnOver: boolean,
    sameValues: readonly LogicalRow[],
    updates: readonly LogicalRow[],
  ): StagedDecision {
    const decision = this.#decide(row, isTurnOver, sameValues, updates);
    if (decision.do === 'send') {
      const mayBeApplied = decision.settles === null && this.#known(row)?.isToRepeat === true;
      const like = decision.isAgain ? null : this.#likeOf(row);
      const likeOfOther = like !== null && { like: { ...like, content: null, fields: null } };
      return { ...decision, equals: this.#equals(row, decision.isAgain), mayBeApplied, ...likeOfOther };
    }
    if (!('other' in decision) || decision.other === null) return decision;
    const changed = decision.why === 'changed-since-loaded' ? this.#changed(row, decision.other) : null;
    const other = { ...decision.other, content: null, fields: null };
    return { ...decision, other, ...(changed !== null && { changed }) };
  }

  #changed(row: KnownStaged, known: LogicalRow): readonly string[] | null {
    const { ledger, staging } = this.#around;
    const data = staging.data(row);
    const { columns } = staging.sheetOf(row);
    const changed = changedFields(ledger, known, row, data, this.#lookedUp.forms, pathsShown(data, columns));
    return changed?.length === 0 ? sensitiveOf(columns) : changed;
  }

  /** A check reports two rows of one file that may be the same, so rows that this file claims do not count. */
  #likeOf(row: KnownStaged): LogicalRow | null {
    return this.#sharing('likes', row).find((other) => isAnother(other, row) && this.#hereAs(other) === null) ?? null;
  }

  /** How many other rows have the same content, live in the ledger or in this file. With `--again` the row as it was sent is one of them. */
  #equals(row: KnownStaged, isAgain: boolean): number {
    const { equals } = this.#lookedUp;
    const isOther = ({ id, phase }: LogicalRow) => (isAgain || id !== row.id) && phase !== 'open';
    const live = this.#sharing('content', row).filter(isOther).length;
    const [here = 1] = equals.get(row.content ?? '') ?? [];
    return live + here - 1;
  }

  #decide(
    row: KnownStaged,
    isTurnOver: boolean,
    sameValues: readonly LogicalRow[],
    updates: readonly LogicalRow[],
  ): Decision {
    const known = this.#known(row);
    const isUpdated = known !== null && this.#isUpdated(row, known, updates);
    const own = this.#ownOf(row);
    const attempt = this.#lookedUp.appearances.get(row.number)?.attempt ?? -1;
    return decide(
      {
        isValid: row.isValid,
        foundBy: row.foundBy,
        aside: row.aside ?? null,
        copiesDiffer: row.differs,
        known,
        saysNew: known !== null && !isUpdated && !this.#hadContent(row, known),
        saysOther: known !== null && !isUpdated && this.#saysOther(row, known),
        saysIn: own?.saysIn ?? false,
        answer: own?.answer == null ? null : { ...own.answer, attempt },
        parents: row.parents.map((parent) => this.#parentStateOf(parent)),
        equal: this.#equalOf(row, known),
        sameRef: this.#withSameRef(row, known),
        sameValues: sameValues.find((one) => this.#isLive(one)) ?? null,
        like: this.#likeOf(row),
        sameUnique: this.#sharing('unique', row).find((other) => isAnother(other, row)) ?? null,
        laterUpdate: this.#laterUpdateOf(row, known),
        isTurnOver,
      },
      this.#around,
    );
  }

  /** The rows of the ledger that share a digest with the row. */
  #sharing(digest: keyof RowDigests, row: KnownStaged): readonly LogicalRow[] {
    return row.mayBeKnown ? this.#lookedUp.candidates(this.#lookedUp.digests[digest](row)).map((one) => one.row) : [];
  }

  #known({ id }: KnownStaged): LogicalRow | null {
    return id === null ? null : (this.#lookedUp.known.get(id) ?? null);
  }

  /** The row of this file that claims a logical row, if any. */
  #hereAs({ id }: LogicalRow): KnownStaged | null {
    const { staging } = this.#around;
    const claimant = staging.claimantOf(id);
    return claimant === null ? null : staging.one(claimant);
  }

  /** The Status, ID and Run cells count only for the row that they name, and only in its service. */
  #ownOf({ own, foundBy, number }: KnownStaged): OwnCells | null {
    const appearance = this.#lookedUp.appearances.get(number) ?? null;
    const isElsewhere = appearance !== null && appearance.service !== this.#around.service;
    return isElsewhere || foundBy === 'place' ? null : own;
  }

  /** An update of the same company, later in the ledger or further down in this file, that may be applied before this row is sent. */
  #laterUpdateOf(row: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    const isAfter = (other: LogicalRow): boolean => {
      // Rows may have been sorted since, so those that were sent keep the order of the ledger.
      const claimant = this.#around.staging.claimantOf(other.id);
      const isOrderKnown = known !== null && (known.attempt > 0 || claimant === null);
      return isOrderKnown ? isLater(other.at.order, known.at.order) : claimant !== null && claimant > row.number;
    };
    const others = this.#sharing('updates', row);
    return (
      others.find((other) => other.id !== known?.id && this.#isMaybeApplied(other, row.number) && isAfter(other)) ??
      null
    );
  }

  /** Excludes an update that is repeated after this row. */
  #isMaybeApplied(other: LogicalRow, number: number): boolean {
    const claimant = this.#around.staging.claimantOf(other.id);
    return other.isToRepeat ? claimant === null || claimant < number : this.#isLive(other);
  }

  /** Whether later updates account for every changed field of the row, so that there is no change to report. */
  #isUpdated(row: KnownStaged, known: LogicalRow, updates: readonly LogicalRow[]): boolean {
    // Masked values have no digest.
    if (updates.length === 0 || row.isMasked === true || this.#lookedUp.digests.masked(row).length > 0) return false;
    const { ledger, staging } = this.#around;
    const changed = this.#changed(row, known) ?? [];
    return changed.length > 0 && isUpdatedBy(updates, changed, ledger, row, staging.data(row), this.#lookedUp.forms);
  }

  #hadContent(row: KnownStaged, known: LogicalRow): boolean {
    return this.#sharing('content', row).some(({ id }) => id === known.id) || this.#isUnseenSame(row, known);
  }

  /** A row with masked cells cannot be compared. */
  #saysOther(row: KnownStaged, known: LogicalRow): boolean {
    const { content } = known;
    const isSaid = content === null || this.#lookedUp.digests.content(row).includes(content);
    return row.isMasked !== true && !isSaid && !this.#isUnseenSame(row, known);
  }

  /** The values that a trusted results sheet masked, and a file that is gone, are unknown, so they count as unchanged. */
  #isUnseenSame(row: KnownStaged, known: LogicalRow): boolean {
    const { content } = known;
    const isMasked = content !== null && this.#lookedUp.digests.masked(row).includes(content);
    if (isMasked || !recordKind(this.#kind).sending.hasFile) return isMasked;
    return this.#around.staging.data(row).file === null && this.#changed(row, known)?.length === 0;
  }

  /** Excludes a row that this file claims with the same content: then both are meant. */
  #equalOf(row: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    // An update that restores an earlier value is meant.
    if (recordKind(this.#kind).sending.isUpdate && known === null) return null;
    // A line with the key beside one that has none: that may be the original line, pasted in, and corrected in both places.
    const [, keyed = null] = this.#lookedUp.equals.get(row.content ?? '') ?? [];
    if (known === null && keyed !== null) return this.#lookedUp.known.get(keyed) ?? null;
    const saysOther = known === null || known.content === null || this.#saysOther(row, known);
    const isEqual = (other: LogicalRow): boolean => {
      const here = this.#hereAs(other);
      if (here?.foundBy === 'key' && row.foundBy !== 'key') return true;
      // The other sheet may be a copy of this one.
      const isBeside = here !== null && known === null && here.sheet !== row.sheet;
      if (isBeside && other.phase !== 'open') return true;
      if (haveSameContent(here, row) || other.phase === 'open' || !saysOther) return false;
      // A row that is in this file with other values counts only by the content it was sent with.
      return (
        known !== null ||
        here === null ||
        (other.content !== null && this.#lookedUp.digests.content(row).includes(other.content))
      );
    };
    return this.#sharing('content', row).find((other) => other.id !== known?.id && isEqual(other)) ?? null;
  }

  /**
   * A committed or in-doubt record that ever had the Ref of this row. Excludes repeats, and rows that this file claims unchanged
   * with another Ref.
   */
  #withSameRef(row: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    const hasOtherRef = (other: LogicalRow): boolean => {
      const here = this.#hereAs(other);
      return here !== null && here.ref !== row.ref && haveSameContent(here, other);
    };
    const others = this.#sharing('ref', row).filter((other) => isAnother(other, row));
    return others.find((other) => !areCopies(known, other) && !hasOtherRef(other)) ?? null;
  }

  /** For an open row that comes back by its key, unless its Ref or its original identifying values distinguish it. */
  async #laterThan(row: KnownStaged): Promise<readonly LogicalRow[]> {
    const known = this.#known(row);
    if (known?.phase !== 'open' || row.foundBy !== 'key') return [];
    const isIdentified =
      (row.ref !== null && known.hasRef) || this.#sharing('agrees', row).some(({ id }) => id === known.id);
    return isIdentified ? [] : this.#around.laterThan(known);
  }

  #withSameValues(row: KnownStaged): readonly LogicalRow[] {
    const known = this.#known(row);
    if (known !== null && known.phase !== 'open') return [];
    const isOfSource = ({ origin }: LogicalRow) =>
      known === null ? row.own !== null || this.#around.origins.has(origin) : origin === known.origin;
    const isOther = (one: LogicalRow) => one.hasRef && row.ref !== null && this.#around.refScope === 'service';
    const found = this.#sharing('agrees', row).filter((one) => one.id !== row.id && isOfSource(one) && !isOther(one));
    // A new row is compared only with rows that this file does not claim.
    return known === null ? found.filter(({ id }) => this.#around.staging.claimantOf(id) === null) : found;
  }

  /** Once held as a possible correction, a row stays held, however the rows around it are sorted or changed. */
  #takenFor(row: KnownStaged, rows: ReadonlyMap<number, LogicalRow>): readonly LogicalRow[] {
    const known = this.#known(row);
    const other = known?.phase === 'open' ? rows.get(known.corrects ?? 0) : undefined;
    return other === undefined || this.#around.staging.claimantOf(other.id) !== null ? [] : [other];
  }

  /** A row with another Ref is not replaced. */
  #replacedBy(row: KnownStaged): readonly LogicalRow[] {
    const { replaced, refScope, ledger, staging } = this.#around;
    const other = replaced.get(row.number);
    if (other === undefined || (other.hasRef && row.ref !== null && refScope === 'service')) return [];
    return isMostlyAs(ledger, other, row, staging.data(row), this.#lookedUp.forms) ? [other] : [];
  }

  /** Committed, in doubt, or about to be sent by another row of this file. */
  #isLive(row: LogicalRow): boolean {
    if (row.phase !== 'open') return true;
    const here = this.#hereAs(row);
    return here !== null && decisionOf(here)?.do === 'send';
  }

  #parentStateOf(parent: NamedParent): ParentState {
    if (parent.ref === null) return 'in';
    const { staging, takesRefs, refScope } = this.#around;
    const found = this.#lookedUp.parents(parent);
    const [number, other] = found.here;
    if (number !== undefined && other === undefined) return this.#parentStateHere(staging.one(number), found);
    if (takesRefs === true && number === undefined) return 'in';
    if (refScope === 'file' || found.row?.phase !== 'committed') return 'not-in';
    return found.row.record === null ? 'without-id' : 'in';
  }

  /** A record that was sent with another Ref may be a different one: cells get moved, or filled down. */
  #parentStateHere(row: KnownStaged, { known }: FoundParent): ParentState {
    const state = parentStateOf(row);
    if (state !== 'in' || this.#around.refScope === 'file' || row.foundBy === 'trusted') return state;
    return known.some(({ row: { id } }) => id === row.id) ? state : 'changed';
  }
}

function isAnother({ id, phase }: LogicalRow, row: KnownStaged): boolean {
  return id !== row.id && phase !== 'open';
}

function haveSameContent(one: KnownStaged | null, other: Pick<LogicalRow, 'content'>): boolean {
  return one !== null && one.content !== null && one.content === other.content;
}

function areCopies(one: LogicalRow | null, other: LogicalRow): boolean {
  if (one === null) return false;
  return (
    one.repeats === other.id || other.repeats === one.id || (one.repeats !== null && one.repeats === other.repeats)
  );
}

const inByEarlier: ReadonlySet<SkipReason> = new Set(['already-loaded', 'loaded-otherwise', 'changed-since-loaded']);

/** The state of a parent in this file. */
function parentStateOf(row: KnownStaged): ParentState {
  const decided = decisionOf(row);
  if (decided === null) return 'not-in';
  if (decided.do === 'send' || decided.do === 'settle') return 'comes';
  if (!inByEarlier.has(decided.why)) return 'not-in';
  if (decided.other !== null && decided.other.record === null) return 'without-id';
  return decided.why === 'changed-since-loaded' && row.foundBy === 'ref' ? 'changed' : 'in';
}

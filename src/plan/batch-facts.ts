/** Gathers what is known of a batch of rows, from the ledger and the staging, and decides each of them by it. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import {
  type Appearance,
  type Candidate,
  isLater,
  type Ledger,
  type LogicalRow,
  type Place,
} from '../ledger/ledger.ts';
import type { KnownStaged, OwnCells } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { fieldsChanged } from './changed-rows.ts';
import {
  type DecideOptions,
  type Decision,
  decide,
  decisionOf,
  type ParentStanding,
  type SkipReason,
  type StagedDecision,
} from './decide.ts';
import type { IdentityOptions } from './identity.ts';
import {
  type Around,
  digestsOf,
  hex,
  identifying,
  type Lookups,
  nameOf,
  refDigest,
  saidBy,
  shownOf,
  theOneOf,
  uniqueDigest,
  updatesOf,
} from './row-digests.ts';

export type PlanLedger = Lookups & Pick<Ledger, 'lookupRows' | 'lookupPairs' | 'lookupFields'>;

export interface FactsOptions extends IdentityOptions, DecideOptions {
  /** A Ref that no row of the file has is taken for that of a record: a check that names no service cannot look it up. */
  readonly takesRefs?: boolean;
}

interface FactsAround {
  readonly staging: Staging;
  readonly ledger: PlanLedger;
  readonly options: FactsOptions;
}

export class BatchFacts {
  readonly #kind: RecordKindName;
  readonly #rows: readonly KnownStaged[];
  readonly #around: FactsAround;
  #known: ReadonlyMap<number, LogicalRow> = new Map();
  #contents: ReadonlyMap<number, readonly Buffer[]> = new Map();
  #shown: ReadonlyMap<number, readonly Buffer[]> = new Map();
  #identifying: ReadonlyMap<number, readonly Buffer[]> = new Map();
  #said: ReadonlyMap<string, readonly Candidate[]> = new Map();
  /** What the own columns of rows speak of: which attempt, and whether it is this service's. */
  #appearances: ReadonlyMap<number, Appearance | null> = new Map();
  #parents: ReadonlyMap<string, ParentStanding> = new Map();
  #same: ReadonlyMap<number, readonly LogicalRow[]> = new Map();
  #updates: ReadonlyMap<string, readonly LogicalRow[]> = new Map();
  /** Of rows that are in and say what they never said, the paths of the fields that differ. */
  #changed: ReadonlyMap<number, readonly string[]> = new Map();

  constructor(kind: RecordKindName, rows: readonly KnownStaged[], around: FactsAround) {
    this.#kind = kind;
    this.#rows = rows;
    this.#around = around;
  }

  async lookUp(): Promise<void> {
    const { staging, ledger, options } = this.#around;
    this.#known = await ledger.lookupRows(this.#rows.flatMap(({ id }) => (id !== null && id > 0 ? [id] : [])));
    const { service, refScope, sourceDigest } = options;
    const around: Around = { staging, ledger, service, refScope, sourceDigest };
    this.#contents = await digestsOf(this.#rows, saidBy, this.#kind, around);
    this.#shown = await digestsOf(this.#rows, shownOf, this.#kind, around);
    this.#identifying = await digestsOf(this.#rows, identifying, this.#kind, around);
    const unique = this.#rows.flatMap((row) => this.#uniqueOf(row) ?? []);
    const refs = this.#rows.flatMap((row) => this.#refOf(row) ?? []);
    const digests = [...this.#contents.values(), ...this.#identifying.values(), unique, refs].flat();
    this.#said = await ledger.lookup(options.service, digests);
    const keyed = this.#rows.filter(({ own }) => own !== null);
    const places = await ledger.lookupPlaces(keyed.map(({ own }) => own as Place));
    this.#appearances = new Map(keyed.map(({ number }, at) => [number, places[at] ?? null]));
    this.#updates = await updatesOf(this.#rows, ledger, options.service);
    await this.#lookUpParents();
    this.#same = await this.#lookUpSame();
    const changed = this.#rows.flatMap((row) => {
      const known = row.id === null ? undefined : this.#known.get(row.id);
      return known?.standing === 'committed' && !this.#hasSaid(row, known) ? [{ row, known }] : [];
    });
    this.#changed = await fieldsChanged(changed, this.#kind, ledger, around);
  }

  staged(row: KnownStaged, isTurnOver: boolean): StagedDecision {
    const decision = this.#decide(row, isTurnOver);
    if (decision.do === 'send') {
      const mayBeApplied = decision.settles === null && this.#mayBeApplied(row);
      return { ...decision, equals: this.#equals(row, decision.isAgain), mayBeApplied };
    }
    if (!('other' in decision) || decision.other === null) return decision;
    const changed = decision.why === 'changed-since-loaded' ? this.#changed.get(row.number) : undefined;
    const other = { ...decision.other, content: null };
    return { ...decision, other, ...(changed !== undefined && { changed }) };
  }

  /** Of an update that was on its way when its load was killed, and says the same still. */
  #mayBeApplied(row: KnownStaged): boolean {
    const known = row.id === null ? undefined : this.#known.get(row.id);
    if (known === undefined || !recordKind(this.#kind).sending.isUpdate) return false;
    return known.attempt > 0 && known.outcome === 'not-sent' && !this.#saysOther(row, known);
  }

  /** A row that goes out once more is another one from then on. */
  #equals(row: KnownStaged, isAgain: boolean): number {
    const isOther = ({ id, standing }: LogicalRow) => (isAgain || id !== row.id) && standing !== 'open';
    const live = this.#saidBy(row).filter(isOther).length;
    return live + (row.content === null ? 0 : this.#around.staging.equalsOf(row.content) - 1);
  }

  #decide(row: KnownStaged, isTurnOver: boolean): Decision {
    const { options } = this.#around;
    const known = row.id === null ? null : (this.#known.get(row.id) ?? null);
    const own = this.#ownOf(row);
    return decide(
      {
        isValid: row.isValid,
        how: row.how,
        aside: row.aside ?? null,
        copiesDiffer: row.differs,
        known,
        saysNew: known !== null && !this.#hasSaid(row, known),
        saysOther: known !== null && this.#saysOther(row, known),
        saysIn: own?.saysIn ?? false,
        answer:
          own?.answer == null ? null : { ...own.answer, attempt: this.#appearances.get(row.number)?.attempt ?? -1 },
        parents: row.parents.map((parent) => this.#parents.get(nameOf(parent)) ?? 'not-in'),
        equal: this.#equalOf(row, known),
        sameRef: this.#withSameRef(row),
        sameValues: (this.#same.get(row.number) ?? []).find((one) => this.#isLive(one)) ?? null,
        sameUnique: this.#sameUniqueOf(row),
        laterUpdate: this.#laterUpdateOf(row, known),
        isTurnOver,
      },
      options,
    );
  }

  /** Own columns tell of the row that they name, and nothing of what went into another service. */
  #ownOf({ own, how, number }: KnownStaged): OwnCells | null {
    const appearance = this.#appearances.get(number) ?? null;
    const isElsewhere = appearance !== null && appearance.service !== this.#around.options.service;
    return isElsewhere || how === 'place' ? null : own;
  }

  #uniqueOf({ unique }: KnownStaged): Buffer | null {
    const { ledger, options } = this.#around;
    return unique == null ? null : uniqueDigest(ledger, options.service, this.#kind, unique);
  }

  #sameUniqueOf(row: KnownStaged): LogicalRow | null {
    const found = this.#said.get(hex(this.#uniqueOf(row))) ?? [];
    return found.find(({ row: { id, standing } }) => id !== row.id && standing !== 'open')?.row ?? null;
  }

  /** One that came after this row, in an earlier load or further down in this file, and is in, or may be, or goes out before it. */
  #laterUpdateOf({ updates, number }: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    const { staging } = this.#around;
    const isAfter = (other: LogicalRow): boolean => {
      // Rows of a sheet may have been sorted since: those that were sent have their order from the ledger.
      const claimant = staging.claimantOf(other.id);
      const isOrderKnown = known !== null && (known.attempt > 0 || claimant === null);
      return isOrderKnown ? isLater(other.at.order, known.at.order) : claimant !== null && claimant > number;
    };
    const others = this.#updates.get(updates ?? '') ?? [];
    return (
      others.find((other) => other.id !== known?.id && this.#isMaybeApplied(other, number) && isAfter(other)) ?? null
    );
  }

  /** Also one that was on its way when its load was killed, or that goes out with this load; not where it goes out after the row. */
  #isMaybeApplied(other: LogicalRow, number: number): boolean {
    if (this.#isLive(other)) return true;
    const claimant = this.#around.staging.claimantOf(other.id);
    const wasOnItsWay = other.attempt > 0 && other.outcome === 'not-sent';
    return wasOnItsWay && (claimant === null || claimant < number);
  }

  #hasSaid(row: KnownStaged, known: LogicalRow): boolean {
    return this.#saidBy(row).some(({ id }) => id === known.id) || this.#isShown(row, known);
  }

  /** What some of its cells hide cannot be compared. */
  #saysOther(row: KnownStaged, known: LogicalRow): boolean {
    const { number, isMasked } = row;
    const { content } = known;
    const now = this.#contents.get(number) ?? [];
    const isSaid = now.some((digest) => content?.equals(digest)) || this.#isShown(row, known);
    return isMasked !== true && content !== null && !isSaid;
  }

  /** Of a record that was believed by its results, what these hid is not known. */
  #isShown({ number }: KnownStaged, { content }: LogicalRow): boolean {
    return (this.#shown.get(number) ?? []).some((digest) => content?.equals(digest));
  }

  #saidBy({ number }: KnownStaged): readonly LogicalRow[] {
    const digests = this.#contents.get(number) ?? [];
    return digests.flatMap((digest) => (this.#said.get(hex(digest)) ?? []).map(({ row }) => row));
  }

  #equalOf(row: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    // What an update says once more, after another one, is meant.
    if (known === null && recordKind(this.#kind).sending.isUpdate) return null;
    const others = this.#saidBy(row).filter(({ id, standing }) => id !== known?.id && standing !== 'open');
    return others.find((other) => !this.#isHereAsItWas(other, row)) ?? null;
  }

  /** Whether a row of this file is that one, and still says what this row says: then both are meant. */
  #isHereAsItWas({ id }: LogicalRow, { content }: KnownStaged): boolean {
    const { staging } = this.#around;
    const claimant = staging.claimantOf(id);
    const said = claimant === null ? null : staging.one(claimant).content;
    return said !== null && content !== null && said.equals(content);
  }

  /** For rows that may be sent: those of the same source with the same identifying values, which may be another line of them. */
  async #lookUpSame(): Promise<ReadonlyMap<number, readonly LogicalRow[]>> {
    const pairs = this.#rows.flatMap((row) => this.#withSameValues(row).map((other) => ({ row, other })));
    const areTwo = await this.#around.ledger.lookupPairs(pairs.map(({ row, other }) => [row.id ?? 0, other.id]));
    const same = new Map<number, LogicalRow[]>();
    pairs.forEach(({ row, other }, at) => {
      if (areTwo[at] !== true) same.set(row.number, [...(same.get(row.number) ?? []), other]);
    });
    return same;
  }

  #refOf({ ref }: KnownStaged): Buffer | null {
    const { ledger, options } = this.#around;
    const isTold = ref !== null && options.refScope === 'service';
    return isTold ? refDigest(ledger, options.service, this.#kind, ref) : null;
  }

  /** A record that ever had the Ref of this row, unless the row is another copy of it. */
  #withSameRef(row: KnownStaged): LogicalRow | null {
    const found = this.#said.get(hex(this.#refOf(row))) ?? [];
    const known = row.id === null ? null : (this.#known.get(row.id) ?? null);
    const others = found
      .map(({ row: other }) => other)
      .filter(({ id, standing }) => id !== row.id && standing !== 'open');
    return others.find((other) => !areCopies(known, other) && !this.#hasOtherRef(other, row)) ?? null;
  }

  /** Whether it stands in this file as it went in, with another Ref by now. */
  #hasOtherRef({ id, content }: LogicalRow, { ref }: KnownStaged): boolean {
    const { staging } = this.#around;
    const claimant = staging.claimantOf(id);
    const here = claimant === null ? null : staging.one(claimant);
    return (
      here !== null && here.ref !== ref && here.content !== null && content !== null && here.content.equals(content)
    );
  }

  #withSameValues(row: KnownStaged): readonly LogicalRow[] {
    const digests = this.#identifying.get(row.number) ?? [];
    const known = row.id === null ? undefined : this.#known.get(row.id);
    if (digests.length === 0 || (known !== undefined && known.standing !== 'open')) return [];
    const origin = known?.origin ?? this.#around.options.sourceName;
    const found = digests.flatMap((digest) => (this.#said.get(hex(digest)) ?? []).map(({ row: one }) => one));
    const ofSource = found.filter(
      (one) =>
        one.id !== row.id &&
        !(one.hasRef && this.#refOf(row) !== null) &&
        (one.origin === origin || (known === undefined && row.own !== null)),
    );
    return known === undefined ? this.#absent(ofSource) : ofSource;
  }

  /** In or in doubt, or about to be sent by another row of this file. */
  #isLive({ id, standing }: LogicalRow): boolean {
    if (standing !== 'open') return true;
    const { staging } = this.#around;
    const claimant = staging.claimantOf(id);
    return claimant !== null && decisionOf(staging.one(claimant))?.do === 'send';
  }

  /** Those that no row of this file is. */
  #absent(rows: readonly LogicalRow[]): readonly LogicalRow[] {
    return rows.filter(({ id }) => this.#around.staging.claimantOf(id) === null);
  }

  async #lookUpParents(): Promise<void> {
    const { staging, ledger, options } = this.#around;
    const standings = new Map<string, ParentStanding>();
    for (const parent of this.#rows.flatMap(({ parents }) => parents)) {
      const name = nameOf(parent);
      if (standings.has(name)) continue;
      if (parent.ref === null) {
        standings.set(name, 'in');
        continue;
      }
      const [number, other] = staging.withRef(parent.kind, parent.ref);
      if (number !== undefined && other === undefined) {
        standings.set(name, await this.#standingHere(staging.one(number), parent.kind, parent.ref));
        continue;
      }
      if (options.takesRefs === true && number === undefined) {
        standings.set(name, 'in');
        continue;
      }
      if (options.refScope === 'file') {
        standings.set(name, 'not-in');
        continue;
      }
      const digest = refDigest(ledger, options.service, parent.kind, parent.ref);
      const one = theOneOf((await ledger.lookup(options.service, [digest])).get(hex(digest)));
      const isIn = one?.standing === 'committed';
      standings.set(name, isIn ? (one.record === null ? 'without-id' : 'in') : 'not-in');
    }
    this.#parents = standings;
  }

  /** A record that went in with another Ref may be another one: cells of rows are moved, or filled down. */
  async #standingHere(row: KnownStaged, kind: RecordKindName, ref: string): Promise<ParentStanding> {
    const { ledger, options } = this.#around;
    const standing = standingOf(row);
    if (standing !== 'in' || options.refScope === 'file' || row.how === 'trusted') return standing;
    const digest = refDigest(ledger, options.service, kind, ref);
    const known = (await ledger.lookup(options.service, [digest])).get(hex(digest)) ?? [];
    return known.some(({ row: { id } }) => id === row.id) ? standing : 'changed';
  }
}

function areCopies(one: LogicalRow | null, other: LogicalRow): boolean {
  if (one === null) return false;
  return (
    one.repeats === other.id || other.repeats === one.id || (one.repeats !== null && one.repeats === other.repeats)
  );
}

const inByEarlier: ReadonlySet<SkipReason> = new Set(['already-loaded', 'loaded-otherwise', 'changed-since-loaded']);

/** What a parent in this file comes to. */
function standingOf(row: KnownStaged): ParentStanding {
  const decided = decisionOf(row);
  if (decided === null) return 'not-in';
  if (decided.do === 'send' || decided.do === 'settle') return 'comes';
  if (!inByEarlier.has(decided.why)) return 'not-in';
  if (decided.other !== null && decided.other.record === null) return 'without-id';
  return decided.why === 'changed-since-loaded' && row.how === 'ref' ? 'changed' : 'in';
}

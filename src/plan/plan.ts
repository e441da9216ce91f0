/** Decides every staged row, once: preview, load and report read the decisions. Parents are decided before their children. */
import { type RecordKindName, recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Candidate, isLater, type Ledger, type LogicalRow, type Place } from '../ledger/ledger.ts';
import type { KnownStaged, NamedParent, Staging } from '../staging/staging.ts';
import { type DecideOptions, type Decision, decide, type ParentStanding } from './decide.ts';
import {
  type Around as DigestsAround,
  digestsOf,
  type IdentityOptions,
  identify,
  identifying,
  type Lookups,
  refDigest,
  saidBy,
  uniqueDigest,
  updatesOf,
} from './identity.ts';
import { type Limit, Turns } from './turns.ts';

export type PlanLedger = Lookups & Pick<Ledger, 'lookupRows' | 'lookupPairs'>;

export interface PlanOptions extends IdentityOptions, DecideOptions {
  readonly sourceName: string;
  /** The rows whose turn comes. */
  readonly limit: Limit;
  /** Whether nothing is sent where a row is wrong. */
  readonly allOrNothing: boolean;
  /** A Ref that no row of the file has is taken for that of a record: a check that names no service cannot look it up. */
  readonly takesRefs?: boolean;
}

/** @returns whether rows are wrong, so that nothing is sent */
export async function plan(staging: Staging, ledger: PlanLedger, options: PlanOptions): Promise<boolean> {
  await identify(staging, ledger, options);
  await decideAll(staging, ledger, options, options.limit);
  const isHeldBack = options.allOrNothing && staging.hasDecision('invalid');
  if (isHeldBack) await decideAll(staging, ledger, options, 0);
  return isHeldBack;
}

async function decideAll(staging: Staging, ledger: PlanLedger, options: PlanOptions, limit: Limit): Promise<void> {
  const turns = new Turns(limit);
  const names = new Map(staging.sheets.map(({ number, name }) => [number, name]));
  for (const kind of recordKindNames) {
    for (const rows of staging.batches(kind, options.batch ?? usualBatch)) {
      const facts = new BatchFacts(kind, rows, { staging, ledger, options });
      await facts.lookUp();
      staging.write(() => {
        for (const row of rows) {
          const isTurnOver = !turns.comes({ sheet: names.get(row.sheet) ?? '', row: row.row });
          staging.setDecision(row.number, JSON.stringify(facts.staged(row, isTurnOver)));
        }
      });
    }
  }
}

const usualBatch = 512;

export function decisionOf({ decision }: KnownStaged): StagedDecision | null {
  return decision === null ? null : (JSON.parse(decision) as StagedDecision);
}

/** A decision as it is staged; of a row that is sent, with how many other live rows may say the same. */
export type StagedDecision =
  | Exclude<Decision, { readonly do: 'send' }>
  | (Extract<Decision, { readonly do: 'send' }> & { readonly equals: number });

interface Around {
  readonly staging: Staging;
  readonly ledger: PlanLedger;
  readonly options: PlanOptions;
}

class BatchFacts {
  readonly #kind: RecordKindName;
  readonly #rows: readonly KnownStaged[];
  readonly #around: Around;
  #known: ReadonlyMap<number, LogicalRow> = new Map();
  #contents: ReadonlyMap<number, readonly Buffer[]> = new Map();
  #identifying: ReadonlyMap<number, readonly Buffer[]> = new Map();
  #said: ReadonlyMap<string, readonly Candidate[]> = new Map();
  #attempts: ReadonlyMap<number, number> = new Map();
  #parents: ReadonlyMap<string, ParentStanding> = new Map();
  #same: ReadonlyMap<number, readonly LogicalRow[]> = new Map();
  #updates: ReadonlyMap<string, readonly LogicalRow[]> = new Map();

  constructor(kind: RecordKindName, rows: readonly KnownStaged[], around: Around) {
    this.#kind = kind;
    this.#rows = rows;
    this.#around = around;
  }

  async lookUp(): Promise<void> {
    const { staging, ledger, options } = this.#around;
    this.#known = await ledger.lookupRows(this.#rows.flatMap(({ id }) => (id !== null && id > 0 ? [id] : [])));
    const around: DigestsAround = { staging, ledger, service: options.service, refScope: options.refScope };
    this.#contents = await digestsOf(this.#rows, saidBy, this.#kind, around);
    this.#identifying = await digestsOf(this.#rows, identifying, this.#kind, around);
    const unique = this.#rows.flatMap((row) => this.#uniqueOf(row) ?? []);
    const digests = [...this.#contents.values(), ...this.#identifying.values()].flat().concat(unique);
    this.#said = await ledger.lookup(options.service, digests);
    const keyed = this.#rows.filter(({ own }) => own !== null);
    const places = await ledger.lookupPlaces(keyed.map(({ own }) => own as Place));
    this.#attempts = new Map(keyed.map(({ number }, at) => [number, places[at]?.attempt ?? -1]));
    this.#updates = await updatesOf(this.#rows, ledger, options.service);
    await this.#lookUpParents();
    this.#same = await this.#lookUpSame();
  }

  staged(row: KnownStaged, isTurnOver: boolean): StagedDecision {
    const decision = this.#decide(row, isTurnOver);
    if (decision.do === 'send') return { ...decision, equals: this.#equals(row) };
    if (!('other' in decision) || decision.other === null) return decision;
    return { ...decision, other: { ...decision.other, content: null } };
  }

  #equals(row: KnownStaged): number {
    const live = this.#saidBy(row).filter(({ id, standing }) => id !== row.id && standing !== 'open').length;
    return live + (row.content === null ? 0 : this.#around.staging.equalsOf(row.content) - 1);
  }

  #decide(row: KnownStaged, isTurnOver: boolean): Decision {
    const { options } = this.#around;
    const known = row.id === null ? null : (this.#known.get(row.id) ?? null);
    const attempt = this.#attempts.get(row.number);
    const answer = row.own?.answer ?? null;
    return decide(
      {
        isValid: row.isValid,
        isUpdate: recordKind(this.#kind).sending.isUpdate,
        how: row.how,
        aside: row.aside ?? null,
        copiesDiffer: row.differs,
        known,
        saysNew: known !== null && !this.#hasSaid(row, known),
        saysIn: row.own?.saysIn ?? false,
        answer: answer === null || attempt === undefined ? null : { ...answer, attempt },
        parents: row.parents.map((parent) => this.#parents.get(nameOf(parent)) ?? 'not-in'),
        equal: this.#equalOf(row, known),
        sameValues: (this.#same.get(row.number) ?? []).find((one) => this.#isLive(one)) ?? null,
        sameUnique: this.#sameUniqueOf(row),
        laterUpdate: this.#laterUpdateOf(row, known),
        isTurnOver,
      },
      options,
    );
  }

  #uniqueOf({ unique }: KnownStaged): Buffer | null {
    const { ledger, options } = this.#around;
    return unique == null ? null : uniqueDigest(ledger, options.service, this.#kind, unique);
  }

  #sameUniqueOf(row: KnownStaged): LogicalRow | null {
    const found = this.#said.get(this.#uniqueOf(row)?.toString('hex') ?? '') ?? [];
    return found.find(({ row: { id, standing } }) => id !== row.id && standing !== 'open')?.row ?? null;
  }

  /** One that came after this row, in an earlier load or further down in this file, and is in or in doubt. */
  #laterUpdateOf({ updates, number }: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    const { staging } = this.#around;
    const isAfter = (other: LogicalRow): boolean => {
      const claimant = staging.claimantOf(other.id);
      if (claimant !== null) return claimant > number;
      return known !== null && isLater(other.at.order, known.at.order);
    };
    const others = (this.#updates.get(updates ?? '') ?? []).filter(
      ({ id, standing }) => id !== known?.id && standing !== 'open',
    );
    return others.find(isAfter) ?? null;
  }

  #hasSaid(row: KnownStaged, known: LogicalRow): boolean {
    return this.#saidBy(row).some(({ id }) => id === known.id);
  }

  #saidBy({ number }: KnownStaged): readonly LogicalRow[] {
    const digests = this.#contents.get(number) ?? [];
    return digests.flatMap((digest) => (this.#said.get(digest.toString('hex')) ?? []).map(({ row }) => row));
  }

  #equalOf(row: KnownStaged, known: LogicalRow | null): LogicalRow | null {
    const others = this.#saidBy(row).filter(({ id, standing }) => id !== known?.id && standing !== 'open');
    return this.#absent(others)[0] ?? null;
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

  #withSameValues(row: KnownStaged): readonly LogicalRow[] {
    const digests = this.#identifying.get(row.number) ?? [];
    const known = row.id === null ? undefined : this.#known.get(row.id);
    if (digests.length === 0 || (known !== undefined && known.standing !== 'open')) return [];
    const origin = known?.origin ?? this.#around.options.sourceName;
    const found = digests.flatMap((digest) =>
      (this.#said.get(digest.toString('hex')) ?? []).map(({ row: one }) => one),
    );
    const ofSource = found.filter(
      (one) => one.id !== row.id && (one.origin === origin || (known === undefined && row.own !== null)),
    );
    return known === undefined ? this.#absent(ofSource) : ofSource;
  }

  /** In or in doubt, or about to be sent by another row of this file. */
  #isLive({ id, standing }: LogicalRow): boolean {
    if (standing !== 'open') return true;
    const { staging } = this.#around;
    const claimant = staging.claimantOf(id);
    return claimant !== null && (staging.one(claimant).decision ?? '').includes('"do":"send"');
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
        standings.set(name, standingOf(staging.one(number)));
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
      const [one, another] = (await ledger.lookup(options.service, [digest])).get(digest.toString('hex')) ?? [];
      const isIn =
        one !== undefined && another === undefined && one.row.standing === 'committed' && one.row.record !== null;
      standings.set(name, isIn ? 'in' : 'not-in');
    }
    this.#parents = standings;
  }
}

/** What a parent in this file comes to. */
function standingOf(row: KnownStaged): ParentStanding {
  const decided = decisionOf(row);
  if (decided === null) return 'not-in';
  if (decided.do === 'send' || decided.do === 'settle') return 'comes';
  if (decided.why === 'already-loaded') return 'in';
  if (decided.why !== 'changed-since-loaded') return 'not-in';
  return row.how === 'ref' ? 'changed' : 'in';
}

function nameOf({ kind, ref, id }: NamedParent): string {
  return `${kind}\n${ref ?? ''}\n${id ?? ''}`;
}

/**
 * Which logical row each staged row is. There are four ways to know one again: by its key, by its place in the same bytes, by its
 * Ref, by its content. Its one rule: each way is finished for the whole file before the next begins, so that the order of rows and
 * the size of batches make no difference.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import {
  type Appearance,
  type Candidate,
  isLater,
  type LogicalRow,
  type Place,
  type RunRecord,
} from '../ledger/ledger.ts';
import type { How, KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import {
  type Around,
  digestsOf,
  hex,
  type Lookups,
  type RefScope,
  refDigest,
  saidBy,
  shownOf,
  updatesOf,
} from './row-digests.ts';

export interface IdentityOptions {
  readonly service: string;
  /** SHA-256 of the source's bytes. */
  readonly sourceDigest: string;
  /** Whether what results say of a run is believed that the ledger does not know. */
  readonly trustResults: boolean;
  /** Rows that are in go out once more: what results say of a run that the ledger does not know tells nothing then. */
  readonly again: boolean;
  /** Whether Refs name records of a service, or link the rows of one file alone. */
  readonly refScope: RefScope;
  /** A run that goes on: its rows are first of all those that it entered when it began. */
  readonly resumes?: string | null;
  readonly sourceName: string;
  /** The name that a sheet of the source has where the source is called otherwise: that of a CSV file follows the file. */
  readonly nameOfSheet?: (name: string, sourceName: string) => string;
  /** Rows in one look-up; a smaller one in tests. */
  readonly batch?: number;
  /** Ways that are left out, to prove by tests that each is needed. */
  readonly without?: readonly How[];
}

const usualBatch = 512;

export async function identify(staging: Staging, ledger: Lookups, options: IdentityOptions): Promise<void> {
  const runs = await ledger.runs();
  const ofSource = runs.filter(
    ({ service, sourceDigest }) => service === options.service && sourceDigest === options.sourceDigest,
  );
  for (const kind of recordKindNames) await new KindIdentity(kind, staging, ledger, ofSource, options).run();
}

class KindIdentity {
  readonly #kind: RecordKindName;
  readonly #staging: Staging;
  readonly #ledger: Lookups;
  readonly #ofSource: readonly RunRecord[];
  readonly #options: IdentityOptions;

  constructor(
    kind: RecordKindName,
    staging: Staging,
    ledger: Lookups,
    ofSource: readonly RunRecord[],
    options: IdentityOptions,
  ) {
    this.#kind = kind;
    this.#staging = staging;
    this.#ledger = ledger;
    this.#ofSource = ofSource;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { without = [], resumes = null } = this.#options;
    await this.#digestAll();
    if (resumes !== null) await this.#byPlace({ id: resumes, sourceName: this.#options.sourceName });
    if (!without.includes('key')) await this.#byKey();
    if (!without.includes('place')) for (const run of this.#ofSource) await this.#byPlace(run);
    if (!without.includes('ref') && this.#options.refScope === 'service') await this.#byRef();
    if (!without.includes('content')) {
      for (const valid of [1, 0]) for (const isFirst of [true, false]) await this.#byContent(valid, isFirst);
      await this.#byShown();
    }
    await this.#byRecordOrContent();
    // Their children tell them apart by these names until they are registered.
    this.#staging.nameNew(this.#kind);
  }

  async #digestAll(): Promise<void> {
    for await (const rows of this.#batches('TRUE')) {
      const contents = await this.#contentsOf(rows);
      const found = await this.#ledger.lookup(this.#options.service, [...contents.values()].flat());
      this.#staging.write(() => {
        for (const [number, digests] of contents) {
          const [content] = digests;
          if (content !== undefined)
            this.#staging.meet(
              number,
              content,
              digests.some((one) => found.has(hex(one))),
            );
        }
      });
    }
  }

  async #byKey(): Promise<void> {
    const runOf = new Map<number, number>();
    for await (const rows of this.#batches(`${unknown} AND r.own IS NOT NULL`)) {
      const places = rows.map(({ own }) => own as Place);
      const found = await this.#ledger.lookupPlaces(places);
      this.#staging.write(() => {
        rows.forEach((row, at) => {
          this.#claimByKey(row, found[at] ?? null, runOf);
        });
      });
    }
  }

  #claimByKey(row: KnownStaged, found: Appearance | null, runOf: Map<number, number>): void {
    const { own } = row;
    if (found === null) {
      const { trustResults, again } = this.#options;
      const isClaimed = own !== null && (own.saysIn || own.saysDoubt) && !again;
      if (isClaimed) this.#set(row, trustResults ? -row.number : null, trustResults ? 'trusted' : 'unknown-key');
      return;
    }
    if (found.service !== this.#options.service) return;
    const { row: known, runNumber } = found;
    const first = this.#staging.claimantOf(known.id);
    if (known.kind !== this.#kind) this.#set(row, null, 'other-kind');
    else if (first === null) this.#set(row, known.id, provenBy(found, 'key'));
    else this.#setCopies(row, this.#staging.one(first), known.id, runNumber > (runOf.get(known.id) ?? 0));
    if (known.kind === this.#kind && runNumber > (runOf.get(known.id) ?? 0)) runOf.set(known.id, runNumber);
  }

  /** Two rows of one logical row: the one of the newer run counts, and where they differ, neither may be believed. */
  #setCopies(row: KnownStaged, first: KnownStaged, id: number, isNewer: boolean): void {
    const [counts, copy] = isNewer ? [row, first] : [first, row];
    const differs =
      first.differs || row.content === null || first.content === null || !row.content.equals(first.content);
    this.#staging.claim(copy.number, { id, how: 'copy', differs });
    this.#staging.claim(counts.number, { id, how: 'key', differs });
  }

  async #byPlace({ id: run, sourceName }: Pick<RunRecord, 'id' | 'sourceName'>): Promise<void> {
    const nameThen = (name: string): string => (this.#options.nameOfSheet ?? same)(name, sourceName);
    const sheets = new Map(this.#staging.sheets.map(({ number, name }) => [number, nameThen(name)]));
    for await (const rows of this.#batches(unknown)) {
      const places = rows.map(({ sheet, row }) => ({ run, sheet: sheets.get(sheet) ?? '', row }));
      const found = await this.#ledger.lookupPlaces(places);
      this.#staging.write(() => {
        rows.forEach((row, at) => {
          const appearance = found[at] ?? null;
          if (appearance?.row.kind !== this.#kind) return;
          const [known] = this.#free([appearance.row]);
          if (known !== undefined) this.#set(row, known.id, provenBy(appearance, 'place'));
        });
      });
    }
  }

  async #byRef(): Promise<void> {
    for await (const rows of this.#batches(`${unknown} AND r.ref IS NOT NULL`)) {
      const digests = rows.map(({ ref }) => refDigest(this.#ledger, this.#options.service, this.#kind, ref ?? ''));
      const found = await this.#ledger.lookup(this.#options.service, digests);
      this.#staging.write(() => {
        rows.forEach((row, at) => {
          const free = this.#free(found.get(hex(digests[at]))?.map(({ row: known }) => known) ?? []);
          const [only, other] = free;
          if (only !== undefined && other === undefined) this.#set(row, only.id, 'ref');
          if (other !== undefined) this.#setOneOfSeveral(row, free);
        });
      });
    }
  }

  /** Of several records with one Ref, the row is the one that says the same, else it cannot be told which. */
  #setOneOfSeveral(row: KnownStaged, known: readonly LogicalRow[]): void {
    const same = known.find(({ content }) => content !== null && row.content !== null && content.equals(row.content));
    this.#set(row, same?.id ?? null, same === undefined ? 'several' : 'ref');
  }

  async #byContent(valid: number, isFirst: boolean): Promise<void> {
    for await (const rows of this.#batches(`${unknown} AND r.isMet AND r.isValid = ${valid}`)) {
      const { service } = this.#options;
      const contents = await this.#contentsOf(rows);
      const found = await this.#ledger.lookup(service, [...contents.values()].flat());
      const isLatest = await this.#latestUpdates(rows);
      const candidatesOf = (row: KnownStaged): readonly Candidate[] =>
        (contents.get(row.number) ?? []).flatMap((digest) => found.get(hex(digest)) ?? []);
      this.#staging.write(() => {
        for (const row of rows) {
          const candidates = candidatesOf(row).filter(
            (one) =>
              one.row.kind === this.#kind &&
              (!isFirst || one.isFirst) &&
              isLatest(row, one.row) &&
              !this.#hasOtherRef(row, one.row),
          );
          const [known] = this.#free(byState(candidates));
          if (known !== undefined) this.#set(row, known.id, 'content');
        }
      });
    }
  }

  /** A record that went in with a Ref is none that has another, whatever both say. */
  #hasOtherRef({ ref }: KnownStaged, { hasRef, standing }: LogicalRow): boolean {
    return this.#options.refScope === 'service' && ref !== null && hasRef && standing !== 'open';
  }

  /** A row that was believed by its results is known by what these showed, and by no more. */
  async #byShown(): Promise<void> {
    for await (const rows of this.#batches(`${unknown} AND h.shown IS NOT NULL`)) {
      const shown = await digestsOf(rows, shownOf, this.#kind, this.#around);
      const found = await this.#ledger.lookup(this.#options.service, [...shown.values()].flat());
      this.#staging.write(() => {
        for (const row of rows) {
          const candidates = (shown.get(row.number) ?? []).flatMap((digest) =>
            (found.get(hex(digest)) ?? []).filter((one) => one.row.content?.equals(digest)),
          );
          const [known] = this.#free(byState(candidates)).filter((one) => !this.#hasOtherRef(row, one));
          if (known !== undefined) this.#set(row, known.id, 'content');
        }
      });
    }
  }

  /** Rows that results tell of may have been met here since: what has their id, or says the same, and is in or may be, is that row. */
  async #byRecordOrContent(): Promise<void> {
    const { service } = this.#options;
    for await (const rows of this.#batches("r.how IN ('trusted', 'unknown-key')")) {
      const byId = await this.#ledger.lookupRecords(service, this.#kind, rows.flatMap(recordNamedBy));
      const contents = await this.#contentsOf(rows);
      const found = await this.#ledger.lookup(service, [...contents.values()].flat());
      this.#staging.write(() => {
        for (const row of rows) {
          const [record] = this.#free(recordNamedBy(row).flatMap((id) => byId.get(id) ?? []));
          const candidates = (contents.get(row.number) ?? []).flatMap((digest) => found.get(hex(digest)) ?? []);
          const [same] = this.#free(byState(candidates)).filter(
            ({ kind, standing }) => kind === this.#kind && standing !== 'open',
          );
          const known = record ?? same;
          if (known === undefined) continue;
          // A doubt is settled by results that are believed.
          const isDoubt = row.how === 'trusted' && known.standing !== 'committed';
          this.#set(row, known.id, isDoubt ? 'trusted' : record === undefined ? 'content' : 'key');
        }
      });
    }
  }

  /** An update is known by what it says only while it is the latest of its company: what came after it has changed that since. */
  async #latestUpdates(rows: readonly KnownStaged[]): Promise<(row: KnownStaged, known: LogicalRow) => boolean> {
    if (!recordKind(this.#kind).sending.isUpdate) return () => true;
    const updates = await updatesOf(rows, this.#ledger, this.#options.service);
    return (row, known) =>
      (updates.get(row.updates ?? '') ?? []).every(
        ({ standing, at }) => standing === 'open' || !isLater(at.order, known.at.order),
      );
  }

  #contentsOf(rows: readonly KnownStaged[]): Promise<ReadonlyMap<number, readonly Buffer[]>> {
    return digestsOf(rows, saidBy, this.#kind, this.#around);
  }

  get #around(): Around {
    const { service, refScope, sourceDigest } = this.#options;
    return { staging: this.#staging, ledger: this.#ledger, service, refScope, sourceDigest };
  }

  #free(rows: readonly LogicalRow[]): readonly LogicalRow[] {
    return rows.filter((row) => this.#mayBeMeant(row) && this.#staging.claimantOf(row.id) === null);
  }

  /** Another copy of a row, not sent yet, is wanted by those alone that send copies, or go on with that. */
  #mayBeMeant({ standing, repeats }: LogicalRow): boolean {
    const { again, resumes = null } = this.#options;
    return standing !== 'open' || repeats === null || again || resumes !== null;
  }

  #set({ number }: KnownStaged, id: number | null, how: How): void {
    this.#staging.claim(number, { id, how, differs: false });
  }

  #batches(where: string): AsyncGenerator<readonly KnownStaged[]> {
    return this.#staging.lightBatches(this.#kind, this.#options.batch ?? usualBatch, where);
  }
}

const unknown = 'r.how IS NULL';
const same = (name: string): string => name;

function recordNamedBy({ own }: KnownStaged): readonly string[] {
  return own?.answer?.kind === 'created' && own.answer.id !== null ? [own.answer.id] : [];
}

/** A place proves no more than the way by which the row was known there. */
function provenBy({ isByRef }: Appearance, how: How): How {
  return isByRef ? 'ref' : how;
}

/** What is in before what may be, and that before what may still be sent. */
function byState(candidates: readonly Candidate[]): readonly LogicalRow[] {
  const rank = { committed: 0, 'in-doubt': 1, sending: 1, open: 2 } as const;
  return candidates.map(({ row }) => row).sort((one, other) => rank[one.standing] - rank[other.standing]);
}

/**
 * Which logical row each staged row is. There are four ways to know one again: by its key, by its place in the same bytes, by its
 * Ref, by its content. Its one rule: each way is finished for the whole file before the next begins, so that the order of rows and
 * the size of batches make no difference.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Candidate, isLater, type Ledger, type LogicalRow, type Place, type RunRecord } from '../ledger/ledger.ts';
import type { How, KnownStaged, NamedParent, Staging } from '../staging/staging.ts';

export type Lookups = Pick<Ledger, 'digest' | 'runs' | 'lookup' | 'lookupPlaces' | 'lookupRecords'>;

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
  /** Rows in one look-up; a smaller one in tests. */
  readonly batch?: number;
  /** Ways that are left out, to prove by tests that each is needed. */
  readonly without?: readonly How[];
}

export type RefScope = 'service' | 'file';

const usualBatch = 512;

export async function identify(staging: Staging, ledger: Lookups, options: IdentityOptions): Promise<void> {
  const runs = await ledger.runs();
  const ofSource = runs.filter(
    ({ service, sourceDigest }) => service === options.service && sourceDigest === options.sourceDigest,
  );
  for (const kind of recordKindNames) await new KindIdentity(kind, staging, ledger, ofSource, options).run();
}

/** Where digests are made, and what tells the parents of rows. */
export interface Around {
  readonly staging: Staging;
  readonly ledger: Lookups;
  readonly service: string;
  readonly refScope: RefScope;
}

/**
 * What is told of rows by a digest: all that they say; what their results will show of that, where these hide something; the
 * values that identify them.
 */
export type Told = 'content' | 'shown' | 'identifies';

/** The digests of rows: with their parents as they are known first, then as they are named. */
export async function digestsOf(
  rows: readonly KnownStaged[],
  told: (row: KnownStaged) => readonly (readonly [Told, string])[],
  kind: RecordKindName,
  around: Around,
): Promise<ReadonlyMap<number, readonly Buffer[]>> {
  const { ledger, service } = around;
  const parents = await parentsOf(rows, around);
  const digestOf = (...parts: readonly string[]): Buffer => ledger.digest(parts.join('\n'));
  return new Map(
    rows.map((row) => {
      const forms = row.parents.length === 0 ? [''] : formsOf(row.parents, parents);
      const digests = told(row).flatMap(([what, said]) =>
        forms.map((form) => digestOf(what, service, kind, form, said)),
      );
      return [row.number, digests] as const;
    }),
  );
}

/** By what a row is looked up: one with masked cells says no more than its results showed. */
export function saidBy({ says, isMasked }: KnownStaged): readonly (readonly [Told, string])[] {
  return [[isMasked === true ? 'shown' : 'content', says]];
}

/** By what it will be known. */
export function saidFromNowOn(row: KnownStaged): readonly (readonly [Told, string])[] {
  return [...saidBy(row), ...(row.shown == null ? [] : [['shown', row.shown] as const])];
}

export function identifying({ identifies }: KnownStaged): readonly (readonly [Told, string])[] {
  return identifies === null ? [] : [['identifies', identifies]];
}

export function refDigest(ledger: Pick<Ledger, 'digest'>, service: string, kind: RecordKindName, ref: string): Buffer {
  return ledger.digest(`ref\n${service}\n${kind}\n${ref}`);
}

/** By this, records that have a value in common which no two can have. */
export function uniqueDigest(
  ledger: Pick<Ledger, 'digest'>,
  service: string,
  kind: RecordKindName,
  value: string,
): Buffer {
  return ledger.digest(`unique\n${service}\n${kind}\n${value}`);
}

/** By this, all updates of one company are known. */
export function updatesDigest(ledger: Pick<Ledger, 'digest'>, service: string, company: string): Buffer {
  return ledger.digest(`updates\n${service}\n${company}`);
}

/** The updates of companies that rows of a batch update, too, by the company. */
export async function updatesOf(
  rows: readonly KnownStaged[],
  ledger: Lookups,
  service: string,
): Promise<ReadonlyMap<string, readonly LogicalRow[]>> {
  const companies = [...new Set(rows.flatMap(({ updates }) => updates ?? []))];
  const digests = companies.map((company) => updatesDigest(ledger, service, company));
  const found = companies.length === 0 ? new Map() : await ledger.lookup(service, digests);
  return new Map(
    companies.map((company, at) => [company, (found.get(hex(digests[at])) ?? []).map(({ row }: Candidate) => row)]),
  );
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
    if (resumes !== null) await this.#byPlace({ id: resumes });
    if (!without.includes('key')) await this.#byKey();
    if (!without.includes('place')) for (const run of this.#ofSource) await this.#byPlace(run);
    if (!without.includes('ref') && this.#options.refScope === 'service') await this.#byRef();
    if (!without.includes('content')) {
      for (const valid of [1, 0]) for (const isFirst of [true, false]) await this.#byContent(valid, isFirst);
    }
    await this.#byWordOrContent();
    this.#namesNew();
  }

  async #digestAll(): Promise<void> {
    for (const rows of this.#batches('TRUE')) {
      const contents = await this.#contentsOf(rows);
      this.#staging.write(() => {
        for (const { number } of rows) {
          const [content] = contents.get(number) ?? [];
          if (content !== undefined) this.#staging.setContent(number, content);
        }
      });
    }
  }

  async #byKey(): Promise<void> {
    const runOf = new Map<number, number>();
    for (const rows of this.#batches(`${unknown} AND r.own IS NOT NULL`)) {
      const places = rows.map(({ own }) => own as Place);
      const found = await this.#ledger.lookupPlaces(places);
      this.#staging.write(() => {
        rows.forEach((row, at) => {
          this.#claimByKey(row, found[at] ?? null, runOf);
        });
      });
    }
  }

  #claimByKey(
    row: KnownStaged,
    found: Awaited<ReturnType<Lookups['lookupPlaces']>>[number],
    runOf: Map<number, number>,
  ): void {
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
    else if (first === null) this.#set(row, known.id, 'key');
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

  async #byPlace({ id: run }: Pick<RunRecord, 'id'>): Promise<void> {
    const sheets = new Map(this.#staging.sheets.map(({ number, name }) => [number, name]));
    for (const rows of this.#batches(unknown)) {
      const places = rows.map(({ sheet, row }) => ({ run, sheet: sheets.get(sheet) ?? '', row }));
      const found = await this.#ledger.lookupPlaces(places);
      this.#claimEach(rows, 'place', (_, at) => {
        const known = found[at]?.row;
        return known !== undefined && known.kind === this.#kind ? [known] : [];
      });
    }
  }

  async #byRef(): Promise<void> {
    for (const rows of this.#batches(`${unknown} AND r.ref IS NOT NULL`)) {
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
    for (const rows of this.#batches(`${unknown} AND r.valid = ${valid}`)) {
      const { service } = this.#options;
      const contents = await this.#contentsOf(rows);
      const found = await this.#ledger.lookup(service, [...contents.values()].flat());
      const isLatest = await this.#latestUpdates(rows);
      const candidatesOf = (row: KnownStaged): readonly Candidate[] =>
        (contents.get(row.number) ?? []).flatMap((digest) => found.get(hex(digest)) ?? []);
      this.#claimEach(rows, 'content', (row) =>
        byState(
          candidatesOf(row).filter(
            (one) => one.row.kind === this.#kind && (!isFirst || one.isFirst) && isLatest(row, one.row),
          ),
        ),
      );
    }
  }

  /** Rows that results tell of may have been met here since: what says the same and is in, or may be, is that row. */
  async #byWordOrContent(): Promise<void> {
    const { service } = this.#options;
    for (const rows of this.#batches("r.how IN ('trusted', 'unknown-key')")) {
      const contents = await this.#contentsOf(rows);
      const found = await this.#ledger.lookup(service, [...contents.values()].flat());
      this.#staging.write(() => {
        for (const row of rows) {
          const candidates = (contents.get(row.number) ?? []).flatMap((digest) => found.get(hex(digest)) ?? []);
          const [known] = this.#free(byState(candidates)).filter(
            ({ kind, standing }) => kind === this.#kind && standing !== 'open',
          );
          // A doubt is settled by results that are believed.
          const how = row.how === 'trusted' && known?.standing !== 'committed' ? 'trusted' : 'content';
          if (known !== undefined) this.#set(row, known.id, how);
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

  /** Each row takes the first of its candidates that no other row has taken. */
  #claimEach(
    rows: readonly KnownStaged[],
    how: How,
    candidatesOf: (row: KnownStaged, at: number) => readonly LogicalRow[],
  ): void {
    this.#staging.write(() => {
      rows.forEach((row, at) => {
        const [known] = this.#free(candidatesOf(row, at));
        if (known !== undefined) this.#set(row, known.id, how);
      });
    });
  }

  /** Rows that are met for the first time have names of their own until they are registered, for their children to tell them apart. */
  #namesNew(): void {
    for (const rows of this.#batches(unknown)) {
      this.#staging.write(() => {
        for (const row of rows) this.#set(row, -row.number, 'new');
      });
    }
  }

  #contentsOf(rows: readonly KnownStaged[]): Promise<ReadonlyMap<number, readonly Buffer[]>> {
    const { service, refScope } = this.#options;
    const around = { staging: this.#staging, ledger: this.#ledger, service, refScope };
    return digestsOf(rows, saidBy, this.#kind, around);
  }

  #free(rows: readonly LogicalRow[]): readonly LogicalRow[] {
    return rows.filter(({ id }) => this.#staging.claimantOf(id) === null);
  }

  #set({ number }: KnownStaged, id: number | null, how: How): void {
    this.#staging.claim(number, { id, how, differs: false });
  }

  #batches(where: string): IterableIterator<readonly KnownStaged[]> {
    return this.#staging.lightBatches(this.#kind, this.#options.batch ?? usualBatch, where);
  }
}

const unknown = 'r.how IS NULL';

/** What is in before what may be, and that before what may still be sent. */
function byState(candidates: readonly Candidate[]): readonly LogicalRow[] {
  const rank = { committed: 0, 'in-doubt': 1, sending: 1, open: 2 } as const;
  return candidates.map(({ row }) => row).sort((one, other) => rank[one.standing] - rank[other.standing]);
}

/** The logical rows of parents, by how they are named. */
async function parentsOf(
  rows: readonly KnownStaged[],
  { staging, ledger, service, refScope }: Around,
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  const named = rows.flatMap(({ parents }) => parents);
  const elsewhere: NamedParent[] = [];
  for (const parent of named) {
    if (parent.ref === null || found.has(nameOf(parent))) continue;
    const [number, other] = staging.withRef(parent.kind, parent.ref);
    if (number !== undefined) found.set(nameOf(parent), other === undefined ? staging.one(number).id : null);
    else if (refScope === 'service') elsewhere.push(parent);
  }
  const digests = elsewhere.map(({ kind, ref }) => refDigest(ledger, service, kind, ref ?? ''));
  const byRef = await ledger.lookup(service, digests);
  elsewhere.forEach((parent, at) => {
    const [one, other] = byRef.get(hex(digests[at])) ?? [];
    found.set(nameOf(parent), one !== undefined && other === undefined ? one.row.id : null);
  });
  for (const kind of new Set(named.map((parent) => parent.kind))) {
    const ids = named.flatMap((parent) => (parent.kind === kind && parent.id !== null ? [parent.id] : []));
    if (ids.length === 0) continue;
    const byId = await ledger.lookupRecords(service, kind, ids);
    for (const parent of named) {
      if (parent.kind === kind && parent.id !== null) found.set(nameOf(parent), byId.get(parent.id)?.id ?? null);
    }
  }
  return found;
}

function nameOf({ kind, ref, id }: NamedParent): string {
  return `${kind}\n${ref ?? ''}\n${id ?? ''}`;
}

/** How the parents of a row may be named: by their logical rows where these are known, and as the cells name them. */
function formsOf(parents: readonly NamedParent[], rows: ReadonlyMap<string, number | null>): readonly string[] {
  const asNamed = parents.map(({ fills, ref, id }) => `${fills}=${ref === null ? `id ${id}` : `ref ${ref}`}`);
  const known = parents.map((parent, at) => {
    const id = rows.get(nameOf(parent)) ?? null;
    return id === null ? (asNamed[at] ?? '') : `${parent.fills}=row ${id}`;
  });
  return [...new Set([known.join('\n'), asNamed.join('\n')])];
}

function hex(digest: Buffer | undefined): string {
  return digest?.toString('hex') ?? '';
}

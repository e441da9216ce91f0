/**
 * Finds the logical row of each staged row: by its key, as its run registered it (in a resume), by its place in the same bytes, by its
 * Ref, by its content (as it is, alike, masked, put back), by the record that unknown results name, and as a repeat in doubt. Its one
 * rule: each way is finished for all rows of a kind before the next begins, so that row order and batch size make no difference.
 */
import { type RecordKindName, recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import {
  type Appearance,
  type Candidate,
  isLater,
  type LogicalRow,
  type Place,
  type RunRecord,
} from '../ledger/ledger.ts';
import { oncePer } from '../once.ts';
import { type FoundBy, isRegistered, type KnownStaged, newRowId } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { exportedAtOf } from '../staging/unchanged-cells.ts';
import { csvSheetName } from '../tables/open-source.ts';
import type { PlanOptions } from './decision.ts';
import { digestsFor } from './parents.ts';
import {
  type Around,
  byState,
  candidatesByContent,
  candidatesByRef,
  candidatesOf,
  certainlyTwo,
  isLive,
  isOfFile,
  latestIn,
  liveOf,
  mayBeSince,
  namedOf,
  type PlanLedger,
  type RowDigests,
} from './row-digests.ts';

/** @returns by the name of each file that the source may be a copy of, how many rows were found from it */
export async function identify(staging: Staging, ledger: PlanLedger, options: PlanOptions) {
  const runs = await ledger.runs();
  const ofService = runs.filter((run) => run.service === options.service);
  // A file of this name was a copy of others, so this one may be, too, even if every row has changed.
  const named = ofService.filter((run) => run.sourceName === options.origin);
  const origins = new Map([options.origin, ...named.map((run) => run.origin)].map((name) => [name, 0]));
  const ofSource = ofService.filter((run) => run.sourceDigest === options.sourceDigest);
  const around = { staging, ledger, runs, ofService, ofSource, origins, ...options };
  const kinds = recordKindNames.map((kind) => new KindIdentity(kind, around));
  for (const kind of kinds) await kind.run();
  // A row that lacks a value is known by its file, which rows of a later kind may show this one to be a copy of.
  if (origins.size > 1 && options.without?.includes('content') !== true)
    for (const kind of kinds) await kind.byContents('r.isValid = 0');
  return origins as ReadonlyMap<string, number>;
}

type AlikeOf = (row: KnownStaged) => readonly LogicalRow[];

interface IdentityAround extends PlanOptions, Around {
  readonly runs: readonly RunRecord[];
  readonly ofService: readonly RunRecord[];
  readonly ofSource: readonly RunRecord[];
  readonly origins: Map<string, number>;
}

class KindIdentity {
  readonly #kind: RecordKindName;
  readonly #around: IdentityAround;

  constructor(kind: RecordKindName, around: IdentityAround) {
    this.#kind = kind;
    this.#around = around;
  }

  async run(): Promise<void> {
    const { without = [], resumes = null, sourceName, refScope, ofSource } = this.#around;
    await this.#markMayBeKnown();
    if (!without.includes('key')) await this.#byKey();
    if (resumes !== null) await this.#asRegistered({ id: resumes, sourceName });
    if (!without.includes('place')) for (const run of ofSource) await this.#byPlace(run);
    if (!without.includes('ref') && refScope === 'service')
      for (const isStill of [true, false]) await this.#byRef(isStill);
    if (!without.includes('content')) {
      for (const where of ['r.isValid = 1', 'r.isValid = 0']) await this.byContents(where);
      if (recordKind(this.#kind).sending.isUpdate) await this.#byContent('content', 'TRUE', () => true, true);
      await this.#byContent('alike', 'TRUE', () => true);
      // A row that was trusted from its results sheet has the content that they showed.
      await this.#byContent('masked', 'TRUE', ({ row: { content } }, shown) => shown.includes(content ?? ''));
      await this.#asPutBack();
    }
    await this.#byRecordOrContent();
    if (this.#around.again) await this.#asRepeatInDoubt();
  }

  async byContents(where: string): Promise<void> {
    // An open update comes after the older ones that are in.
    const mayBe = ({ row }: Candidate) => !recordKind(this.#kind).sending.isUpdate || isLive(row);
    for (const all of [false, true])
      await this.#byContent('content', where, (one) => (all || one.isFirst) && mayBe(one));
  }

  /** Marks the rows that the ledger may know by any digest or key. The four ways look at these only. */
  async #markMayBeKnown(): Promise<void> {
    const { staging, ofService, ofSource, resumes = null } = this.#around;
    const isLoadedBefore = resumes !== null || ofSource.length > 0;
    // Without a run in this service, the ledger knows none of its rows.
    const isFirst = resumes === null && ofService.length === 0;
    await this.#each(isFirst ? '(r.content IS NULL OR r.own IS NOT NULL)' : 'TRUE', async (rows) => {
      const digests = await this.#digestsOf(rows);
      const marked = isFirst ? [] : rows.map(digests.all);
      const candidates = await candidatesOf(this.#around, marked.flat());
      return (row, at) => {
        const mayBeKnown = isLoadedBefore || row.own !== null || candidates(marked[at] ?? []).length > 0;
        const [content = null] = digests.content(row);
        if (content !== row.content || mayBeKnown !== row.mayBeKnown)
          staging.setContent(row.number, content, mayBeKnown);
      };
    });
  }

  async #byKey(): Promise<void> {
    const runOf = new Map<number, number>();
    const elsewhere = new Map<number, KnownStaged>();
    await this.#each(`${unidentified} AND r.own IS NOT NULL`, async (rows) => {
      const found = await this.#around.ledger.lookupPlaces(rows.map(({ own }) => own as Place));
      const isOfHere = (one: Appearance | null) => one === null || one.service === this.#around.service;
      const ofSameBytes = found.every(isOfHere) ? [] : await this.#ofSameBytes(rows);
      return (row, at) => {
        const [named = null, here] = [found[at], ofSameBytes[at]];
        if (isOfHere(named)) this.#claimByKey(row, named, runOf);
        else if (here?.row.kind === this.#kind) this.#claimByKey(row, here, runOf);
        else if (named?.row.kind === this.#kind) this.#claimCopies(row, named.row, elsewhere);
      };
    });
  }

  /** A key of another service names a place in its source. If the same bytes were loaded into this service, it means that place here. */
  async #ofSameBytes(rows: readonly KnownStaged[]): Promise<readonly (Appearance | null)[]> {
    const { ledger, runs, ofService } = this.#around;
    const places = rows.map(({ own }) => {
      const { run = '', sheet = '', row = 0 } = own ?? {};
      const there = runs.find(({ id }) => id === run);
      const here = ofService.find((one) => one.sourceDigest === there?.sourceDigest);
      const isNamedByFile = there !== undefined && sheet === csvSheetName(there.sourceName);
      return { run: here?.id ?? '', sheet: isNamedByFile ? csvSheetName(here?.sourceName ?? '') : sheet, row };
    });
    return ledger.lookupPlaces(places);
  }

  #claimByKey(row: KnownStaged, found: Appearance | null, runOf: Map<number, number>): void {
    const { staging, trustResults, again, without = [] } = this.#around;
    if (found === null) {
      const isSent = row.own !== null && (row.own.saysIn || row.own.saysDoubt) && !again;
      if (isSent && trustResults) this.#claim(row, newRowId(row.number), 'trusted');
      else if (isSent) this.#claim(row, null, 'unknown-key');
      return;
    }
    const { row: known, runNumber } = found;
    if (known.kind !== this.#kind && !without.includes('other-kind')) {
      this.#claim(row, null, 'other-kind');
      return;
    }
    const first = staging.claimantOf(known.id);
    const isNewer = runNumber > (runOf.get(known.id) ?? 0);
    if (first === null) this.#set(row, known, provenBy(found, 'key'));
    else this.#setCopies(row, staging.one(first), known.id, isNewer);
    if (isNewer) runOf.set(known.id, runNumber);
  }

  /** A key of another service proves only that two lines with the same key are the same row. */
  #claimCopies(row: KnownStaged, { id }: LogicalRow, elsewhere: Map<number, KnownStaged>): void {
    const first = elsewhere.get(id);
    elsewhere.set(id, first ?? row);
    if (first === undefined) return;
    const differs = areUnlike(first, row);
    for (const { number } of differs ? [first, row] : [row])
      this.#around.staging.claim(number, { id: newRowId(first.number), foundBy: 'copy', differs });
  }

  /** Two lines of one logical row: the one of the newer run counts. Where they differ, neither is trusted. */
  #setCopies(row: KnownStaged, first: KnownStaged, id: number, isNewer: boolean): void {
    const [counts, copy] = isNewer ? [row, first] : [first, row];
    const differs = first.differs || areUnlike(first, row);
    this.#around.staging.claim(copy.number, { id, foundBy: 'copy', differs });
    this.#around.staging.claim(counts.number, { id, foundBy: 'key', differs });
  }

  /** A run being resumed has registered its rows: each is what it was then, whatever its key names by now. */
  #asRegistered(run: Pick<RunRecord, 'id' | 'sourceName'>): Promise<void> {
    return this.#atPlaces(run, mayBeKnown, (row, found) => {
      if (row.id === found.row.id) return;
      const isByKey = row.foundBy === 'key' || row.foundBy === 'copy' || row.foundBy === 'other-kind';
      this.#set(row, found.row, isByKey ? row.foundBy : provenBy(found, 'place'));
    });
  }

  #byPlace(run: RunRecord): Promise<void> {
    return this.#atPlaces(run, unidentified, (row, found) => {
      if (this.#free([found.row]).length > 0) this.#set(row, found.row, provenBy(found, 'place'));
    });
  }

  /** @param note  gets a row and what the run registered at its place */
  #atPlaces(
    { id: run, sourceName }: Pick<RunRecord, 'id' | 'sourceName'>,
    where: string,
    note: (row: KnownStaged, found: Appearance) => void,
  ): Promise<void> {
    const { staging, ledger, isNamedByFile } = this.#around;
    const nameThere = (name: string) => (isNamedByFile === true ? csvSheetName(sourceName) : name);
    return this.#each(where, async (rows) => {
      const places = rows.map((row) => ({ run, sheet: nameThere(staging.sheetOf(row).name), row: row.row }));
      const found = await ledger.lookupPlaces(places);
      return (row, at) => {
        const appearance = found[at] ?? null;
        if (appearance?.row.kind === this.#kind) note(row, appearance);
      };
    });
  }

  /** @param isStill  among the rows that have the Ref still, before those that had it */
  async #byRef(isStill: boolean): Promise<void> {
    await this.#each(`${unidentified} AND r.ref IS NOT NULL`, async (rows) => {
      const named = ({ ref }: KnownStaged) => ({ kind: this.#kind, ref: ref ?? '' });
      const candidates = await candidatesByRef(this.#around, rows.map(named), isStill);
      return (row) => {
        // A line that was never sent, such as one with a Ref twice, does not make the Ref that of several records.
        const free = namedOf(this.#free(candidates(named(row)).map((one) => one.row)));
        // If several records have the Ref, the row is the one with the same content.
        const same = free.find(({ content }) => content !== null && content === row.content);
        const meant = same ?? (free.length === 1 ? free[0] : undefined);
        if (meant !== undefined) this.#set(row, meant, 'ref');
        else if (free.length > 0) this.#claim(row, null, 'several');
      };
    });
  }

  /**
   * @param isMeant  gets a row that ever had one of the digests, and these digests
   * @param isOlder  also among the older updates of a company
   */
  async #byContent(
    use: 'content' | 'alike' | 'masked',
    where: string,
    isMeant: (candidate: Candidate, digests: readonly string[]) => boolean,
    isOlder = false,
  ): Promise<void> {
    await this.#each(`${unidentified} AND ${where}`, async (rows) => {
      const digests = await this.#digestsOf(rows);
      const candidates = await candidatesByContent(this.#around, rows, digests[use]);
      const alikeOf = (row: KnownStaged) => byState(candidates(row).filter((one) => isMeant(one, digests[use](row))));
      const isLatest = await this.#latestUpdates(rows, digests, isOlder ? alikeOf : null);
      return (row) => {
        const [known] = this.#free(alikeOf(row)).filter((one) => isLatest(row, one) && !this.#hasOtherRef(row, one));
        if (known !== undefined) this.#set(row, known, 'content');
      };
    });
  }

  /** Whether the sent row has another Ref, since equal Refs are matched by now. Then it is another record, even with equal values. */
  #hasOtherRef({ ref }: KnownStaged, known: LogicalRow): boolean {
    return this.#around.refScope === 'service' && ref !== null && known.ref !== null && known.phase !== 'open';
  }

  /**
   * This ledger may have registered rows since that a results sheet reports. A row with their record id, or a committed or
   * in-doubt one with their content, is that row.
   */
  async #byRecordOrContent(): Promise<void> {
    const { ledger, service } = this.#around;
    await this.#each(`${mayBeKnown} AND r.foundBy IN ('trusted', 'unknown-key')`, async (rows) => {
      const named = rows.map(({ own }) => ({ kind: this.#kind, id: own?.answer?.id ?? '' }));
      const records = await ledger.lookupRecords(service, named);
      const digests = await this.#digestsOf(rows);
      const candidates = await candidatesByContent(this.#around, rows, digests.content);
      return (row, at) => {
        const [record] = this.#free([records[at] ?? []].flat());
        const alike = this.#free(byState(candidates(row))).find(({ phase }) => phase !== 'open');
        const known = record ?? alike;
        if (known === undefined) return;
        // A trusted results sheet settles the doubt.
        const isDoubt = row.foundBy === 'trusted' && known.phase !== 'committed';
        this.#set(row, known, isDoubt ? 'trusted' : record === undefined ? 'content' : 'key');
      };
    });
  }

  /**
   * An update matches by content while it is the latest of its company, because a later one has changed the values since. An older one
   * does beside the row of the latest: if that stands further down, or if both were in one load and their file was sorted.
   */
  async #latestUpdates(rows: readonly KnownStaged[], digests: RowDigests, olderOf: AlikeOf | null) {
    if (!recordKind(this.#kind).sending.isUpdate) return () => true;
    const { staging, ledger, origin } = this.#around;
    const updates = await candidatesOf(this.#around, rows.flatMap(digests.updates));
    const latestOf = oncePer((row: KnownStaged) => latestIn(liveOf(updates(digests.updates(row)))));
    const areTwo = await certainlyTwo(
      ledger,
      rows.flatMap((row) => [latestOf(row) ?? []].flat().map((latest) => [latest, olderOf?.(row) ?? []] as const)),
    );
    return (row: KnownStaged, known: LogicalRow) => {
      // What went in before the row was exported is in the values that the row was changed from.
      if (known.phase === 'committed' && !mayBeSince(known, exportedAtOf(staging.cellsOf(row)))) return false;
      const latest = latestOf(row);
      if (latest === undefined || !isLater(latest.at.order, known.at.order)) return true;
      const here = olderOf === null ? null : staging.claimantOf(latest.id);
      const isSorted = known.origin === origin && areTwo(known, latest);
      return here !== null && (row.number < here || isSorted);
    };
  }

  /** A row that equals its export is the latest update of its company that this file sent since: it was put back. */
  async #asPutBack(): Promise<void> {
    const { staging, sourceName } = this.#around;
    const isUnkeyed = `coalesce(r.foundBy, 'place') IN ('place', 'content')`;
    await this.#each(`${mayBeKnown} AND r.aside = 'unchanged' AND ${isUnkeyed}`, async (rows) => {
      const { updates } = await this.#digestsOf(rows);
      const candidates = await candidatesOf(this.#around, rows.flatMap(updates));
      return (row) => {
        const live = liveOf(candidates(updates(row)));
        const exportedAt = exportedAtOf(staging.cellsOf(row));
        if (exportedAt === null || live.some(({ id }) => id === row.id)) return;
        const since = live.filter((one) => one.at.startedAt > exportedAt && isOfFile(one, sourceName));
        const update = latestIn(since);
        if (update !== undefined && this.#free([update]).length > 0) this.#set(row, update, 'content');
      };
    });
  }

  /** A committed row that is to be sent again, and whose repeat by an earlier load is in doubt, is that repeat. */
  async #asRepeatInDoubt(): Promise<void> {
    await this.#each(`${mayBeKnown} AND r.id IS NOT NULL AND r.foundBy <> 'copy'`, async (rows) => {
      const { content, ref } = await this.#digestsOf(rows);
      const asked = (row: KnownStaged) => [...content(row), ...ref(row)];
      const candidates = await candidatesOf(this.#around, rows.flatMap(asked));
      const known = await this.#around.ledger.lookupRows(rows.map(({ id }) => id).filter(isRegistered));
      return (row) => {
        const [own = null] = ref(row);
        const isOfRow = ({ repeats, ref: named }: LogicalRow) =>
          repeats !== null && (repeats === row.id || named === own);
        const repeats = candidates(asked(row)).flatMap((one) => (isOfRow(one.row) ? one.row : []));
        const [doubt] = this.#free(repeats.filter(({ phase }) => phase === 'in-doubt' || phase === 'sending'));
        if (doubt !== undefined && known.get(row.id ?? 0)?.phase === 'committed') this.#set(row, doubt, row.foundBy);
      };
    });
  }

  async #digestsOf(rows: readonly KnownStaged[]): Promise<RowDigests> {
    return (await digestsFor(this.#kind, rows, this.#around)).digests;
  }

  /** An open repeat of a row is matched only with `--again` or in a resume. */
  #free(rows: readonly LogicalRow[]): readonly LogicalRow[] {
    const { staging, again, resumes = null } = this.#around;
    const mayBeMeant = ({ phase, repeats }: LogicalRow) =>
      phase !== 'open' || repeats === null || again || resumes !== null;
    return rows.filter((row) => mayBeMeant(row) && staging.claimantOf(row.id) === null);
  }

  #set(row: KnownStaged, { id, origin }: LogicalRow, foundBy: FoundBy): void {
    const { origins } = this.#around;
    origins.set(origin, (origins.get(origin) ?? 0) + 1);
    this.#claim(row, id, foundBy);
  }

  #claim({ number }: KnownStaged, id: number | null, foundBy: FoundBy): void {
    this.#around.staging.claim(number, { id, foundBy, differs: false });
  }

  /** @param learn  queries the ledger for a batch, and returns what to note for each of its rows */
  async #each(where: string, learn: (rows: readonly KnownStaged[]) => Promise<(row: KnownStaged, at: number) => void>) {
    const { staging, ledger, batch = ledger.rowsAtOnce } = this.#around;
    for await (const rows of staging.batches(this.#kind, where, batch)) {
      rows.forEach(await learn(rows));
    }
  }
}

const mayBeKnown = 'r.mayBeKnown = 1';
const unidentified = `${mayBeKnown} AND r.foundBy IS NULL`;

const areUnlike = (one: KnownStaged, other: KnownStaged) => one.content === null || one.content !== other.content;

/** If the row was found by its Ref there, its place or key proves no more than the Ref. */
function provenBy({ isByRef }: Appearance, foundBy: FoundBy): FoundBy {
  return isByRef ? 'ref' : foundBy;
}

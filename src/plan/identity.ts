/**
 * Finds the logical row of each staged row: by its key, as its run registered it (in a resume), by its place in the same bytes, by its
 * Ref, by its content (as it is, alike, masked, put back), by the record that unknown results name, and as a repeat in doubt. Its one
 * rule: each way is finished for all rows of a kind before the next begins, so that row order and batch size make no difference.
 */
import { type RecordKindName, recordKindNames } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Appearance, isLater, type LogicalRow, type Place, type RunRecord } from '../ledger/ledger.ts';
import { oncePer } from '../once.ts';
import { type FoundBy, isRegistered, type KnownStaged, type OwnCells } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { exportedAtOf } from '../staging/unchanged-cells.ts';
import { csvSheetName } from '../tables/open-source.ts';
import { noteCopies, unknownLines } from './copies.ts';
import type { PlanOptions } from './decision.ts';
import { digestsFor } from './parents.ts';
import {
  type Around,
  areTwo,
  byState,
  candidatesByContent,
  candidatesByRef,
  candidatesOf,
  isLive,
  isOfFile,
  latestIn,
  mayBeSince,
  namedOf,
  type PlanLedger,
  type RowDigests,
} from './row-digests.ts';
import { sheetThere } from './unclaimed-rows.ts';

/**
 * @returns `origins`: by the name of each file that the source may be a copy of, how many rows were found from it; `copied`: the
 * files that files of its name were copies of
 */
export async function identify(staging: Staging, ledger: PlanLedger, options: PlanOptions) {
  const runs = await ledger.runs();
  const ofService = runs.filter((run) => run.service === options.service);
  // A file of this name was a copy of others, so this one may be, too, even if every row has changed.
  const named = ofService.filter((run) => run.sourceName === options.origin);
  const copied: ReadonlySet<string> = new Set(named.map((run) => run.origin));
  const origins = new Map([options.origin, ...copied].map((name) => [name, 0]));
  const ofSource = ofService.filter((run) => run.sourceDigest === options.sourceDigest);
  const kinds = recordKindNames.map((kind) =>
    identityIn({ kind, staging, ledger, runs, ofService, ofSource, origins, ...options }),
  );
  for (const { run } of kinds) await run();
  // A row that lacks a value is known by its file, which rows of a later kind may show this one to be a copy of.
  if (origins.size > 1 && options.without?.includes('content') !== true)
    for (const { byContents } of kinds) await byContents('r.isValid = 0');
  return { origins: origins as ReadonlyMap<string, number>, copied };
}

interface IdentityAround extends PlanOptions, Around {
  readonly kind: RecordKindName;
  readonly runs: readonly RunRecord[];
  readonly ofService: readonly RunRecord[];
  readonly ofSource: readonly RunRecord[];
  readonly origins: Map<string, number>;
}

/** What to note for each row of a batch, once the ledger was asked about all of them. */
type Learn = (rows: readonly KnownStaged[]) => Promise<(row: KnownStaged, at: number) => void>;
/** Gets a row that ever had one of the digests, and these digests. */
type IsMeant = (candidate: LogicalRow, digests: readonly string[]) => boolean;
type AlikeOf = (row: KnownStaged) => readonly LogicalRow[];

function identityIn(around: IdentityAround) {
  const { kind, staging, ledger, runs, ofService, ofSource, origins } = around;
  const { service, origin, sourceName, again, resumes = null, without = [] } = around;
  const { isUpdate } = recordKind(kind).sending;

  async function run(): Promise<void> {
    await markMayBeKnown();
    if (!without.includes('key')) await byKey();
    if (resumes !== null) await asRegistered({ id: resumes, sourceName });
    if (!without.includes('place')) for (const earlier of ofSource) await byPlace(earlier);
    if (!without.includes('ref') && around.refScope === 'service')
      for (const isStill of [true, false]) await byRef(isStill);
    if (!without.includes('content')) {
      for (const where of ['r.isValid = 1', 'r.isValid = 0']) await byContents(where);
      if (isUpdate) await byContent('content', 'TRUE', () => true, true);
      await byContent('alike', 'TRUE', () => true);
      // A row that was trusted from its results sheet has the content that they showed.
      await byContent('masked', 'TRUE', ({ content }, shown) => shown.includes(content ?? ''));
      await asPutBack();
    }
    await byRecordOrContent();
    if (again) await asRepeatInDoubt();
  }

  async function byContents(where: string): Promise<void> {
    // An open update comes after the older ones that are in.
    const mayBe = (one: LogicalRow) => !isUpdate || isLive(one);
    const passes: readonly IsMeant[] = [
      (one) => isLive(one) && one.isFirst === true,
      // What went out with this content comes before a row that had it first and was never sent.
      (one, said) => isLive(one) && said.includes(one.content ?? ''),
      (one) => mayBe(one) && one.isFirst === true,
      mayBe,
    ];
    for (const isMeant of passes) await byContent('content', where, isMeant);
  }

  /** Marks the rows that the ledger may know by any digest or key. The four ways look at these only. */
  function markMayBeKnown(): Promise<void> {
    const isLoadedBefore = resumes !== null || ofSource.length > 0;
    // Without a run in this service, the ledger knows none of its rows.
    const isFirst = resumes === null && ofService.length === 0;
    return each(isFirst ? '(r.content IS NULL OR r.own IS NOT NULL)' : 'TRUE', async (rows) => {
      const digests = await digestsOf(rows);
      const marked = isFirst ? [] : rows.map(digests.all);
      const candidates = await candidatesOf(around, marked.flat());
      return (row, at) => {
        const mayBeKnown = isLoadedBefore || row.own !== null || candidates(marked[at] ?? []).length > 0;
        const [content = null] = digests.content(row);
        if (content !== row.content || mayBeKnown !== row.mayBeKnown)
          staging.setContent(row.number, content, mayBeKnown);
      };
    });
  }

  async function byKey(): Promise<void> {
    const runOf = new Map<number, number>();
    const elsewhere = new Map<number, number>();
    const unknown = unknownLines(kind, around);
    await each(`${unidentified} AND r.own IS NOT NULL`, async (rows) => {
      const own = rows.map((row) => row.own as OwnCells);
      const named = await ledger.lookupPlaces(own);
      const isElsewhere = named.some((one) => one !== null && one.service !== service);
      const ofSameBytes = isElsewhere ? await ledger.lookupPlaces(own.map(placeHere)) : named;
      const digests = named.includes(null) ? await digestsOf(rows) : null;
      return (row, at) => {
        const there = named[at] ?? null;
        if (there === null) return unknown.note(row, digests as RowDigests);
        const here = ofSameBytes[at] ?? null;
        const known = here?.row.kind === kind ? here : there;
        const { id, repeats } = known.row;
        const isHere = known.service === service;
        if (isHere && known.row.kind !== kind && !without.includes('other-kind')) return claim(row, null, 'other-kind');
        const first = isHere ? staging.claimantOf(id) : (elsewhere.get(id) ?? elsewhere.get(repeats ?? id) ?? null);
        const isNewer = isHere && known.runNumber > (runOf.get(id) ?? 0);
        if (first !== null) noteCopies(staging, row, staging.one(first), isHere ? id : null, isNewer);
        else if (isHere) set(row, known.row, provenBy(known, 'key'));
        // What was sent again there is one row here.
        else for (const one of [id, repeats ?? id]) elsewhere.set(one, row.number);
        if (isNewer) runOf.set(id, known.runNumber);
      };
    });
    for (let at = 0; at < unknown.open.length; at += ledger.rowsAtOnce) {
      const rows = unknown.open.slice(at, at + ledger.rowsAtOnce).map(staging.one);
      const digests = await digestsOf(rows);
      for (const row of rows) unknown.noteOpen(row, digests);
    }
    if (unknown.lines.size > 0)
      await each('r.foundBy IS NULL AND r.own IS NULL', async (rows) => {
        const digests = await digestsOf(rows);
        return (row) => unknown.noteOriginal(row, digests);
      });
  }

  /** A key of another service names a place in its source. If the same bytes were loaded into this service, it means that place here. */
  function placeHere(own: Place): Place {
    const there = runs.find(({ id }) => id === own.run);
    if (there === undefined || there.service === service) return own;
    const here = ofService.find((one) => one.sourceDigest === there.sourceDigest);
    if (here === undefined) return own;
    return { run: here.id, sheet: sheetThere(own.sheet, there, here), row: own.row };
  }

  /** A run being resumed has registered its rows: each is what it was then, whatever its key names by now. */
  function asRegistered(of: Pick<RunRecord, 'id' | 'sourceName'>): Promise<void> {
    return atPlaces(of, mayBeKnown, (row, found) => {
      if (row.id === found.row.id) return;
      const isUnknown = row.foundBy === 'unknown-key' && isNeverSent(found.row);
      const isByKey = row.foundBy === 'key' || row.foundBy === 'copy' || row.foundBy === 'other-kind';
      set(row, found.row, isUnknown || isByKey ? row.foundBy : provenBy(found, 'place'));
    });
  }

  function byPlace(of: RunRecord): Promise<void> {
    return atPlaces(of, unidentified, (row, found) => {
      if (isFree(found.row)) set(row, found.row, provenBy(found, 'place'));
    });
  }

  /** @param note  gets a row and what the run registered at its place */
  function atPlaces(
    of: Pick<RunRecord, 'id' | 'sourceName'>,
    where: string,
    note: (row: KnownStaged, found: Appearance) => void,
  ): Promise<void> {
    const nameThere = (name: string) => (around.isNamedByFile === true ? csvSheetName(of.sourceName) : name);
    return each(where, async (rows) => {
      const placeOf = (row: KnownStaged) => ({ run: of.id, sheet: nameThere(staging.sheetOf(row).name), row: row.row });
      const found = await ledger.lookupPlaces(rows.map(placeOf));
      return (row, at) => {
        const appearance = found[at] ?? null;
        if (appearance?.row.kind === kind) note(row, appearance);
      };
    });
  }

  /** @param isStill  among the rows that have the Ref still, before those that had it */
  function byRef(isStill: boolean): Promise<void> {
    return each(`${unidentified} AND r.ref IS NOT NULL`, async (rows) => {
      const named = ({ ref }: KnownStaged) => ({ kind, ref: ref ?? '' });
      const candidates = await candidatesByRef(around, rows.map(named), isStill);
      return (row) => {
        // A line that was never sent, such as one with a Ref twice, does not make the Ref that of several records.
        const free = namedOf(candidates(named(row)).filter(isFree));
        // If several records have the Ref, the row is the one with the same content.
        const same = free.find(({ content }) => content !== null && content === row.content);
        const meant = same ?? (free.length === 1 ? free[0] : undefined);
        if (meant !== undefined) set(row, meant, 'ref');
      };
    });
  }

  /** @param isOlder  also among the older updates of a company */
  function byContent(
    use: 'content' | 'alike' | 'masked',
    where: string,
    isMeant: IsMeant,
    isOlder = false,
  ): Promise<void> {
    return each(`${unidentified} AND ${where}`, async (rows) => {
      const digests = await digestsOf(rows);
      const candidates = await candidatesByContent(around, rows, digests[use]);
      const alikeOf = (row: KnownStaged) => byState(candidates(row).filter((one) => isMeant(one, digests[use](row))));
      const isLatest = await latestUpdates(rows, digests, isOlder ? alikeOf : null);
      // Equal Refs are matched by now, so what was sent with another Ref is another record, even with equal values.
      const hasOtherRef = ({ ref }: KnownStaged, known: LogicalRow) =>
        around.refScope === 'service' && ref !== null && known.ref !== null && isLive(known);
      return (row) => {
        const known = alikeOf(row).find((one) => isFree(one) && isLatest(row, one) && !hasOtherRef(row, one));
        if (known !== undefined) set(row, known, 'content');
      };
    });
  }

  /**
   * An update matches by content while it is the latest of its company, because a later one has changed the values since. An older one
   * does beside the row of the latest: if that stands further down, or if both were in one load and their file was sorted.
   */
  async function latestUpdates(rows: readonly KnownStaged[], digests: RowDigests, olderOf: AlikeOf | null) {
    if (!isUpdate) return () => true;
    const updates = await candidatesOf(around, rows.flatMap(digests.updates));
    const latestOf = oncePer((row: KnownStaged) => latestIn(updates(digests.updates(row)).filter(isLive)));
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
  function asPutBack(): Promise<void> {
    const isUnkeyed = `coalesce(r.foundBy, 'place') IN ('place', 'content')`;
    return each(`${mayBeKnown} AND r.aside = 'unchanged' AND ${isUnkeyed}`, async (rows) => {
      const { updates } = await digestsOf(rows);
      const candidates = await candidatesOf(around, rows.flatMap(updates));
      return (row) => {
        const live = candidates(updates(row)).filter(isLive);
        const exportedAt = exportedAtOf(staging.cellsOf(row));
        if (exportedAt === null || live.some(({ id }) => id === row.id)) return;
        const update = latestIn(live.filter((one) => one.at.startedAt > exportedAt && isOfFile(one, sourceName)));
        if (update !== undefined && isFree(update)) set(row, update, 'content');
      };
    });
  }

  /**
   * This ledger may have registered rows since that a results sheet reports. A row with their record id, or else a committed or
   * in-doubt one with their content, is that row.
   */
  async function byRecordOrContent(): Promise<void> {
    const where = `${mayBeKnown} AND r.foundBy IN ('trusted', 'unknown-key') AND coalesce(r.id, 0) < 1`;
    for (const isByRecord of [true, false])
      await each(where, async (rows) => {
        const named = rows.map(({ own }) => ({ kind, id: own?.answer?.id ?? '' }));
        const records = isByRecord ? await ledger.lookupRecords(service, named) : [];
        const { content } = await digestsOf(rows);
        const candidates = await candidatesByContent(around, isByRecord ? [] : rows, content);
        return (row, at) => {
          const same = isByRecord ? [records[at] ?? []].flat() : byState(candidates(row)).filter(isLive);
          const known = same.find(isFree);
          if (known === undefined) return;
          // A trusted results sheet settles the doubt.
          const isDoubt = row.foundBy === 'trusted' ? known.phase !== 'committed' : isNeverSent(known);
          set(row, known, isDoubt ? row.foundBy : isByRecord ? 'key' : 'content');
        };
      });
  }

  /** A committed row that is to be sent again, and whose repeat by an earlier load is in doubt, is that repeat. */
  function asRepeatInDoubt(): Promise<void> {
    return each(`${mayBeKnown} AND r.id IS NOT NULL AND r.foundBy <> 'copy'`, async (rows) => {
      const { content, ref } = await digestsOf(rows);
      const asked = (row: KnownStaged) => [...content(row), ...ref(row)];
      const candidates = await candidatesOf(around, rows.flatMap(asked));
      const known = await ledger.lookupRows(rows.map(({ id }) => id).filter(isRegistered));
      return (row) => {
        const [own = null] = ref(row);
        const doubt = candidates(asked(row))
          .filter(isLive)
          .find(
            (one) =>
              one.repeats !== null &&
              (one.repeats === row.id || one.ref === own) &&
              one.phase !== 'committed' &&
              isFree(one),
          );
        if (doubt !== undefined && known.get(row.id ?? 0)?.phase === 'committed') set(row, doubt, row.foundBy);
      };
    });
  }

  async function digestsOf(rows: readonly KnownStaged[]): Promise<RowDigests> {
    return (await digestsFor(kind, rows, around)).digests;
  }

  /** An open repeat of a row is matched only with `--again` or in a resume. */
  function isFree({ id, phase, repeats }: LogicalRow): boolean {
    const mayBeMeant = phase !== 'open' || repeats === null || again || resumes !== null;
    return mayBeMeant && staging.claimantOf(id) === null;
  }

  function set(row: KnownStaged, known: LogicalRow, foundBy: FoundBy): void {
    origins.set(known.origin, (origins.get(known.origin) ?? 0) + 1);
    claim(row, known.id, foundBy);
  }

  function claim({ number, differs }: KnownStaged, id: number | null, foundBy: FoundBy): void {
    staging.claim(number, { id, foundBy, differs });
  }

  async function each(where: string, learn: Learn): Promise<void> {
    for await (const rows of staging.batches(kind, where, around.batch ?? ledger.rowsAtOnce))
      rows.forEach(await learn(rows));
  }

  return { run, byContents };
}

const mayBeKnown = 'r.mayBeKnown = 1';
const unidentified = `${mayBeKnown} AND r.foundBy IS NULL`;

/** If the row was found by its Ref there, its place or key proves no more than the Ref. */
function provenBy({ isByRef }: Appearance, foundBy: FoundBy): FoundBy {
  return isByRef ? 'ref' : foundBy;
}

/** A doubt that only an unknown results sheet brought in: as often as that sheet is loaded, nothing more is known. */
function isNeverSent({ phase, attempt }: LogicalRow): boolean {
  return phase === 'in-doubt' && attempt === 0;
}

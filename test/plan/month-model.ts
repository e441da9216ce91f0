/** Made-up months on the plan and the ledger alone: a person loads, corrects, sorts and mixes files while the service fails. */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RowState } from '../../src/contract/row-state.ts';
import type { Ledger, Outcome, Run } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { PlanLedger } from '../../src/plan/batch-facts.ts';
import type { StagedDecision } from '../../src/plan/decide.ts';
import { type PlanOptions, plan } from '../../src/plan/plan.ts';
import { registerKind } from '../../src/plan/register.ts';
import { refDigest } from '../../src/plan/row-digests.ts';
import type { How, KnownStaged, OwnCells } from '../../src/staging/staged-row.ts';
import { Staging } from '../../src/staging/staging.ts';
import { rowsStaged } from '../builders/staged-rows.ts';

export type Mutant = How | 'identifies' | 'stale answers' | 'hold everything' | null;

type Name = 'Anchor' | 'Bell' | 'Coral' | 'Dune';
const names: readonly Name[] = ['Anchor', 'Bell', 'Coral', 'Dune'];
const amounts: Readonly<Record<Name, string>> = { Anchor: '100', Bell: '200', Coral: '300', Dune: '400' };
const noAmount = 'much';

type Kind = 'deals' | 'transactions';
const kinds: readonly Kind[] = ['deals', 'transactions'];

interface Cells {
  readonly kind: Kind;
  /** Of a payment: the name of its deal with a number behind it. */
  readonly name: string;
  amount: string;
  /** Of a deal: its own Ref; of a payment: that of its deal. */
  readonly ref: string | null;
}

interface ResultRow {
  readonly own: { readonly run: string; readonly sheet: string; readonly row: number };
  readonly cells: Cells;
  readonly status: 'in' | 'in doubt' | 'out';
  readonly record: string;
  idCell: string;
  readonly rowId: number;
  readonly why: string | null;
}

type FileRow = { readonly cells: Cells; readonly own: OwnCells | null };

class Killed extends Error {}

interface Kill {
  readonly point: string;
  readonly n: number;
}

/** A service that refuses, or answers so that nobody knows, by chance. */
class Service {
  readonly records: { readonly id: string; readonly name: string; readonly of: string | null }[] = [];
  #seed = 1;
  #isWell = true;

  set(isWell: boolean, seed: number): void {
    [this.#isWell, this.#seed] = [isWell, seed];
  }

  create({ name }: Cells, of: string | null): { readonly state: RowState; readonly record: string | null } {
    const chance = this.#isWell ? 1 : this.#next();
    const add = (): string => {
      const id = `rec_${this.records.length + 1}`;
      this.records.push({ id, name, of });
      return id;
    };
    if (chance < 0.2) return { state: 'rejected', record: null };
    if (chance < 0.54) {
      if (chance >= 0.32) add();
      return { state: 'in-doubt', record: null };
    }
    return chance < 0.59 ? { state: 'not-sent', record: null } : { state: 'created', record: add() };
  }

  #next(): number {
    this.#seed = (this.#seed * 1103515245 + 12345) & 0x7fffffff;
    return this.#seed / 0x7fffffff;
  }
}

interface Circumstances {
  readonly isWell: boolean;
  readonly seed: number;
  readonly kill: Kill | null;
}

type Edit = 'leave' | 'answer' | 'new' | 'none';
/** What a person puts right in the source itself: what could not be read, or a value that could. */
type Correction = 'leave' | 'right' | 'other';

export type Step = Circumstances &
  (
    | {
        readonly do: 'source';
        readonly isLonger: boolean;
        readonly corrections: readonly Correction[];
        readonly isTurned: boolean;
        readonly limit: number | null;
      }
    | {
        readonly do: 'results';
        readonly age: number;
        readonly withOldest: boolean;
        readonly edits: readonly Edit[];
        readonly left: 'all' | 'turned' | 'without first' | 'open';
        readonly limit: number | null;
      }
    | { readonly do: 'resume' }
    | { readonly do: 'settle' }
  );

interface MonthRow {
  readonly name: Name;
  readonly isReadable: boolean;
  /** How many payments it has; only a deal with a Ref has some. */
  readonly payments: number;
}

export interface Month {
  /** Deals of one name are equal; with Refs, names are Refs, and each stands once. */
  readonly hasRefs: boolean;
  readonly rows: readonly MonthRow[];
  readonly extra: readonly MonthRow[];
  readonly first: Step;
  readonly steps: readonly Step[];
}

const service = 'https://example.test';

export class Desk {
  readonly #month: Month;
  readonly #mutant: Mutant;
  readonly #path: string;
  readonly #service = new Service();
  readonly #sheets: ResultRow[][] = [];
  readonly #files = new Map<string, readonly FileRow[]>();
  #ledger: Ledger;
  #amounts = 1000;

  constructor(month: Month, folder: string, mutant: Mutant) {
    this.#month = month;
    this.#mutant = mutant;
    this.#path = join(folder, `ledger-${randomUUID()}.db`);
    this.#ledger = openLedger(this.#path);
  }

  async work(): Promise<void> {
    try {
      await this.step(this.#month.first);
      for (const step of this.#month.steps) await this.step(step);
      await this.end();
    } finally {
      await this.#ledger.close();
      for (const name of ['', '-wal', '-shm', '.key']) rmSync(`${this.#path}${name}`, { force: true });
    }
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'source') {
      const rows = this.#source(step.isLonger, step.corrections);
      return this.#load(step.isTurned ? rows.reverse() : rows, step, step.limit);
    }
    if (step.do === 'resume') return this.#resume(step);
    if (step.do === 'settle') {
      await this.#settleOne();
      return;
    }
    const sheet = this.#sheets.at(-1 - (step.age % Math.max(1, this.#sheets.length)));
    if (sheet === undefined) return;
    let rows = structuredClone(sheet);
    for (const [at, row] of rows.entries()) await this.#edit(row, step.edits[at % step.edits.length] ?? 'leave', rows);
    if (step.left === 'turned') rows.reverse();
    if (step.left === 'without first' && rows.length > 1) rows = rows.slice(1);
    if (step.left === 'open' && rows.some(({ status }) => status !== 'in'))
      rows = rows.filter((row) => row.status !== 'in');
    if (step.withOldest && this.#sheets.length > 1) {
      const known = new Set(rows.map(({ own }) => `${own.run}#${own.row}`));
      rows.push(...structuredClone(this.#sheets[0] ?? []).filter(({ own }) => !known.has(`${own.run}#${own.row}`)));
    }
    await this.#load(rows.map(asFileRow), step, step.limit);
  }

  /** The service is well again: every doubt is settled, every row put right, and every sheet loaded once more. */
  async end(): Promise<void> {
    while (await this.#settleOne());
    const good: Circumstances = { isWell: true, seed: 1, kill: null };
    const newest = this.#sheets.at(-1);
    if (newest !== undefined) {
      // Of two lines of one row, a person leaves one.
      const lines = [...new Map(newest.map((row) => [row.rowId, row])).values()];
      const rows = structuredClone(lines).map((row) => {
        if (row.status !== 'in' && row.cells.amount === noAmount) row.cells.amount = this.#newAmount();
        return asFileRow({ ...row, idCell: '' });
      });
      await this.#load(rows, good, null);
      const lost = (this.#sheets.at(-1) ?? []).filter((row) => row.status !== 'in' && !this.#isHeldRightly(row));
      if (lost.length > 0) throw new Error(`not in at the end: ${JSON.stringify(lost)}`);
    }
    await this.#load(this.#source(false, []), good, null);
    const lost = (this.#sheets.at(-1) ?? []).filter(
      (row) => row.status !== 'in' && row.cells.amount !== noAmount && !this.#isHeldRightly(row),
    );
    if (lost.length > 0) throw new Error(`lost: ${JSON.stringify(lost)}`);
    for (const sheet of this.#sheets.slice(0, -1))
      await this.#load(
        structuredClone(sheet).map((row) => asFileRow({ ...row, idCell: '' })),
        good,
        null,
      );
    if (this.#mutant !== null) return;
    const files = [...this.#files.values()];
    for (const file of [files.at(0), files.at(-1)]) if (file !== undefined) await this.#expectNothingMore(file, good);
  }

  /** What is held stays held: a file that comes a second time, as it is, brings nothing in that the first time did not. */
  async #expectNothingMore(file: readonly FileRow[], circumstances: Circumstances): Promise<void> {
    await this.#load(file, circumstances, null);
    const made = this.#service.records.length;
    await this.#load(file, circumstances, null);
    const more = this.#service.records.slice(made);
    if (more.length > 0) throw new Error(`sent when it came again: ${JSON.stringify(more)}`);
  }

  #source(isLonger: boolean, corrections: readonly Correction[]): FileRow[] {
    const rows = this.#meant(isLonger);
    return rows.map(({ isReadable, ...cells }, at) => {
      const correction = corrections[at % Math.max(1, corrections.length)] ?? 'leave';
      const usual = correction === 'other' ? `${cells.amount}9` : cells.amount;
      return { cells: { ...cells, amount: isReadable || correction === 'right' ? usual : noAmount }, own: null };
    });
  }

  /** Deals, and with Refs their payments. */
  #meant(isLonger: boolean): (Cells & { readonly isReadable: boolean })[] {
    const rows = [...this.#month.rows, ...(isLonger ? this.#month.extra : [])];
    return rows.flatMap(({ name, isReadable, payments }, at) => {
      const ref = this.#month.hasRefs ? `${name}-${at}` : null;
      const named = ref ?? name;
      const deal = { kind: 'deals' as const, name: named, amount: amounts[name], ref, isReadable };
      const paid = Array.from({ length: ref === null ? 0 : payments }, (_, number) => ({
        kind: 'transactions' as const,
        name: `${named}/${number}`,
        amount: `${amounts[name]}${number}`,
        ref,
        isReadable: true,
      }));
      return [deal, ...paid];
    });
  }

  async #load(rows: readonly FileRow[], circumstances: Circumstances, limit: number | null): Promise<void> {
    const digest = JSON.stringify(rows);
    const begin = async (): Promise<Run> => {
      const run = await this.#ledger.begin({
        service,
        serviceUrl: service,
        sourcePath: '/month.csv',
        sourceName: rows.some(({ own }) => own !== null) ? 'results.csv' : 'month.csv',
        sourceDigest: digest,
        resultsPath: '/results.csv',
        options: '{}',
        person: 'ana',
      });
      this.#files.set(run.id, rows);
      return run;
    };
    await this.#run(begin, rows, digest, circumstances, { limit, isResumed: false });
  }

  async #resume(circumstances: Circumstances): Promise<void> {
    const run = (await this.#ledger.runs()).find(({ state }) => state !== 'ended');
    const rows = run === undefined ? undefined : this.#files.get(run.id);
    if (run === undefined || rows === undefined) return;
    await this.#run(() => this.#ledger.resume(run.id), rows, run.sourceDigest, circumstances, {
      limit: null,
      isResumed: true,
    });
  }

  async #run(
    begin: () => Promise<Run>,
    rows: readonly FileRow[],
    digest: string,
    { isWell, seed, kill }: Circumstances,
    how: { readonly limit: number | null; readonly isResumed: boolean },
  ): Promise<void> {
    this.#service.set(isWell, seed + 1);
    const left = kill === null ? null : { ...kill };
    const hit = (point: string): void => {
      if (left === null || left.point !== point) return;
      (left as { n: number }).n -= 1;
      if (left.n === 0) throw new Killed();
    };
    try {
      const staging = stagingOf(rows);
      await plan(
        staging,
        this.#mutant === 'stale answers' ? takingAnyAnswer(this.#ledger) : this.#ledger,
        this.#options(digest, rows),
      );
      const run = await begin();
      const results = await this.#send(run, staging, hit, { ...how, sourceDigest: digest });
      staging.close();
      this.#sheets.push(results);
      this.#expectTruth(results);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await this.#ledger.close();
      this.#ledger = openLedger(this.#path);
    }
    this.#expectNothingTwice();
  }

  #options(sourceDigest: string, rows: readonly FileRow[]): PlanOptions {
    const without = this.#mutant !== null && ways.includes(this.#mutant as How) ? [this.#mutant as How] : [];
    const sourceName = rows.some(({ own }) => own !== null) ? 'results.csv' : 'month.csv';
    return {
      service,
      sourceDigest,
      sourceName,
      trustResults: false,
      again: false,
      refScope: 'service',
      limit: null,
      allOrNothing: false,
      allow: new Set(this.#mutant === 'identifies' ? ['possible-correction'] : []),
      batch: 2,
      without,
    };
  }

  async #send(
    run: Run,
    staging: Staging,
    hit: (point: string) => void,
    {
      limit,
      isResumed,
      sourceDigest,
    }: { readonly limit: number | null; readonly isResumed: boolean; readonly sourceDigest: string },
  ): Promise<ResultRow[]> {
    const ids: number[] = [];
    const around = { staging, ledger: this.#ledger, service, refScope: 'service' as const, sourceDigest };
    for (const kind of kinds) ids.push(...(await registerKind(run, kind, around)));
    const rows = await rowsStaged(staging);
    const recordOf = new Map<string, string | null>();
    let count = 0;
    let isStopped = false;
    for (const [at, row] of rows.entries()) {
      const id = ids[at] ?? 0;
      const decision = decisionOf(row);
      const cells = JSON.parse(row.data) as Cells;
      count += 1;
      if (cells.ref !== null && cells.kind === 'transactions' && !recordOf.has(cells.ref))
        recordOf.set(cells.ref, await this.#recordOfRef(cells.ref));
      if (isStopped || (limit !== null && count > limit)) continue;
      const known = (await this.#ledger.lookupRows([id])).get(id);
      if (known === undefined || row.content === null) continue;
      if (decision.do === 'settle') await this.#answer(id, known.attempt, decision.id);
      if (decision.do === 'send' && decision.settles !== null) await this.#answer(id, known.attempt, null);
      if (decision.do !== 'send' || this.#mutant === 'hold everything') continue;
      if (isResumed && known.outcome === 'rejected') continue;
      const of = cells.kind === 'transactions' ? (recordOf.get(cells.ref ?? '') ?? null) : null;
      if (cells.kind === 'transactions' && of === null) continue;
      hit('intent-before');
      await run.intend([
        { id, sheet: cells.kind, row: row.row, content: row.content, fields: null, equals: decision.equals },
      ]);
      hit('intent-after');
      const answer = this.#service.create(cells, of);
      hit('settle-before');
      await run.record([{ id, ...outcomeOf(answer) }]);
      hit('settle-after');
      if (answer.state === 'not-sent') isStopped = true;
    }
    await run.end(isStopped ? 'stopped' : 'ended');
    return this.#results(run.id, rows, ids);
  }

  async #recordOfRef(ref: string): Promise<string | null> {
    const digest = refDigest(this.#ledger, service, 'deals', ref);
    const found = (await this.#ledger.lookup(service, [digest])).get(digest.toString('hex')) ?? [];
    const [one, other] = found.filter((candidate) => candidate.row.standing === 'committed');
    return one !== undefined && other === undefined ? one.row.record : null;
  }

  async #answer(id: number, attempt: number, created: string | null): Promise<void> {
    if (created !== null && (await this.#inLedger([created])).has(created)) return;
    await this.#ledger.resolve([{ id, attempt, isCreated: created !== null, record: created, person: 'ana' }]);
  }

  async #inLedger(records: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(kinds.map((kind) => this.#ledger.lookupRecords(service, kind, records)));
    return new Set(found.flatMap((known) => [...known.keys()]));
  }

  async #results(run: string, rows: readonly KnownStaged[], ids: readonly number[]): Promise<ResultRow[]> {
    const known = await this.#ledger.lookupRows(ids);
    return rows.map((row, at) => {
      const me = known.get(ids[at] ?? 0);
      const status =
        me?.standing === 'committed' ? 'in' : me?.standing === 'open' || me === undefined ? 'out' : 'in doubt';
      const cells = JSON.parse(row.data) as Cells;
      const decision = decisionOf(row);
      const why = 'why' in decision ? decision.why : null;
      return {
        own: { run, sheet: cells.kind, row: row.row },
        cells,
        status,
        record: me?.record ?? '',
        idCell: '',
        rowId: ids[at] ?? 0,
        why,
      };
    });
  }

  async #edit(row: ResultRow, edit: Edit, rows: readonly ResultRow[]): Promise<void> {
    if (row.status === 'in doubt' && edit === 'answer') await this.#answerCell(row, rows);
    if (row.status === 'in doubt' || (row.status === 'in' && !this.#isOnly(row))) return;
    if (edit === 'new') row.cells.amount = this.#newAmount();
    if (edit === 'none') row.cells.amount = noAmount;
  }

  async #answerCell(row: ResultRow, rows: readonly ResultRow[]): Promise<void> {
    const me = (await this.#ledger.lookupRows([row.rowId])).get(row.rowId);
    if (!this.#isOnly(row) && me?.standing !== 'in-doubt') return;
    const ofName = this.#service.records.filter(({ name }) => name === row.cells.name);
    const taken = new Set(rows.map(({ record, idCell }) => record || idCell));
    const inLedger = await this.#inLedger(ofName.map(({ id }) => id));
    const found = ofName.find(({ id }) => !taken.has(id) && !inLedger.has(id));
    if (found !== undefined) row.idCell = found.id;
    else if (ofName.length === 0) row.idCell = 'not created';
  }

  /** @returns whether there was a doubt to settle */
  async #settleOne(): Promise<boolean> {
    for (const run of await this.#ledger.runs()) {
      const rows = this.#files.get(run.id) ?? [];
      for (const kind of kinds) {
        for (const entry of await this.#ledger.entries(run.id, kind, 0, 1000)) {
          const known = (await this.#ledger.lookupRows([entry.id])).get(entry.id);
          if (known?.standing !== 'in-doubt') continue;
          const name = rows[entry.place - 2]?.cells.name;
          const ofName = this.#service.records.filter((record) => record.name === name);
          const inLedger = await this.#inLedger(ofName.map(({ id }) => id));
          const created = ofName.find(({ id }) => !inLedger.has(id))?.id ?? null;
          const found = { isCreated: created !== null, record: created };
          await this.#ledger.resolve([{ id: entry.id, attempt: known.attempt, ...found, person: 'ana' }]);
          return true;
        }
      }
    }
    return false;
  }

  #isOnly({ cells: { name } }: ResultRow): boolean {
    return this.#wanted(name) === 1;
  }

  /** A row may be held when all that its file meant is in: then it is another line of one of these. */
  #isHeldRightly({ why, cells: { name } }: ResultRow): boolean {
    const made = this.#service.records.filter((record) => record.name === name).length;
    if (why === 'waits-for-parent' || why === 'parent-changed') return true;
    const isHeld = why === 'possible-correction' || why === 'changed-since-loaded';
    return isHeld && made >= this.#meant(false).filter((row) => row.name === name).length;
  }

  #wanted(name: string): number {
    return this.#meant(true).filter((row) => row.name === name).length;
  }

  #newAmount(): string {
    this.#amounts += 1;
    return String(this.#amounts);
  }

  #expectNothingTwice(): void {
    for (const name of new Set(this.#meant(true).map((row) => row.name))) {
      const made = this.#service.records.filter((record) => record.name === name).length;
      if (made > this.#wanted(name))
        throw new Error(`${name} was made ${made} times, ${this.#wanted(name)} were meant`);
    }
  }

  #expectTruth(rows: readonly ResultRow[]): void {
    const isIn = rows.filter(({ status }) => status === 'in');
    for (const { record, cells } of isIn) {
      const found = this.#service.records.find(({ id }) => id === record);
      if (found?.name !== cells.name) throw new Error(`untrue: ${cells.name} is not ${record}`);
      const deal = this.#service.records.find(({ id }) => id === found.of);
      if (cells.kind === 'transactions' && deal?.name !== cells.ref)
        throw new Error(`${cells.name} was paid to ${deal?.name}`);
    }
    const records = new Map(isIn.map(({ rowId, record }) => [rowId, record]));
    if (new Set(records.values()).size < records.size) throw new Error('two rows have one record');
  }
}

const ways: readonly How[] = ['key', 'place', 'ref', 'content'];

function stagingOf(rows: readonly FileRow[]): Staging {
  const staging = Staging.create(':memory:');
  for (const kind of kinds) {
    const sheet = staging.addSheet(kind, kind);
    const ofKind = rows.map((row, at) => ({ ...row, at })).filter(({ cells }) => cells.kind === kind);
    staging.add(
      ofKind.map(({ cells, own, at }) => ({
        sheet,
        row: at + 2,
        isValid: cells.amount !== noAmount,
        data: JSON.stringify(cells),
        says: `[]\n${JSON.stringify({ name: cells.name, amount: cells.amount })}`,
        ref: kind === 'deals' ? cells.ref : null,
        parents: kind === 'deals' ? [] : [{ kind: 'deals', fills: 'dealId', ref: cells.ref, id: null }],
        identifies: kind === 'deals' && cells.ref !== null ? null : cells.name,
        updates: null,
        own,
      })),
    );
  }
  return staging;
}

function asFileRow({ own, cells, status, idCell }: ResultRow): FileRow {
  const answer =
    idCell === ''
      ? null
      : idCell === 'not created'
        ? { kind: 'not-created' as const }
        : { kind: 'created' as const, id: idCell };
  return {
    cells,
    own: { ...own, saysIn: status === 'in', saysDoubt: status === 'in doubt', answer, company: null, url: null },
  };
}

/** Each row of results seems to be of its latest attempt, so that answers to earlier ones are taken. */
function takingAnyAnswer(ledger: Ledger): PlanLedger {
  return {
    digest: (said) => ledger.digest(said),
    runs: () => ledger.runs(),
    lookup: (...asked) => ledger.lookup(...asked),
    lookupPlaces: async (places) =>
      (await ledger.lookupPlaces(places)).map((found) => found && { ...found, attempt: found.row.attempt }),
    lookupRecords: (...asked) => ledger.lookupRecords(...asked),
    lookupRows: (ids) => ledger.lookupRows(ids),
    lookupPairs: (pairs) => ledger.lookupPairs(pairs),
  };
}

function decisionOf({ decision }: KnownStaged): StagedDecision {
  return JSON.parse(decision ?? 'null') as StagedDecision;
}

function outcomeOf({ state, record }: { readonly state: RowState; readonly record: string | null }): Outcome {
  return { state, attempts: 1, httpStatus: 200, record, company: null, url: null, message: null };
}

const circumstances = {
  isWell: fc.boolean(),
  seed: fc.nat(9999),
  kill: fc.option(
    fc.record({
      point: fc.constantFrom('intent-before', 'intent-after', 'settle-before', 'settle-after'),
      n: fc.integer({ min: 1, max: 3 }),
    }),
    { freq: 3 },
  ),
};
const limit = fc.option(fc.integer({ min: 1, max: 2 }), { freq: 3 });
const edits = fc.array(fc.constantFrom<Edit>('leave', 'leave', 'answer', 'answer', 'new', 'none'), {
  minLength: 4,
  maxLength: 4,
});
const corrections = fc.array(fc.constantFrom<Correction>('leave', 'leave', 'right', 'other'), {
  minLength: 4,
  maxLength: 4,
});
const source = (isFirst: boolean) =>
  fc.record({
    do: fc.constant('source' as const),
    isLonger: isFirst ? fc.constant(false) : fc.boolean(),
    corrections: isFirst ? fc.constant<Correction[]>([]) : corrections,
    isTurned: isFirst ? fc.constant(false) : fc.boolean(),
    limit,
    ...circumstances,
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: source(false) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('results' as const),
      age: fc.nat(5),
      withOldest: fc.boolean(),
      edits,
      left: fc.constantFrom(
        'all' as const,
        'all' as const,
        'turned' as const,
        'without first' as const,
        'open' as const,
      ),
      limit,
      ...circumstances,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), ...circumstances }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), ...circumstances }) },
);
const row = fc.record({
  name: fc.constantFrom(...names),
  isReadable: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  payments: fc.nat(2),
});

export const months: fc.Arbitrary<Month> = fc.record({
  hasRefs: fc.boolean(),
  rows: fc.array(row, { minLength: 1, maxLength: 4 }),
  extra: fc.array(row, { maxLength: 2 }),
  first: source(true),
  steps: fc.array(step, { maxLength: 8 }),
});

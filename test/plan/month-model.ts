/** Made-up months on the plan and the ledger alone: a person loads, corrects, sorts and mixes files while the service fails. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { RowState } from '../../src/contract/row-state.ts';
import type { Ledger, LogicalRow, Outcome, Run } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { comparableKey } from '../../src/mapping/spreadsheet-rewriting.ts';
import { RowFields } from '../../src/plan/changed-fields.ts';
import type { PlanOptions, SkipReason, StagedDecision } from '../../src/plan/decision.ts';
import { digestsFor } from '../../src/plan/parents.ts';
import { originNamedIn, plan } from '../../src/plan/plan.ts';
import { registerKind } from '../../src/plan/register.ts';
import type { Around, PlanLedger } from '../../src/plan/row-digests.ts';
import { refDigest } from '../../src/plan/row-digests.ts';
import { contentOf } from '../../src/staging/row-content.ts';
import { dataOf, type FoundBy, type KnownStaged, type OwnCells, type RowData } from '../../src/staging/staged-row.ts';
import { createStaging, type Staging } from '../../src/staging/staging.ts';
import type { SheetRow } from '../../src/tables/row.ts';
import { rowsStaged } from '../builders/staged-rows.ts';

const ways = ['key', 'place', 'ref', 'content'] as const satisfies readonly FoundBy[];
/** What is taken away or turned round, to prove that it is needed. */
export type Mutant =
  | ((typeof ways)[number] | 'identifying values' | 'origin' | 'zeros of Refs' | 'any service' | 'any kind')
  | ('answer to another attempt' | 'intent not awaited' | 'hold everything')
  | null;

type Name = 'Anchor' | 'Bell' | 'Coral' | 'Dune';
const names: readonly Name[] = ['Anchor', 'Bell', 'Coral', 'Dune'];
const amounts: Readonly<Record<Name, string>> = { Anchor: '100', Bell: '200', Coral: '300', Dune: '400' };
/** What cannot be read: in June another word than in the month before, of which its rows are the same but for the amounts. */
const words = { month: 'much', june: 'plenty' } as const;
const ofJune = 'June ';
const isOfJune = (name: string) => name.startsWith(ofJune);
/** What the cells say, where the records of two months have one name. */
const shownName = (name: string) => (isOfJune(name) ? name.slice(ofJune.length) : name);
const noAmountOf = (name: string) => (isOfJune(name) ? words.june : words.month);
const isUnread = ({ amount }: Pick<Cells, 'amount'>) => amount === words.month || amount === words.june;

type Kind = 'deals' | 'transactions';
const kinds: readonly Kind[] = ['deals', 'transactions'];

interface Cells {
  readonly kind: Kind;
  /** Of a payment: the name of its deal with a number behind it. */
  readonly name: string;
  amount: string;
  /** Of a deal: its own Ref; of a payment: that of its deal. */
  ref: string | null;
  /** Tells more than the name, where it is not blank. */
  reference: string | null;
}

interface ResultRow {
  /** What its Run cell names; a line that is held beside the line with its key has none. */
  readonly own: Pick<OwnCells, 'run' | 'sheet' | 'row' | 'attempt'> | null;
  readonly cells: Cells;
  readonly status: 'in' | 'in doubt' | 'out';
  readonly record: string;
  idCell: string;
  readonly rowId: number;
  readonly why: string | null;
  /** The row that it is held for. */
  readonly other: number | null;
  /** The service in which it is by that status. */
  readonly of: string;
  readonly isPasted: boolean;
}

type Met = Pick<ResultRow, 'rowId' | 'cells'>;

/** `isPasted`: the original line again, beside the line with its key. */
type FileRow = { readonly cells: Cells; readonly own: OwnCells | null; readonly isPasted?: boolean };

class Killed extends Error {}

interface Kill {
  readonly point: string;
  readonly n: number;
}

/** A service that refuses, or answers so that nobody knows, by chance. */
class Service {
  readonly name: string;
  readonly records: { readonly id: string; readonly name: string; readonly of: string | null }[] = [];
  #seed = 1;
  #isWell = true;

  constructor(name: string) {
    this.name = name;
  }

  set(isWell: boolean, seed: number): void {
    [this.#isWell, this.#seed] = [isWell, seed];
  }

  create({ name }: Cells, of: string | null): { readonly state: RowState; readonly record: string | null } {
    const chance = this.#isWell ? 1 : this.#next();
    const add = (): string => {
      const id = `${this.name}_${this.records.length + 1}`;
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

interface Flags {
  readonly limit: number | null;
  /** The person knows that Refs name the same records still. */
  readonly allowsSameRef?: boolean;
}

/** What of its results a person loads, and what the rows of the next month stand under. */
const left = [
  'all',
  'all',
  'turned',
  'without first',
  'open',
  'filled down',
  'with originals',
  'without keys',
  'twice',
  'one each',
] as const;
/** What of the source is in the file: two persons take a part of the deals each, or the deals and the payments. */
const parts = ['all', 'all', 'all', 'all', 'all', 'all', 'first', 'rest', 'deals', 'transactions'] as const;
const under = ['nothing', 'nothing', 'source', 'results'] as const;
type Edit = 'leave' | 'answer' | 'new' | 'none' | 'id';
/** What a person puts right in the source itself: what could not be read, a value that could, a reference that was blank. */
type Correction = 'leave' | 'right' | 'other' | 'reference';

type Step = Circumstances &
  (
    | ({
        readonly do: 'source';
        /** From now on, the rows have Refs if they had none. */
        readonly getsRefs: boolean;
        readonly isLonger: boolean;
        readonly part: (typeof parts)[number];
        readonly corrections: readonly Correction[];
        readonly isTurned: boolean;
        /** A spreadsheet program has taken the Refs for numbers. */
        readonly losesZeros: boolean;
        /** By another mapping, the same bytes say something else. */
        readonly isReadOtherwise: boolean;
        /** Into a service of its own, by the same ledger. */
        readonly isRehearsal: boolean;
        /** A copy of the file under another name. */
        readonly isRenamed: boolean;
        /** What is in is to be sent once more. */
        readonly isAgain: boolean;
      } & Flags)
    | ({
        readonly do: 'results';
        readonly age: number;
        readonly withOldest: boolean;
        readonly losesZeros: boolean;
        readonly edits: readonly Edit[];
        readonly left: (typeof left)[number];
      } & Flags)
    /** The rows of the next month: a file of their own, or under the source or the newest results of the month before. */
    | { readonly do: 'june'; readonly under: (typeof under)[number] }
    /** Goes on at another computer: the ledger stays behind, and the newest results are trusted. */
    | { readonly do: 'move' }
    | { readonly do: 'resume'; readonly age: number }
    | { readonly do: 'settle'; readonly isMistaken?: boolean }
    /** Types what is found of doubts into results that are loaded some day. */
    | { readonly do: 'answer'; readonly age: number }
  );

interface MonthRow {
  readonly name: Name;
  readonly isReadable: boolean;
  /** How many payments it has; only a deal with a Ref has some. */
  readonly payments: number;
}

interface Month {
  /** Deals of one name are equal; with Refs, names are Refs, and each stands once. */
  readonly hasRefs: boolean;
  /** In June, Refs begin anew. */
  readonly refScope?: PlanOptions['refScope'];
  readonly rows: readonly MonthRow[];
  readonly extra: readonly MonthRow[];
  readonly first: Step;
  readonly steps: readonly Step[];
}

const heldBesideRecords: ReadonlySet<string> = new Set<SkipReason>([
  'possible-correction',
  'changed-since-loaded',
  'equal-to-loaded-row',
  'ref-of-several',
  'copy-of-row',
]);

/** What a person may allow. */
const allowed: ReadonlySet<string> = new Set(['possible-correction', 'equal-to-loaded-row', 'same-ref']);

class Desk {
  readonly #month: Month;
  readonly #mutant: Mutant;
  readonly #path: string;
  readonly #live = new Service('live');
  readonly #rehearsed = new Service('rehearsed');
  readonly #sheets: ResultRow[][] = [];
  /** What each load met, also one that was killed and left no sheet. */
  readonly #loads: Met[][] = [];
  readonly #files = new Map<
    string,
    {
      readonly rows: readonly FileRow[];
      readonly name: string;
      readonly again: boolean;
      readonly allow: PlanOptions['allow'];
      readonly trustResults: boolean;
    }
  >();
  /** The digests of sheets in which the cells in front were filled down. */
  readonly #filledDown = new Set<string>();
  /** The names of rows that the person wanted to be sent again. */
  readonly #repeated: string[] = [];
  #ledger: Ledger;
  #amounts = 1000;
  #hasRefs: boolean;
  readonly #refScope: PlanOptions['refScope'];

  constructor(month: Month, folder: string, mutant: Mutant) {
    this.#month = month;
    this.#hasRefs = month.hasRefs;
    this.#refScope = month.refScope ?? 'service';
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
      await this.#dropLedger();
    }
  }

  async #dropLedger(): Promise<void> {
    await this.#ledger.close();
    for (const name of ['', '-wal', '-shm', '.key']) rmSync(`${this.#path}${name}`, { force: true });
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'source') {
      this.#hasRefs ||= step.getsRefs;
      const isRenamed = step.isRenamed && !step.isRehearsal && (await this.#isLoaded(step.isLonger));
      const isCopied = [...this.#files.values()].some(({ name }) => name === 'copy.csv');
      const rows = this.#source(step.isLonger, isRenamed && !isCopied ? [] : step.corrections);
      if (step.losesZeros) loseZeros(rows);
      const service = step.isRehearsal ? this.#rehearsed : this.#live;
      const left = partOf(rows, step.part);
      const file = step.isTurned ? left.reverse() : left;
      const digest = JSON.stringify(file);
      const runs = await this.#ledger.runs();
      const isKnown = runs.some((run) => run.service === service.name && run.sourceDigest === digest);
      if (step.isReadOtherwise && isKnown && !step.isRehearsal)
        for (const { cells } of file) if (!isUnread(cells)) cells.amount += '7';
      return this.#load(file, step, step.limit, {
        service,
        digest,
        name: isRenamed ? 'copy.csv' : nameOf(file),
        again: step.isAgain,
        allow: allowedOf(step),
      });
    }
    if (step.do === 'june') return this.#june(step);
    if (step.do === 'move') return this.#move(step);
    if (step.do === 'resume') return this.#resume(step, step.age);
    if (step.do === 'settle') {
      await this.#settleOne(step.isMistaken);
      return;
    }
    const sheet = this.#sheets.at(-1 - (step.age % Math.max(1, this.#sheets.length)));
    if (sheet === undefined) return;
    if (step.do === 'answer') {
      for (const row of sheet) if (row.status === 'in doubt') await this.#answerCell(row, sheet);
      return;
    }
    let rows = structuredClone(sheet);
    if (step.losesZeros) loseZeros(rows);
    // Without keys, two lines of one row are two rows, and nobody knows a line again that lacks a value.
    const isKept =
      step.left === 'without keys' &&
      !step.withOldest &&
      new Set(rows.map(({ rowId }) => rowId)).size === rows.length &&
      rows.every(({ of, isPasted, cells }) => of === this.#live.name && !isPasted && !isUnread(cells));
    if (!isKept)
      for (const [at, row] of rows.entries())
        await this.#edit(row, step.edits[at % step.edits.length] ?? 'leave', rows);
    if (step.left === 'turned') rows.reverse();
    if (step.left === 'without first' && rows.length > 1) rows = rows.slice(1);
    if (step.left === 'open' && rows.some(({ status }) => status !== 'in'))
      rows = rows.filter((row) => row.status !== 'in');
    if (step.withOldest && this.#sheets.length > 1 && isJunes(this.#sheets[0]) === isJunes(sheet)) {
      const keyOf = ({ own }: ResultRow) => `${own?.run}#${own?.row}`;
      const known = new Set(rows.map(keyOf));
      const oldest = structuredClone(this.#sheets[0] ?? []).filter((row) => !known.has(keyOf(row)));
      // A person who puts a rehearsal and another sheet together leaves one of two lines that differ, or have one Ref.
      const isLeft = (row: ResultRow) =>
        rows.some(({ cells, of }) => {
          const isSame =
            !isUnread(cells) &&
            isDeepStrictEqual(cells, row.cells) &&
            (cells.kind === 'transactions' || cells.ref === null);
          const isRehearsed = of !== row.of || of === this.#rehearsed.name;
          return isRehearsed && cells.name === row.cells.name && !isSame;
        });
      rows.push(...oldest.filter((row) => !isLeft(row)));
    }
    if (step.left === 'one each') rows = oneEach(rows);
    const sheets = this.#sheets.length;
    const kept = rows.filter((row) => !this.#isPutRightElsewhere(row));
    // What was put right elsewhere, or told apart since, has perhaps never said in this service what its original says.
    const isPasted = step.left === 'with originals' && !this.#isEitherOfTwo() && !isJunes(sheet);
    const originals = isPasted ? this.#source(false, []).filter(({ cells }) => !isUnread(cells)) : [];
    const whole = kept.map(step.left === 'filled down' ? asFilledDown : asFileRow);
    const lines = isKept ? kept.map(({ cells }) => ({ cells, own: null })) : whole;
    const file = [
      ...lines,
      ...(step.left === 'twice' ? lines : []),
      ...originals.map((row) => ({ ...row, isPasted: true })),
    ];
    await this.#load(file, step, step.limit, { name: isKept ? 'copy.csv' : nameOf(file), allow: allowedOf(step) });
    // What comes of such a sheet is thrown away, also once its load goes on.
    if (step.left !== 'filled down') return;
    this.#sheets.length = sheets;
    this.#filledDown.add(JSON.stringify(kept.map(asFilledDown)));
  }

  /** Whether the file as it is was loaded: a copy that shares no row with it is another file. */
  async #isLoaded(isLonger: boolean): Promise<boolean> {
    const source = this.#source(isLonger, []);
    // Where Refs identify nothing, neither is a deal that cannot be read known in a copy, nor what was paid of it.
    if (this.#refScope === 'file' && source.some(({ cells }) => isUnread(cells))) return false;
    const rows = new Set(source.map(({ cells }) => JSON.stringify(cells)));
    const runs = (await this.#ledger.runs()).filter(({ service }) => service === this.#live.name);
    return runs.some(({ id }) => {
      const { rows: loaded = [], name } = this.#files.get(id) ?? {};
      return name === 'month.csv' && loaded.filter(({ cells }) => rows.has(JSON.stringify(cells))).length === rows.size;
    });
  }

  async #june({ under, ...step }: Step & { do: 'june' }): Promise<void> {
    const sheet = this.#sheets.at(-1) ?? [];
    const results = under === 'results' && !isJunes(sheet) ? sheet.map(asFileRow) : [];
    const file = [...(under === 'source' ? this.#source(false, []) : results), ...this.#source(false, [], true)];
    await this.#load(file, step, null, { name: under === 'source' ? 'month.csv' : nameOf(file) });
  }

  async #move(step: Step & { do: 'move' }): Promise<void> {
    // Lines that were held beside others would be rows like any there, so a person deletes them.
    const isOwn = ({ rowId, status, other }: ResultRow) => status !== 'out' || other === null || other === rowId;
    const lines = structuredClone(this.#sheets.at(-1) ?? []).filter(isOwn);
    const sheet = [...new Map(lines.map((row) => [row.rowId, row])).values()];
    const known = await this.#ledger.lookupRows(sheet.map(({ rowId }) => rowId));
    const rows = sheet.map((row): ResultRow => {
      const me = known.get(row.rowId);
      const record = me?.record ?? '';
      return { ...row, ...{ status: statusOf(me), record, idCell: record } };
    });
    // Written anew before, they have all that is in, or may be, as it went in.
    const sent = rows.filter(({ status }) => status !== 'out');
    const isMissing = ({ name }: { readonly name: string }) =>
      sent.filter(({ cells }) => cells.name === name).length < this.#made(name);
    const source = this.#source(true, []);
    const isKnown = ({ cells }: ResultRow) =>
      isTelling(cells) || source.some((row) => isDeepStrictEqual(row.cells, cells));
    const isLike = ({ of, why }: ResultRow) => of === this.#live.name && why !== 'changed-since-loaded';
    if (!rows.every((row) => isLike(row) && isKnown(row)) || this.#live.records.some(isMissing)) return;
    await this.#dropLedger();
    this.#ledger = openLedger(this.#path);
    for (const left of [this.#sheets, this.#loads]) left.length = 0;
    this.#files.clear();
    await this.#load(rows.map(asFileRow), step, null, { name: 'month.results.csv', trustResults: true });
  }

  /** The service is well again: every doubt is settled, every row put right, and every sheet loaded once more. */
  async end(): Promise<void> {
    while (await this.#settleOne());
    const good: Circumstances = { isWell: true, seed: 1, kill: null };
    for (const isLast of [false, true]) {
      // Of two lines of one row, a person leaves one; of two that may be one, they first wait for what becomes of the other.
      const lines = [...new Map(this.#newestSheet().map((row) => [row.rowId, row])).values()];
      const rows = lines.map((row) => ({ ...row, cells: { ...row.cells }, idCell: '' }));
      const wrong = rows.filter(({ status, of, cells }) => isUnread(cells) && (status !== 'in' || of !== 'live'));
      const beside = new Set(isLast ? [] : rows);
      const toCorrect = wrong.filter((row) => {
        if (this.#isInElsewhere(row, [...beside])) return false;
        row.cells.amount = this.#newAmount();
        return beside.add(row);
      });
      if (rows.length === 0 || (!isLast && toCorrect.length === wrong.length)) continue;
      await this.#load(rows.map(asFileRow), good, null);
    }
    const open = this.#newestSheet().filter(
      (row) => row.status !== 'in' && !this.#isInElsewhere(row) && !this.#isHeldRightly(row),
    );
    if (open.length > 0) throw new Error(`not in at the end: ${JSON.stringify(open)}`);
    await this.#allowHeld(good);
    for (const isJune of this.#month.steps.some((step) => step.do === 'june') ? [true, false] : [false]) {
      await this.#load(this.#source(false, [], isJune), good, null);
      const lost = (this.#sheets.at(-1) ?? []).filter(
        (row) => row.status !== 'in' && !isUnread(row.cells) && !this.#isHeldRightly(row),
      );
      if (lost.length > 0) throw new Error(`lost: ${JSON.stringify(lost)}`);
    }
    for (const sheet of this.#sheets.slice(0, -1)) {
      const kept = structuredClone(sheet).filter((row) => !this.#isPutRightElsewhere(row));
      await this.#load(
        kept.map((row) => asFileRow({ ...row, idCell: '' })),
        good,
        null,
      );
    }
    if (this.#mutant !== null) return;
    const files = [...this.#files.values()];
    for (const file of [files.at(0), files.at(-1)])
      if (file !== undefined) await this.#load(file.rows, good, null, { name: file.name });
  }

  /** Who knows that a held row is no other one deletes the lines that are, and allows the rest: nothing is held for good. */
  async #allowHeld(circumstances: Circumstances): Promise<void> {
    const lines = [...new Map(this.#newestSheet().map((row) => [row.rowId, row])).values()];
    const isMeant = ({ cells: { name }, why, status }: ResultRow, at: number) => {
      const before = lines.slice(0, at).filter((row) => row.cells.name === name && row.status !== 'in').length;
      // Of deals of one name, nobody can tell which one is in, unless all of them are there.
      const isWhole = lines.filter((row) => row.cells.name === name).length >= this.#wanted(name, false);
      const mayBeMeant = isWhole && this.#made(name) + before < this.#wanted(name, false);
      return mayBeMeant && status === 'out' && allowed.has(why ?? '');
    };
    const meant = lines.filter(isMeant);
    if (meant.length === 0) return;
    const rows = lines.filter((row) => row.status === 'in' || meant.includes(row));
    await this.#load(rows.map(asFileRow), circumstances, null, { allow: allowed });
    const ids = new Set(meant.map(({ rowId }) => rowId));
    const after = this.#sheets.at(-1) ?? [];
    // Where Refs link the rows of one file only, a payment waits until its deal is in the file.
    const isWaiting = ({ why, cells: { ref } }: ResultRow) =>
      this.#refScope === 'file' &&
      why === 'waits-for-parent' &&
      !after.some(({ cells }) => cells.kind === 'deals' && cells.ref === ref);
    const held = after.filter((row) => row.status !== 'in' && ids.has(row.rowId) && !isWaiting(row));
    if (held.length > 0) throw new Error(`held for good: ${JSON.stringify(held)}`);
  }

  /** Without the lines that were pasted in beside others and did not go out, and those with a Ref twice: a person deletes them. */
  #newestSheet(): readonly ResultRow[] {
    return oneEach((this.#sheets.at(-1) ?? []).filter(({ isPasted, status }) => !isPasted || status !== 'out'));
  }

  #source(isLonger: boolean, corrections: readonly Correction[], isJune = false): FileRow[] {
    const rows = this.#meant(isLonger, isJune);
    return rows.map(({ isReadable, ...cells }, at) => {
      const wanted = corrections[at % Math.max(1, corrections.length)] ?? 'leave';
      // Of what nothing identifies, nobody could tell a correction from a second record.
      const isMade = this.#made(cells.name) >= this.#wanted(cells.name, false);
      const correction = isTelling(cells) || (wanted === 'right' && !isMade) ? wanted : 'leave';
      const usual = correction === 'other' ? `${cells.amount}9` : cells.amount;
      const amount = isReadable || correction === 'right' ? usual : noAmountOf(cells.name);
      return { cells: { ...cells, amount, reference: correction === 'reference' ? '007' : null }, own: null };
    });
  }

  /** Deals, and with Refs their payments. */
  #meant(isLonger: boolean, isJune = false): (Cells & { readonly isReadable: boolean })[] {
    const rows = [...this.#month.rows, ...(isLonger ? this.#month.extra : [])];
    const { hasRefs, steps } = this.#month;
    const isOneFile = steps.some((step) => step.do === 'june' && step.under !== 'nothing');
    return rows.flatMap(({ name, isReadable, payments }, at) => {
      const ref = this.#hasRefs ? `00${isJune && (isOneFile || this.#refScope === 'service') ? 9 : ''}${at}` : null;
      const named = (isJune ? ofJune : '') + (hasRefs ? `${name}-${at}` : name);
      const reference = null;
      const usual = `${amounts[name]}${isJune ? '.6' : ''}`;
      const deal = { kind: 'deals' as const, name: named, amount: usual, ref, reference, isReadable };
      const paid = Array.from({ length: hasRefs ? payments : 0 }, (_, number) => ({
        kind: 'transactions' as const,
        name: `${named}/${number}`,
        amount: `${usual}${number}`,
        ref,
        reference,
        isReadable: true,
      }));
      return [deal, ...paid];
    });
  }

  async #load(
    rows: readonly FileRow[],
    circumstances: Circumstances,
    limit: number | null,
    {
      service = this.#live,
      digest = JSON.stringify(rows),
      name = nameOf(rows),
      again = false,
      allow = new Set(),
      trustResults = false,
    }: Partial<Loading> = {},
  ): Promise<void> {
    const begin = async (origin: string): Promise<Run> => {
      const run = await this.#ledger.begin({
        service: service.name,
        serviceUrl: service.name,
        sourcePath: '/month.csv',
        sourceName: name,
        origin,
        sourceDigest: digest,
        resultsPath: '/results.csv',
        options: '{}',
        person: 'ana',
      });
      this.#files.set(run.id, { rows, name, again, allow, trustResults });
      return run;
    };
    await this.#run(begin, rows, digest, circumstances, {
      limit,
      service,
      name,
      again,
      allow,
      trustResults,
      resumes: null,
    });
  }

  async #resume(circumstances: Circumstances, age: number): Promise<void> {
    const stopped = (await this.#ledger.runs()).filter(({ state }) => state !== 'ended');
    const run = stopped[age % Math.max(1, stopped.length)];
    const file = run === undefined ? undefined : this.#files.get(run.id);
    if (run === undefined || file === undefined) return;
    const sheets = this.#sheets.length;
    await this.#run(() => this.#ledger.resume(run.id), file.rows, run.sourceDigest, circumstances, {
      limit: null,
      name: file.name,
      again: file.again,
      allow: file.allow,
      trustResults: file.trustResults,
      service: run.service === this.#live.name ? this.#live : this.#rehearsed,
      resumes: run.id,
    });
    if (this.#filledDown.has(run.sourceDigest)) this.#sheets.length = sheets;
  }

  async #run(
    begin: (origin: string) => Promise<Run>,
    rows: readonly FileRow[],
    sourceDigest: string,
    { isWell, seed, kill }: Circumstances,
    how: Sending,
  ): Promise<void> {
    how.service.set(isWell, seed + 1);
    const left = kill === null ? null : { ...kill };
    const hit = (point: string): void => {
      if (left === null || left.point !== point) return;
      (left as { n: number }).n -= 1;
      if (left.n === 0) throw new Killed();
    };
    try {
      const staging = stagingOf(rows, this.#mutant);
      const { name } = how;
      const origin = this.#mutant === 'origin' ? name : originNamedIn(staging, await this.#ledger.runs(), name);
      const options = this.#options(how.service.name, { ...how, sourceDigest, origin, sourceName: name });
      const ledger = mutated(this.#ledger, this.#mutant, how.service.name);
      const planned = await plan(staging, ledger, { ...options, resumes: how.resumes });
      const run = await begin(this.#mutant === 'origin' ? name : planned.origin);
      const results = await this.#send(run, staging, hit, { ...how, sourceDigest });
      staging.close();
      this.#sheets.push(results);
      this.#expectTruth(results, how.service.records);
      if (this.#mutant === null && how.resumes === null)
        await this.#expectSameAgain(run.id, results, how.service.name, sourceDigest);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await this.#ledger.close();
      this.#ledger = openLedger(this.#path);
    }
    this.#expectNothingTwice();
  }

  #options(
    service: string,
    file: Pick<PlanOptions, 'sourceDigest' | 'origin' | 'sourceName' | 'again' | 'allow' | 'trustResults'>,
  ): PlanOptions {
    const without = this.#mutant === 'any kind' ? ['other-kind' as const] : ways.filter((way) => way === this.#mutant);
    return {
      service,
      sourceDigest: file.sourceDigest,
      origin: file.origin,
      sourceName: file.sourceName,
      again: file.again,
      trustResults: file.trustResults,
      refScope: this.#refScope,
      limit: null,
      allOrNothing: false,
      allow: this.#mutant === 'identifying values' ? new Set(['possible-correction']) : file.allow,
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
      resumes,
      sourceDigest,
      service: { name: service },
      service: to,
    }: Sending & { readonly sourceDigest: string },
  ): Promise<ResultRow[]> {
    const around = { staging, ledger: this.#ledger, service, refScope: this.#refScope, sourceDigest };
    for (const kind of kinds) await registerKind(run, kind, around);
    const rows = await rowsStaged(staging);
    for (const row of resumes !== null || to !== this.#live ? [] : rows) {
      const decision = decisionOf(row);
      if (decision.isAgain === true) this.#repeated.push((staging.cellsOf(row) as unknown as Cells).name);
    }
    if (resumes === null && this.#mutant === null) await this.#expectResumedAlike(run.id, rows, service, sourceDigest);
    if (resumes === null && this.#refScope === 'service') await this.#expectKnownByRef(around, rows);
    const ids = rows.map(({ id }) => id ?? 0);
    this.#loads.push(rows.map((row) => ({ rowId: row.id ?? 0, cells: staging.cellsOf(row) as unknown as Cells })));
    const recordOf = new Map<string, string | null>();
    let count = 0;
    let isStopped = false;
    for (const [at, row] of rows.entries()) {
      const id = ids[at] ?? 0;
      const decision = decisionOf(row);
      const cells = staging.cellsOf(row) as unknown as Cells;
      count += 1;
      if (cells.ref !== null && cells.kind === 'transactions' && !recordOf.has(cells.ref))
        recordOf.set(cells.ref, await this.#recordOfRef(around, cells.ref));
      if (isStopped || (limit !== null && count > limit)) continue;
      const known = (await this.#ledger.lookupRows([id])).get(id);
      if (known === undefined || row.content === null) continue;
      if (decision.do === 'settle') await this.#answer(id, known.attempt, decision.id);
      if (decision.do === 'send' && decision.settles !== null) await this.#answer(id, known.attempt, null);
      if (decision.do !== 'send' || this.#mutant === 'hold everything') continue;
      const of = cells.kind === 'transactions' ? (recordOf.get(cells.ref ?? '') ?? null) : null;
      if (cells.kind === 'transactions' && of === null) continue;
      const early = this.#mutant === 'intent not awaited' ? to.create(cells, of) : null;
      hit('intent-before');
      const { forms } = await digestsFor(cells.kind, [row], around);
      const fields = new RowFields(this.#ledger, row, staging.data(row), forms).digests(row.content);
      const intent = { id, sheet: cells.kind, row: row.row, content: row.content, fields, equals: decision.equals };
      if ((await run.intend([intent])).size === 0)
        throw new Error(`The ledger does not take ${cells.kind} ${row.row}.`);
      hit('intent-after');
      const answer = early ?? to.create(cells, of);
      hit('settle-before');
      await run.record([{ id, ...outcomeOf(answer) }]);
      hit('settle-after');
      if (answer.state === 'not-sent') isStopped = true;
    }
    await run.end(isStopped ? 'stopped' : 'ended');
    return this.#results(run.id, staging, rows, ids, service);
  }

  /** A load that was stopped before its first row sends the same rows when it goes on. */
  async #expectResumedAlike(
    resumes: string,
    rows: readonly KnownStaged[],
    service: string,
    sourceDigest: string,
  ): Promise<void> {
    const file = this.#files.get(resumes)?.rows ?? [];
    const resumed = await this.#decided(resumes, service, sourceDigest, true);
    for (const [at, row] of rows.entries())
      if (decisionOf(row).do !== resumed[at]?.do)
        throw new Error(`resumed otherwise: ${JSON.stringify([file[at], decisionOf(row), resumed[at]])}`);
  }

  /** What comes of the file of a run when that goes on, or when the file is loaded once more. */
  async #decided(run: string, service: string, sourceDigest: string, isResumed: boolean) {
    const file = this.#files.get(run);
    if (file === undefined) return [];
    const { rows, name: sourceName, again, ...flags } = file;
    const staging = stagingOf(rows, null);
    const origin = originNamedIn(staging, await this.#ledger.runs(), sourceName);
    const options = this.#options(service, { ...flags, sourceDigest, origin, sourceName, again: again && isResumed });
    await plan(staging, this.#ledger, { ...options, resumes: isResumed ? run : null });
    const decided = (await rowsStaged(staging)).map(decisionOf);
    staging.close();
    return decided;
  }

  /** The same file once more: nothing that is in goes out, and what was not to be sent is not, for the same reason. */
  async #expectSameAgain(run: string, results: readonly ResultRow[], service: string, sourceDigest: string) {
    const decided = await this.#decided(run, service, sourceDigest, false);
    const hasRepeats = this.#files.get(run)?.again === true;
    for (const [at, { why, status }] of results.entries()) {
      const { do: what, why: whyNow = null } = decided[at] as StagedDecision & { readonly why?: SkipReason };
      // A wrong line of a row that is in keeps its children waiting where it was to be sent once more.
      const isFree = status !== 'in' && (why === null || (hasRepeats && why === 'waits-for-parent'));
      // What was sent meanwhile may be a second reason. A row that was held for one that its refused parent kept back waits with it.
      const isWaiting = why === 'possible-correction' && whyNow === 'waits-for-parent';
      const isAlike = why === whyNow || isWaiting || [why, whyNow].every((one) => heldBesideRecords.has(one ?? ''));
      const isSame = isFree || (what !== 'send' && (status === 'in' || hasRepeats || isAlike));
      if (!isSame) throw new Error(`not the same again: ${JSON.stringify([results[at], decided[at]])}`);
    }
  }

  /** A Ref of one record that no other line claims tells the row. */
  async #expectKnownByRef({ ledger, service }: Around, rows: readonly KnownStaged[]): Promise<void> {
    for (const { foundBy, ref } of rows) {
      const digest = refDigest({ ledger, service }, { kind: 'deals', ref: ref ?? '' });
      const named = (await ledger.lookup(service, [digest])).get(digest) ?? [];
      const [one, other] = named.filter(({ phase }) => phase !== 'open');
      if (foundBy !== 'new' || one?.ref !== digest || other !== undefined) continue;
      if (rows.every(({ id }) => id !== one.id)) throw new Error(`untrue: ${ref} is taken for new`);
    }
  }

  async #recordOfRef({ ledger, service, refScope, staging }: Around, ref: string): Promise<string | null> {
    const digest = refDigest({ ledger, service }, { kind: 'deals', ref });
    const ofFile = staging.withRef('deals', ref).flatMap((number) => staging.one(number).id ?? []);
    const found =
      refScope === 'file'
        ? [...(await ledger.lookupRows(ofFile)).values()]
        : ((await ledger.lookup(service, [digest])).get(digest) ?? []);
    const [one, other] = found.filter(({ phase }) => phase === 'committed');
    return one !== undefined && other === undefined ? one.record : null;
  }

  async #answer(id: number, attempt: number, created: string | null): Promise<void> {
    if (created !== null && (await this.#inLedger([created])).has(created)) return;
    await this.#ledger.resolve([{ id, attempt, isCreated: created !== null, record: created, person: 'ana' }]);
  }

  async #inLedger(records: readonly string[]): Promise<ReadonlySet<string>> {
    const named = kinds.flatMap((kind) => records.map((id) => ({ kind, id })));
    const found = await this.#ledger.lookupRecords(this.#live.name, named);
    return new Set(found.flatMap((known) => known?.record ?? []));
  }

  async #results(
    run: string,
    staging: Staging,
    rows: readonly KnownStaged[],
    ids: readonly number[],
    of: string,
  ): Promise<ResultRow[]> {
    const known = await this.#ledger.lookupRows(ids);
    return rows.map((row, at) => {
      const me = known.get(ids[at] ?? 0);
      const cells = staging.cellsOf(row) as unknown as Cells;
      const decision = decisionOf(row);
      const why = 'why' in decision ? decision.why : null;
      // More than a row has.
      const attempt = this.#mutant === 'answer to another attempt' ? 99 : (me?.attempt ?? 0);
      return {
        own:
          why === 'equal-to-loaded-row' && row.foundBy !== 'key'
            ? row.own
            : { run, sheet: cells.kind, row: row.row, attempt },
        cells,
        status: statusOf(me),
        record: me?.record ?? '',
        idCell: '',
        rowId: ids[at] ?? 0,
        why,
        other: ('other' in decision && decision.other?.id) || (decision.heldFor ?? null),
        of,
        isPasted: this.#files.get(run)?.rows[row.row - 2]?.isPasted ?? false,
      };
    });
  }

  async #edit(row: ResultRow, edit: Edit, rows: readonly ResultRow[]): Promise<void> {
    if (row.status === 'in doubt' && edit === 'answer') await this.#answerCell(row, rows);
    if (row.status === 'in doubt' || (row.status === 'in' && !this.#isOnly(row))) return;
    // A second line of a row is deleted, or stays as it is: with other values beside that row, it would be meant as another one.
    const isHeldAsSecond = ({ why, other, cells }: ResultRow) =>
      why === 'equal-to-loaded-row' || (why === 'invalid' && other !== null && !isUnread(cells));
    const isSecond = rows.some((one) => one.rowId === row.rowId && isHeldAsSecond(one));
    if (isSecond || this.#isInElsewhere(row)) return;
    if (row.of === this.#rehearsed.name && !isTelling(row.cells)) return;
    if (edit === 'new') row.cells.amount = this.#newAmount();
    if (edit === 'none') row.cells.amount = noAmountOf(row.cells.name);
    // Beside a row that is not in, an id is a mistake.
    if (edit === 'id' && row.status === 'out') row.idCell = 'live_0';
  }

  async #answerCell(row: ResultRow, rows: readonly ResultRow[]): Promise<void> {
    const me = (await this.#ledger.lookupRows([row.rowId])).get(row.rowId);
    if (!this.#isOnly(row) && me?.phase !== 'in-doubt') return;
    const ofName = this.#live.records.filter(({ name }) => name === row.cells.name);
    const taken = new Set(rows.map(({ record, idCell }) => record || idCell));
    const inLedger = await this.#inLedger(ofName.map(({ id }) => id));
    const found = ofName.find(({ id }) => !taken.has(id) && !inLedger.has(id));
    if (found !== undefined) row.idCell = found.id;
    else if (ofName.length === 0) row.idCell = 'not created';
  }

  /**
   * @param isMistaken  the person has not found the record, so that it is made once more
   * @returns whether there was a doubt to settle
   */
  async #settleOne(isMistaken = false): Promise<boolean> {
    for (const run of await this.#ledger.runs()) {
      if (run.service !== this.#live.name) continue;
      const { rows = [] } = this.#files.get(run.id) ?? {};
      for (const kind of kinds) {
        for (const entry of await this.#ledger.entries(run.id, kind, 0, 1000)) {
          const known = (await this.#ledger.lookupRows([entry.id])).get(entry.id);
          if (known?.phase !== 'in-doubt') continue;
          const name = rows[entry.row - 2]?.cells.name;
          const ofName = this.#live.records.filter((record) => record.name === name);
          const inLedger = await this.#inLedger(ofName.map(({ id }) => id));
          const there = ofName.find(({ id }) => !inLedger.has(id))?.id ?? null;
          const created = isMistaken ? null : there;
          if (there !== created && name !== undefined) this.#repeated.push(name);
          const found = { isCreated: created !== null, record: created };
          await this.#ledger.resolve([{ id: entry.id, attempt: known.attempt, ...found, person: 'ana' }]);
          return true;
        }
      }
    }
    return false;
  }

  #isOnly({ cells: { name } }: ResultRow): boolean {
    return this.#wanted(name) === 1 && !this.#repeated.includes(name);
  }

  /** A row may be held when all that its file meant is in: then it is another line of one of these. */
  #isHeldRightly({ why, other, rowId, cells: { name }, cells }: ResultRow): boolean {
    // A second line of a row that is held or waits is held with it.
    const whys = [why, this.#newestSheet().find((row) => row.rowId === other)?.why];
    // The Ref of a deal that was sent again names two.
    if (this.#repeated.includes(name.split('/')[0] ?? '') && name.includes('/')) return true;
    if (whys.includes('waits-for-parent') || whys.includes('same-ref')) return true;
    // A line of a rehearsal is compared with the records of any file.
    const isCorrection = whys.includes('possible-correction');
    // A load that lacks the payment has sent another one of its deal. If what identifies it was corrected, that was this one. Of
    // what nothing identifies, any row may be a correction, and of a deal that no Ref tells from others.
    const isOfDeal = ({ kind, name: of }: Cells) => kind === 'transactions' && of.split('/')[0] === name.split('/')[0];
    const isTold = isTelling(cells) && this.#refScope === 'service';
    const mayBe = (row: Met) => row.rowId === other && (!isTold || isOfDeal(row.cells));
    const isSent = (row: Met) => mayBe(row) && this.#made(row.cells.name) > 0;
    const lacks = (load: readonly Met[]) => load.every((row) => row.rowId !== rowId);
    if (why === 'possible-correction' && this.#loads.some((load) => lacks(load) && load.some(isSent))) return true;
    const ofOther = isOfJune(name) ? shownName(name) : ofJune + name;
    const made = this.#made(name) + (isCorrection ? this.#made(ofOther) : 0);
    const isHeld = heldBesideRecords.has(why ?? '');
    // Of rows that the same values identify, nobody knows which one the other line has corrected.
    const isAnyOfSeveral = this.#isEitherOfTwo() || isCorrection;
    return isHeld && made >= (isAnyOfSeveral ? 1 : this.#wanted(name, false));
  }

  /** A line of a rehearsal, or one whose reference was typed in, is perhaps that of either of two rows of which one is in. */
  #isEitherOfTwo(): boolean {
    return [this.#month.first, ...this.#month.steps].some(
      (step) => step.do === 'source' && (step.isRehearsal || step.corrections.includes('reference')),
    );
  }

  /** @param beside  lines that go out with it: put right in the source, what nothing identifies has a line of its own there */
  #isInElsewhere({ cells: { name, ...cells } }: ResultRow, beside: readonly ResultRow[] = []): boolean {
    const goOut = beside.filter((row) => row.cells.name === name && !isUnread(row.cells) && row.status !== 'in');
    return !isTelling({ name, ...cells }) && this.#made(name) + goOut.length >= this.#wanted(name);
  }

  /** What nothing identifies was put right in one way, and in a rehearsal or its results in another: a person leaves the line out. */
  #isPutRightElsewhere(row: ResultRow): boolean {
    const isSame = ({ of, cells }: ResultRow) => of === this.#live.name && isDeepStrictEqual(cells, row.cells);
    if (!this.#isInElsewhere(row)) return false;
    if (row.of === this.#rehearsed.name) return !this.#sheets.flat().some(isSame);
    return row.status === 'out' && !isUnread(row.cells) && this.#isEitherOfTwo();
  }

  #made(of: string): number {
    return this.#live.records.filter(({ name }) => name === of).length;
  }

  #wanted(name: string, isLonger = !isOfJune(name)): number {
    return this.#meant(isLonger, isOfJune(name)).filter((row) => row.name === name).length;
  }

  #newAmount(): string {
    this.#amounts += 1;
    return String(this.#amounts);
  }

  #expectNothingTwice(): void {
    const meant = [...this.#meant(true), ...this.#meant(false, true)];
    for (const name of new Set(meant.map((row) => row.name))) {
      const made = this.#made(name);
      // Where Refs identify nothing, a deal that was sent again is another one, with payments of its own.
      const isRepeat = (one: string) => one === name || (this.#refScope === 'file' && one === name.split('/')[0]);
      const wanted = this.#wanted(name) + this.#repeated.filter(isRepeat).length;
      if (made > wanted) throw new Error(`${name} was made ${made} times, ${wanted} were meant`);
    }
  }

  #expectTruth(rows: readonly ResultRow[], there: Service['records']): void {
    const isIn = rows.filter(({ status }) => status === 'in');
    for (const { record, cells } of isIn) {
      const found = there.find(({ id }) => id === record);
      if (found?.name !== cells.name) throw new Error(`untrue: ${cells.name} is not ${record}`);
      const deal = there.find(({ id }) => id === found.of);
      if (cells.kind === 'transactions' && deal?.name !== cells.name.split('/')[0])
        throw new Error(`${cells.name} was paid to ${deal?.name}`);
    }
    const records = new Map(isIn.map(({ rowId, record }) => [rowId, record]));
    if (new Set(records.values()).size < records.size) throw new Error('two rows have one record');
  }
}

function statusOf(me: LogicalRow | undefined): ResultRow['status'] {
  if (me === undefined || me.phase === 'open') return 'out';
  return me.phase === 'committed' ? 'in' : 'in doubt';
}

interface Loading {
  readonly service: Service;
  readonly digest: string;
  readonly name: string;
  readonly again: boolean;
  readonly allow: PlanOptions['allow'];
  readonly trustResults: boolean;
}

interface Sending extends Omit<Loading, 'digest'> {
  readonly limit: number | null;
  readonly resumes: string | null;
}

/** Of the lines of deals with one Ref, a person leaves one: where one of them is in or in doubt, that one. */
function oneEach(rows: readonly ResultRow[]): ResultRow[] {
  const refOf = ({ cells: { kind, ref } }: ResultRow) => (kind === 'deals' && ref !== null ? comparableKey(ref) : null);
  return rows.filter((row, at) => {
    const others = refOf(row) === null ? [] : rows.filter((other) => other !== row && refOf(other) === refOf(row));
    return row.status !== 'out' || others.every((other) => other.status === 'out' && rows.indexOf(other) > at);
  });
}

function partOf(rows: readonly FileRow[], part: (typeof parts)[number]): FileRow[] {
  const second = rows.findIndex(({ cells }, at) => at > 0 && cells.kind === 'deals');
  const isMeant = (row: FileRow, at: number) => {
    if (part === 'first' || part === 'rest') return at < second === (part === 'first');
    return part === 'all' || row.cells.kind === part;
  };
  const meant = rows.filter(isMeant);
  return meant.length > 0 ? meant : [...rows];
}

function allowedOf({ allowsSameRef = false }: Flags): PlanOptions['allow'] {
  return new Set(allowsSameRef ? ['same-ref'] : []);
}

const isJunes = (rows: readonly ResultRow[] = []) => rows.some(({ cells }) => isOfJune(cells.name));

function nameOf(rows: readonly FileRow[]): string {
  if (rows.some(({ own }) => own !== null)) return 'results.csv';
  return rows.some(({ cells }) => isOfJune(cells.name)) ? 'june.csv' : 'month.csv';
}

function stagingOf(rows: readonly FileRow[], mutant: Mutant): Staging {
  const refOf = (ref: string | null) => (ref === null || mutant === 'zeros of Refs' ? ref : comparableKey(ref));
  const deals = rows.flatMap(({ cells: { kind, ref } }) => (kind === 'deals' ? [refOf(ref)] : []));
  // A Ref that stands twice is an error, which no check level changes.
  const isRepeated = ({ ref }: Cells) => ref !== null && deals.filter((one) => one === refOf(ref)).length > 1;
  const staging = createStaging(':memory:');
  for (const kind of kinds) {
    const sheet = staging.addSheet(kind, kind);
    const ofKind = rows.map((row, at) => ({ ...row, at })).filter(({ cells }) => cells.kind === kind);
    staging.add(
      ofKind.map(({ cells, own, at }) => ({
        sheet,
        row: at + 2,
        isValid: !isUnread(cells) && !isRepeated(cells),
        data: dataOf(rowOf(cells)),
        content: {
          ...{ digest: contentOf(rowOf(cells)).content.digest, identifies: identifying(cells) },
          ...{ looseDigest: null, maskedDigest: null, shares: [] },
        },
        ref: kind === 'deals' ? refOf(cells.ref) : null,
        parents: kind === 'deals' ? [] : [{ kind: 'deals', fills: 'dealId', ref: cells.ref, id: null }],
        amount: null,
        hasDetails: false,
        own,
      })),
      ofKind.map(({ cells }) => cells as unknown as SheetRow),
    );
  }
  return staging;
}

function rowOf(cells: Cells): RowData {
  const { kind, reference } = cells;
  const name = shownName(cells.name);
  const path = kind === 'deals' ? 'amountRequested' : 'amount';
  const amount = isUnread(cells) ? {} : { [path]: cells.amount };
  const more =
    kind === 'deals' ? { company: { name } } : { description: name, ...(reference !== null && { reference }) };
  const nothing = { references: [], problems: [], pathId: null, ref: null, clears: 0, aside: null, file: null };
  const unread = isUnread(cells) ? [[path, cells.amount] as const] : [];
  const place = { kind: recordKind(kind), sheet: kind, row: 2 };
  return { ...place, ...nothing, isValid: !isUnread(cells), body: { ...more, ...amount }, unread };
}

/** Whether it has values that identify it. With Refs, no name is plain. */
function isTelling({ kind, name }: Pick<Cells, 'kind' | 'name'>): boolean {
  return kind === 'transactions' || shownName(name) !== 'Dune';
}

function identifying(cells: Cells): readonly (readonly (string | null)[])[] {
  const { reference } = cells;
  const name = shownName(cells.name);
  return !isTelling(cells) ? [] : [[reference === null ? null : `${name} ${reference}`, name]];
}

/** The cells in front of the first deal are filled down over the payments. */
function asFilledDown(row: ResultRow, _: number, rows: readonly ResultRow[]): FileRow {
  const { own, status, idCell } = rows.find(({ cells }) => cells.kind === 'deals') ?? row;
  return asFileRow(row.cells.kind === 'deals' ? row : { ...row, own, status, idCell });
}

function loseZeros(rows: readonly { readonly cells: Cells }[]): void {
  for (const { cells } of rows) if (cells.ref !== null) cells.ref = String(Number(cells.ref));
}

function asFileRow({ own, cells, status, idCell, isPasted }: ResultRow): FileRow {
  const answer =
    idCell === ''
      ? null
      : idCell === 'not created'
        ? { kind: 'not-created' as const }
        : { kind: 'created' as const, id: idCell };
  return {
    cells,
    isPasted,
    own: own && { ...own, saysIn: status === 'in', saysDoubt: status === 'in doubt', answer, company: null, url: null },
  };
}

/** A ledger that tells the plan what is not so. */
function mutated(ledger: Ledger, mutant: Mutant, service: string): PlanLedger {
  return {
    ...ledger,
    rowsAtOnce: 512,
    runs: async () => (await ledger.runs()).map((run) => (mutant === 'any service' ? { ...run, service } : run)),
    lookupPlaces: async (places) =>
      (await ledger.lookupPlaces(places)).map((found) => {
        if (found === null) return null;
        const attempt = mutant === 'answer to another attempt' ? found.row.attempt : found.attempt;
        return { ...found, attempt, ...(mutant === 'any service' && { service }) };
      }),
  };
}

function decisionOf({ decision }: KnownStaged): StagedDecision {
  return JSON.parse(decision ?? 'null') as StagedDecision;
}

function outcomeOf({ state, record }: { readonly state: RowState; readonly record: string | null }): Outcome {
  return { state, attempts: 1, record, company: null, url: null, message: null };
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
const edits = fc.array(fc.constantFrom<Edit>('leave', 'leave', 'answer', 'answer', 'new', 'none', 'id'), {
  minLength: 4,
  maxLength: 4,
});
const corrections = fc.array(fc.constantFrom<Correction>('leave', 'leave', 'right', 'other', 'reference'), {
  minLength: 4,
  maxLength: 4,
});
const seldom = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const source = (isFirst: boolean) =>
  fc.record({
    do: fc.constant('source' as const),
    getsRefs: isFirst ? fc.constant(false) : seldom,
    isLonger: isFirst ? fc.constant(false) : fc.boolean(),
    part: isFirst ? fc.constant('all' as const) : fc.constantFrom(...parts),
    corrections: isFirst ? fc.constant<Correction[]>([]) : corrections,
    isTurned: isFirst ? fc.constant(false) : fc.boolean(),
    losesZeros: isFirst ? fc.constant(false) : fc.boolean(),
    isReadOtherwise: isFirst ? fc.constant(false) : seldom,
    isRehearsal: seldom,
    isRenamed: isFirst ? fc.constant(false) : seldom,
    isAgain: isFirst ? fc.constant(false) : seldom,
    limit,
    allowsSameRef: seldom,
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
      losesZeros: seldom,
      edits,
      left: fc.constantFrom(...left),
      limit,
      allowsSameRef: seldom,
      ...circumstances,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('june' as const), under: fc.constantFrom(...under), ...circumstances }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), age: fc.nat(2), ...circumstances }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), isMistaken: seldom, ...circumstances }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answer' as const), age: fc.nat(5), ...circumstances }) },
);
const row = fc.record({
  name: fc.constantFrom(...names),
  isReadable: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  payments: fc.nat(2),
});

const months: fc.Arbitrary<Month> = fc.record({
  hasRefs: fc.boolean(),
  refScope: fc.constantFrom('service', 'service', 'file'),
  rows: fc.array(row, { minLength: 1, maxLength: 4 }),
  extra: fc.array(row, { maxLength: 2 }),
  first: source(true),
  steps: fc.array(step, { maxLength: 8 }),
});

const calm = { isWell: true, seed: 1, kill: null };
const asItIs = {
  getsRefs: false,
  isLonger: false,
  part: 'all' as const,
  corrections: [],
  isTurned: false,
  losesZeros: false,
  isReadOtherwise: false,
  isRenamed: false,
  isAgain: false,
};
const fromSource = { do: 'source', ...asItIs, isRehearsal: false, limit: null, ...calm } as const;
const fromResults = {
  do: 'results',
  age: 0,
  withOldest: false,
  losesZeros: false,
  edits: [],
  left: 'all',
  limit: null,
  ...calm,
} as const;

const deal = (name: Name, payments = 0, isReadable = true): MonthRow => ({ name, isReadable, payments });
const monthOf = (hasRefs: boolean, rows: readonly MonthRow[], first: Step, steps: readonly Step[]): Month => {
  return { hasRefs, rows, extra: [], first, steps };
};
const ofFile = (month: Month): Month => ({ ...month, refScope: 'file' });
const rehearsed = { ...fromSource, isRehearsal: true };
const killedAt = (point: string, n = 1) => ({ kill: { point, n } });

export const toldMonths: readonly (readonly [title: string, month: Month])[] = [
  [
    // They never stood together in one load: the third is right in one file, and later corrected in old results.
    'P2: does not send a row of old results that another file of the source has corrected',
    monthOf(
      false,
      [deal('Anchor'), deal('Coral'), deal('Dune', 0, false)],
      { ...fromSource, ...killedAt('intent-before') },
      [
        { ...fromSource, corrections: ['leave', 'leave', 'right', 'leave'], limit: 1 },
        { do: 'resume', age: 0, ...calm },
        fromSource,
        { ...fromResults, withOldest: true, limit: 1 },
        { ...fromResults, age: 2 },
      ],
    ),
  ],
  [
    // The results of a rehearsal wait beside what another file sent, and are put together with older ones.
    'P2: holds a second line of a row that is held with that row',
    monthOf(false, [deal('Coral')], rehearsed, [
      { do: 'june', under: 'nothing', ...calm },
      { ...fromResults, age: 1 },
      { ...fromResults, withOldest: true },
    ]),
  ],
  [
    // A second line of a payment comes beside a line of its deal that was changed, and without it once the payment is corrected.
    'P2: sends no second line of a row, whatever else it waited for',
    monthOf(true, [deal('Dune', 2)], rehearsed, [
      { ...fromResults, isWell: false, seed: 92 },
      { ...fromResults, age: 3, edits: ['new', 'leave', 'leave'], left: 'turned' },
      { ...fromResults, withOldest: true, left: 'one each' },
      { ...fromResults, edits: ['leave', 'leave', 'new'], left: 'without first' },
    ]),
  ],
  [
    // Another file has corrected both, and its load stops. Results in which one is unreadable send the other.
    'P2: holds payments of a deal that another load has sent one of',
    monthOf(true, [deal('Anchor', 2), deal('Bell', 1)], { ...fromSource, limit: 1 }, [
      { ...fromSource, corrections: ['leave', 'other', 'other', 'leave', 'leave'], ...killedAt('intent-before') },
      { ...fromResults, edits: ['leave', 'leave', 'none', 'leave', 'leave'] },
      { do: 'resume', age: 0, ...calm },
    ]),
  ],
  [
    'P2: holds them also when that load was killed',
    monthOf(true, [deal('Coral', 2), deal('Anchor', 1)], { ...fromSource, limit: 1 }, [
      { ...fromSource, corrections: ['leave', 'other', 'other', 'leave'], limit: 2 },
      { ...fromResults, ...killedAt('intent-before', 2) },
      { ...fromResults, age: 1 },
    ]),
  ],
  [
    // The results of a rehearsal are below those of the load, all of them twice.
    'P2: holds a copy of a line that is held, once that line is changed',
    monthOf(true, [deal('Dune', 1)], rehearsed, [
      { ...fromResults, edits: ['none', 'leave'] },
      { ...fromResults, withOldest: true, left: 'twice' },
      { ...fromResults, edits: ['new', 'leave', 'leave', 'leave', 'new', 'leave'] },
    ]),
  ],
  [
    'P2: knows two lines of a rehearsal as one row when both are corrected',
    monthOf(true, [deal('Dune', 2), deal('Dune')], rehearsed, [
      { ...fromResults, edits: ['leave', 'leave', 'leave', 'none'], left: 'twice' },
      fromResults,
    ]),
  ],
  [
    // It was sent into a doubt. Then the source comes as it was, and its results are corrected.
    'P2: holds a corrected row that was corrected in the source before',
    monthOf(false, [deal('Dune', 0, false)], fromSource, [
      { ...fromSource, corrections: ['right', 'leave', 'leave', 'leave'], isWell: false, seed: 5536 },
      fromSource,
    ]),
  ],
  [
    // A row on top has taken its Ref, and it has the next one. The file comes once more as it is.
    'P2: holds a row whose Ref another row has taken, as often as it comes',
    monthOf(false, [deal('Coral', 0, false), deal('Coral')], fromSource, [
      { ...rehearsed, getsRefs: true, part: 'first', corrections: ['right'] },
      rehearsed,
    ]),
  ],
  [
    // The payments come without their deal, and with a copy of the whole file below their results.
    'P2: resumes alike where a line without a key equals one with a key',
    ofFile(
      monthOf(true, [deal('Anchor', 1)], { ...fromSource, isWell: false }, [
        { ...fromSource, part: 'transactions', isWell: false },
        { ...fromResults, left: 'with originals', isWell: false },
      ]),
    ),
  ],
  [
    // A pasted payment was held for the one that is in. Of results put together, only the open rows are left, and it is changed.
    'P2: holds a pasted row for its original, though both were in one file',
    monthOf(true, [deal('Dune'), deal('Anchor', 2)], fromSource, [
      { ...fromResults, left: 'with originals' },
      { ...fromResults, withOldest: true, left: 'one each' },
      { ...fromResults, edits: ['leave', 'leave', 'leave', 'new'], left: 'open' },
    ]),
  ],
  [
    // The results of its rehearsal are held for a row of June, allowed, and the source comes once more.
    'P2: keeps a rehearsed file apart from the one that it is held for',
    monthOf(false, [deal('Coral')], { ...fromSource, isWell: false }, [
      { ...rehearsed, corrections: ['other', 'leave', 'leave', 'leave'] },
      { do: 'june', under: 'nothing', ...calm },
      { ...fromResults, age: 1 },
    ]),
  ],
  [
    // It stays open beside its equal, and the results of the first load send its line with another amount.
    'P2: holds a row that got its Ref after it was sent without one',
    monthOf(false, [deal('Dune'), deal('Dune', 0, false)], fromSource, [
      { ...fromSource, getsRefs: true, corrections: ['leave', 'right', 'leave', 'leave'], limit: 1 },
      { ...fromResults, age: 1, edits: ['leave', 'new', 'leave', 'leave'], left: 'filled down' },
    ]),
  ],
  [
    // It comes as it is, and once more with another payment: it has no more than half of the rows then.
    'P2: knows a changed copy by its name',
    monthOf(true, [deal('Coral', 1)], { ...fromSource, isWell: false, seed: 3384 }, [
      { ...fromSource, isRenamed: true },
      { ...fromSource, isRenamed: true, corrections: ['leave', 'other', 'leave', 'leave'] },
    ]),
  ],
  [
    // It was beyond the limit, and is corrected in the results, with its original pasted below.
    'P9: holds an original line beside its corrected one',
    monthOf(false, [deal('Anchor'), deal('Bell')], { ...fromSource, limit: 1 }, [
      { ...fromResults, edits: ['leave', 'new'], left: 'with originals' },
    ]),
  ],
  [
    // The originals are pasted below the line of one of the two, which is in doubt. Then the source comes as it is.
    'P10: sends an equal row beside the other one, though it was held for that before',
    monthOf(false, [deal('Anchor'), deal('Anchor')], { ...fromSource, ...killedAt('intent-after') }, [
      { ...fromSource, part: 'rest' },
      { ...fromResults, left: 'with originals' },
      fromSource,
    ]),
  ],
  [
    // Its originals are pasted below the results, so that each Ref stands twice. Then one deal of each Ref is left.
    'P2: holds a pasted payment whose original another load has corrected',
    ofFile(
      monthOf(true, [deal('Coral', 1), deal('Coral', 2)], { ...fromSource, ...killedAt('settle-before') }, [
        { ...fromSource, corrections: ['other', 'leave', 'leave', 'leave'] },
        { ...fromResults, left: 'with originals' },
        { ...fromResults, left: 'one each' },
      ]),
    ),
  ],
  [
    // The payment comes twice, from two loads, and has the key of its rehearsed deal both times.
    'P2: takes two lines with one key for one row, though the key is of another kind and service',
    monthOf(true, [deal('Bell', 1)], { ...fromSource, ...killedAt('settle-before', 2) }, [
      rehearsed,
      { ...fromResults, left: 'without first' },
      { ...fromResults, withOldest: true, left: 'filled down' },
    ]),
  ],
  [
    // Both had one Ref and were invalid. The pasted line alone goes out, and then the source comes once more.
    'P2: holds a refused row that was pasted below its results',
    ofFile(
      monthOf(true, [deal('Coral')], { ...fromSource, isWell: false }, [
        { ...fromResults, left: 'with originals' },
        { ...fromResults, left: 'without first' },
      ]),
    ),
  ],
  [
    // Both had one Ref and were invalid. The pasted line alone goes out, and then the source comes once more.
    'P2: holds a refused row that was pasted below its results',
    ofFile(
      monthOf(true, [deal('Coral')], { ...fromSource, isWell: false }, [
        { ...fromResults, left: 'with originals' },
        { ...fromResults, left: 'without first' },
      ]),
    ),
  ],
  [
    'P2: sends a row once that was rehearsed twice, from the results of both',
    monthOf(false, [deal('Dune')], rehearsed, [
      { ...rehearsed, isAgain: true },
      { ...fromResults, withOldest: true },
    ]),
  ],
  [
    'P4: resumes alike where one of two equal rows goes out again, and the other was corrected',
    monthOf(false, [deal('Dune'), deal('Bell'), deal('Bell')], { ...fromSource, limit: 2 }, [
      { ...fromSource, corrections: ['leave', 'other', 'leave', 'leave'], isTurned: true, isAgain: true },
    ]),
  ],
  [
    'P10: sends the second of two equal rows once both have a Ref and say the same again',
    monthOf(false, [deal('Bell'), deal('Bell')], { ...fromSource, isWell: false }, [
      { ...fromSource, getsRefs: true, part: 'rest', corrections: ['leave', 'other', 'leave', 'leave'] },
    ]),
  ],
  [
    'P12: tells a row in doubt from its equal, which is in by the id of its record',
    monthOf(false, [deal('Coral'), deal('Coral')], { ...fromSource, isWell: false, seed: 15 }, [
      { do: 'move', ...calm },
    ]),
  ],
  [
    // Of a deal in doubt, another file corrects the amount, so that both payments are of the one that the results leave.
    'P9: sends one of two payments that agree once both are in one file',
    ofFile(
      monthOf(true, [deal('Coral', 1)], { ...fromSource, ...killedAt('intent-after') }, [
        { do: 'resume', age: 0, ...calm },
        { ...fromSource, corrections: ['other', 'leave', 'leave', 'leave'] },
        { ...fromResults, withOldest: true },
      ]),
    ),
  ],
  [
    // One of the two is changed, its load stops, and the results from before the change are loaded again.
    'P10: sends an equal row that says again what it said at first',
    monthOf(false, [deal('Anchor'), deal('Anchor')], { ...fromSource, limit: 1 }, [
      { ...fromResults, edits: ['leave', 'new'], ...killedAt('intent-after') },
      { ...fromResults, left: 'open' },
    ]),
  ],
];

/** Lives through as many months until one fails. */
export async function held(mutant: Mutant, seed: number, numRuns: number, examples: readonly Month[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'months-'));
  try {
    const property = fc.asyncProperty(months, (month) => new Desk(month, folder, mutant).work());
    return await fc.check(property, {
      numRuns,
      seed,
      examples: examples.map((month) => [month]),
      endOnFailure: process.env.SHRINK !== '1',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

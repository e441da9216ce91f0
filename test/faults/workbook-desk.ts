/** An operations person at work on a workbook whose sheets name each other's rows. */
import { copyFileSync, existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type FaultPlan, noFaults } from '../../src/sandbox/faults.ts';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import type { CommandHere } from '../builders/command-here.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { runLoad } from './loads.ts';
import type { Circumstances } from './month-steps.ts';
import {
  type ResultRow,
  readResults,
  recordsOf,
  rewriteResults,
  type WorkbookRecord,
  writeSource,
} from './workbook-files.ts';
import type { SheetsKept, WorkbookEdit, WorkbookMonth, WorkbookStep } from './workbook-steps.ts';

/** A note waits for its deal, and that for its company. */
const mostRounds = 3;
const ended = [0, 1, 2, 3, 4, 5, 6];
const good: Circumstances = { service: { isGood: true, seed: 1 }, dies: null };

export class WorkbookDesk {
  readonly #month: WorkbookMonth;
  readonly #command: CommandHere;
  readonly #service: RunningSandbox;
  readonly #place: Workplace = newWorkplace();
  readonly #sheets: string[] = [];
  /** How much the service had taken before this month. */
  readonly #before: number;
  /** Rows that were put right in a results sheet, by their names. */
  readonly #corrected: string[] = [];
  #files = 0;

  constructor(month: WorkbookMonth, command: CommandHere, service: RunningSandbox) {
    this.#month = month;
    this.#command = command;
    this.#service = service;
    this.#before = recordsOf(service).length;
  }

  open(): Promise<void> {
    return writeSource(this.#place.path('source.xlsx'), this.#month);
  }

  close(): void {
    this.#place.remove();
  }

  async take(step: WorkbookStep): Promise<void> {
    if (step.do === 'load the source') await this.#load('source.xlsx', step, limitOf(step.limit));
    else if (step.do === 'load results') await this.#loadResults(step);
    else if (step.do === 'resume') await this.#send('resumed', ['resume', '--yes'], step);
    else await this.#settleOne();
    this.#expectEachOnceAndAtItsParent();
  }

  /** The service is well again: every doubt is settled, every row put right, and every workbook loaded once more. */
  async endMonth(): Promise<void> {
    while (await this.#settleOne());
    const sheets = this.#sheets.toReversed();
    for (const sheet of sheets) {
      await this.#work(sheet, (rows) => {
        this.#corrected.push(...rows.map(({ name }) => name));
        return rows.map(putRight);
      });
    }
    let rows: readonly ResultRow[] = [];
    // A row may wait for one that is in another workbook alone, and that for a third.
    for (let round = 0; round === 0 || (round < mostRounds && this.#lost.length > 0); round += 1) {
      for (const sheet of sheets) await this.#load(sheet, good);
      rows = await this.#load('source.xlsx', good);
    }
    this.#expectEachOnceAndAtItsParent();
    const told = rows.map((row) => `${row.name}: ${row.status}. ${row.problems}`).join('\n');
    expect(this.#lost, `is lost\n${told}`).toEqual([]);
    const untold = rows.filter(({ name, isIn }) => this.#found(name) !== undefined && !isIn).map(({ name }) => name);
    expect(untold, `is in, and not told\n${told}`).toEqual([]);
  }

  /** Rows that can be in, and are not. */
  get #lost(): readonly string[] {
    const corrected = new Set(this.#corrected);
    const wanted = this.#month.rows.filter((row) => this.#isWanted(row.name, corrected));
    return wanted.flatMap(({ name }) => (this.#found(name) === undefined ? [name] : []));
  }

  /** Whether a row can be in: it and all that it names are good in the source, or were put right. */
  #isWanted(name: string, corrected: ReadonlySet<string>): boolean {
    const row = this.#month.rows.find((one) => one.name === name);
    if (row === undefined || !(row.isGood || corrected.has(name))) return false;
    return row.parent === null || this.#isWanted(row.parent, corrected);
  }

  async #loadResults(step: Extract<WorkbookStep, { do: 'load results' }>): Promise<void> {
    const found = this.#sheets.at(-1 - (step.age % Math.max(1, this.#sheets.length)));
    if (found === undefined) return;
    // Rows that are taken out stay in the workbook that they came in.
    const sheet = `worked-on-${this.#files}.xlsx`;
    copyFileSync(this.#place.path(found), this.#place.path(sheet));
    this.#sheets.push(sheet);
    await this.#work(sheet, (rows) => {
      const edited = rows.map((row, index) => this.#edited(row, step.edits[index] ?? 'leave'));
      const left = edited.filter((row) => isKept(row, step.kept));
      const chosen = left.length === 0 ? edited : left;
      for (const row of chosen) if (!row.isSpoilt) this.#corrected.push(row.name);
      return step.isTurnedOver ? chosen.toReversed() : chosen;
    });
    await this.#load(sheet, step, limitOf(step.limit));
  }

  #load(file: string, circumstances: Circumstances, further: readonly string[] = []): Promise<readonly ResultRow[]> {
    const how = ['--url', this.#service.url, '--concurrency', '2', '--batch', '2', '--yes', '--skip-loaded'];
    return this.#send('loaded', ['import', this.#place.path(file), ...how, ...further], circumstances);
  }

  /** Runs a command that sends, and judges the results workbook that it leaves. */
  async #send(name: string, given: readonly string[], { service, dies }: Circumstances): Promise<readonly ResultRow[]> {
    this.#service.change({ faults: faultsOf(service) });
    this.#files += 1;
    const sheet = `${name}-${this.#files}.xlsx`;
    const words = [...given, '--results', this.#place.path(sheet), '--ledger', this.#place.path('ledger.db')];
    let told = '';
    if (dies === null) {
      const { exitCode, stderr } = await this.#command(words);
      expect(ended, stderr).toContain(exitCode);
      told = stderr;
    } else await runLoad(this.#place, words, { env: { DEALSHEET_STOP_AT: dies } });
    this.#service.change({ faults: noFaults });
    const rows = await readResults(this.#place.path(sheet));
    if (rows.length > 0) this.#sheets.push(sheet);
    expect(this.#untruthsOf(rows), `${given.join(' ')}\n${told}`).toEqual([]);
    return rows;
  }

  #untruthsOf(rows: readonly ResultRow[]): readonly string[] {
    const records = this.#records;
    return rows.flatMap(({ name, id, isIn, isInDoubt, status, problems }) => {
      const record = records.find((one) => one.name === name);
      if (isIn && record === undefined) return [`${name} is ${status}, and nothing is there.`];
      if (isIn && id !== '' && record?.id !== id) return [`${name} is ${status} as ${id}, and is ${record?.id}.`];
      if (!isIn && !isInDoubt && record !== undefined) return [`${name} is there, and told as ${status}. ${problems}`];
      return [];
    });
  }

  #edited(row: ResultRow, edit: WorkbookEdit): ResultRow {
    if (row.isInDoubt && edit === 'answer') row.id = this.#found(row.name)?.id ?? 'not created';
    if (row.isIn || row.isInDoubt) return row;
    if (edit === 'correct') row.correct();
    if (edit === 'spoil') row.spoil();
    return row;
  }

  #found(name: string): WorkbookRecord | undefined {
    return this.#records.find((record) => record.name === name);
  }

  async #work(sheet: string, change: (rows: ResultRow[]) => readonly ResultRow[]): Promise<void> {
    const path = this.#place.path(sheet);
    await rewriteResults(path, change(await readResults(path)));
  }

  async #settleOne(): Promise<boolean> {
    if (!existsSync(this.#place.path('ledger.db'))) return false;
    const ledger = ['--ledger', this.#place.path('ledger.db')];
    const { stdout } = await this.#command(['runs', '--json', ...ledger]);
    const { runs } = JSON.parse(stdout) as { runs: { run: string; counts: Record<string, number> }[] };
    const run = runs.find(({ counts }) => (counts.inDoubt ?? 0) > 0)?.run;
    if (run === undefined) return false;
    const path = this.#place.path(`doubts-${run}.xlsx`);
    const written = await this.#command(['results', run, '-o', path, ...ledger]);
    expect(written.exitCode, written.stderr).toBe(0);
    const doubt = (await readResults(path)).find(({ isInDoubt }) => isInDoubt);
    expect(doubt, `the doubts of ${run} cannot be found\n${written.stderr}`).toBeDefined();
    if (doubt === undefined) return false;
    const id = this.#found(doubt.name)?.id;
    const answer = id === undefined ? ['--not-created'] : ['--created', id, '--changed-since'];
    const { exitCode, stderr } = await this.#command(['resolve', run, '--row', doubt.key[1], ...answer, ...ledger]);
    expect(exitCode, stderr).toBe(0);
    return true;
  }

  get #records(): readonly WorkbookRecord[] {
    return recordsOf(this.#service).slice(this.#before);
  }

  #expectEachOnceAndAtItsParent(): void {
    const records = this.#records;
    const names = records.map(({ name }) => name);
    expect(
      names.filter((name, index) => names.indexOf(name) !== index),
      'was made twice',
    ).toEqual([]);
    const strays = records.filter(({ name, parentId }) => {
      const parent = this.#month.rows.find((row) => row.name === name)?.parent ?? null;
      return parent !== null && this.#found(parent)?.id !== parentId;
    });
    expect(strays, 'belongs to another record').toEqual([]);
  }
}

function isKept({ sheet }: ResultRow, kept: SheetsKept): boolean {
  if (kept === 'without companies') return sheet !== 'Companies';
  if (kept === 'without deals') return sheet !== 'Deals';
  return kept === 'all' || sheet === 'Notes' || sheet === 'Transactions';
}

function putRight(row: ResultRow): ResultRow {
  if (!row.isIn && !row.isInDoubt) row.correct();
  // Every doubt is settled by now, and what an older sheet says of it is old.
  if (row.isInDoubt) row.id = '';
  return row;
}

function limitOf(limit: number | null): readonly string[] {
  return limit === null ? [] : ['--limit', String(limit)];
}

function faultsOf({ isGood, seed }: Circumstances['service']): FaultPlan {
  const shares = { 'success-false': 0.15, '500': 0.05, '500-after': 0.08, 'reset-after': 0.08, '401': 0.04 };
  return {
    shares: isGood ? {} : shares,
    at: [],
    on: ['addCompany', 'addDeal', 'addNote', 'addTransactions'],
    seed,
    retryAfterSeconds: 1,
  };
}

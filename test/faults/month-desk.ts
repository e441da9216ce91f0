/** An operations person at work: loads files into a real sandbox, corrects results sheets, and settles doubts by looking. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { noFaults } from '../../src/sandbox/faults.ts';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import type { CommandHere } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { runLoad } from './loads.ts';
import {
  type MonthRecord,
  madeTwice,
  noAmount,
  readSheet,
  recordsOf,
  type SheetRow,
  sourceOf,
  untruthsOf,
  writeSheet,
} from './month-files.ts';
import { type Circumstances, type Edit, faultsOf, type Month, type Step } from './month-steps.ts';

const ended = [0, 1, 2, 3, 4, 5, 6];
const firstNewAmount = 1000;
const sourceName = 'source.csv';
const renamed = 'source (1).csv';

export class MonthDesk {
  readonly #month: Month;
  readonly #command: CommandHere;
  readonly #place: Workplace = newWorkplace();
  readonly #service: RunningSandbox;
  readonly #sheets: string[] = [];
  /** How much the service had taken before this month. */
  readonly #before: number;
  #files = 0;
  #amounts = firstNewAmount;

  constructor(month: Month, command: CommandHere, service: RunningSandbox) {
    this.#month = month;
    this.#command = command;
    this.#service = service;
    this.#before = recordsOf(service, month.kind).length;
    for (const name of [sourceName, renamed]) writeCsv(this.#place.path(name), sourceOf(month));
  }

  close(): void {
    this.#place.remove();
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'load the source') await this.#load(step.isRenamed ? renamed : sourceName, step, limitOf(step));
    else if (step.do === 'load results') await this.#loadResults(step);
    else if (step.do === 'resume') await this.#send('resumed', ['resume', '--yes'], step);
    else await this.#settleOne(step);
    this.#expectNothingTwice();
  }

  /** The service is well again: every doubt is settled, every row put right and loaded, and every sheet loaded once more. */
  async endMonth(): Promise<void> {
    await this.#settleAll();
    const good = { service: { isGood: true, seed: 1 }, dies: null };
    const newest = this.#sheets.at(-1);
    if (newest !== undefined) {
      this.#work(newest, (rows) => rows.map((row) => this.#putRight(row)));
      const rows = await this.#load(newest, good);
      expect(rows.filter(({ isIn }) => !isIn).map(tellRow), 'is not in at the end').toEqual([]);
    }
    const rows = await this.#load(sourceName, good);
    expect(rows.filter(({ isIn, amount }) => !isIn && amount !== noAmount).map(tellRow), 'is lost').toEqual([]);
    for (const sheet of this.#sheets.slice(0, -1)) await this.#load(sheet, good);
    this.#expectNothingTwice();
  }

  async #loadResults(step: Extract<Step, { do: 'load results' }>): Promise<void> {
    const sheet = this.#sheets.at(-1 - (step.age % Math.max(1, this.#sheets.length)));
    if (sheet === undefined) return;
    this.#work(sheet, (rows) => {
      const edited = rows.map((row, index) => this.#edited(row, step.edits[index] ?? 'leave', rows));
      if (step.rows === 'turned over') return edited.reverse();
      if (step.rows === 'those not in' && rows.some(({ isIn }) => !isIn)) return edited.filter(({ isIn }) => !isIn);
      return step.rows === 'without the first' && rows.length > 1 ? edited.slice(1) : edited;
    });
    await this.#load(sheet, step, limitOf(step));
  }

  #load(file: string, circumstances: Circumstances, further: readonly string[] = []): Promise<readonly SheetRow[]> {
    const how = ['--as', this.#month.kind, '--url', this.#service.url, '--concurrency', '2', '--batch', '2'];
    const words = ['import', this.#place.path(file), ...how, '--yes', '--skip-loaded', ...further];
    return this.#send('loaded', words, circumstances);
  }

  /** Runs a command that sends, and judges the results sheet that it leaves. */
  async #send(name: string, given: readonly string[], { service, dies }: Circumstances): Promise<readonly SheetRow[]> {
    this.#service.change({ faults: faultsOf(service) });
    this.#files += 1;
    const sheet = `${name}-${this.#files}.csv`;
    const words = [...given, '--results', this.#place.path(sheet), '--ledger', this.#place.path('ledger.db')];
    if (dies === null) {
      const { exitCode, stderr } = await this.#command(words);
      expect(ended, stderr).toContain(exitCode);
    } else await runLoad(this.#place, words, { env: { DEALSHEET_STOP_AT: dies } });
    this.#service.change({ faults: noFaults });
    const rows = readSheet(this.#place.path(sheet));
    if (rows.length > 0) this.#sheets.push(sheet);
    expect(untruthsOf(rows, this.#records, this.#month), given.join(' ')).toEqual([]);
    return rows;
  }

  #edited(row: SheetRow, edit: Edit, rows: readonly SheetRow[]): SheetRow {
    if (row.isInDoubt && edit === 'answer' && row.id === '') this.#answer(row, rows);
    // What one of several equal rows said, when it is in, is then said by another alone: which is which cannot be told.
    if (row.isInDoubt || (row.isIn && !this.#isOnly(row))) return row;
    if (edit === 'new amount') row.amount = this.#newAmount();
    if (edit === 'no amount') row.amount = noAmount;
    return row;
  }

  /** What a person finds who looks a row up. Which of several equal rows a record is can be told of what is in doubt alone. */
  #answer(row: SheetRow, rows: readonly SheetRow[]): void {
    const isOnly = this.#isOnly(row);
    if (!isOnly && !this.#isStillInDoubt(row)) return;
    const ofName = this.#records.filter(({ name }) => name === row.name);
    const taken = new Set(rows.map(({ id }) => id));
    const found = ofName.find(({ id }) => !taken.has(id) && !this.#isInLedger(id)) ?? (isOnly ? ofName[0] : undefined);
    if (found !== undefined) row.id = found.id;
    else if (ofName.length === 0) row.id = 'not created';
  }

  #isOnly(row: SheetRow): boolean {
    return this.#month.rows.filter(({ name }) => name === row.name).length === 1;
  }

  #putRight(row: SheetRow): SheetRow {
    if (!row.isIn && row.amount === noAmount) row.amount = this.#newAmount();
    // Every doubt is settled by now, and what an older sheet says of it is old.
    if (row.isInDoubt) row.id = '';
    return row;
  }

  #newAmount(): string {
    this.#amounts += 1;
    return String(this.#amounts);
  }

  #work(sheet: string, change: (rows: SheetRow[]) => readonly SheetRow[]): void {
    const path = this.#place.path(sheet);
    writeSheet(path, this.#month.kind, change(readSheet(path)));
  }

  async #settleOne({ age, slips }: { readonly age: number; readonly slips: boolean }): Promise<void> {
    const runs = this.#runsInDoubt();
    const run = runs[age % Math.max(1, runs.length)];
    if (run === undefined) return;
    const [doubt] = await this.#doubtsOf(run);
    if (doubt !== undefined) await this.#settle(doubt, slips);
  }

  async #settleAll(): Promise<void> {
    for (const run of this.#runsInDoubt()) {
      for (const doubt of await this.#doubtsOf(run)) await this.#settle(doubt, false);
    }
    expect(this.#runsInDoubt(), 'a doubt cannot be settled').toEqual([]);
  }

  /** A slip of the pen is put right at once. */
  async #settle({ name, key: [run, place] }: SheetRow, slips: boolean): Promise<void> {
    const found = this.#records.find((record) => record.name === name && !this.#isInLedger(record.id));
    const words = ['resolve', run, '--row', place, '--ledger', this.#place.path('ledger.db')];
    if (slips && found !== undefined) await this.#command([...words, '--not-created']);
    const answer = found === undefined ? ['--not-created'] : ['--created', found.id, '--changed-since'];
    const { exitCode, stderr } = await this.#command([...words, ...answer]);
    // A doubt is met by several runs, and settled for all of them at once.
    if (!/is not in doubt in the run/.test(stderr)) expect(exitCode, stderr).toBe(0);
  }

  async #doubtsOf(run: string): Promise<readonly SheetRow[]> {
    const path = this.#place.path(`doubts-${run}.csv`);
    const { stderr } = await this.#command(['results', run, '-o', path, '--ledger', this.#place.path('ledger.db')]);
    expect(existsSync(path), stderr).toBe(true);
    return readSheet(path).filter(({ isInDoubt }) => isInDoubt);
  }

  #runsInDoubt(): readonly string[] {
    if (!existsSync(this.#place.path('ledger.db'))) return [];
    return this.#inLedger((ledger) =>
      ledger.runs().flatMap(({ id }) => ((ledger.countsOf(id)['in-doubt'] ?? 0) === 0 ? [] : [id])),
    );
  }

  #isStillInDoubt({ key: [run, place] }: SheetRow): boolean {
    const [sheet = '', row] = place.split('!');
    return this.#inLedger((ledger) => {
      const latest = ledger.latest({ run, sheet, row: Number(row) });
      return ledger.entry(latest.run, latest)?.state === 'in-doubt';
    });
  }

  #isInLedger(id: string): boolean {
    const service = new URL(this.#service.url).origin;
    const wanted = { kind: this.#month.kind, id };
    return this.#inLedger((ledger) => ledger.rowsWithIds(service, [wanted]).has(wanted));
  }

  #inLedger<Found>(look: (ledger: ReturnType<typeof openLedger>) => Found): Found {
    const ledger = openLedger(this.#place.path('ledger.db'));
    try {
      return look(ledger);
    } finally {
      ledger.close();
    }
  }

  get #records(): readonly MonthRecord[] {
    return recordsOf(this.#service, this.#month.kind).slice(this.#before);
  }

  #expectNothingTwice(): void {
    expect(madeTwice(this.#records, this.#month), 'was made twice').toEqual([]);
  }
}

function limitOf({ limit }: { readonly limit: number | null }): readonly string[] {
  return limit === null ? [] : ['--limit', String(limit)];
}

function tellRow({ name, status, problems }: SheetRow): string {
  return `${name}: ${status}. ${problems}`;
}

/** An operations person at work: loads files into a real sandbox, corrects results sheets, and settles doubts by looking. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { writeCsv } from '../builders/tables.ts';
import { type Circumstances, goodDay, leftOf } from './circumstances.ts';
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
import { type Edit, illness, type Month, type Step } from './month-steps.ts';
import { type Desk, limitOf, type Office } from './office.ts';

const firstNewAmount = 1000;
const sourceName = 'source.csv';
const renamed = 'source (1).csv';

export class MonthDesk implements Desk<Step> {
  readonly #month: Month;
  readonly #office: Office;
  #amounts = firstNewAmount;
  #inDoubt: ReadonlySet<string> = new Set();
  #inLedger: ReadonlySet<string> = new Set();

  constructor(month: Month, office: Office) {
    this.#month = month;
    this.#office = office;
    for (const name of [sourceName, renamed]) writeCsv(office.place.path(name), sourceOf(month));
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
    const newest = this.#office.sheets.at(-1);
    if (newest !== undefined) {
      this.#work(newest, (rows) => rows.map((row) => this.#putRight(row)));
      const rows = await this.#load(newest, goodDay);
      expect(rows.filter(({ isIn }) => !isIn).map(tellRow), 'is not in at the end').toEqual([]);
    }
    const rows = await this.#load(sourceName, goodDay);
    expect(rows.filter(({ isIn, amount }) => !isIn && amount !== noAmount).map(tellRow), 'is lost').toEqual([]);
    for (const sheet of this.#office.sheets.slice(0, -1)) await this.#load(sheet, goodDay);
    this.#expectNothingTwice();
  }

  async #loadResults(step: Extract<Step, { do: 'load results' }>): Promise<void> {
    const sheet = this.#office.sheetOf(step);
    if (sheet === null) return;
    await this.#look();
    this.#work(sheet, (rows) => {
      const edited = rows.map((row, index) => this.#edited(row, step.edits[index] ?? 'leave', rows));
      return leftOf(edited, step.rows, ({ isIn }) => isIn);
    });
    await this.#load(sheet, step, limitOf(step));
  }

  #load(file: string, circumstances: Circumstances, further: readonly string[] = []): Promise<readonly SheetRow[]> {
    const how = ['--as', this.#month.kind, '--url', this.#office.service.url, '--concurrency', '2', '--batch', '2'];
    const words = ['import', this.#office.place.path(file), ...how, '--yes', '--skip-loaded', ...further];
    return this.#send('loaded', words, circumstances);
  }

  /** Runs a command that sends, and judges the results sheet that it leaves. */
  async #send(name: string, given: readonly string[], circumstances: Circumstances): Promise<readonly SheetRow[]> {
    const { sheet } = await this.#office.send(`${name}.csv`, given, circumstances, illness);
    const rows = readSheet(this.#office.place.path(sheet));
    if (rows.length > 0) this.#office.sheets.push(sheet);
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
    if (!isOnly && !this.#inDoubt.has(row.key.join(' '))) return;
    const ofName = this.#records.filter(({ name }) => name === row.name);
    const taken = new Set(rows.map(({ id }) => id));
    const found =
      ofName.find(({ id }) => !taken.has(id) && !this.#inLedger.has(id)) ?? (isOnly ? ofName[0] : undefined);
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
    const path = this.#office.place.path(sheet);
    writeSheet(path, this.#month.kind, change(readSheet(path)));
  }

  async #settleOne({ age, slips }: { readonly age: number; readonly slips: boolean }): Promise<void> {
    const runs = await this.#runsInDoubt();
    const run = runs[age % Math.max(1, runs.length)];
    if (run === undefined) return;
    const [doubt] = await this.#doubtsOf(run);
    if (doubt !== undefined) await this.#settle(doubt, slips);
  }

  async #settleAll(): Promise<void> {
    for (const run of await this.#runsInDoubt()) {
      for (const doubt of await this.#doubtsOf(run)) await this.#settle(doubt, false);
    }
    expect(await this.#runsInDoubt(), 'a doubt cannot be settled').toEqual([]);
  }

  /** A slip of the pen is put right at once. */
  async #settle({ name, key: [run, place] }: SheetRow, slips: boolean): Promise<void> {
    await this.#look();
    const found = this.#records.find((record) => record.name === name && !this.#inLedger.has(record.id));
    const words = ['resolve', run, '--row', place, ...this.#office.ledger];
    if (slips && found !== undefined) await this.#office.command([...words, '--not-created']);
    const answer = found === undefined ? ['--not-created'] : ['--created', found.id, '--changed-since'];
    const { exitCode, stderr } = await this.#office.command([...words, ...answer]);
    // A doubt is met by several runs, and settled for all of them at once.
    if (!/is not in doubt in the run/.test(stderr)) expect(exitCode, stderr).toBe(0);
  }

  async #doubtsOf(run: string): Promise<readonly SheetRow[]> {
    const path = this.#office.place.path(`doubts-${run}.csv`);
    const { stderr } = await this.#office.command(['results', run, '-o', path, ...this.#office.ledger]);
    expect(existsSync(path), stderr).toBe(true);
    return readSheet(path).filter(({ isInDoubt }) => isInDoubt);
  }

  async #runsInDoubt(): Promise<readonly string[]> {
    const own = "a.state IS NULL AND r.outcome = 'in-doubt' AND (r.sheet, r.place) = (a.sheet, a.place)";
    const rows = await this.#office.stored.read(
      `SELECT u.id FROM appearances a JOIN rows r ON r.id = a.id JOIN sheets s ON s.number = a.sheet
         JOIN runs u ON u.number = s.run WHERE r.state = 'in-doubt' AND (a.state = 'in-doubt' OR ${own})
       GROUP BY u.number, u.id ORDER BY u.number DESC`,
    );
    return rows.map(([run]) => String(run));
  }

  /** What the ledger has in doubt, by runs and places, and the records that it knows. */
  async #look(): Promise<void> {
    const { stored } = this.#office;
    const doubts = await stored.read(
      `SELECT u.id, s.name, a.place FROM appearances a JOIN rows r ON r.id = a.id JOIN sheets s ON s.number = a.sheet
         JOIN runs u ON u.number = s.run WHERE r.state = 'in-doubt'`,
    );
    const records = await stored.read(
      `SELECT record FROM rows WHERE kind = '${this.#month.kind}' AND record IS NOT NULL`,
    );
    this.#inDoubt = new Set(doubts.map(([run, sheet, place]) => `${run} ${sheet}!${place}`));
    this.#inLedger = new Set(records.map(([record]) => String(record)));
  }

  get #records(): readonly MonthRecord[] {
    return recordsOf(this.#office.accepted, this.#month.kind);
  }

  #expectNothingTwice(): void {
    expect(madeTwice(this.#records, this.#month), 'was made twice').toEqual([]);
  }
}

function tellRow({ name, status, problems }: SheetRow): string {
  return `${name}: ${status}. ${problems}`;
}

/** An operations person at work on a workbook whose sheets name each other's rows. */
import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Circumstances, goodDay } from './circumstances.ts';
import { type Desk, limitOf, type Office } from './office.ts';
import {
  type ResultRow,
  readResults,
  recordsOf,
  rewriteResults,
  type WorkbookRecord,
  writeSource,
} from './workbook-files.ts';
import {
  illness,
  type SheetsKept,
  type WorkbookEdit,
  type WorkbookMonth,
  type WorkbookStep,
} from './workbook-steps.ts';

/** A note waits for its deal, and that for its company. */
const mostRounds = 3;

export class WorkbookDesk implements Desk<WorkbookStep> {
  readonly #month: WorkbookMonth;
  readonly #office: Office;
  /** Rows that were put right in a results sheet, by their names. */
  readonly #corrected: string[] = [];
  #worked = 0;

  private constructor(month: WorkbookMonth, office: Office) {
    this.#month = month;
    this.#office = office;
  }

  static async open(month: WorkbookMonth, office: Office): Promise<WorkbookDesk> {
    await writeSource(office.place.path('source.xlsx'), month);
    return new WorkbookDesk(month, office);
  }

  async take(step: WorkbookStep): Promise<void> {
    if (step.do === 'load the source') await this.#load('source.xlsx', step, limitOf(step));
    else if (step.do === 'load results') await this.#loadResults(step);
    else if (step.do === 'resume') await this.#send('resumed', ['resume', '--yes'], step);
    else await this.#settleOne();
    this.#expectEachOnceAndAtItsParent();
  }

  /** The service is well again: every doubt is settled, every row put right, and every workbook loaded once more. */
  async endMonth(): Promise<void> {
    while (await this.#settleOne());
    const sheets = this.#office.sheets.toReversed();
    for (const sheet of sheets) {
      await this.#work(sheet, (rows) => {
        this.#corrected.push(...rows.map(({ name }) => name));
        return rows.map(putRight);
      });
    }
    let rows: readonly ResultRow[] = [];
    // A row may wait for one that is in another workbook alone, and that for a third.
    for (let round = 0; round === 0 || (round < mostRounds && this.#lost.length > 0); round += 1) {
      for (const sheet of sheets) await this.#load(sheet, goodDay);
      rows = await this.#load('source.xlsx', goodDay);
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
    const found = this.#office.sheetOf(step);
    if (found === null) return;
    // Rows that are taken out stay in the workbook that they came in.
    this.#worked += 1;
    const sheet = `worked-on-${this.#worked}.xlsx`;
    const { place, sheets } = this.#office;
    copyFileSync(place.path(found), place.path(sheet));
    sheets.push(sheet);
    await this.#work(sheet, (rows) => {
      const edited = rows.map((row, index) => this.#edited(row, step.edits[index] ?? 'leave'));
      const left = edited.filter((row) => isKept(row, step.kept));
      const chosen = left.length === 0 ? edited : left;
      for (const row of chosen) if (!row.isSpoilt) this.#corrected.push(row.name);
      return step.isTurnedOver ? chosen.toReversed() : chosen;
    });
    await this.#load(sheet, step, limitOf(step));
  }

  #load(file: string, circumstances: Circumstances, further: readonly string[] = []): Promise<readonly ResultRow[]> {
    const how = ['--url', this.#office.service.url, '--concurrency', '2', '--batch', '2', '--yes', '--skip-loaded'];
    return this.#send('loaded', ['import', this.#office.place.path(file), ...how, ...further], circumstances);
  }

  /** Runs a command that sends, and judges the results workbook that it leaves. */
  async #send(name: string, given: readonly string[], circumstances: Circumstances): Promise<readonly ResultRow[]> {
    const { sheet, told } = await this.#office.send(`${name}.xlsx`, given, circumstances, illness);
    const rows = await readResults(this.#office.place.path(sheet));
    if (rows.length > 0) this.#office.sheets.push(sheet);
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
    const path = this.#office.place.path(sheet);
    await rewriteResults(path, change(await readResults(path)));
  }

  async #settleOne(): Promise<boolean> {
    const run = await this.#office.runInDoubt();
    if (run === null) return false;
    const path = this.#office.place.path(`doubts-${run}.xlsx`);
    const written = await this.#office.command(['results', run, '-o', path, ...this.#office.ledger]);
    expect(written.exitCode, written.stderr).toBe(0);
    const doubt = (await readResults(path)).find(({ isInDoubt }) => isInDoubt);
    expect(doubt, `the doubts of ${run} cannot be found\n${written.stderr}`).toBeDefined();
    if (doubt === undefined) return false;
    await this.#office.settle(run, doubt.key[1], this.#found(doubt.name)?.id ?? null);
    return true;
  }

  get #records(): readonly WorkbookRecord[] {
    return recordsOf(this.#office.accepted);
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

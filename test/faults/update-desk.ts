/** An operations person at work on updates of companies: loads and corrects them, and looks up in the service what came of each. */
import { existsSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { type FaultPlan, noFaults } from '../../src/sandbox/faults.ts';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import type { CommandHere } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { runLoad } from './loads.ts';
import type { Circumstances } from './month-steps.ts';
import type { UpdateEdit, UpdateMonth, UpdateRow, UpdateStep } from './update-steps.ts';

const headers = ['Company to update', 'Website', 'DBA'];
const [ownColumns, idCell, problemsCell, keyCell] = [6, 1, 4, 5];
const firstRow = 2;
const ended = [0, 1, 2, 3, 4, 5, 6];
const good: Circumstances = { service: { isGood: true, seed: 1 }, dies: null };
const isLate =
  /^Row \d+ of the same source (gives the company another|went out with other values|has updated the company since)/;

type Cells = string[];

/** A value that the service was given: which row of the source it is of stands in it. */
interface Given {
  readonly company: string;
  readonly field: string;
  readonly value: string;
  readonly row: number;
}

export class UpdateDesk {
  readonly #month: UpdateMonth;
  readonly #command: CommandHere;
  readonly #service: RunningSandbox;
  readonly #companies: readonly string[];
  readonly #place: Workplace = newWorkplace();
  readonly #sheets: string[] = [];
  /** How much the service had taken before this month. */
  readonly #before: number;
  #files = 0;
  #values = 0;

  /** @param companies  the ids of those that the rows name */
  constructor(month: UpdateMonth, command: CommandHere, service: RunningSandbox, companies: readonly string[]) {
    this.#month = month;
    this.#command = command;
    this.#service = service;
    this.#companies = companies;
    this.#before = [...service.accepted()].length;
    writeCsv(this.#place.path('source.csv'), [headers, ...month.rows.map((row, index) => this.#cellsOf(row, index))]);
  }

  close(): void {
    this.#place.remove();
  }

  async take(step: UpdateStep): Promise<void> {
    if (step.do === 'load the source') await this.#load('source.csv', step);
    else if (step.do === 'load results') await this.#loadResults(step);
    else if (step.do === 'resume') await this.#send('resumed', ['resume', '--yes'], step);
    else await this.#settleOne();
  }

  /** The service is well again: what is in doubt is settled, what is not in is put right, and every sheet is loaded once more. */
  async endMonth(): Promise<void> {
    while (await this.#settleOne());
    const newest = this.#sheets.at(-1);
    if (newest !== undefined) {
      this.#work(newest, (rows) =>
        rows.map((cells) => this.#edited(cells, 'answer')).map((cells) => this.#putRight(cells)),
      );
      await this.#load(newest, good);
    }
    const rows = await this.#load('source.csv', good);
    for (const sheet of this.#sheets.slice(0, -1)) await this.#load(sheet, good);
    const notIn = rows.filter((cells) => !isIn(cells) && !isLate.test(cells[problemsCell] ?? ''));
    expect(notIn, 'is lost').toEqual([]);
    this.#expectNothingWrittenOver();
  }

  #cellsOf({ company, gives }: UpdateRow, index: number): Cells {
    const cell = (field: 'Website' | 'DBA') => (gives.includes(field) ? this.#newValue(field, index + firstRow) : '');
    return [this.#companies[company] ?? '', cell('Website'), cell('DBA')];
  }

  #newValue(field: string, row: number): string {
    this.#values += 1;
    return field === 'Website' ? `https://w${row}-${this.#values}.example` : `d${row}-${this.#values}`;
  }

  async #loadResults(step: Extract<UpdateStep, { do: 'load results' }>): Promise<void> {
    const sheet = this.#sheets.at(-1 - (step.age % Math.max(1, this.#sheets.length)));
    if (sheet === undefined) return;
    this.#work(sheet, (rows) => {
      const edited = rows.map((cells, index) => this.#edited(cells, step.edits[index] ?? 'leave'));
      if (step.rows === 'turned over') return edited.reverse();
      if (step.rows === 'those not in' && edited.some((cells) => !isIn(cells)))
        return edited.filter((cells) => !isIn(cells));
      return step.rows === 'without the first' && edited.length > 1 ? edited.slice(1) : edited;
    });
    await this.#load(sheet, step);
  }

  #load(file: string, circumstances: Circumstances): Promise<readonly Cells[]> {
    const how = ['--as', 'company-updates', '--url', this.#service.url, '--concurrency', '2', '--yes', '--skip-loaded'];
    return this.#send('loaded', ['import', this.#place.path(file), ...how], circumstances);
  }

  async #send(name: string, given: readonly string[], { service, dies }: Circumstances): Promise<readonly Cells[]> {
    this.#service.change({ faults: faultsOf(service) });
    this.#files += 1;
    const sheet = `${name}-${this.#files}.csv`;
    const words = [...given, '--results', this.#place.path(sheet), '--ledger', this.#place.path('ledger.db')];
    if (dies === null) {
      const { exitCode, stderr } = await this.#command(words);
      expect(ended, stderr).toContain(exitCode);
    } else await runLoad(this.#place, words, { env: { DEALSHEET_STOP_AT: dies } });
    this.#service.change({ faults: noFaults });
    const rows = readResults(this.#place.path(sheet));
    if (rows.length === 0) return rows;
    this.#sheets.push(sheet);
    const values = new Set(this.#given().map(({ value }) => value));
    const untrue = rows.filter(
      (cells) => cells[0] === 'Updated' && valuesOf(cells).some((value) => !values.has(value)),
    );
    expect(untrue, 'is told as Updated').toEqual([]);
    if (rows.length === this.#month.rows.length && rows.every(isIn)) this.#expectNothingWrittenOver();
    return rows;
  }

  #edited(cells: Cells, edit: UpdateEdit): Cells {
    if (isIn(cells)) return cells;
    if (edit === 'answer' && cells[0] === 'In doubt') cells[idCell] = this.#foundFor(cells);
    if (cells[0] === 'In doubt') return cells;
    if (edit === 'no company') cells[ownColumns] = '';
    if (edit === 'other values') this.#change(cells);
    return cells;
  }

  #change(cells: Cells): void {
    for (const [index, header] of headers.entries()) {
      if (index > 0 && cells[ownColumns + index] !== '')
        cells[ownColumns + index] = this.#newValue(header, rowOf(cells));
    }
  }

  #putRight(cells: Cells): Cells {
    if (!isIn(cells)) cells[ownColumns] = this.#companyOf(cells);
    return cells;
  }

  /** By the month's own file: the cell may have been emptied. */
  #companyOf(cells: Cells): string {
    const row = this.#month.rows[rowOf(cells) - firstRow];
    return (row && this.#companies[row.company]) ?? '';
  }

  /** What a person types who looks whether the company has the values of a row, or had them. */
  #foundFor(cells: Cells): string {
    const given = new Set(this.#given().map(({ value }) => value));
    return valuesOf(cells).every((value) => given.has(value)) ? this.#companyOf(cells) : 'not created';
  }

  async #settleOne(): Promise<boolean> {
    const { stdout } = await this.#command(['runs', '--json', '--ledger', this.#place.path('ledger.db')]);
    const { runs } = JSON.parse(stdout) as { runs: { run: string; counts: Record<string, number> }[] };
    const run = runs.find(({ counts }) => (counts.inDoubt ?? 0) > 0)?.run;
    if (run === undefined) return false;
    const path = this.#place.path(`doubts-${run}.csv`);
    await this.#command(['results', run, '-o', path, '--ledger', this.#place.path('ledger.db')]);
    const doubt = readResults(path).find((cells) => cells[0] === 'In doubt');
    if (doubt === undefined) return false;
    const found = this.#foundFor(doubt);
    const answer = found === 'not created' ? ['--not-created'] : ['--created', found, '--changed-since'];
    const place = (doubt[keyCell] ?? '').split('#')[1] ?? '';
    const words = ['resolve', run, '--row', place, ...answer, '--ledger', this.#place.path('ledger.db')];
    const { exitCode, stderr } = await this.#command(words);
    expect(exitCode, stderr).toBe(0);
    return true;
  }

  #work(sheet: string, change: (rows: Cells[]) => readonly Cells[]): void {
    const path = this.#place.path(sheet);
    const own = ['Status', 'ID', 'Company ID', 'URL', 'Problems', 'Run'];
    writeCsv(path, [[...own, ...headers], ...change(readResults(path))]);
  }

  /** In the order in which the service took them. */
  #given(): readonly Given[] {
    return [...this.#service.accepted()].slice(this.#before).flatMap(({ id, body }) =>
      Object.entries(JSON.parse(body) as Record<string, string>).map(([field, value]) => ({
        company: id,
        field,
        value,
        row: Number(/[wd](\d+)-/.exec(value)?.[1]),
      })),
    );
  }

  /** The last value that a field of a company was given is that of the last row of the source that gave it one. */
  #expectNothingWrittenOver(): void {
    const given = this.#given();
    for (const { company, field } of given) {
      const values = given.filter((one) => one.company === company && one.field === field);
      const last = Math.max(...values.map(({ row }) => row));
      const told = `${field} of ${company} was given ${values.map(({ value }) => value).join(', ')}`;
      expect(values.at(-1)?.row, told).toBe(last);
    }
  }
}

function faultsOf({ isGood, seed }: Circumstances['service']): FaultPlan {
  const shares = { 'success-false': 0.45, '500': 0.03, 'reset-after': 0.12, '401': 0.05 };
  return { shares: isGood ? {} : shares, at: [], on: ['updateCompany'], seed, retryAfterSeconds: 1 };
}

function isIn(cells: Cells): boolean {
  return cells[0] === 'Updated' || cells[0] === 'Already loaded';
}

function valuesOf(cells: Cells): readonly string[] {
  return cells.slice(ownColumns + 1).filter((value) => value !== '');
}

/** By its values: a sheet may be sorted. */
function rowOf(cells: Cells): number {
  return Number(/[wd](\d+)-/.exec(valuesOf(cells)[0] ?? '')?.[1]);
}

/** The rows of a results sheet; none when it is not there, or holds what the ledger knows alone. */
function readResults(path: string): Cells[] {
  if (!existsSync(path)) return [];
  const { data } = Papa.parse<Cells>(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const [names = [], ...rows] = data;
  return names.length < ownColumns + headers.length ? [] : rows;
}

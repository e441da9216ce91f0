/** An operations person at work on updates of companies: loads and corrects them, and looks up in the service what came of each. */
import { existsSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { writeCsv } from '../builders/tables.ts';
import { type Circumstances, goodDay, leftOf } from './circumstances.ts';
import type { Desk, Office } from './office.ts';
import { illness, type UpdateEdit, type UpdateMonth, type UpdateRow, type UpdateStep } from './update-steps.ts';

const headers = ['Company to update', 'Website', 'DBA'];
const [ownColumns, idCell, problemsCell, keyCell] = [6, 2, 1, 5];
const firstRow = 2;
const isLate = /^A later update of the same company went out from /;

type Cells = string[];
type GivesMore = Extract<UpdateStep, { do: 'grow the source' | 'load another file' }>;

/** A value that the service was given: which row of the source it is of stands in it. */
interface Given {
  readonly company: string;
  readonly field: string;
  readonly value: string;
  readonly row: number;
}

export class UpdateDesk implements Desk<UpdateStep> {
  /** All that were thought of, the oldest first; each has its number in its values. */
  readonly #rows: UpdateRow[] = [];
  readonly #source: Cells[];
  readonly #office: Office;
  readonly #companies: readonly string[];
  #values = 0;

  /** @param companies  the ids of those that the rows name */
  constructor(month: UpdateMonth, office: Office, companies: readonly string[]) {
    this.#office = office;
    this.#companies = companies;
    this.#source = month.rows.map((row) => this.#cellsOf(row));
    this.#write('source.csv', this.#source);
  }

  async take(step: UpdateStep): Promise<void> {
    if (step.do === 'load the source') await this.#load('source.csv', step);
    else if (step.do === 'grow the source') await this.#grow(step);
    else if (step.do === 'load another file') await this.#loadAnother(step);
    else if (step.do === 'sort the source') await this.#sort(step);
    else if (step.do === 'load results') await this.#loadResults(step);
    else if (step.do === 'resume') await this.#send('resumed', ['resume', '--yes'], step);
    else await this.#settleOne();
  }

  /** The service is well again: what is in doubt is settled, what is not in is put right, and every sheet is loaded once more. */
  async endMonth(): Promise<void> {
    while (await this.#settleOne());
    const newest = this.#office.sheets.at(-1);
    if (newest !== undefined) {
      this.#work(newest, (rows) =>
        rows.map((cells) => this.#edited(cells, 'answer')).map((cells) => this.#putRight(cells)),
      );
      await this.#load(newest, goodDay);
    }
    const rows = await this.#load('source.csv', goodDay);
    for (const sheet of this.#office.sheets.slice(0, -1)) await this.#load(sheet, goodDay);
    const notIn = rows.filter((cells) => !isIn(cells) && !isLate.test(cells[problemsCell] ?? ''));
    expect(notIn, 'is lost').toEqual([]);
    this.#expectNothingWrittenOver();
  }

  #cellsOf(row: UpdateRow): Cells {
    const number = this.#rows.push(row) - 1 + firstRow;
    const cell = (field: 'Website' | 'DBA') => (row.gives.includes(field) ? this.#newValue(field, number) : '');
    return [this.#companies[row.company] ?? '', cell('Website'), cell('DBA')];
  }

  #write(file: string, rows: readonly Cells[]): void {
    writeCsv(this.#office.place.path(file), [headers, ...rows]);
  }

  async #grow(step: GivesMore): Promise<void> {
    this.#source.push(this.#cellsOf(step.row));
    this.#write('source.csv', this.#source);
    await this.#load('source.csv', step);
  }

  async #loadAnother(step: GivesMore): Promise<void> {
    const cells = this.#cellsOf(step.row);
    const file = `other-${this.#rows.length}.csv`;
    this.#write(file, [cells]);
    await this.#load(file, step);
  }

  async #sort(step: Circumstances): Promise<void> {
    const values = new Set(this.#given().map(({ value }) => value));
    if (!this.#source.flatMap((cells) => cells.slice(1)).every((value) => value === '' || values.has(value))) return;
    this.#source.reverse();
    this.#write('source.csv', this.#source);
    const given = this.#given().length;
    await this.#load('source.csv', step);
    expect(this.#given().slice(given), 'is given again by a sorted file').toEqual([]);
  }

  #newValue(field: string, row: number): string {
    this.#values += 1;
    return field === 'Website' ? `https://w${row}-${this.#values}.example` : `d${row}-${this.#values}`;
  }

  async #loadResults(step: Extract<UpdateStep, { do: 'load results' }>): Promise<void> {
    const sheet = this.#office.sheetOf(step);
    if (sheet === null) return;
    this.#work(sheet, (rows) => {
      const edited = rows.map((cells, index) => this.#edited(cells, step.edits[index] ?? 'leave'));
      return leftOf(edited, step.rows, isIn);
    });
    await this.#load(sheet, step);
  }

  #load(file: string, circumstances: Circumstances): Promise<readonly Cells[]> {
    const how = [
      '--as',
      'company-updates',
      '--url',
      this.#office.service.url,
      '--concurrency',
      '2',
      '--yes',
      '--skip-loaded',
    ];
    return this.#send('loaded', ['import', this.#office.place.path(file), ...how], circumstances);
  }

  async #send(name: string, given: readonly string[], circumstances: Circumstances): Promise<readonly Cells[]> {
    const { sheet } = await this.#office.send(`${name}.csv`, given, circumstances, illness);
    const rows = readResults(this.#office.place.path(sheet));
    if (rows.length === 0) return rows;
    this.#office.sheets.push(sheet);
    const values = new Set(this.#given().map(({ value }) => value));
    const untrue = rows.filter(
      (cells) => cells[0] === 'Updated' && valuesOf(cells).some((value) => !values.has(value)),
    );
    expect(untrue, 'is told as Updated').toEqual([]);
    if (rows.length === this.#source.length && rows.every(isIn)) this.#expectNothingWrittenOver();
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

  /** As it was thought of: the cell may have been emptied. */
  #companyOf(cells: Cells): string {
    const row = this.#rows[rowOf(cells) - firstRow];
    return (row && this.#companies[row.company]) ?? '';
  }

  /** What a person types who looks whether the company has the values of a row, or had them. */
  #foundFor(cells: Cells): string {
    const given = new Set(this.#given().map(({ value }) => value));
    return valuesOf(cells).every((value) => given.has(value)) ? this.#companyOf(cells) : 'not created';
  }

  async #settleOne(): Promise<boolean> {
    const run = await this.#office.runInDoubt();
    if (run === null) return false;
    const told = (await this.#doubtsIn(run))[0];
    if (told === undefined) return false;
    // Another run has sent it with other values, which stand in the results of that one.
    const sentIn = /\(run (\S+)\)\. From there it went out/.exec(told[problemsCell] ?? '')?.[1] ?? run;
    const doubt = sentIn === run ? told : (await this.#doubtsIn(sentIn)).find((one) => rowOf(one) === rowOf(told));
    const found = this.#foundFor(doubt ?? told);
    const place = (told[keyCell] ?? '').split('#')[1] ?? '';
    await this.#office.settle(run, place, found === 'not created' ? null : found);
    return true;
  }

  async #doubtsIn(run: string): Promise<readonly Cells[]> {
    const path = this.#office.place.path(`doubts-${run}.csv`);
    await this.#office.command(['results', run, '-o', path, ...this.#office.ledger]);
    return readResults(path).filter((cells) => cells[0] === 'In doubt');
  }

  #work(sheet: string, change: (rows: Cells[]) => readonly Cells[]): void {
    const path = this.#office.place.path(sheet);
    const own = ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run'];
    writeCsv(path, [[...own, ...headers], ...change(readResults(path))]);
  }

  /** In the order in which the service took them. */
  #given(): readonly Given[] {
    return this.#office.accepted.flatMap(({ id, body }) =>
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

function isIn(cells: Cells): boolean {
  return ['Updated', 'Already loaded', 'Changed since loaded'].includes(cells[0] ?? '');
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

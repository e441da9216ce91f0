/** A person who loads CSV files of deals into a small real service, and works in the results sheets that come back. */
import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { beforeEach } from 'vitest';
import { workplaceForEachTest } from './command-here.ts';
import { type CannedAnswer, created, type RecordedRequest, serviceForEachTest } from './recording-service.ts';
import { type Table, writeCsv } from './tables.ts';
import type { Ended } from './workplace.ts';

export const serverError: CannedAnswer = { status: 500, body: '{"message":"try later"}' };
export const refusal: CannedAnswer = { status: 422, body: '{"message":"not now"}' };
export const tokenRefused: CannedAnswer = { status: 401, body: '{"message":"who are you"}' };
const notFound: CannedAnswer = { status: 404, body: '{"message":"no such record"}' };

const headers = ['Amount requested', 'Company name', 'Owner last name'];
const [idColumn, problemsColumn] = [2, 1];
/** A table of deals, each of 100 unless an amount is given. */
export function deals(...rows: readonly (string | readonly [name: string, amount: string | number])[]): Table {
  return [headers, ...rows.map((row) => (typeof row === 'string' ? [100, row, 'Moreno'] : [row[1], row[0], 'Moreno']))];
}

export interface Told extends Ended {
  readonly printed: {
    readonly run: string;
    readonly service: string;
    readonly results: string;
    readonly counts: Readonly<Record<string, number>>;
  } | null;
}

/** One for each test of a file or of a `describe`. To be called at its top. */
export function deskForEachTest(): DealsDesk {
  return new DealsDesk();
}

export class DealsDesk {
  readonly place = workplaceForEachTest();
  /** What the service says to its n-th request, where it is not yes. */
  readonly said = new Map<number, CannedAnswer>();
  /** The ids of the deals that the service shows to whoever asks for them. */
  readonly shown = new Set<string>();
  readonly service = serviceForEachTest(({ method, path }, number) => {
    if (method !== 'GET') return this.said.get(number) ?? created(number);
    const id = path.split('/').at(-1) ?? '';
    return this.shown.has(id) ? { status: 200, body: JSON.stringify({ id }) } : notFound;
  });

  constructor() {
    beforeEach(() => {
      this.said.clear();
      this.shown.clear();
    });
  }

  async command(words: readonly string[], cwd = this.place.folder): Promise<Told> {
    const ended = await this.place.run(words, { env: { DEALSHEET_TOKEN: 'token' }, cwd });
    return { ...ended, printed: ended.stdout === '' ? null : JSON.parse(ended.stdout) };
  }

  load(file: string, ...further: readonly string[]): Promise<Told> {
    return this.loadWorkbook(file, '--as', 'deals', ...further);
  }

  /** A file whose sheets tell what they hold; its rows go out one after another. */
  loadWorkbook(file: string, ...further: readonly string[]): Promise<Told> {
    const where = ['--url', this.service.url, '--yes', '--json', '--concurrency', '1'];
    return this.command(['import', file, ...where, ...further]);
  }

  resume(...further: readonly string[]): Promise<Told> {
    return this.command(['resume', '--yes', '--json', ...further]);
  }

  write(file: string, table: Table): void {
    writeCsv(this.place.path(file), table);
  }

  /** The rows of a results sheet, without its header. */
  rowsOf(file: string): string[][] {
    return this.tableOf(file).slice(1);
  }

  /** All of a results sheet, its header first. */
  tableOf(file: string): string[][] {
    return Papa.parse<string[]>(readFileSync(this.place.path(file), 'utf8'), { skipEmptyLines: true }).data;
  }

  changeRows(file: string, changed: (rows: string[][]) => string[][]): void {
    const [header = [], ...rows] = this.tableOf(file);
    this.write(file, [header, ...changed(rows)]);
  }

  /** Changes each row of a results sheet, and its header in the same way. */
  rearrange(file: string, changed: (cells: string[]) => string[]): void {
    this.write(file, this.tableOf(file).map(changed));
  }

  /** Puts a word in the place of another, in every cell that is exactly that. */
  correct(file: string, from: string, to: string): void {
    this.changeRows(file, (rows) => rows.map((cells) => cells.map((cell) => (cell === from ? to : cell))));
  }

  /** Types a text into a cell of a results sheet; rows and columns count from 0. */
  type(file: string, row: number, column: number, text: string): void {
    this.changeRows(file, (rows) => rows.map((cells, at) => (at === row ? cells.with(column, text) : cells)));
  }

  typeId(file: string, row: number, id: string): void {
    this.type(file, row, idColumn, id);
  }

  statuses(file: string): (string | undefined)[] {
    return this.rowsOf(file).map(([status]) => status);
  }

  problemsOf(file: string, row: number): string {
    return this.rowsOf(file)[row]?.[problemsColumn] ?? '';
  }

  /** What the service was asked to make, in the order of its arrival. */
  get posted(): readonly RecordedRequest[] {
    return this.service.requests.filter(({ method }) => method === 'POST');
  }

  /** The companies of the deals among them. */
  get sent(): readonly string[] {
    return this.posted.map(({ body }) => (JSON.parse(body) as { company: { name: string } }).company.name);
  }
}

/** Rows of a file as the page shows them: a window at a time, all of them or those of a filter; personal values masked. */
import { rowStates } from '../contract/row-state.ts';
import { holdsSensitive, isSensitiveName } from '../contract/sensitive-names.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger, RunEntry } from '../ledger/ledger.ts';
import type { Planned } from '../load/import-file.ts';
import { isToldWith } from '../mapping/finding-groups.ts';
import { masked } from '../mapping/masking.ts';
import { shownText } from '../mapping/reading.ts';
import type { Finding } from '../messages/finding.ts';
import { reportedRow, toldOf } from '../report/reported-rows.ts';
import { type ReportedRow, resultRow, sensitiveColumns } from '../report/result-row.ts';
import type { Cell } from '../sheets/cell.ts';
import { allCells, cellAt } from '../sheets/row.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { StagedSheetOf } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Filter, RowShown, WindowShown } from './protocol.ts';

/** Of one sheet; the number of a finding stands for it. */
export type FindingOf = (number: number) => { readonly sheet: string; readonly finding: Finding };

const mostRows = 200;
const rowsOfBatch = 512;
/** SQL over staged rows, quicker than to read their JSON. */
const isSent = `coalesce(instr(r.decision, '"do":"send"'), 0) > 0`;

export class RowWindow {
  readonly #planned: Planned;
  readonly #ledger: Pick<Ledger, 'entries'>;
  readonly #findingOf: FindingOf;
  #run: string | null = null;
  /** Those of the last filter. */
  #numbers: { readonly key: string; readonly numbers: readonly number[] } | null = null;

  constructor(planned: Planned, ledger: Pick<Ledger, 'entries'>, findingOf: FindingOf) {
    this.#planned = planned;
    this.#ledger = ledger;
    this.#findingOf = findingOf;
  }

  async rows(name: string, from: number, count: number, filter: Filter): Promise<WindowShown> {
    const of = this.#sheet(name);
    const some = Math.max(0, Math.min(mostRows, count));
    if (filter.state === undefined && filter.finding === undefined) {
      const { first, count: total } = this.#planned.staging.numbersOf(of.number);
      const start = Math.max(0, Math.min(from, total));
      const wanted = Math.min(some, total - start);
      const numbers = Array.from({ length: wanted }, (_, at) => first + start + at);
      return { total, from: start, rows: await this.#shown(of, numbers) };
    }
    const numbers = await this.#filtered(of, filter);
    const start = Math.max(0, Math.min(from, numbers.length));
    return { total: numbers.length, from: start, rows: await this.#shown(of, numbers.slice(start, start + some)) };
  }

  /** Where the next row stands in which a cell holds a text, or `null`. */
  async find(name: string, text: string, from: number, filter: Filter): Promise<number | null> {
    const wanted = text.trim().toLowerCase();
    for (let start = from; wanted !== ''; start += mostRows) {
      const { rows, total } = await this.rows(name, start, mostRows, filter);
      const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)));
      if (at >= 0) return start + at;
      if (start + rows.length >= total || rows.length === 0) return null;
    }
    return null;
  }

  /** What one cell holds, in clear: a person asked for it. */
  cell(name: string, row: number, column: number): Cell {
    const of = this.#sheet(name);
    const staged = this.#planned.staging.at(of.number, row);
    if (staged === null) throw new DealsheetError('usage', 'There is no such row.', 'Open the file again.');
    const [source] = this.#planned.staging.cellsOfRows([staged]);
    return source === undefined ? null : cellAt(source, column + of.sheet.ownColumns);
  }

  sheet(name: string): MatchedSheet {
    return this.#sheet(name).sheet;
  }

  isHidden(name: string, column: number): boolean {
    return hiddenColumns(this.#sheet(name).sheet).has(column);
  }

  /** The run whose outcomes are shown; `null` before a load. */
  get run(): string | null {
    return this.#run;
  }

  /** A run has begun, gone on or ended; one of another file changes nothing. */
  showRun(run: string | null): void {
    this.#run = run ?? this.#run;
    this.#numbers = null;
  }

  #sheet(name: string): StagedSheetOf {
    const found = this.#planned.staged.sheets.find(({ sheet }) => sheet.name === name);
    if (found === undefined) throw new DealsheetError('usage', 'There is no such sheet.', 'Open the file again.');
    return found;
  }

  async #shown(of: StagedSheetOf, numbers: readonly number[]): Promise<readonly RowShown[]> {
    const { staging } = this.#planned;
    const staged = staging.rowsNumbered(numbers);
    const sources = staging.cellsOfRows(staged);
    const hidden = hiddenColumns(of.sheet);
    const rows: RowShown[] = [];
    for (const [at, row] of staged.entries()) {
      const source = sources[at] ?? { number: row.row, values: [], hidden: false };
      const entry = await this.#entryOf(of, row);
      const run = this.#run === null ? null : { id: this.#run };
      rows.push(shownRow(reportedRow({ row, source, entry }, of.sheet, run), of.sheet, hidden));
    }
    return rows;
  }

  async #entryOf({ sheet }: StagedSheetOf, { row }: KnownStaged): Promise<RunEntry | null> {
    if (this.#run === null) return null;
    const [entry] = await this.#ledger.entries(this.#run, sheet.name, row - 1, 1);
    return entry?.place === row ? entry : null;
  }

  async #filtered(of: StagedSheetOf, filter: Filter): Promise<readonly number[]> {
    const key = JSON.stringify([of.number, filter]);
    if (this.#numbers?.key === key) return this.#numbers.numbers;
    const numbers =
      filter.finding === undefined ? await this.#inState(of, filter.state) : await this.#found(of, filter.finding);
    // While rows are sent their states change: such a list is good for one look.
    if (this.#run === null || filter.finding !== undefined) this.#numbers = { key, numbers };
    return numbers;
  }

  async #inState(of: StagedSheetOf, state: string | undefined): Promise<readonly number[]> {
    const numbers: number[] = [];
    const where = this.#run === null && state !== 'ready' ? `NOT ${isSent}` : 'TRUE';
    for await (const rows of this.#planned.staging.knownBatches(of.number, rowsOfBatch, where)) {
      const after = (rows[0]?.row ?? 1) - 1;
      const entries =
        this.#run === null ? [] : await this.#ledger.entries(this.#run, of.sheet.name, after, rows.length);
      const entryOf = new Map(entries.map((entry) => [entry.place, entry]));
      for (const row of rows) if (toldOf(row, entryOf.get(row.row) ?? null).state === state) numbers.push(row.number);
    }
    return numbers;
  }

  /** The code of a finding stands in the row, or in what was decided of it: the others need not be looked at. */
  async #found(of: StagedSheetOf, number: number): Promise<readonly number[]> {
    const { sheet, finding } = this.#findingOf(number);
    const where = `instr(h.data, '"code":"${finding.code}"') > 0 OR NOT ${isSent}`;
    const numbers: number[] = [];
    const { staging } = this.#planned;
    for await (const rows of staging.batches(of.number, rowsOfBatch, where)) {
      const sources = staging.cellsOfRows(rows);
      rows.forEach((row, at) => {
        const source = sources[at] ?? { number: row.row, values: [], hidden: false };
        const { findings, message } = reportedRow({ row, source, entry: null }, of.sheet, null);
        const isTold = findings.some((one) => isToldWith(one, finding)) || message?.code === finding.code;
        if (isTold && sheet === of.sheet.name) numbers.push(row.number);
      });
    }
    return numbers;
  }
}

/** Which of all columns are masked: those that are sensitive, by their field or by what their header says. */
export function hiddenColumns(sheet: MatchedSheet): ReadonlySet<number> {
  const named = sheet.header.headers.flatMap((header, index) =>
    header !== null && isSensitiveName(header) ? [index] : [],
  );
  return new Set([...sensitiveColumns(sheet), ...named]);
}

function shownCell(cell: Cell, isHidden: boolean): string {
  if (cell === null) return '';
  const text = shownText(cell);
  return isHidden || holdsSensitive(text) ? masked(text) : text;
}

function shownRow(row: ReportedRow, sheet: MatchedSheet, hidden: ReadonlySet<number>): RowShown {
  const { state, id, url, problems, marks } = resultRow(row, sheet, hidden, 'all');
  return {
    row: row.source.number,
    state,
    status: rowStates[state].status,
    problems,
    id,
    link: url === null || !isWebAddress(url) ? null : url,
    cells: allCells(row.source)
      .slice(sheet.ownColumns)
      .map((cell, at) => shownCell(cell, hidden.has(at + sheet.ownColumns))),
    marks: marks.map(({ column, severity, note }) => ({ column, severity, text: note })),
  };
}

/** An answer may hold anything: only what leads to a page becomes a link. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

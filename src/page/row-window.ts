/** The rows of a file for the page: one window at a time, with or without a filter, personal values masked. */
import { setImmediate } from 'node:timers/promises';
import { rowStates } from '../contract/row-state.ts';
import type { RunEntry } from '../ledger/ledger.ts';
import { errorOf } from '../messages/text.ts';
import { reportedRow, resultOf } from '../report/reported-rows.ts';
import { hiddenColumns, type ReportedRow, resultRow, shownCell } from '../report/result-row.ts';
import type { Correction } from '../staging/source/corrections.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MeasuredSheet } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import { cellAt } from '../tables/row.ts';
import type { OpenFile } from './held-file.ts';
import type { CellPlace, CorrectionAsked, Filter, Given, Gives, RowShown, RowsAsked } from './protocol.ts';

const mostRows = 200;
const rowsReadTogether = 1_024;
/** SQL on staged rows is faster than parsing their JSON. */
const isSent = `coalesce(instr(r.decision, '"do":"send"'), 0) > 0`;

export class RowWindow {
  readonly #file: OpenFile;
  #run: string | null = null;
  /** States change while rows are being sent. */
  #isUnderWay = false;
  /** The rows of the last filter, valid until states change. */
  #kept: { readonly key: string; readonly rows: readonly number[] } | null = null;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async rows({ sheet, from, count, filter }: RowsAsked): Promise<Gives<'rows'>> {
    const { staging } = this.#file.planned;
    const of = this.#sheet(sheet);
    const filtered = await this.#filtered(of, filter);
    const all = staging.sheetOf({ sheet: of.number });
    const total = filtered?.length ?? all.count;
    const start = Math.max(0, Math.min(from, total));
    const end = Math.min(start + Math.max(0, Math.min(mostRows, count)), total);
    const staged =
      filtered === null
        ? Array.from({ length: end - start }, (_, at) => staging.one(all.first + start + at))
        : filtered.slice(start, end).flatMap((row) => staging.at(of.number, row) ?? []);
    return { total, rows: await this.#shown(of, staged) };
  }

  async find({ text, from, ...where }: Given<'find'>): Promise<number | null> {
    const wanted = text.trim().toLowerCase();
    for (let start = from; wanted !== ''; start += mostRows) {
      const { rows } = await this.rows({ ...where, from: start, count: mostRows });
      const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)));
      if (at >= 0) return start + at;
      if (rows.length < mostRows) return null;
      // Lets other tasks of the worker run.
      await setImmediate();
    }
    return null;
  }

  reveal({ sheet: name, row, column }: CellPlace): string {
    const of = this.#sheet(name);
    const staged = this.#file.planned.staging.at(of.number, row);
    if (staged === null) throw errorOf('page-asks-unknown');
    return shownCell(cellAt(this.#file.planned.staging.cellsOf(staged), column + of.sheet.ownColumns), 'clear');
  }

  sheet(name: string): MatchedSheet {
    return this.#sheet(name).sheet;
  }

  headerOf(name: string, column: number): string {
    const { ownColumns, header } = this.sheet(name);
    return header.headers[column + ownColumns] ?? '';
  }

  correctionOf({ sheet: name, column, to, row, from }: CorrectionAsked): Correction {
    const { ownColumns, header } = this.sheet(name);
    const before = row === undefined ? (from ?? '') : this.reveal({ sheet: name, row, column });
    const place = { sheet: name, column: column + ownColumns, row: row ?? null, below: header.number };
    return { ...place, from: before, to: to.trim() };
  }

  /** A value of a column in words, masked as in the grid. */
  valueText(name: string, column: number, text: string): string {
    const isHidden = hiddenColumns(this.#sheet(name).sheet).has(column);
    return text === '' ? 'blank' : `“${shownCell(text, isHidden ? 'masked' : 'by what it says')}”`;
  }

  /** The run whose outcomes are shown; `null` before a load. */
  get run(): string | null {
    return this.#run;
  }

  follow(run: string): void {
    this.#run = run;
    this.#isUnderWay = true;
    this.#kept = null;
  }

  rest(): void {
    this.#isUnderWay = false;
  }

  #sheet(name: string): MeasuredSheet {
    const found = this.#file.planned.staged.sheets.find(({ sheet }) => sheet.name === name);
    if (found === undefined) throw errorOf('page-asks-unknown');
    return found;
  }

  async #shown(of: MeasuredSheet, staged: readonly KnownStaged[]): Promise<readonly RowShown[]> {
    const entries = await this.#entriesOf(of, staged);
    const { staging } = this.#file.planned;
    return staged.map((row) =>
      shownRow(reportedRow(staging, row, entries.get(row.row) ?? null, of.sheet, this.#run), of.sheet),
    );
  }

  /**
   * The run's ledger entries by row number. Distant rows are read one by one. During a load, rows that still wait for
   * their turn or answer have no entry.
   */
  async #entriesOf({ sheet }: MeasuredSheet, rows: readonly KnownStaged[]): Promise<ReadonlyMap<number, RunEntry>> {
    const run = this.#run;
    const [first, last] = [rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0];
    if (run === null || rows.length === 0) return new Map();
    const among = last - first < rowsReadTogether ? [{ row: first, count: last - first + 1 }] : rows;
    const entries: (readonly [number, RunEntry])[] = [];
    for (const { row, count = 1 } of among as readonly { readonly row: number; readonly count?: number }[])
      for (const entry of await this.#file.ledger.entries(run, sheet.name, row - 1, count))
        if (!this.#isUnderWay || (entry.phase !== 'sending' && entry.state !== 'not-sent'))
          entries.push([entry.row, entry]);
    return new Map(entries);
  }

  async #filtered(of: MeasuredSheet, { state, finding }: Filter): Promise<readonly number[] | null> {
    if (finding !== undefined) {
      const { first, numbers = [] } = this.#file.found[finding] ?? {};
      return first?.sheet === of.sheet.name ? numbers : [];
    }
    if (state === undefined) return null;
    const key = JSON.stringify([of.number, state]);
    if (this.#kept?.key === key) return this.#kept.rows;
    const wasUnderWay = this.#isUnderWay;
    const rows = await this.#inState(of, state);
    // Rows read during a load may have changed their state.
    if (!wasUnderWay && !this.#isUnderWay) this.#kept = { key, rows };
    return rows;
  }

  async #inState(of: MeasuredSheet, state: string): Promise<readonly number[]> {
    const found: number[] = [];
    const where = this.#run === null && state !== 'ready' ? `NOT ${isSent}` : 'TRUE';
    for await (const rows of this.#file.planned.staging.batches(of.number, where)) {
      const entries = await this.#entriesOf(of, rows);
      for (const row of rows) if (resultOf(row, entries.get(row.row) ?? null).state === state) found.push(row.row);
    }
    return found;
  }
}

function shownRow(row: ReportedRow, sheet: MatchedSheet): RowShown {
  const { state, record: id, url, problems, marks } = resultRow(row, sheet, 'all');
  const hidden = hiddenColumns(sheet);
  return {
    row: row.source.number,
    state,
    status: rowStates[state].status,
    problems,
    id,
    link: url === null || !isWebAddress(url) ? null : url,
    cells: row.source.values
      .slice(sheet.ownColumns)
      .map((cell, at) => shownCell(cell, hidden.has(at + sheet.ownColumns) ? 'masked' : 'by what it says')),
    marks: marks.map(({ column, severity, note }) => ({ column, severity, text: note })),
  };
}

/** An answer may hold any text, so only a web address becomes a link. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

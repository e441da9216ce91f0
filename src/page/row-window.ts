/** Rows of a file as the page shows them: a window at a time, all of them or those of a filter; personal values masked. */
import { rowStates } from '../contract/row-state.ts';
import { holdsSensitive, isSensitiveName } from '../contract/sensitive-names.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger, RunEntry } from '../ledger/ledger.ts';
import type { Planned } from '../load/import-file.ts';
import { type FindingGroup, isToldWith } from '../mapping/finding-groups.ts';
import { masked } from '../mapping/masking.ts';
import { shownText } from '../mapping/reading.ts';
import { reportedRow, toldOf } from '../report/reported-rows.ts';
import { type ReportedRow, resultRow, sensitiveColumns } from '../report/result-row.ts';
import type { Cell } from '../sheets/cell.ts';
import { allCells, cellAt } from '../sheets/row.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { StagedSheetOf } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { CellPlace, Filter, Given, RowShown, RowsAsked, WindowShown } from './protocol.ts';

const mostRows = 200;
const rowsOfBatch = 512;
/** SQL over staged rows, quicker than to read their JSON. */
const isSent = `coalesce(instr(r.decision, '"do":"send"'), 0) > 0`;

export class RowWindow {
  readonly #planned: Planned;
  readonly #ledger: Pick<Ledger, 'entries'>;
  readonly #found: readonly FindingGroup[];
  #run: string | null = null;
  /** Those of the last filter. */
  #numbers: { readonly key: string; readonly numbers: readonly number[] } | null = null;

  /** @param found  what a filter names by its place in this list */
  constructor(planned: Planned, ledger: Pick<Ledger, 'entries'>, found: readonly FindingGroup[]) {
    this.#planned = planned;
    this.#ledger = ledger;
    this.#found = found;
  }

  async rows({ sheet, from, count, filter }: RowsAsked): Promise<WindowShown> {
    const of = this.#sheet(sheet);
    const numbers = await this.#filtered(of, filter);
    const all = this.#planned.staging.numbersOf(of.number);
    const total = numbers?.length ?? all.count;
    const start = Math.max(0, Math.min(from, total));
    const end = Math.min(start + Math.max(0, Math.min(mostRows, count)), total);
    const wanted = numbers?.slice(start, end) ?? Array.from({ length: end - start }, (_, at) => all.first + start + at);
    return { total, rows: await this.#shown(of, wanted) };
  }

  async find({ text, from, ...where }: Given<'find'>): Promise<number | null> {
    const wanted = text.trim().toLowerCase();
    for (let start = from; wanted !== ''; start += mostRows) {
      const { rows } = await this.rows({ ...where, from: start, count: mostRows });
      const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)));
      if (at >= 0) return start + at;
      if (rows.length < mostRows) return null;
    }
    return null;
  }

  reveal({ sheet: name, row, column }: CellPlace): string {
    const of = this.#sheet(name);
    const staged = this.#planned.staging.at(of.number, row);
    if (staged === null) throw new DealsheetError('usage', 'There is no such row.', 'Open the file again.');
    const [source] = this.#planned.staging.cellsOfRows([staged]);
    return shownCell(source === undefined ? null : cellAt(source, column + of.sheet.ownColumns), 'clear');
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

  /** A run has begun, gone on or ended; one of another file (`null`) changes nothing. */
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
    const staged = this.#planned.staging.rowsNumbered(numbers);
    const entries = await this.#entriesOf(of, staged);
    const hidden = hiddenColumns(of.sheet);
    return this.#reported(of, staged, entries).map((row) => shownRow(row, of.sheet, hidden));
  }

  #reported({ sheet }: StagedSheetOf, staged: readonly KnownStaged[], entries: ReadonlyMap<number, RunEntry>) {
    const sources = this.#planned.staging.cellsOfRows(staged);
    const run = this.#run === null ? null : { id: this.#run };
    return staged.map((row, at) => {
      const source = sources[at] ?? { number: row.row, values: [], hidden: false };
      return reportedRow({ row, source, entry: entries.get(row.row) ?? null }, sheet, run);
    });
  }

  /** What the ledger tells of rows, by their numbers in the file; of rows far apart it is asked one by one. */
  async #entriesOf({ sheet }: StagedSheetOf, rows: readonly KnownStaged[]): Promise<ReadonlyMap<number, RunEntry>> {
    const run = this.#run;
    const [first, last] = [rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0];
    if (run === null || rows.length === 0) return new Map();
    const among = last - first < 2 * rowsOfBatch ? [{ row: first, count: last - first + 1 }] : rows;
    const entries: (readonly [number, RunEntry])[] = [];
    for (const { row, count = 1 } of among as readonly { readonly row: number; readonly count?: number }[])
      for (const entry of await this.#ledger.entries(run, sheet.name, row - 1, count))
        entries.push([entry.place, entry]);
    return new Map(entries);
  }

  /** The numbers of the rows of a filter, or `null` for all rows. */
  async #filtered(of: StagedSheetOf, filter: Filter): Promise<readonly number[] | null> {
    const { state, finding } = filter;
    if (state === undefined && finding === undefined) return null;
    const key = JSON.stringify([of.number, filter]);
    if (this.#numbers?.key === key) return this.#numbers.numbers;
    const numbers = finding === undefined ? await this.#inState(of, state) : await this.#withFinding(of, finding);
    // While rows are sent their states change: such a list is good for one look.
    if (this.#run === null || finding !== undefined) this.#numbers = { key, numbers };
    return numbers;
  }

  async #inState(of: StagedSheetOf, state: string | undefined): Promise<readonly number[]> {
    const numbers: number[] = [];
    const where = this.#run === null && state !== 'ready' ? `NOT ${isSent}` : 'TRUE';
    for await (const rows of this.#planned.staging.knownBatches(of.number, rowsOfBatch, where)) {
      const entries = await this.#entriesOf(of, rows);
      for (const row of rows) if (toldOf(row, entries.get(row.row) ?? null).state === state) numbers.push(row.number);
    }
    return numbers;
  }

  /** The code of a finding stands in the row, or in what was decided of it: the others need not be looked at. */
  async #withFinding(of: StagedSheetOf, at: number): Promise<readonly number[]> {
    const { sheet, finding } = this.#found[at]?.first ?? {};
    if (finding === undefined || sheet !== of.sheet.name) return [];
    const where = `instr(h.data, '"code":"${finding.code}"') > 0 OR NOT ${isSent}`;
    const numbers: number[] = [];
    for await (const rows of this.#planned.staging.batches(of.number, rowsOfBatch, where)) {
      for (const [place, { findings, message }] of this.#reported(of, rows, new Map()).entries()) {
        const isTold = message?.code === finding.code || findings.some((one) => isToldWith(one, finding));
        if (isTold) numbers.push(rows[place]?.number ?? 0);
      }
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

function shownCell(cell: Cell, look: 'clear' | 'masked' | 'by what it says'): string {
  const text = cell === null ? '' : shownText(cell);
  return look === 'masked' || (look !== 'clear' && holdsSensitive(text)) ? masked(text) : text;
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
      .map((cell, at) => shownCell(cell, hidden.has(at + sheet.ownColumns) ? 'masked' : 'by what it says')),
    marks: marks.map(({ column, severity, note }) => ({ column, severity, text: note })),
  };
}

/** An answer may hold anything: only what leads to a page becomes a link. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** What a load would do, told before it begins: which rows go out, which do not and why, and what was found in them. */
import Big from 'big.js';
import type { Counts, RowState } from '../contract/row-state.ts';
import {
  countsByCode,
  type FindingCount,
  type FindingGroup,
  FindingGroups,
  type FoundAt,
} from '../mapping/finding-groups.ts';
import { type Finding, findingOf } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { NamedFile } from '../staging/attachment-files.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MatchedSource } from '../staging/source/matched-source.ts';
import type { Staged } from '../staging/stage.ts';
import { amountOf, type JudgedRow, rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { SheetTotals } from '../workbooks/results-summary.ts';
import { toldAtCells } from './changed-cells.ts';
import { decisionOf, type Skipped, type StagedDecision, type StagedSending } from './decision.ts';
import { noteOfSkipped, stateDecided } from './row-note.ts';
import { countsOf, StateTally } from './state-tally.ts';

/** What is known of the rows of a sheet before any of them is sent. */
export interface PreviewedSheet extends MatchedSheet {
  readonly rows: number;
  /** Rows that would be sent. */
  readonly toSend: number;
  /** Of these, rows that are loaded already. */
  readonly onceMore: number;
  /** Rows that stay, by what their results will say. */
  readonly staying: Readonly<Partial<Record<RowState, number>>>;
  /** Rows that would be sent, and that have a warning. */
  readonly warnedRows: number;
  /** All rows by what their results will say, and their exact sums. */
  readonly totals: SheetTotals;
  /** The exact sum of the amounts of all rows that are not left out, or `null` for a sheet without amounts. */
  readonly amount: string | null;
  /** The same of the rows to send. */
  readonly amountToSend: string | null;
  /** Fields that the rows to send empty with `<clear>`. */
  readonly clears: number;
  /** All that was found in its rows. */
  readonly findings: readonly FindingGroup[];
}

/** A row for which nothing is sent, since it is in by an earlier load. */
export interface LoadedRow extends FoundAt {
  /** Of a kind of which two equal ones can both be meant. */
  readonly isRepeatable: boolean;
  /** Names the file, the place and the day of the earlier row. */
  readonly message: Message;
}

export interface Preview {
  readonly matched: MatchedSource;
  /** In the order of loading. */
  readonly sheets: readonly PreviewedSheet[];
  /** What is to be said of the file and its sheets as a whole. */
  readonly notices: readonly string[];
  /** Rows that are in by an earlier load, and do not name it in a Run cell: how many, and the first of those that are repeatable and of the others. */
  readonly loaded: number;
  readonly loadedRows: readonly LoadedRow[];
  /** Notes and transactions among them that are known by what they say alone: two equal ones can both be meant. */
  readonly repeatable: number;
  /** The files of the rows to send: a person sees them before anything leaves. */
  readonly files: { readonly files: number; readonly bytes: number; readonly examples: readonly NamedFile[] };
  /** Rows in doubt that the ID cells of a results sheet settle. */
  readonly settled: { readonly created: number; readonly notCreated: number };
  /** The row at a place of the source, or `null`. */
  readonly rowAt: (sheet: string, row: number) => JudgedRow | null;
}

/** Few: what is read of a row whole does not outlive the next ones. */
const rowsOfBatch = 16;
const [mostLoadedRows, mostFiles] = [20, 50];

type OnProblemRow = (row: JudgedRow) => void;

/**
 * Goes through all rows of a staging that were decided.
 *
 * @param onProblemRow  hears of each row in which something was found
 */
export async function previewOf(
  staged: Staged,
  staging: Staging,
  onProblemRow: OnProblemRow = () => {},
): Promise<Preview> {
  const file = new FilePreview();
  const sheets: PreviewedSheet[] = [];
  for (const { number, sheet } of staged.sheets) {
    const preview = new SheetPreview(sheet, file, onProblemRow);
    for await (const rows of staging.batches(number, rowsOfBatch)) {
      for (const row of rows) {
        const place = { kind: sheet.kind, sheet: sheet.name, row: row.row };
        const decision = decisionOf(row);
        if (decision === null) throw new Error(`${sheet.name} row ${row.row} was not decided.`);
        preview.add(row, rowOfData(row.data, place), decision, () => staging.cellsOfRows([row])[0]);
      }
    }
    sheets.push(preview.done());
  }
  const rowAt = (name: string, row: number): JudgedRow | null => {
    const of = staged.sheets.find(({ sheet }) => sheet.name === name);
    const found = of === undefined ? null : staging.at(of.number, row);
    return of === undefined || found === null ? null : rowOfData(found.data, { kind: of.sheet.kind, sheet: name, row });
  };
  return { matched: staged.matched, sheets, notices: staged.notices, ...file.found, rowAt };
}

/** What is told of all sheets together. */
class FilePreview {
  readonly found = {
    loaded: 0,
    loadedRows: [] as LoadedRow[],
    repeatable: 0,
    files: { files: 0, bytes: 0, examples: [] as NamedFile[] },
    settled: { created: 0, notCreated: 0 },
  };

  addLoaded({ kind, sheet, row }: JudgedRow, { how }: KnownStaged, message: Message | null): void {
    if (how === 'key' || how === 'trusted' || message === null) return;
    const isRepeatable = kind.isRepeatable === true && how === 'content';
    this.found.loaded += 1;
    if (isRepeatable) this.found.repeatable += 1;
    const alike = this.found.loadedRows.filter((one) => one.isRepeatable === isRepeatable);
    if (alike.length < mostLoadedRows) this.found.loadedRows.push({ sheet, row, isRepeatable, message });
  }

  addFile(file: NamedFile): void {
    const { files } = this.found;
    files.files += 1;
    files.bytes += file.size;
    if (files.examples.length < mostFiles) files.examples.push(file);
  }
}

class SheetPreview {
  readonly #sheet: MatchedSheet;
  readonly #file: FilePreview;
  readonly #onProblemRow: OnProblemRow;
  readonly #tally: StateTally;
  readonly #findings = new FindingGroups();
  #toSend = 0;
  #onceMore = 0;
  #warnedRows = 0;
  #clears = 0;
  #amountToSend = new Big(0);

  constructor(sheet: MatchedSheet, file: FilePreview, onProblemRow: OnProblemRow) {
    this.#sheet = sheet;
    this.#file = file;
    this.#onProblemRow = onProblemRow;
    this.#tally = new StateTally(sheet);
  }

  add(row: KnownStaged, judged: JudgedRow, decision: StagedDecision, cellsOf: () => SheetRow | undefined): void {
    const amount = amountOf(judged);
    const state = stateDecided(decision);
    this.#tally.add(state, amount);
    if (decision.do === 'send') this.#addToSend(judged, amount, decision);
    else if (decision.do === 'settle') this.#file.found.settled.created += 1;
    else this.#addStaying(row, judged, decision, state, cellsOf);
  }

  done(): PreviewedSheet {
    const totals = this.#tally.totals();
    const { rows, byState, amounts } = totals;
    return {
      ...this.#sheet,
      rows,
      toSend: this.#toSend,
      onceMore: this.#onceMore,
      staying: { ...byState, ready: (byState.ready ?? 0) - this.#toSend },
      warnedRows: this.#warnedRows,
      totals,
      amount: amounts === null ? null : amounts.source,
      amountToSend: amounts === null ? null : this.#amountToSend.toFixed(),
      clears: this.#clears,
      findings: this.#findings.found,
    };
  }

  #addToSend(judged: JudgedRow, amount: number | null, { settles, isAgain }: StagedSending): void {
    this.#toSend += 1;
    if (isAgain) this.#onceMore += 1;
    if (settles !== null) this.#file.found.settled.notCreated += 1;
    this.#amountToSend = this.#amountToSend.plus(amount ?? 0);
    this.#clears += judged.clears;
    if (judged.file !== null) this.#file.addFile(judged.file);
    if (judged.problems.length > 0) this.#warnedRows += 1;
    this.#found(judged, judged.problems);
  }

  #addStaying(
    row: KnownStaged,
    judged: JudgedRow,
    decision: Skipped,
    state: RowState,
    cellsOf: () => SheetRow | undefined,
  ): void {
    const note = noteOfSkipped(decision);
    if (state === 'already-loaded') this.#file.addLoaded(judged, row, note.message);
    if (state === 'already-loaded' || state === 'unchanged') return;
    const source = decision.changed === undefined ? undefined : cellsOf();
    const { message, atCells } =
      source === undefined ? { ...note, atCells: [] } : toldAtCells(this.#sheet, source, note.message);
    const isTold = message !== null && isNews(decision);
    const told = isTold ? [findingOf(decision.do === 'invalid' ? 'error' : 'warning', message)] : [];
    this.#found(judged, [...told, ...(state === 'changed-since-loaded' ? atCells : judged.problems)]);
  }

  #found(row: JudgedRow, problems: readonly Finding[]): void {
    this.#findings.add(row, problems);
    if (problems.length > 0) this.#onProblemRow({ ...row, problems });
  }
}

/** Whether a person must know more of a row that stays than how many such rows there are. */
function isNews({ do: what, why }: Skipped): boolean {
  if (what === 'wait') return why !== 'waits-for-parent';
  return what === 'hold' || what === 'invalid' || why === 'changed-since-loaded' || why === 'copy-of-row';
}

/** What is said of all rows together before any of them is sent: counts, sums, findings by their codes. */
export function countedIn({ sheets }: Preview): {
  readonly counts: Counts;
  readonly totals: readonly SheetTotals[];
  readonly findings: readonly FindingCount[];
} {
  const totals = sheets.map((sheet) => sheet.totals);
  return { counts: countsOf(totals), totals, findings: countsByCode(sheets.flatMap(({ findings }) => findings)) };
}

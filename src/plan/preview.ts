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
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MatchedSource } from '../staging/source/matched-source.ts';
import type { Staged } from '../staging/stage.ts';
import { amountOf, type JudgedRow, type KnownStaged, type NamedFile } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { SheetTotals } from '../workbooks/summary.ts';
import { toldAtCells } from './changed-fields.ts';
import type { Skipped, StagedDecision, StagedSending } from './decision.ts';
import type { Decisions } from './plan.ts';
import { countsOf, namingParents, noteOfSkipped, StateTally, stateDecided } from './row-state.ts';

export interface PreviewedSheet extends MatchedSheet {
  readonly rows: number;
  readonly toSend: number;
  readonly onceMore: number;
  /** Rows that stay, by what their results will say. */
  readonly staying: Readonly<Partial<Record<RowState, number>>>;
  /** Rows that would be sent, and that have a warning. */
  readonly warnedRows: number;
  /** All rows by what their results will say, and their exact sums. */
  readonly totals: SheetTotals;
  /** The exact sum of the amounts of all rows that are not left out, or `null` for a sheet without amounts. */
  readonly amount: string | null;
  readonly amountToSend: string | null;
  /** Fields that the rows to send empty with `<clear>`. */
  readonly clears: number;
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
  readonly rowAt: (sheet: string, row: number) => JudgedRow | null;
}

const [mostLoadedRows, mostFiles] = [20, 50];
const fewestTakenRefs = 2;

type OnProblemRow = (row: JudgedRow) => void;

export class PreviewMaker implements Decisions {
  readonly #staged: Staged;
  readonly #staging: Staging;
  readonly #onProblemRow: OnProblemRow;
  #file = new FilePreview();
  #sheets = new Map<number, SheetPreview>();

  /** @param onProblemRow  hears of each row in which something was found */
  constructor(staged: Staged, staging: Staging, onProblemRow: OnProblemRow = () => {}) {
    this.#staged = staged;
    this.#staging = staging;
    this.#onProblemRow = onProblemRow;
  }

  begin(): void {
    this.#file = new FilePreview();
    this.#sheets = new Map(
      this.#staged.sheets.map(({ number, sheet }) => [
        number,
        new SheetPreview(sheet, this.#file, this.#staging, this.#onProblemRow),
      ]),
    );
  }

  add(row: KnownStaged, decision: StagedDecision): void {
    this.#sheets.get(row.sheet)?.add(row, decision);
  }

  done(): Preview {
    const { matched, notices, sheets } = this.#staged;
    const staging = this.#staging;
    const rowAt = (name: string, row: number): JudgedRow | null => {
      const of = sheets.find(({ sheet }) => sheet.name === name);
      const found = of === undefined ? null : staging.at(of.number, row);
      return found === null ? null : staging.judged(found);
    };
    const previews = [...this.#sheets.values()];
    return {
      matched,
      sheets: previews.map((sheet) => sheet.done()),
      notices: [...notices, ...previews.flatMap((sheet) => sheet.toldOfRefs())],
      ...this.#file.found,
      rowAt,
    };
  }
}

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
  readonly #staging: Staging;
  readonly #onProblemRow: OnProblemRow;
  readonly #tally: StateTally;
  readonly #findings = new FindingGroups();
  #toSend = 0;
  #onceMore = 0;
  #warnedRows = 0;
  #clears = 0;
  /** Rows with the Ref of a record of an earlier load, and other values. */
  #takenRefs = 0;
  #amountToSend = new Big(0);

  constructor(sheet: MatchedSheet, file: FilePreview, staging: Staging, onProblemRow: OnProblemRow) {
    this.#sheet = sheet;
    this.#file = file;
    this.#staging = staging;
    this.#onProblemRow = onProblemRow;
    this.#tally = new StateTally(sheet);
  }

  add(row: KnownStaged, decision: StagedDecision): void {
    const judged = this.#staging.judged(row);
    const amount = amountOf(judged);
    const state = stateDecided(decision);
    this.#tally.add(state, amount);
    if (decision.do === 'send') this.#addToSend(judged, amount, decision);
    else if (decision.do === 'settle') this.#file.found.settled.created += 1;
    else this.#addStaying(row, judged, decision, state);
  }

  /** Where most rows have Refs of other records, the file perhaps numbers its own anew. */
  toldOfRefs(): readonly string[] {
    const { name, rows } = this.#tally.totals();
    if (this.#takenRefs < fewestTakenRefs || this.#takenRefs * 2 < rows) return [];
    return [
      `${name}: ${this.#takenRefs} of ${rows} rows have the Ref of a record of an earlier load, and other values. If Refs begin anew in each file, say so once: "refScope": "file", in a mapping or under "contract" in the profile.`,
    ];
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

  #addStaying(row: KnownStaged, judged: JudgedRow, decision: Skipped, state: RowState): void {
    const note = namingParents(noteOfSkipped(decision).message, row.parents);
    if (state === 'already-loaded') this.#file.addLoaded(judged, row, note);
    if (state === 'already-loaded' || state === 'unchanged') return;
    if (state === 'changed-since-loaded' && row.how === 'ref') this.#takenRefs += 1;
    const { message, atCells } =
      decision.changed === undefined
        ? { message: note, atCells: [] }
        : toldAtCells(this.#sheet, this.#staging.cellsOf(row), note);
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

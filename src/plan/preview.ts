/** What a load would do, told before it begins: which rows go out, which do not and why, and what was found in them. */
import Big from 'big.js';
import { fieldsOf } from '../contract/fields.ts';
import type { RowState } from '../contract/row-state.ts';
import { type FindingGroup, FindingGroups, type FoundAt } from '../mapping/finding-groups.ts';
import { type Finding, findingOf, isError } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { NamedFile } from '../staging/attachment-files.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MatchedSource } from '../staging/source/matched-source.ts';
import type { Staged } from '../staging/stage.ts';
import { amountOf, type JudgedRow, rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { changedCells, namingFields } from './changed-cells.ts';
import { decisionOf, type Skipped, type StagedDecision, type StagedSending } from './decision.ts';
import { noteOfSkipped } from './row-note.ts';

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
  /** The exact sum of the amounts of all rows that are not left out, or `null` for a kind without amounts. */
  readonly amount: string | null;
  /** The same of the rows to send. */
  readonly amountToSend: string | null;
  /** Rows that have no readable amount, of a kind with amounts: they are in no sum. */
  readonly unreadableAmounts: number;
  /** Rows whose amount is wrong: it stands in no sum, or is none that can be sent. */
  readonly wrongAmounts: number;
  /** How many rows have an error, by the label of the field. */
  readonly problems: ReadonlyMap<string, number>;
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

/** Goes through all rows of a staging that were decided. */
export async function previewOf(staged: Staged, staging: Staging): Promise<Preview> {
  const file = new FilePreview();
  const sheets: PreviewedSheet[] = [];
  for (const { number, sheet } of staged.sheets) {
    const preview = new SheetPreview(sheet, file);
    for await (const rows of staging.batches(number, rowsOfBatch)) {
      for (const row of rows) {
        const place = { kind: sheet.kind, sheet: sheet.name, row: row.row };
        preview.add(row, rowOfData(row.data, place), decisionOf(row), () => staging.cellsOfRows([row])[0]);
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
  readonly #files = { files: 0, bytes: 0, examples: [] as NamedFile[] };
  readonly settled = { created: 0, notCreated: 0 };
  readonly #loadedRows: LoadedRow[] = [];
  #loaded = 0;
  #repeatable = 0;

  addLoaded({ kind, sheet, row }: JudgedRow, { how }: KnownStaged, message: Message | null): void {
    if (how === 'key' || how === 'trusted' || message === null) return;
    this.#loaded += 1;
    const isRepeatable = kind.isRepeatable === true && how === 'content';
    if (isRepeatable) this.#repeatable += 1;
    const alike = this.#loadedRows.filter((one) => one.isRepeatable === isRepeatable);
    if (alike.length < mostLoadedRows) this.#loadedRows.push({ sheet, row, isRepeatable, message });
  }

  addToSend({ file }: JudgedRow): void {
    if (file === null) return;
    this.#files.files += 1;
    this.#files.bytes += file.size;
    if (this.#files.examples.length < mostFiles) this.#files.examples.push(file);
  }

  get found() {
    return {
      loaded: this.#loaded,
      loadedRows: this.#loadedRows,
      repeatable: this.#repeatable,
      files: this.#files,
      settled: this.settled,
    };
  }
}

class SheetPreview {
  readonly #sheet: MatchedSheet;
  readonly #file: FilePreview;
  readonly #staying: Partial<Record<RowState, number>> = {};
  readonly #problems = new Map<string, number>();
  readonly #findings = new FindingGroups();
  readonly #amountLabel: string | null;
  #rows = 0;
  #toSend = 0;
  #onceMore = 0;
  #warnedRows = 0;
  #clears = 0;
  #unreadableAmounts = 0;
  #amount = new Big(0);
  #amountToSend = new Big(0);

  constructor(sheet: MatchedSheet, file: FilePreview) {
    this.#sheet = sheet;
    this.#file = file;
    this.#amountLabel = fieldsOf(sheet.kind).find(({ path }) => path === sheet.kind.amount)?.label ?? null;
  }

  add(row: KnownStaged, judged: JudgedRow, decision: StagedDecision | null, cellsOf: () => SheetRow | undefined): void {
    this.#rows += 1;
    const amount = amountOf(judged);
    if (row.aside !== 'left-out') this.#addAmount(amount);
    if (decision?.do === 'send') {
      this.#addToSend(judged, amount, decision);
      return;
    }
    if (decision === null || decision.do === 'settle') {
      if (decision !== null) this.#file.settled.created += 1;
      this.#stays('in-doubt');
      return;
    }
    const note = noteOfSkipped(decision);
    const { state } = note;
    this.#stays(state);
    if (state === 'already-loaded') this.#file.addLoaded(judged, row, note.message);
    if (state === 'already-loaded' || state === 'unchanged') return;
    const source = decision.changed === undefined ? undefined : cellsOf();
    const message = source === undefined ? note.message : namingFields(note.message, this.#sheet, source);
    const isTold = message !== null && isNews(decision);
    const told = isTold ? [findingOf(decision.do === 'invalid' ? 'error' : 'warning', message)] : [];
    const atCells = source === undefined ? [] : changedCells(this.#sheet, source, note.message);
    const found = state === 'changed-since-loaded' ? atCells : judged.problems;
    this.#addFindings(judged, [...told, ...found]);
  }

  done(): PreviewedSheet {
    const hasAmounts = this.#sheet.kind.amount !== null;
    return {
      ...this.#sheet,
      rows: this.#rows,
      toSend: this.#toSend,
      onceMore: this.#onceMore,
      staying: this.#staying,
      warnedRows: this.#warnedRows,
      amount: hasAmounts ? this.#amount.toFixed() : null,
      amountToSend: hasAmounts ? this.#amountToSend.toFixed() : null,
      unreadableAmounts: this.#unreadableAmounts,
      wrongAmounts: this.#amountLabel === null ? 0 : (this.#problems.get(this.#amountLabel) ?? 0),
      problems: this.#problems,
      clears: this.#clears,
      findings: this.#findings.found,
    };
  }

  #addToSend(judged: JudgedRow, amount: number | null, { settles, isAgain }: StagedSending): void {
    this.#toSend += 1;
    if (isAgain) this.#onceMore += 1;
    if (settles !== null) this.#file.settled.notCreated += 1;
    this.#amountToSend = this.#amountToSend.plus(amount ?? 0);
    this.#clears += judged.clears;
    this.#file.addToSend(judged);
    if (judged.problems.length > 0) this.#warnedRows += 1;
    this.#addFindings(judged, judged.problems);
  }

  #addFindings(row: JudgedRow, findings: readonly Finding[]): void {
    this.#findings.add(row, findings);
    if (row.aside !== null) return;
    const labels = new Set(findings.filter(isError).map(({ label }) => label ?? 'the row'));
    for (const label of labels) this.#problems.set(label, (this.#problems.get(label) ?? 0) + 1);
  }

  #addAmount(amount: number | null): void {
    if (this.#sheet.kind.amount === null) return;
    if (amount === null) this.#unreadableAmounts += 1;
    else this.#amount = this.#amount.plus(amount);
  }

  #stays(state: RowState): void {
    this.#staying[state] = (this.#staying[state] ?? 0) + 1;
  }
}

/** Whether a person must know more of a row that stays than how many such rows there are. */
function isNews({ do: what, why }: Skipped): boolean {
  if (what === 'wait') return why !== 'waits-for-parent';
  return what === 'hold' || what === 'invalid' || why === 'changed-since-loaded' || why === 'copy-of-row';
}

/** What a load would do: which rows are sent, which are not and why, and what was found in them. */
import Big from 'big.js';
import type { Counts, RowState } from '../contract/row-state.ts';
import type { RowPosition } from '../ledger/ledger.ts';
import { type Finding, findingOf, isOfRecord } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { messageOf, textOf } from '../messages/text.ts';
import { placeOf } from '../staging/own-columns.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { Staged } from '../staging/stage.ts';
import type { KnownStaged, NamedFile, RowData } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { SheetTotals } from '../workbooks/summary.ts';
import { type ChangedRow, changesAtCells, type ValuesBefore } from './changed-fields.ts';
import type { Skipped, StagedDecision, StagedSending } from './decision.ts';
import { countsByCode, type FindingCount, type FindingGroup, FindingGroups } from './finding-groups.ts';
import {
  completeMessage,
  countsOf,
  findingsOfSent,
  findingsThatCount,
  noteOfSkipped,
  StateTally,
  stateDecided,
} from './row-state.ts';

export interface PreviewedSheet extends MatchedSheet {
  readonly rows: number;
  readonly toSend: number;
  readonly onceMore: number;
  /** Rows that are not sent, by the state in their results. */
  readonly staying: Readonly<Partial<Record<RowState, number>>>;
  /** Rows to send that have a warning. */
  readonly warnedRows: number;
  /** Rows to send that may make a record twice. */
  readonly mayBeTwice: number;
  /** All rows by the state in their results, with exact totals. */
  readonly totals: SheetTotals;
  /** The exact total of all rows but those left out; `null` for a sheet without amounts. */
  readonly amount: string | null;
  readonly amountToSend: string | null;
  /** Fields that the rows to send empty with `<clear>`. */
  readonly clears: number;
  readonly findings: readonly FindingGroup[];
}

/** A row that counts as already loaded by its content alone, of a kind in which two equal rows can both be meant. */
interface RepeatedRow extends RowPosition {
  /** Names the file, the place and the day of the earlier row. */
  readonly message: Message;
}

export interface Preview {
  /** In loading order. */
  readonly sheets: readonly PreviewedSheet[];
  /** About the file and its sheets as a whole, in whole sentences. */
  readonly notices: readonly string[];
  /** A notice for each sheet in which most Refs belong to other records. Empty where `refScope` is declared. */
  readonly takenRefs: readonly string[];
  /** How many rows are a {@link RepeatedRow}; `repeatedRows` holds the first ones. */
  readonly repeatable: number;
  readonly repeatedRows: readonly RepeatedRow[];
  /** The files of the rows to send, which a person sees before anything leaves. */
  readonly files: { readonly files: number; readonly bytes: number; readonly examples: readonly NamedFile[] };
  /** Rows in doubt that the ID cells of a results sheet resolve. */
  readonly settled: { readonly created: number; readonly notCreated: number };
  readonly rowAt: (sheet: string, row: number) => RowData | null;
}

const [mostRepeatedRows, mostFiles, mostChangedRows] = [5, 50, 1_000];
const fewestTakenRefs = 2;

function counting(sheet: MatchedSheet) {
  // `takenRefs`: rows whose Ref belongs to a record of an earlier load with other values.
  const nothing = { toSend: 0, onceMore: 0, warnedRows: 0, mayBeTwice: 0, clears: 0, takenRefs: 0 };
  return { sheet, tally: new StateTally(sheet), findings: new FindingGroups(), amountToSend: new Big(0), ...nothing };
}

type Counted = ReturnType<typeof counting>;

/** @param onProblemRow  called for each row with an error or a warning */
export function previewing(staged: Staged, staging: Staging, onProblemRow: ((row: RowData) => void) | null = null) {
  const sheets = new Map(staged.sheets.map(({ number, sheet }) => [number, counting(sheet)]));
  /** Rows to tell of once the values that they had are known, by their ids. */
  const changed = new Map<number, ChangedRow>();
  const shownLater: ((before: ValuesBefore) => void)[] = [];
  const repeatedRows: RepeatedRow[] = [];
  const examples: NamedFile[] = [];
  const files = { files: 0, bytes: 0, examples };
  const settled = { created: 0, notCreated: 0 };
  let repeatable = 0;
  return { changed, add, done };

  function add(row: KnownStaged, decision: StagedDecision): void {
    const counted = sheets.get(row.sheet);
    if (counted === undefined) return;
    counted.tally.add(stateDecided(decision), row.amount);
    if (decision.do === 'settle') settled.created += 1;
    else if (decision.settles === 'not-created') settled.notCreated += 1;
    const decided = decision.do === 'settle' ? decision.reportedAs : decision;
    if (decided === undefined) return;
    if (decided.do === 'send') addToSend(counted, row, decided);
    else if (decided.changed === undefined || row.id === null || changed.size === mostChangedRows)
      addStaying(counted, row, decided);
    else {
      const place = placeOf({ sheet: counted.sheet.name, row: row.row });
      changed.set(row.id, { place, paths: decided.changed });
      shownLater.push((before) => addStaying(counted, row, decided, before.get(place)));
    }
  }

  /** @param isScopeSaid  whether `refScope` is declared */
  function done(isScopeSaid: boolean, before: ValuesBefore): Preview {
    for (const tell of shownLater) tell(before);
    const counted = [...sheets.values()];
    const aboutRefs = (withRemedy: boolean) => (isScopeSaid ? [] : counted.flatMap((of) => refNotices(of, withRemedy)));
    return {
      sheets: counted.map(previewed),
      notices: [...staged.notices, ...aboutRefs(true)].map(textOf),
      takenRefs: aboutRefs(false).map(textOf),
      ...{ repeatable, repeatedRows, files, settled },
      rowAt: (name, row) => {
        const of = staged.sheets.find(({ sheet }) => sheet.name === name);
        const found = of === undefined ? null : staging.at(of.number, row);
        return found === null ? null : staging.data(found);
      },
    };
  }

  function addToSend(counted: Counted, row: KnownStaged, sending: StagedSending): void {
    const { problems: found, clears, file } = staging.detailsOf(row);
    const problems = [...found, ...findingsOfSent(sending)];
    counted.toSend += 1;
    if (sending.isAgain) counted.onceMore += 1;
    counted.amountToSend = counted.amountToSend.plus(row.amount ?? 0);
    counted.clears += clears;
    if (problems.length > 0) counted.warnedRows += 1;
    if (problems.some(isOfRecord)) counted.mayBeTwice += 1;
    addFound(counted, row, problems);
    if (file === null) return;
    files.files += 1;
    files.bytes += file.size;
    if (examples.length < mostFiles) examples.push(file);
  }

  function addStaying(
    counted: Counted,
    row: KnownStaged,
    decision: Skipped,
    before?: ReadonlyMap<string, string>,
  ): void {
    const { sheet } = counted;
    const { state, message: told } = noteOfSkipped(decision);
    const note = completeMessage(null, told, row, staging);
    if (state === 'already-loaded') {
      if (row.foundBy !== 'content' || sheet.kind.isRepeatable !== true || note === null) return;
      repeatable += 1;
      if (repeatedRows.length < mostRepeatedRows) repeatedRows.push({ sheet: sheet.name, row: row.row, message: note });
      return;
    }
    if (state === 'changed-since-loaded' && row.foundBy === 'ref') counted.takenRefs += 1;
    const { message, atCells } =
      decision.changed === undefined
        ? { message: note, atCells: [] }
        : changesAtCells(sheet, staging.cellsOf(row), note, before);
    const isShown = message !== null && isNews(decision);
    const severity = decision.do === 'invalid' ? 'error' : 'warning';
    const isHeld = decision.do === 'hold' || decision.do === 'wait';
    const ofDecision = isShown ? [{ ...findingOf(severity, message), isHeld }] : [];
    const ofRow = findingsThatCount(state, staging.detailsOf(row).problems);
    addFound(counted, row, [...ofDecision, ...atCells, ...ofRow]);
  }

  function addFound({ sheet, findings }: Counted, row: KnownStaged, problems: readonly Finding[]): void {
    if (problems.length === 0) return;
    findings.add({ sheet: sheet.name, row: row.row }, problems);
    onProblemRow?.({ ...staging.data(row), problems });
  }
}

/** If most rows have the Ref of an earlier record, Refs may start over in each file. */
function refNotices({ takenRefs: taken, tally }: Counted, withRemedy: boolean): readonly Message[] {
  const { name, rows } = tally.totals();
  if (taken < fewestTakenRefs || taken * 2 < rows) return [];
  return [messageOf('refs-taken', { name, taken, rows, withRemedy })];
}

function previewed({ sheet, tally, findings, amountToSend, takenRefs: _, ...counted }: Counted): PreviewedSheet {
  const totals = tally.totals();
  const { rows, byState, amounts } = totals;
  return {
    ...sheet,
    ...counted,
    rows,
    staying: { ...byState, ready: (byState.ready ?? 0) - counted.toSend },
    totals,
    amount: amounts === null ? null : amounts.source,
    amountToSend: amounts === null ? null : amountToSend.toFixed(),
    findings: findings.found,
  };
}

/** Whether a row that is not sent gets a finding, beyond being counted. */
function isNews({ do: what, why }: Skipped): boolean {
  if (what === 'wait') return why !== 'waits-for-parent';
  return what === 'hold' || what === 'invalid' || why === 'changed-since-loaded' || why === 'copy-of-row';
}

/** Counts, totals and findings over all rows, before any is sent. */
export function countedIn({ sheets }: Preview): {
  readonly counts: Counts;
  readonly totals: readonly SheetTotals[];
  readonly findings: readonly FindingCount[];
} {
  const totals = sheets.map((sheet) => sheet.totals);
  return { counts: countsOf(totals), totals, findings: countsByCode(sheets.flatMap(({ findings }) => findings)) };
}

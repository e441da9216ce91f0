/** The rows of a staging with what the ledger tells of them, in their order; of a check, what was decided. */
import type { RowState } from '../contract/row-state.ts';
import type { Ledger, RunEntry } from '../ledger/next/ledger.ts';
import type { Message } from '../messages/message.ts';
import { planMessage } from '../messages/plan.ts';
import type { MatchedSheet } from '../pipeline/source/matched-sheet.ts';
import { amountOf } from '../pipeline/survey/judged-row.ts';
import { decisionOf, type StagedDecision } from '../plan/plan.ts';
import { noteOfSkipped } from '../plan/row-note.ts';
import type { SheetRow } from '../sheets/cell.ts';
import { rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged, Staging } from '../staging/staging.ts';
import type { ReportedRow } from './result-row.ts';

/** The run that is told of, and whether it came to its end; `null` for a check. */
export interface ReportedRun {
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly id: string;
  readonly isEnded: boolean;
}

const rowsOfBatch = 512;

/** @param number  of the sheet in the staging */
export async function* reportedRows(
  staging: Staging,
  number: number,
  sheet: MatchedSheet,
  run: ReportedRun | null,
): AsyncGenerator<ReportedRow & { readonly amount: number | null }> {
  let last = 0;
  for (const rows of staging.batches(sheet.kind.name, rowsOfBatch, `r.sheet = ${number}`)) {
    const entries = run === null ? [] : await run.ledger.entries(run.id, sheet.name, last, rows.length);
    const entryOf = new Map(entries.map((entry) => [entry.place, entry]));
    const cells = staging.cellsOfRows(rows);
    for (const [at, row] of rows.entries()) {
      const source = cells[at] as SheetRow;
      yield reported(row, source, sheet, { run, entry: entryOf.get(row.row) ?? null });
    }
    last = rows.at(-1)?.row ?? last;
  }
}

function reported(
  row: KnownStaged,
  source: SheetRow,
  sheet: MatchedSheet,
  { run, entry }: { readonly run: ReportedRun | null; readonly entry: RunEntry | null },
): ReportedRow & { readonly amount: number | null } {
  const judged = rowOfData(row.data, { kind: sheet.kind, sheet: sheet.name, row: row.row });
  const here = `${sheet.name}!${row.row}`;
  const decision = decisionOf(row);
  const amount = amountOf(judged);
  const told = entry === null || run === null ? toldByDecision(decision) : toldByEntry(entry, decision, run);
  const isIn = decision !== null && 'why' in decision && decision.why === 'already-loaded';
  return {
    ...told,
    source,
    amount,
    findings: isIn ? [] : judged.problems,
    key: run === null ? here : `${run.id}#${here}`,
  };
}

type Told = Pick<ReportedRow, 'state' | 'message' | 'record' | 'company' | 'url'>;

const nothing = { record: null, company: null, url: null };

function toldByDecision(decision: StagedDecision | null): Told {
  if (decision === null || !('why' in decision)) return { ...nothing, state: 'ready', message: null };
  const { record = null, company = null, url = null } = decision.other ?? {};
  return { ...noteOfSkipped(decision), record, company, url };
}

function toldByEntry(entry: RunEntry, decision: StagedDecision | null, { isEnded }: ReportedRun): Told {
  const { record, company, url, since } = entry;
  const isReady = isEnded && decision !== null && 'why' in decision && decision.why === 'not-its-turn';
  const state: RowState = since !== null && !isSettled(entry.state) ? 'already-loaded' : entry.state;
  const message: Message | null =
    since !== null && !isSettled(entry.state) ? planMessage('went-in-later', { run: since }) : entry.message;
  return { state: isReady && state === 'not-sent' ? 'ready' : state, message, record, company, url };
}

/** What another run has brought in since need not be told of a row that this one found in. */
function isSettled(state: RowState): boolean {
  return state === 'created' || state === 'updated' || state === 'accepted' || state === 'already-loaded';
}

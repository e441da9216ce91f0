/** The rows of a staging with what the ledger tells of them, in their order; without a run, what was decided. */
import { rowStates } from '../contract/row-state.ts';
import type { Ledger, RunEntry } from '../ledger/ledger.ts';
import { planMessage } from '../messages/plan.ts';
import { decisionOf, type StagedDecision } from '../plan/plan.ts';
import { noteOfSkipped, ofRowItself } from '../plan/row-note.ts';
import type { SheetRow } from '../sheets/cell.ts';
import { keyOf, placeOf } from '../staging/row-place.ts';
import type { StagedSheetOf } from '../staging/stage.ts';
import { amountOf, rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged, Staging } from '../staging/staging.ts';
import type { ReportedRow } from './result-row.ts';

/** The run that is told of. */
export interface ReportedRun {
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly id: string;
}

const rowsOfBatch = 512;

export async function* reportedRows(
  staging: Staging,
  { number, sheet }: StagedSheetOf,
  run: ReportedRun | null,
): AsyncGenerator<ReportedRow & { readonly amount: number | null }> {
  let last = 0;
  for (const rows of staging.batches(sheet.kind.name, rowsOfBatch, `r.sheet = ${number}`)) {
    const entries = run === null ? [] : await run.ledger.entries(run.id, sheet.name, last, rows.length);
    const entryOf = new Map(entries.map((entry) => [entry.place, entry]));
    const cells = staging.cellsOfRows(rows);
    for (const [at, row] of rows.entries()) {
      const judged = rowOfData(row.data, { kind: sheet.kind, sheet: sheet.name, row: row.row });
      const decision = decisionOf(row);
      const entry = entryOf.get(row.row) ?? null;
      const told = entry === null ? toldByDecision(decision) : toldByEntry(entry);
      const wasIn = told.state === 'already-loaded' || told.state === 'unchanged';
      yield {
        ...told,
        source: cells[at] as SheetRow,
        amount: amountOf(judged),
        findings: wasIn ? [] : judged.problems,
        key: keyOfRow(row, { sheet: sheet.name, row: row.row }, decision, run),
      };
    }
    last = rows.at(-1)?.row ?? last;
  }
}

type Told = Pick<ReportedRow, 'state' | 'message' | 'record' | 'company' | 'url'>;

const nothing = { record: null, company: null, url: null };

function toldByDecision(decision: StagedDecision | null): Told {
  if (decision === null || decision.do === 'send') return { ...nothing, state: 'ready', message: null };
  if (decision.do === 'settle') return { ...nothing, record: decision.id, state: 'in-doubt', message: null };
  const { record = null, company = null, url = null } = decision.other ?? {};
  const note = noteOfSkipped(decision);
  return rowStates[note.state].isIn ? { ...note, record, company, url } : { ...note, ...nothing };
}

/** What another run has brought in since need not be told of a row that this one found in. */
export function toldByEntry({ state, message, record, company, url, since, standing }: RunEntry): Told {
  const isSince = since !== null && !rowStates[state].isIn;
  if (isSince) return { state: 'already-loaded', message: planMessage('went-in-later', { run: since }), record, company, url };
  return standing === 'committed' ? { state, message, record, company, url } : { ...nothing, state, message };
}

/** By which the row is known again. One for which no run was begun is known by the run in which it stood before. */
function keyOfRow(
  { own }: KnownStaged,
  here: { readonly sheet: string; readonly row: number },
  decision: StagedDecision | null,
  run: ReportedRun | null,
): string {
  if (run !== null) return keyOf({ run: run.id, ...here });
  const before = decision !== null && 'other' in decision ? decision.other : null;
  if (before !== null && isThatRow(decision)) return keyOf(before.at);
  return own === null ? placeOf(here) : keyOf(own);
}

/** Whether the other row of a decision is this row itself, as it went out before. */
function isThatRow(decision: StagedDecision | null): boolean {
  return decision !== null && 'why' in decision && ofRowItself.has(decision.why);
}

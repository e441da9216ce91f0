/**
 * Rows of a check that would wait: they name by its Ref a row of the same file that has errors, and that does not go in.
 */

import { rowStates } from '../../contract/row-state.ts';
import type { Message } from '../../messages/message.ts';
import { Parents } from '../decisions/parents.ts';
import { noteOfWaiting } from '../rows/row-note.ts';
import { columnOf } from '../source/matched-sheet.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { Survey, SurveyedSheet } from '../survey/survey.ts';
import type { ReportedEntry } from './reported-rows.ts';

/** Stands for the run, the id that a service will give, and what makes a row itself: a check has none of them. */
const none = { run: 'a check', id: 'an id to come', fingerprint: Buffer.alloc(0) };

/** What a ledger would be told of the rows that wait, by their sheets, in the order of their rows. */
export async function waitingEntries({
  sheets,
  references,
}: Survey): Promise<ReadonlyMap<string, readonly ReportedEntry[]>> {
  const entries = new Map<string, readonly ReportedEntry[]>();
  const mayWait =
    sheets.some(({ invalidRows, leftOutRows, heldRows }) => invalidRows + leftOutRows + heldRows > 0) &&
    sheets.some(namesParents);
  if (!mayWait) return entries;
  const parents = new Parents(references);
  for (const sheet of sheets.filter((one) => namesParents(one) || columnOf(one, 'ref') !== null)) {
    const waiting: ReportedEntry[] = [];
    for await (const row of sheet.judgedRows()) {
      const isHeld = row.standing.kind === 'held';
      // Whether a Ref of another file is known, a ledger tells, and a check asks none.
      const named = row.references.filter(({ reference, ref }) => references.has(reference.to, ref));
      const found = isHeld || !row.isValid ? null : parents.resolve({ ...row, references: named });
      if (found?.ready === false) waiting.push(entryOf(row, found.message));
      else if (row.ref !== null && goesIn(row)) parents.add(row.kind.name, row.ref, none.id);
    }
    entries.set(sheet.name, waiting);
  }
  return entries;
}

/** Whether rows of the sheet may name others by their Refs. */
function namesParents(sheet: SurveyedSheet): boolean {
  return sheet.kind.references.some(({ column }) => columnOf(sheet, column) !== null);
}

function goesIn({ isValid, standing }: JudgedRow): boolean {
  return standing.kind === 'held' ? rowStates[standing.row.state].isIn : isValid;
}

function entryOf({ kind, row, sheet, standing }: JudgedRow, message: Message): ReportedEntry {
  const { run, fingerprint } = none;
  const known = { run, sheet, row, kind: kind.name, fingerprint, shown: null, ref: null };
  return { ...known, knownBy: standing.earlier?.row ?? null, ...noteOfWaiting(message) };
}

/** What is known of the rows of a load that is held back: some of them may be in all the same, and their sheet must say so. */
import { isIn } from '../../ledger/entry-state.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { DecisionOptions } from '../decisions/decision-options.ts';
import { outgoingMaker } from '../decisions/outgoing.ts';
import { RowDecisions } from '../decisions/row-decisions.ts';
import type { Survey } from '../survey/survey.ts';
import type { ReportedEntry } from './reported-rows.ts';

/** Stands for the run, which is not begun. */
const notBegun = 'not begun';

/**
 * What the ledger would be told of rows that are in, or may be, if the load were not held back: the entries of a run that is
 * not begun, by their sheets, in the order of their rows.
 */
export async function standingEntries(
  survey: Survey,
  ledger: Ledger,
  options: DecisionOptions,
): Promise<ReadonlyMap<string, readonly ReportedEntry[]>> {
  const entries = new Map<string, ReportedEntry[]>();
  if (!ledger.runs().some(({ service }) => service === options.service)) return entries;
  const decisions = new RowDecisions(survey, ledger, notBegun, options);
  for (const sheet of survey.sheets) {
    const make = outgoingMaker(sheet.kind, options.contract, options.attachments);
    const ofSheet: ReportedEntry[] = [];
    entries.set(sheet.name, ofSheet);
    for await (const row of sheet.judgedRows()) {
      const decision = decisions.decide(row, make);
      if (decision.step === 'send') decision.outgoing.release();
      // An answer to a doubt is not taken by a load that is held back.
      if (decision.settles !== null) continue;
      if (decision.step !== 'note' || (!isIn(decision.note.state) && decision.note.state !== 'in-doubt')) continue;
      const { fingerprint, shown, ref, note, knownBy } = decision;
      ofSheet.push({
        run: notBegun,
        sheet: sheet.name,
        row: row.row,
        kind: sheet.kind.name,
        fingerprint,
        shown: shown(),
        ref,
        knownBy,
        ...note,
      });
    }
  }
  return entries;
}

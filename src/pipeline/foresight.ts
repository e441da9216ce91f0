/** What a load would pass over, told before it begins: rows that went in with an earlier file. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Ledger, RowPosition } from '../ledger/ledger.ts';
import { outgoingMaker } from './outgoing.ts';
import type { PlannedDecisions } from './planned-decisions.ts';
import { type ReadOtherwise, RowsReadOtherwise } from './read-otherwise.ts';
import { type DecisionOptions, RowDecisions } from './row-decisions.ts';
import type { RecordedOptions } from './run-options.ts';
import { dataRows, type Survey } from './survey.ts';

/** A row that would not be sent because an equal one is in. */
export interface LoadedRow extends RowPosition {
  readonly kind: RecordKindName;
  /** A sentence with the file, the place and the day of the earlier row. */
  readonly message: string;
}

export interface Foresight {
  readonly loaded: number;
  /** The first of them, in the order of loading. */
  readonly examples: readonly LoadedRow[];
  /** Notes and transactions among them: kinds of which two equal ones can both be meant. */
  readonly repeatable: number;
  /** Rows that are in by an earlier load of the same file, and would be sent again because it is read otherwise now. */
  readonly readOtherwise: readonly ReadOtherwise[];
}

export interface ForesightOptions extends DecisionOptions {
  /** Only the first rows are sent, counted over all sheets in the order of loading, or `null`. */
  readonly limit: number | null;
  /** How the source is read. */
  readonly choices: RecordedOptions;
}

/** Where no row can be in. */
export const nothingForeseen: Foresight = { loaded: 0, examples: [], repeatable: 0, readOtherwise: [] };

const mostExamples = 20;
const repeatableKinds: ReadonlySet<RecordKindName> = new Set(['notes', 'transactions']);

/**
 * Goes through all rows as a load would, and writes nothing.
 *
 * @param planned  is told of every decision, those on the children of rows that would go in included; or `null`
 */
export async function foresee(
  survey: Survey,
  ledger: Ledger,
  options: ForesightOptions,
  planned: PlannedDecisions | null,
): Promise<Foresight> {
  const decisions = new RowDecisions(survey, ledger, 'foresight', options);
  const examples: LoadedRow[] = [];
  const otherwise = new RowsReadOtherwise(ledger, options.earlierRuns, options.choices);
  let [loaded, repeatable, seen] = [0, 0, 0];
  for (const sheet of survey.sheets) {
    const make = outgoingMaker(sheet.kind, options.contract, options.attachmentsFolder);
    for await (const source of dataRows(sheet)) {
      const row = sheet.judge(source);
      seen += 1;
      if (planned?.holdsBack(row) === true) continue;
      const decision = decisions.decide(row, make);
      planned?.add(row, decision);
      if (decision.step === 'send') {
        decision.outgoing.release();
        if (options.limit === null || seen <= options.limit) otherwise.look(row);
        if (planned !== null) decisions.note(row, 'created', idToCome(row));
      }
      if (decision.step !== 'note' || decision.note.state !== 'already-loaded' || row.standing.kind === 'held')
        continue;
      loaded += 1;
      if (repeatableKinds.has(row.kind.name)) repeatable += 1;
      if (examples.length < mostExamples) {
        const { sheet: name, row: number, kind } = row;
        examples.push({ sheet: name, row: number, kind: kind.name, message: decision.note.message ?? '' });
      }
    }
  }
  return { loaded, examples, repeatable, readOtherwise: otherwise.found };
}

/** Stands for the id that the service will give a row, so that its children are not taken for waiting. */
function idToCome({ sheet, row }: RowPosition): string {
  return `the id of ${sheet} row ${row}`;
}

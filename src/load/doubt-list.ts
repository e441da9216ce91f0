/** Reads a person's answers about rows in doubt from the ID column of a results sheet. */
import type { RowPosition } from '../ledger/ledger.ts';
import { errorOf } from '../messages/text.ts';
import { openSource } from '../sheets/open-source.ts';
import type { SheetRow } from '../sheets/row.ts';
import { areResultHeaders, notCreatedMark, ownColumnsOf, placeOf, textOf } from '../staging/own-columns.ts';
import type { Answer, ClearAnswer } from '../staging/staged-row.ts';

export interface AnsweredRow {
  readonly position: RowPosition;
  readonly said: ClearAnswer;
  /** The attempt that it is about. `last`: the last one, as a person sees it now. */
  readonly attempt: number | 'last';
}

/**
 * Reads the answers about rows of one run. Rows with a blank ID cell are ignored.
 *
 * @throws DealsheetError `usage` when the file is no results sheet, or has no answer about the run
 */
export async function readDoubtList(path: string, run: string): Promise<readonly AnsweredRow[]> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  const answers: AnsweredRow[] = [];
  let isUnderstood = false;
  try {
    for (const sheet of source.sheets) {
      let isResults = false;
      for await (const row of sheet.rows()) {
        if (!isResults) {
          isResults = areResultHeaders(row.values.map(textOf));
          // Another sheet, such as the Summary.
          if (!isResults) break;
          isUnderstood = true;
          continue;
        }
        const found = answerIn(row, run);
        if (found !== null) answers.push(found);
      }
    }
  } finally {
    await source.close();
  }
  if (!isUnderstood) throw errorOf('no-doubt-list', { path, notCreated: notCreatedMark });
  if (answers.length === 0) throw errorOf('no-answer-in-list', { path, run, notCreated: notCreatedMark });
  return answers;
}

function answerIn(row: SheetRow, run: string): AnsweredRow | null {
  const { id, earlier } = ownColumnsOf(row);
  if (id === null || earlier === null || earlier.answer === null) return null;
  if (!earlier.saysDoubt || earlier.run !== run) return null;
  const position = { sheet: earlier.sheet, row: earlier.row };
  return { position, said: resolutionOf(id, earlier.answer, placeOf(position)), attempt: earlier.attempt };
}

/** @throws DealsheetError `usage` when the answer is unclear */
export function resolutionOf(text: string, answer: Answer, place: string): ClearAnswer {
  if (answer.kind !== 'unclear') return answer;
  throw errorOf('typed-answer-unclear', { text, place, isRounded: answer.isRounded, notCreated: notCreatedMark });
}

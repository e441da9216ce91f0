/**
 * Reads a person's answers about rows in doubt from a file: a results sheet with ids typed into its ID column, or a list with the
 * columns Row and ID.
 */
import { entriesOf, type Ledger, type RowPosition, takesAnswer } from '../ledger/ledger.ts';
import { folded } from '../mapping/headers.ts';
import { errorOf } from '../messages/text.ts';
import {
  answerToDoubt,
  areResultHeaders,
  notCreatedMark,
  ownColumnsOf,
  placeOf,
  positionOf,
  textOf,
  typedAnswerOf,
} from '../staging/own-columns.ts';
import type { Answer, ClearAnswer } from '../staging/staged-row.ts';
import { openSource } from '../tables/open-source.ts';
import { cellAt, type SheetRow } from '../tables/row.ts';

export interface AnsweredRow {
  readonly position: RowPosition;
  readonly said: ClearAnswer;
  /**
   * The attempt that it is about. `last`: the last one, as a person sees it now. `only`: a list that names none may be older than the
   * last attempt, so it counts only where no earlier one was resolved.
   */
  readonly attempt: number | 'last' | 'only';
  /** It comes from a file or an open page, which may be older than an answer that stands. */
  readonly mayBeOld: boolean;
}

const rowHeader = 'row';
const idHeader = 'id';

/**
 * Reads the answers about rows of one run. Rows with a blank ID cell are ignored.
 *
 * @throws DealsheetError `usage` when the file has neither form, or no answer about the run
 */
export async function readDoubtList(path: string, run: string, ledger: Ledger): Promise<readonly AnsweredRow[]> {
  const asked = new Set<string>();
  for await (const entry of entriesOf(ledger, run)) if (takesAnswer(entry, true)) asked.add(placeOf(entry));
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  const answers: AnsweredRow[] = [];
  let isUnderstood = false;
  try {
    for (const sheet of source.sheets) {
      let read: Reader | null = null;
      for await (const row of sheet.rows()) {
        if (read === null) {
          read = readerFor(row, run, asked);
          // A sheet of neither form, such as the Summary.
          if (read === null) break;
          isUnderstood = true;
          continue;
        }
        const found = read(row);
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

type Reader = (row: SheetRow) => AnsweredRow | null;

function readerFor(header: SheetRow, run: string, asked: ReadonlySet<string>): Reader | null {
  const headers = header.values.map(textOf);
  if (areResultHeaders(headers)) return (row) => ofResultsRow(row, run, asked);
  const names = headers.map((name) => (name === null ? '' : folded(name)));
  const [rowColumn, idColumn] = [names.indexOf(rowHeader), names.indexOf(idHeader)];
  return rowColumn === -1 || idColumn === -1 ? null : (row) => ofListRow(row, rowColumn, idColumn);
}

function ofResultsRow(row: SheetRow, run: string, asked: ReadonlySet<string>): AnsweredRow | null {
  const { id, earlier } = ownColumnsOf(row);
  if (id === null || earlier?.run !== run || !(earlier.saysDoubt || asked.has(placeOf(earlier)))) return null;
  const position = { sheet: earlier.sheet, row: earlier.row };
  const answer = answerToDoubt(earlier);
  return (
    answer && { position, said: resolutionOf(id, answer, placeOf(position)), attempt: earlier.attempt, mayBeOld: true }
  );
}

function ofListRow(row: SheetRow, rowColumn: number, idColumn: number): AnsweredRow | null {
  const cell = cellAt(row, idColumn);
  const id = textOf(cell);
  if (cell === null || id === null) return null;
  const position = positionOf(textOf(cellAt(row, rowColumn)) ?? '');
  if (position !== null) {
    const said = resolutionOf(id, typedAnswerOf(id, cell), placeOf(position));
    return { position, said, attempt: position.attempt ?? 'only', mayBeOld: true };
  }
  throw errorOf('line-without-row', { line: row.number });
}

/** @throws DealsheetError `usage` when the answer is unclear */
export function resolutionOf(text: string, answer: Answer, place: string): ClearAnswer {
  if (answer.kind !== 'unclear') return answer;
  throw errorOf('typed-answer-unclear', { text, place, isRounded: answer.isRounded, notCreated: notCreatedMark });
}

/**
 * Reads a person's answers about rows in doubt from a file: a results sheet with ids typed into its ID column, or a list with the
 * columns Row and ID.
 */
import { usageError } from '../errors.ts';
import type { RowPosition } from '../ledger/ledger.ts';
import { folded } from '../mapping/headers.ts';
import { commandText } from '../messages/commands.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells, cellAt, type SheetRow } from '../sheets/row.ts';
import {
  areResultHeaders,
  notCreatedMark,
  ownColumnsOf,
  placeOf,
  positionOf,
  textOf,
  typedAnswerOf,
} from '../staging/own-columns.ts';
import type { Answer, ClearAnswer } from '../staging/staged-row.ts';

export interface AnsweredRow {
  readonly position: RowPosition;
  readonly said: ClearAnswer;
  /**
   * The attempt that it is about. `last`: the last one, as a person sees it now. `only`: a list that names none may be older than the
   * last attempt, so it counts only where no earlier one was resolved.
   */
  readonly attempt: number | 'last' | 'only';
}

const rowHeader = 'row';
const idHeader = 'id';

/**
 * Reads the answers about rows of one run. Rows with a blank ID cell are ignored.
 *
 * @throws DealsheetError `usage` when the file has neither form, or no answer about the run
 */
export async function readDoubtList(path: string, run: string): Promise<readonly AnsweredRow[]> {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null });
  const answers: AnsweredRow[] = [];
  let isUnderstood = false;
  try {
    for (const sheet of source.sheets) {
      let read: Reader | null = null;
      for await (const row of sheet.rows()) {
        if (read === null) {
          read = readerFor(row, run);
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
  if (!isUnderstood) {
    throw usageError(
      `${path} is neither a results sheet nor a list with the columns Row and ID.`,
      `Type the ids into the results sheet, or make a list with the headers Row and ID, as in: Deals!12, deal_000123 (or "${notCreatedMark}").`,
    );
  }
  if (answers.length > 0) return answers;
  throw usageError(
    `${path} has no answer for a row in doubt of the run ${run}.`,
    `Give the run that its Run cells name, and type the id of each row, or "${notCreatedMark}", into its ID cell. ${commandText('runs', run)} lists the rows in doubt.`,
  );
}

type Reader = (row: SheetRow) => AnsweredRow | null;

function readerFor(header: SheetRow, run: string): Reader | null {
  const headers = allCells(header).map(textOf);
  if (areResultHeaders(headers)) return (row) => ofResultsRow(row, run);
  const names = headers.map((name) => (name === null ? '' : folded(name)));
  const [rowColumn, idColumn] = [names.indexOf(rowHeader), names.indexOf(idHeader)];
  return rowColumn === -1 || idColumn === -1 ? null : (row) => ofListRow(row, rowColumn, idColumn);
}

function ofResultsRow(row: SheetRow, run: string): AnsweredRow | null {
  const { id, earlier } = ownColumnsOf(row);
  if (id === null || earlier === null || earlier.answer === null) return null;
  if (!earlier.saysDoubt || earlier.run !== run) return null;
  const position = { sheet: earlier.sheet, row: earlier.row };
  return { position, said: resolutionOf(id, earlier.answer, placeOf(position)), attempt: earlier.attempt };
}

function ofListRow(row: SheetRow, rowColumn: number, idColumn: number): AnsweredRow | null {
  const cell = cellAt(row, idColumn);
  const id = textOf(cell);
  if (cell === null || id === null) return null;
  const position = positionOf(textOf(cellAt(row, rowColumn)) ?? '');
  if (position !== null) {
    const said = resolutionOf(id, typedAnswerOf(id, cell), placeOf(position));
    return { position, said, attempt: position.attempt ?? 'only' };
  }
  throw usageError(
    `Line ${row.number} of the list does not say which row is meant. No row was settled.`,
    'Write it as SHEET!N, as in Deals!12.',
  );
}

function resolutionOf(text: string, answer: Answer, place: string): ClearAnswer {
  if (answer.kind !== 'unclear') return answer;
  throw usageError(
    `"${text}", given for ${place}, ${faultOfAnswer(answer)}. No row was settled.`,
    `Look the row up in the service, and give the id of the record, or "${notCreatedMark}".`,
  );
}

function faultOfAnswer({ isRounded }: Extract<Answer, { kind: 'unclear' }>): string {
  return isRounded
    ? 'may have been rounded by a spreadsheet program: format the cell as text, and put the whole id in again'
    : `is not an id, a link of a record, "created" ("yes") or "${notCreatedMark}" ("no")`;
}

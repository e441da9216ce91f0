/** Why nothing is sent for a row: one text for each reason of a decision. */
import { type Message, messagesOf } from './message.ts';

/** Another row, or this one as it went out before. */
interface Row {
  readonly source: string;
  readonly sheet: string;
  readonly row: number;
  readonly day: string;
  readonly run: string;
  readonly record: string | null;
  readonly command: Message;
}

const place = ({ source, sheet, row, day, run }: Row): string =>
  `${source}, ${sheet} row ${row}, on ${day} (run ${run})`;
const named = (row: Row): string => (row.record === null ? place(row) : `${row.record}, from ${place(row)}`);

/** @param told  makes the text of a message that stands in a parameter */
export const planTexts = (told: (message: Message) => string) => {
  const resolve = ({ command }: Row): string =>
    `Look it up in the service, then type its id, or "not created", into the ID cell and import the sheet again, or use: ${told(command)} --created ID, or --not-created`;
  return {
    'already-loaded': (row: Row) => `Loaded from ${place(row)}.`,
    'changed-since-loaded': (row: Row) =>
      `The row went in as ${named(row)}, with other values than it has now. Nothing of the change is sent: change the record in the service, or send a company update.`,
    'went-in-later': ({ run }: { run: string }) => `In since the run ${run}.`,
    'by-results': () => 'The results sheet says so. This ledger does not know the run.',
    unchanged: () => 'No value in this row has changed since the export.',
    'copy-of-row': (row: Row) =>
      `Another row of this file is the same row of ${place(row)}, and counts. Empty the first six cells if this is a new row.`,
    'copies-differ': (row: Row) =>
      `Two rows of this file are the same row of ${place(row)}, and say different things. Take one out, or empty its first six cells if it is a new row.`,
    'unknown-key': () =>
      'This ledger does not know the run in the Run cell, so it cannot tell whether the row is in. Use the ledger of that run, or add --trust-results to believe the Status cells.',
    'key-of-another-kind': (row: Row) =>
      `The Run cell names a row of another kind: ${place(row)}. Load the sheet as that kind, or empty the first six cells if the row is a new record.`,
    'ref-of-several': () => 'Several records have this Ref. Enter the id in place of the Ref, or use another Ref.',
    'ids-differ': (row: Row) =>
      `The ID cell has another id than the record of this row, ${named(row)}. Put that id back, or empty the first six cells if this is a new row.`,
    'id-of-row-not-in': (row: Row) =>
      `The ID cell has an id, but this row is not in (last sent from ${place(row)}). Take the row out if the service has it, or empty the ID cell to send it.`,
    'not-in-any-more': (row: Row) =>
      `The Status cell says that the row is in, but it was resolved as not created after ${place(row)}. Empty its Status and ID cells to send it.`,
    'in-doubt': (row: Row) => `In doubt since ${place(row)}. ${resolve(row)}`,
    'answer-unclear': (row: Row) =>
      `What the ID cell says is not understood. In doubt since ${place(row)}. ${resolve(row)}`,
    'answer-to-other-attempt': (row: Row) =>
      `The ID cell answers an earlier try; the row was sent again from ${place(row)}. ${resolve(row)}`,
    'waits-for-parent': () => 'The row that it belongs to is not in yet. Correct that one; this row goes in with it.',
    'parent-changed': () =>
      'The row with this Ref went in with other values than it has now. If it is the same record, add --allow same-ref; if not, give it another Ref.',
    'equal-to-loaded-row': (row: Row) =>
      `The row now says the same as ${named(row)}, which is not in this file. If both are meant, load them together; if not, put the cells of this row back.`,
    'possible-correction': (row: Row) =>
      `This may be ${named(row)}, corrected. If it is another record, add --allow possible-correction.`,
    'possible-duplicate': (row: Row) =>
      `${named(row)} has the same EIN. Give its id in place of this row if it is the same company, or add --allow possible-duplicate.`,
    'live-meanwhile': () =>
      'Another load sent this row, or one that says the same, in the meantime. Import the file again to see what became of it.',
    'later-update': (row: Row) =>
      `A later update of the same company went out from ${place(row)}: this one would overwrite it. If it must, add --allow later-update.`,
  } as const;
};

export const planMessage = messagesOf<ReturnType<typeof planTexts>>();

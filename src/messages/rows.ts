/** Why a row is as it is: in by an earlier load, in doubt, waiting, not sent. Every text about a row that the ledger keeps, by code. */
import { type Message, messagesOf } from './message.ts';

type Told = (message: Message) => string;

/** A row of an earlier load. */
interface Place {
  readonly source: string;
  readonly sheet: string;
  readonly row: number;
  readonly day: string;
  readonly run: string;
}

const placeText = ({ source, sheet, row, day, run }: Place): string =>
  `${source}, ${sheet} row ${row}, on ${day} (run ${run})`;
const loadText = ({ source, day, run }: Omit<Place, 'sheet' | 'row'>): string => `${source}, on ${day} (run ${run})`;
const alone = 'load it in a file of its own, without the first six columns';

/** @param told  makes the text of a message that stands in a parameter */
export const rowTexts = (told: Told) => {
  const resolveText = (command: Message): string =>
    `Look it up in the service, then resolve it with: ${told(command)} --created ID, or --not-created`;
  return {
    'as-written': ({ text }: { text: string }) => text,
    'loaded-before': (place: Place) => `Loaded before from ${placeText(place)}.`,
    'in-since': ({ run }: { run: string }) => `In since the run ${run}.`,
    'in-since-before': ({ run }: { run: string }) => `In since before the run ${run}.`,
    'in-doubt-before': ({ command, ...place }: Place & { command: Message }) =>
      `The same row is in doubt from ${placeText(place)}. ${resolveText(command)}`,
    'in-doubt-otherwise': ({ command, ...place }: Place & { command: Message }) =>
      `The row is in doubt from ${placeText(place)}, with other values than it has here. ${resolveText(command)}`,
    'in-doubt-since': ({ run }: { run: string }) => `In doubt since the run ${run}.`,
    'answer-in-id-cell': ({ mark }: { mark: string }) =>
      `Look it up in the service, then type its id, or "${mark}", into the ID cell and import the sheet again.`,
    'id-cell-not-understood': ({ typed, fault }: { typed: string; fault: string }) =>
      `"${typed}" in the ID cell ${fault}.`,
    'answer-to-other-run': ({ mark, run, command }: { mark: string; run: string; command: Message }) =>
      `"${mark}" in the ID cell answers the run ${run}, and the row was sent again after it. ${resolveText(command)}`,
    'answered-in-sheet': ({ run }: { run: string }) =>
      `In doubt in the run ${run}, and resolved by the id in this sheet.`,
    'answer-not-taken-yet': () =>
      'This load did not come to the row, so its ID was not taken yet: import this sheet again.',
    'left-in-doubt': () => 'The load stopped before the answer came.',
    'left-to-repeat': () => 'The load stopped before the answer came. The same values are sent again.',
    'resolved-created': () => 'Resolved by a person: the service has it.',
    'resolved-not-created': () => 'Resolved by a person: the service does not have it.',

    'changed-since-loaded': () =>
      'The row has other values now than when it went in: they were not sent. If rows were sorted without their first six columns, put them back.',
    'unreadable-since-loaded': () =>
      'The row cannot be read now, though it could when it went in: nothing of it was sent.',
    'loaded-otherwise': () => 'It went in with other values than it has here.',
    'loaded-otherwise-or-another': () =>
      'It went in with other values than it has here. If it is another record, load it in a file of its own with --again.',
    'like-corrected-row': () =>
      'Before that row was corrected, it had the values of this row, so this row was not sent. If this is another record, load it in a file of its own with --again.',
    'other-parent': () => 'The record that it names has another id now.',
    'other-parent-again': () =>
      'The record that it names has another id now. To send it for that one, too, put it into a file of its own.',
    'other-file': () => 'Its file has changed since then.',
    'other-file-again': () =>
      'Its file has changed since then. To attach it as it is now, too, give --again, or name it in a file of its own.',
    'updated-since': (load: Omit<Place, 'sheet' | 'row'>) =>
      `${loadText(load)}, updated the company after that and may have changed these values. Give --again to send all rows of this file once more.`,
    'updated-since-export': (load: Omit<Place, 'sheet' | 'row'>) =>
      `${loadText(load)}, updated the company after the export and may have changed these values. Cells that are as exported are not sent: export the company again, and correct that.`,
    'as-exported': () => 'No value in this row was changed since the export: nothing was sent.',

    'waits-for-row': ({ ref, kind, earlier }: { ref: string; kind: string; earlier: string | null }) =>
      `Waiting for the row with Ref "${ref}" among the ${kind}, which is not in yet. Its Problems cell says what to do; this row goes in with it.${earlier === null ? '' : ` If you mean ${earlier}, which had this Ref in an earlier load, enter its id.`}`,
    'waits-for-id': ({ ref, kind }: { ref: string; kind: string }) =>
      `Waiting for the row with Ref "${ref}" among the ${kind}: it is in, but the service gave it no id. Look it up in the service, enter its id in this row and import the file again.`,
    'waits-for-moved-row': ({ ref, kind }: { ref: string; kind: string }) =>
      `Waiting for the row with Ref "${ref}" among the ${kind}: the record by which that row is in came with another Ref. Put the cells of that row back, or enter the id of the right record in this row.`,
    'waits-for-other-record': ({ ref, kind }: { ref: string; kind: string }) =>
      `Waiting for the row with Ref "${ref}" among the ${kind}: it counts as in by a record that came with another Ref, and may be another one. If it is, load that row in a file of its own with --again, then this file once more; if not, enter the id of the record in this row.`,
    'goes-on-elsewhere': ({ source, run }: { source: string; run: string }) =>
      `The row came back with ${source} in the run ${run}, and goes on there.`,
    'equal-to-loaded-row': ({
      sheet,
      row,
      id,
      isIn,
    }: {
      sheet: string;
      row: number;
      id: string | null;
      isIn: boolean;
    }) =>
      `The row has come to be equal to ${sheet} row ${row} of the same source, which is ${isIn ? `in${id === null ? '' : ` as ${id}`}` : 'in doubt'}. If both are meant, bring it back together with that row; if it was given that row's cells, put its own back.`,
    'attachment-gone': ({ file, fault }: { file: string; fault: Message }) => `File "${file}" ${told(fault)}`,
    'not-sent-again': ({ first, why }: { first: Message; why: Message }) =>
      `${told(first)} It is not sent again. ${told(why)}`,

    'update-other-not-here': ({ sheet, row }: { sheet: string | null; row: number }) =>
      `${rowText(sheet, row)} of the same source has updated the company since, or may have, and is not in this file: what it gave could be overwritten. Import the whole results sheet; or if this row is to overwrite it, ${alone}.`,
    'update-other-changed': ({ sheet, row }: { sheet: string | null; row: number }) =>
      `${rowText(sheet, row)} of the same source went out with other values than it has here, and is in or in doubt: what it gave the company could be overwritten. Import the results sheet of that load as it was written; or if this row is to overwrite it, ${alone}.`,
    'update-late': (rival: { sheet: string | null; row: number; other: string; isIn: boolean }) =>
      `${rowText(rival.sheet, rival.row)} of the same source gives the company another ${rival.other}, and ${rival.isIn ? 'is in or in doubt. It comes below this row, which would overwrite it now' : 'goes out before this row here. In the source it comes below this row, which would overwrite it'}. If that row is right, empty ${rival.other} here, or take this row out; if this one is right, ${alone}.`,

    'key-of-another-kind': ({ key, record, kind }: { key: string; record: string; kind: string }) =>
      `The key ${key} belongs to ${record}. Load the sheet as ${kind}, or empty the first six cells if the row is to become another record.`,
    'key-twice': ({ key, twin }: { key: string; twin: string }) =>
      `The row carries the key ${key}, and so does ${twin}: one of the two is a copy. Empty the first six cells of the copy, so that it counts as a new row.`,
    'ids-differ': ({ typed, known }: { typed: string; known: string }) =>
      `The ID cell has ${typed}, and the ledger ${known}. Put ${known} back if the row is that record, or empty the first six cells if it is a new row.`,
    'id-of-row-not-in': ({ typed, isRunKnown }: { typed: string; isRunKnown: boolean }) =>
      `The ID cell has ${typed}, but by ${isRunKnown ? 'the ledger' : 'the Status cell'} the row is not in. Take the row out if the service has it under that id, or empty the cell, and it is sent.`,
    'not-in-any-more': ({ id, run }: { id: string | null; run: string }) =>
      `The row says that it is in${id === null ? '' : ` as ${id}`}, but by the ledger it is not, since the run ${run}. Take the row out if the service has it, or empty its Status and ID cells, and it is sent.`,
    'key-lost': ({ id }: { id: string | null }) =>
      `${id === null ? 'The row says that it was loaded' : `The row carries the id ${id}`}, but its Run cell does not say when. Put the Run cell back, or empty the first six cells if it is a new row.`,
  } as const;
};

function rowText(sheet: string | null, row: number): string {
  return sheet === null ? `Row ${row}` : `${sheet} row ${row}`;
}

export const rowMessage = messagesOf<ReturnType<typeof rowTexts>>();

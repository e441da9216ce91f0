/** What the ledger says of a row that is not sent, and why it is not. */
import { isIn } from '../../ledger/entry-state.ts';
import { fileIsAnother, parentIsAnother, updatedSince } from '../../ledger/kept-sentences.ts';
import type { EarlierEntry, Entry, RunRecord, RunRow, Settlement } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import { placeOf } from './row-place.ts';
import { shellWord } from './shell-word.ts';

export type RowNote = Omit<Settlement, 'sheet' | 'row'>;

/** A later update by which a field has another value already. */
export interface Rival {
  /** Its sheet, or `null` for that of the row itself. */
  readonly sheet: string | null;
  readonly row: number;
  /** Another value of a field; or, where nobody can tell which values it gave: others than its row says, or its row is not here. */
  readonly gave: { readonly other: string; readonly isIn: boolean } | 'not-what-it-says' | 'not-in-file';
}

/** A row of which nothing is in by this run. */
export const untouched = { attempts: 0, httpStatus: null, id: null, companyId: null, url: null } as const;

/**
 * Of a row that an earlier one keeps from being sent.
 * @param since  of an update: the load that updated the same company later, or `null`
 */
export function noteOfEarlier(earlier: EarlierEntry, since: RunRecord | null = null): RowNote {
  const place = `${earlier.sourceName}, ${earlier.sheet} row ${earlier.row}, ${whenOf(earlier.startedAt, earlier.run)}`;
  if (isIn(earlier.state)) {
    const { id, companyId, url } = earlier;
    return {
      ...untouched,
      id,
      companyId,
      url,
      state: 'already-loaded',
      message: `Loaded before from ${place}.${saidSince(since)}`,
    };
  }
  const message = `The same row is in doubt from ${place}. ${lookUpAndSettle(earlier)}`;
  return { ...untouched, state: 'in-doubt', message };
}

/** Of a row that is in doubt with other values than it has here: those are what is looked for in the service. */
export function noteOfOtherDoubt(earlier: EarlierEntry): RowNote {
  const place = `${earlier.sourceName}, ${earlier.sheet} row ${earlier.row}, ${whenOf(earlier.startedAt, earlier.run)}`;
  const message = `The row is in doubt from ${place}, with other values than it has here. ${lookUpAndSettle(earlier)}`;
  return { ...untouched, state: 'in-doubt', message };
}

/** Of a row that went out with a run. */
export function noteOfEntry(entry: Entry, { sourceName, startedAt }: RunRecord): RowNote {
  return noteOfEarlier({ ...entry, sourceName, startedAt });
}

/** Of an attachment that is in, or may be, with what stood in its file then. */
export function ofOtherFile(note: RowNote): RowNote {
  const again = isIn(note.state)
    ? ' To attach it as it is now, too, give --again, or name it in a file of its own.'
    : '';
  return { ...note, message: `${note.message} ${fileIsAnother}${again}` };
}

/** Of a row that went out before, for a record of another id than the one that it names by now. */
export function ofOtherParent(note: RowNote): RowNote {
  const again = isIn(note.state) ? ' To send it for that one, too, put it into a file of its own.' : '';
  return { ...note, message: `${note.message} ${parentIsAnother}${again}` };
}

/** Of a row that was sent in a run, and nothing further is known of it. */
export function inDoubtSince(run: string): string {
  return `In doubt since the run ${run}.`;
}

export function lookUpAndSettle(row: RunRow): string {
  return `Look it up in the service, then settle it with: ${toSettle(row)}`;
}

/** The command that settles a row in doubt, in both forms. */
export function toSettle(row: RunRow): string {
  return toSettleAt(row.run, placeOf(row));
}

/** @param place  a row such as `Deals!12` */
export function toSettleAt(run: string, place: string): string {
  return `dealsheet resolve ${run} --row ${shellWord(place)} --created ID, or --not-created`;
}

function saidSince(since: RunRecord | null): string {
  if (since === null) return '';
  return ` ${since.sourceName} updated the company after that, ${whenOf(since.startedAt, since.id)}, ${updatedSince} Give --again to send all rows of this file once more.`;
}

/** Of a row that says what its export said, where the file gave the company other values between: they were put back in it alone. */
export function saidSinceExport({ sourceName, startedAt, id }: RunRecord): string {
  return `${sourceName} updated the company after the export, ${whenOf(startedAt, id)}, ${updatedSince} Cells that say what was exported are not sent: export the company anew, and correct that.`;
}

function whenOf(startedAt: string, run: string): string {
  return `on ${dayOf(startedAt)} (run ${run})`;
}

/** Of a row whose parent is not in. */
export function noteOfWaiting(message: string): RowNote {
  return { ...untouched, state: 'waiting', message };
}

export function noteOfNotSent(message: string): RowNote {
  return { ...untouched, state: 'not-sent', message };
}

/** Of a row that may be another row of its source by now: nobody can tell. */
export function noteOfContested({ sheet, row, id, state }: EarlierEntry): RowNote {
  const record = isIn(state) ? `which is in${id === null ? '' : ` as ${id}`}` : 'which is in doubt';
  return noteOfNotSent(
    `The row has come to say what ${sheet} row ${row} of the same source says, ${record}. If both are meant, bring it back together with that row; if it was given that row's cells, put its own back.`,
  );
}

/** Of an update that would be written over a later one of its source. */
export function noteOfLate(rival: Rival): RowNote {
  return noteOfNotSent(lateText(rival));
}

/** Of a late update that may have been applied by an earlier sending: it stays what it was, and is not sent again. */
export function noteOfLateDoubt(told: string, state: 'in-doubt' | 'not-sent', rival: Rival): RowNote {
  const why = lateText(rival);
  return {
    ...untouched,
    state,
    message: `${told} It is not sent again: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
  };
}

function lateText({ sheet, row, gave }: Rival): string {
  const place = `${sheet === null ? 'Row' : `${sheet} row`} ${row} of the same source`;
  const alone = 'load it in a file of its own, without the first six columns';
  if (gave === 'not-in-file')
    return `${place} has updated the company since, or may have, and is not in this file: what it gave could be written over. Import the whole results sheet; or if this row is to hold whatever that one said, ${alone}.`;
  if (gave === 'not-what-it-says')
    return `${place} went out with other values than it has here, and is in or in doubt: what it gave the company could be written over. Import the results sheet of that load as it was written; or if this row is to hold whatever that one said, ${alone}.`;
  const why = gave.isIn
    ? 'is in or in doubt. It stands below this row, which would be written over it now'
    : 'goes out before this row here. In the source it stands below this row, which would be written over it';
  return `${place} gives the company another ${gave.other}, and ${why}. If that row is right, empty ${gave.other} here, or take this row out; if this one is right, ${alone}.`;
}

/** Of a row that came back in a later run, which is not done with it. */
export function noteOfGoneOn({ id, sourceName }: RunRecord): RowNote {
  return noteOfNotSent(`The row came back with ${sourceName} in the run ${id}, and goes on there.`);
}

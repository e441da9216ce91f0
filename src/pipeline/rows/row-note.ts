/** What the ledger says of a row that is not sent, and why it is not. */
import { isIn } from '../../ledger/entry-state.ts';
import type { EarlierEntry, Entry, RunRecord, RunRow, Settlement } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import { toldCommand } from '../../messages/commands.ts';
import { type Message, withAlso } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import { placeOf } from './row-place.ts';

export type RowNote = Omit<Settlement, 'sheet' | 'row'>;

/** A later update by which a field has another value already. */
export interface Rival {
  /** Its sheet, or `null` for that of the row itself. */
  readonly sheet: string | null;
  readonly row: number;
  /** Another value of a field; or, where it is not known which values it gave: others than its row has, or its row is not here. */
  readonly gave: { readonly other: string; readonly isIn: boolean } | 'not-what-it-says' | 'not-in-file';
}

/** A row of which nothing is in by this run. */
export const untouched = { attempts: 0, httpStatus: null, id: null, companyId: null, url: null } as const;

/**
 * Of a row that an earlier one keeps from being sent.
 * @param since  of an update: the load that updated the same company later, or `null`
 */
export function noteOfEarlier(earlier: EarlierEntry, since: RunRecord | null = null): RowNote {
  const place = placeIn(earlier);
  if (!isIn(earlier.state)) {
    return {
      ...untouched,
      state: 'in-doubt',
      message: rowMessage('in-doubt-before', { ...place, command: toSettle(earlier) }),
    };
  }
  const { id, companyId, url } = earlier;
  const loaded = rowMessage('loaded-before', place);
  const message = since === null ? loaded : withAlso(loaded, rowMessage('updated-since', loadOf(since)));
  return { ...untouched, id, companyId, url, state: 'already-loaded', message };
}

/** Of a row that is in doubt with other values than it has here: those are what is looked for in the service. */
export function noteOfOtherDoubt(earlier: EarlierEntry): RowNote {
  const message = rowMessage('in-doubt-otherwise', { ...placeIn(earlier), command: toSettle(earlier) });
  return { ...untouched, state: 'in-doubt', message };
}

/** Of a row that went out with a run. */
export function noteOfEntry(entry: Entry, { sourceName, startedAt }: RunRecord): RowNote {
  return noteOfEarlier({ ...entry, sourceName, startedAt });
}

/** The same note with another message behind its own. */
export function noteWith(note: RowNote, also: Message): RowNote {
  return { ...note, message: note.message === null ? also : withAlso(note.message, also) };
}

/** Of an attachment that is in, or may be, with what stood in its file then. */
export function ofOtherFile(note: RowNote): RowNote {
  return noteWith(note, isIn(note.state) ? rowMessage('other-file-again') : rowMessage('other-file'));
}

/** Of a row that went out before, for a record of another id than the one that it names now. */
export function ofOtherParent(note: RowNote): RowNote {
  return noteWith(note, isIn(note.state) ? rowMessage('other-parent-again') : rowMessage('other-parent'));
}

/** The command that resolves a row in doubt, but for what is found of it: `--created ID`, or `--not-created`. */
export function toSettle(row: RunRow): Message {
  return toldCommand('resolve', row.run, '--row', placeOf(row));
}

/** Of a row that has the values of its export, where the file gave the company others in between. */
export function saidSinceExport(record: RunRecord): Message {
  return rowMessage('updated-since-export', loadOf(record));
}

/** Of a row whose parent is not in. */
export function noteOfWaiting(message: Message): RowNote {
  return { ...untouched, state: 'waiting', message };
}

export function noteOfNotSent(message: Message): RowNote {
  return { ...untouched, state: 'not-sent', message };
}

/** Of a row that may be another row of its source by now. */
export function noteOfContested({ sheet, row, id, state }: EarlierEntry): RowNote {
  return noteOfNotSent(rowMessage('equal-to-loaded-row', { sheet, row, id, isIn: isIn(state) }));
}

/** Of an update that would overwrite a later one of its source. */
export function noteOfLate(rival: Rival): RowNote {
  return noteOfNotSent(lateMessage(rival));
}

/** Of a late update that may have been applied by an earlier sending: it stays what it was, and is not sent again. */
export function noteOfLateDoubt(first: Message, state: 'in-doubt' | 'not-sent', rival: Rival): RowNote {
  return { ...untouched, state, message: rowMessage('not-sent-again', { first, why: lateMessage(rival) }) };
}

/** Of a row that came back in a later run, which is not done with it. */
export function noteOfGoneOn({ id, sourceName }: RunRecord): RowNote {
  return noteOfNotSent(rowMessage('goes-on-elsewhere', { source: sourceName, run: id }));
}

function lateMessage({ sheet, row, gave }: Rival): Message {
  if (gave === 'not-in-file') return rowMessage('update-other-not-here', { sheet, row });
  if (gave === 'not-what-it-says') return rowMessage('update-other-changed', { sheet, row });
  return rowMessage('update-late', { sheet, row, ...gave });
}

function placeIn({ sourceName, sheet, row, startedAt, run }: EarlierEntry) {
  return { source: sourceName, sheet, row, day: dayOf(startedAt), run };
}

function loadOf({ sourceName, startedAt, id }: RunRecord) {
  return { source: sourceName, day: dayOf(startedAt), run: id };
}

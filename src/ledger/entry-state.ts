/** What the state of an entry says of its record. */
import { rowStates } from '../contract/row-state.ts';
import type { EntryState } from './ledger.ts';

/** The service has the record. */
export function isIn(state: EntryState): boolean {
  return state !== 'sending' && rowStates[state].isIn;
}

/** The service said yes to the row itself, and not only to one like it in an earlier load. */
export function wentIn(state: EntryState): boolean {
  return state === 'created' || state === 'updated' || state === 'accepted';
}

/** In by an earlier load, or as it was exported: nothing was sent for this row itself. */
export function isKnownIn(state: EntryState | null): boolean {
  return state === 'already-loaded' || state === 'changed-since-loaded' || state === 'unchanged';
}

/** It is not known whether the service has it. */
export function isUnknown(state: EntryState): boolean {
  return state === 'in-doubt' || state === 'sending';
}

/** The states of a row that a later load may send. */
export const openStates = ['failed', 'not-sent', 'waiting'] as const;

export function isOpen(state: EntryState): boolean {
  return openStates.some((open) => open === state);
}

/** What is told of a row: nobody waits for the answer to one that was being sent. */
export function rowStateOf<State extends EntryState>(state: State): Exclude<State, 'sending'> | 'in-doubt' {
  return state === 'sending' ? 'in-doubt' : (state as Exclude<State, 'sending'>);
}

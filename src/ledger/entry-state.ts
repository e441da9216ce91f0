/** What the state of an entry says of its record. */
import { rowStates } from '../contract/row-state.ts';
import type { EntryState } from './ledger.ts';

/** The service has the record. */
export function isIn(state: EntryState): boolean {
  return state !== 'sending' && rowStates[state].isIn;
}

/** Nobody knows whether the service has it. */
export function isUnknown(state: EntryState): boolean {
  return state === 'in-doubt' || state === 'sending';
}

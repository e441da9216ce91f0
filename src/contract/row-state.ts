/** The possible states of a row, for the results sheet, the JSON counts and the ledger. */

/** Each state: its status text, its count, whether its record is in, whether nothing is left to do, and its color. */
export const rowStates = {
  created: { status: 'Created', count: 'created', isIn: true, isDone: true, look: 'good' },
  updated: { status: 'Updated', count: 'updated', isIn: true, isDone: true, look: 'good' },
  accepted: { status: 'Accepted', count: 'accepted', isIn: true, isDone: true, look: 'good' },
  invalid: { status: 'Invalid', count: 'invalid', isIn: false, isDone: false, look: 'bad' },
  rejected: { status: 'Rejected', count: 'rejected', isIn: false, isDone: false, look: 'bad' },
  failed: { status: 'Failed', count: 'failed', isIn: false, isDone: false, look: 'bad' },
  'in-doubt': { status: 'In doubt', count: 'inDoubt', isIn: false, isDone: false, look: 'doubt' },
  'already-loaded': { status: 'Already loaded', count: 'alreadyLoaded', isIn: true, isDone: true, look: 'settled' },
  /** In, but the row now has other values. Nothing of the change is sent. */
  'changed-since-loaded': {
    status: 'Changed since loaded',
    count: 'changedSinceLoaded',
    isIn: true,
    isDone: false,
    look: 'doubt',
  },
  unchanged: { status: 'Unchanged', count: 'unchanged', isIn: true, isDone: true, look: 'settled' },
  waiting: { status: 'Waiting', count: 'waiting', isIn: false, isDone: false, look: 'waiting' },
  'left-out': { status: 'Left out', count: 'leftOut', isIn: false, isDone: true, look: 'settled' },
  ready: { status: 'Ready', count: 'ready', isIn: false, isDone: false, look: 'waiting' },
  'not-sent': { status: 'Not sent', count: 'notSent', isIn: false, isDone: false, look: 'waiting' },
} as const;

export type RowState = keyof typeof rowStates;
export const allStates = Object.keys(rowStates) as readonly RowState[];
export type RowStatus = (typeof rowStates)[RowState]['status'];
export type CountName = (typeof rowStates)[RowState]['count'];

/** The `counts` of the `--json` object. */
export type Counts = Record<'rows' | CountName, number>;

export function emptyCounts(): Counts {
  const names = Object.values(rowStates).map(({ count }) => count);
  return Object.fromEntries(['rows', ...names].map((name) => [name, 0])) as Counts;
}

/** A record in the service, by its id, that of its company, and its address, as far as each is known. */
export interface RecordReference {
  readonly record: string | null;
  readonly company: string | null;
  readonly url: string | null;
}

export const noRecord: RecordReference = { record: null, company: null, url: null };

/** What every made-up month has: a service with its moods, deaths of commands, and sheets of which not all rows are kept. */
import fc from 'fast-check';
import type { ChosenFaults } from '../../src/sandbox/faults.ts';

export interface Circumstances {
  /** How the service feels, and the seed of its mood. */
  readonly service: { readonly isGood: boolean; readonly seed: number };
  /** Where the process dies, as `kill -9` would have it, or `null`. */
  readonly dies: string | null;
}

export const goodDay: Circumstances = { service: { isGood: true, seed: 1 }, dies: null };

/** What goes wrong on a day that is not good: records are refused, and made or not made without a good answer. */
export type Illness = Pick<ChosenFaults, 'shares' | 'on'>;

export function faultsOf({ isGood, seed }: Circumstances['service'], { shares, on }: Illness): ChosenFaults {
  return { shares: isGood ? {} : shares, at: [], on, seed, retryAfterSeconds: 1 };
}

/** @param writes  those of the ledger before or after which a command may die, each of its first so many times */
export function circumstancesWith(writes: readonly string[], times: readonly number[]) {
  const deaths = writes.flatMap((write) =>
    ['before', 'after'].flatMap((when) => times.map((time) => `${write}-${when}-commit:${time}`)),
  );
  return { service: fc.record({ isGood: fc.boolean(), seed: fc.nat(99) }), dies: rarely(fc.constantFrom(...deaths)) };
}

/** How old a results sheet is, counted back from the newest. */
export function ageUpTo(most: number): fc.Arbitrary<number> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(most) });
}

export function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

/** The steps of a month: the first, and `most` others. */
export function stepsOf<Step>(first: fc.Arbitrary<Step>, step: fc.Arbitrary<Step>, most: number) {
  return fc.tuple(first, fc.array(step, { maxLength: most })).map(([begin, further]) => [begin, ...further]);
}

/** What is left of a results sheet when it is loaded. */
export type RowsLeft = 'as they are' | 'turned over' | 'without the first' | 'those not in';

export const rowsLeft = fc.constantFrom<RowsLeft>(
  'as they are',
  'as they are',
  'turned over',
  'without the first',
  'those not in',
);

/** There is always one row at least. */
export function leftOf<Row>(rows: readonly Row[], left: RowsLeft, isIn: (row: Row) => boolean): readonly Row[] {
  if (left === 'turned over') return rows.toReversed();
  if (left === 'those not in' && !rows.every(isIn)) return rows.filter((row) => !isIn(row));
  return left === 'without the first' && rows.length > 1 ? rows.slice(1) : rows;
}

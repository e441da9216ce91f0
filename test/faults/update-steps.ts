/** What happens to the updates of some companies in a month, as plain data: a generator makes it up, and cuts it down. */
import fc from 'fast-check';
import type { Circumstances } from './month-steps.ts';

/** A row of the month's file: what it gives a company. One of the two at least. */
export interface UpdateRow {
  readonly company: 0 | 1;
  readonly gives: readonly ('Website' | 'DBA')[];
}

/** What is done to a row of a results sheet that is not in: another value, one that cannot be read, or a doubt answered. */
export type UpdateEdit = 'leave' | 'answer' | 'other values' | 'no company';

export type UpdateStep =
  | ({ readonly do: 'load the source' } & Circumstances)
  | ({
      readonly do: 'load results';
      /** Counted back from the newest. */
      readonly age: number;
      readonly edits: readonly UpdateEdit[];
      readonly rows: 'as they are' | 'turned over' | 'without the first' | 'those not in';
    } & Circumstances)
  | ({ readonly do: 'resume' } & Circumstances)
  /** Settles the first doubt of the newest run that has one, by looking. */
  | { readonly do: 'settle' };

export interface UpdateMonth {
  readonly rows: readonly UpdateRow[];
  readonly steps: readonly UpdateStep[];
}

const mostRows = 4;
const mostSteps = 7;
const deaths = ['intent', 'settle'].flatMap((write) =>
  ['before', 'after'].flatMap((when) => [1, 2].map((time) => `${write}-${when}-commit:${time}`)),
);
const circumstances = {
  service: fc.record({ isGood: fc.boolean(), seed: fc.nat(99) }),
  dies: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...deaths) }),
};
const edit = fc.constantFrom<UpdateEdit>('leave', 'answer', 'other values', 'other values', 'no company');

const step: fc.Arbitrary<UpdateStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('load the source' as const), ...circumstances }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('load results' as const),
      age: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
      edits: fc.array(edit, { minLength: mostRows, maxLength: mostRows }),
      rows: fc.constantFrom(
        'as they are' as const,
        'as they are' as const,
        'turned over' as const,
        'without the first' as const,
        'those not in' as const,
      ),
      ...circumstances,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), ...circumstances }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);

/** Any month: it begins with a load of its file. */
export const updateMonths: fc.Arbitrary<UpdateMonth> = fc.record({
  rows: fc.array(
    fc.record({
      company: fc.constantFrom<UpdateRow['company']>(0, 0, 1),
      gives: fc.constantFrom<UpdateRow['gives']>(['Website'], ['Website'], ['DBA'], ['Website', 'DBA']),
    }),
    { minLength: 2, maxLength: mostRows },
  ),
  steps: fc
    .tuple(
      fc.record({ do: fc.constant('load the source' as const), ...circumstances }),
      fc.array(step, { maxLength: mostSteps }),
    )
    .map(([begin, further]) => [begin, ...further]),
});

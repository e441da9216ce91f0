/** What happens to the updates of some companies in a month, as plain data: a generator makes it up, and cuts it down. */
import fc from 'fast-check';
import {
  ageUpTo,
  type Circumstances,
  circumstancesWith,
  type Illness,
  type RowsLeft,
  rowsLeft,
  stepsOf,
} from './circumstances.ts';

/** A row of the month's file: what it gives a company. One of the two at least. */
export interface UpdateRow {
  readonly company: 0 | 1;
  readonly gives: readonly ('Website' | 'DBA')[];
}

/** What is done to a row of a results sheet that is not in: another value, one that cannot be read, or a doubt answered. */
export type UpdateEdit = 'leave' | 'answer' | 'other values' | 'no company';

export type UpdateStep =
  | ({ readonly do: 'load the source' } & Circumstances)
  /** Gives a company values at the end of the source, or in a file of their own, and loads that. */
  | ({ readonly do: 'grow the source' | 'load another file'; readonly row: UpdateRow } & Circumstances)
  /** Turns the source over once all of it is in, and loads it. */
  | ({ readonly do: 'sort the source' } & Circumstances)
  | ({
      readonly do: 'load results';
      /** Counted back from the newest. */
      readonly age: number;
      readonly edits: readonly UpdateEdit[];
      readonly rows: RowsLeft;
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
const circumstances = circumstancesWith(['intent', 'settle'], [1, 2]);
const load = fc.record({ do: fc.constant('load the source' as const), ...circumstances });
const edit = fc.constantFrom<UpdateEdit>('leave', 'answer', 'other values', 'other values', 'no company');

const row: fc.Arbitrary<UpdateRow> = fc.record({
  company: fc.constantFrom<UpdateRow['company']>(0, 0, 1),
  gives: fc.constantFrom<UpdateRow['gives']>(['Website'], ['Website'], ['DBA'], ['Website', 'DBA']),
});

const step: fc.Arbitrary<UpdateStep> = fc.oneof(
  { weight: 4, arbitrary: load },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('grow the source' as const, 'load another file' as const),
      row,
      ...circumstances,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sort the source' as const), ...circumstances }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('load results' as const),
      age: ageUpTo(5),
      edits: fc.array(edit, { minLength: mostRows, maxLength: mostRows }),
      rows: rowsLeft,
      ...circumstances,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), ...circumstances }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);

/** Any month: it begins with a load of its file. */
export const updateMonths: fc.Arbitrary<UpdateMonth> = fc.record({
  rows: fc.array(row, { minLength: 2, maxLength: mostRows }),
  steps: stepsOf<UpdateStep>(load, step, mostSteps),
});

export const illness: Illness = {
  shares: { 'success-false': 0.45, '500': 0.03, 'reset-after': 0.12, '401': 0.05 },
  on: ['updateCompany'],
};

/** What an operations person does in a month, as plain data: a generator makes it up, and cuts a failing month down. */
import fc from 'fast-check';
import {
  ageUpTo,
  type Circumstances,
  circumstancesWith,
  type Illness,
  type RowsLeft,
  rarely,
  rowsLeft,
  stepsOf,
} from './circumstances.ts';

/** A row of the month's file. Rows of one name are equal, unless the amount of one cannot be read. */
export interface MonthRow {
  readonly name: 'Anchor' | 'Bell' | 'Coral' | 'Dune';
  readonly isReadable: boolean;
  /** Whether its EIN has the dash that another way of writing it leaves out. */
  readonly hasMarks: boolean;
}

/** What is done to a row of a results sheet: a doubt can be answered, anything else gets an amount that no row had before. */
export type Edit = 'leave' | 'answer' | 'new amount' | 'no amount';

export type Step =
  | ({ readonly do: 'load the source'; readonly isRenamed: boolean; readonly limit: number | null } & Circumstances)
  | ({
      readonly do: 'load results';
      /** Counted back from the newest. */
      readonly age: number;
      readonly edits: readonly Edit[];
      readonly rows: RowsLeft;
      readonly limit: number | null;
    } & Circumstances)
  | ({ readonly do: 'resume' } & Circumstances)
  /** Settles the first doubt of a run, counted back from the newest; `slips` first says the wrong thing. */
  | { readonly do: 'settle'; readonly age: number; readonly slips: boolean };

export interface Month {
  readonly kind: 'deals' | 'transactions';
  readonly rows: readonly MonthRow[];
  readonly steps: readonly Step[];
}

const mostRows = 4;
const mostSteps = 7;
const age = ageUpTo(5);
const limit = rarely(fc.integer({ min: 1, max: 2 }));
const circumstances = circumstancesWith(['intent', 'settle', 'record'], [1, 2]);
/** A file that was downloaded twice. */
const isRenamed = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const edit = fc.constantFrom<Edit>('leave', 'leave', 'answer', 'answer', 'new amount', 'no amount');

const load = fc.record({ do: fc.constant('load the source' as const), isRenamed, limit, ...circumstances });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: load },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('load results' as const),
      age,
      edits: fc.array(edit, { minLength: mostRows, maxLength: mostRows }),
      rows: rowsLeft,
      limit,
      ...circumstances,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), ...circumstances }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), age, slips: fc.boolean() }) },
);

/** Any month: it begins with a load of its file. */
export const months: fc.Arbitrary<Month> = fc.record({
  kind: fc.constantFrom('deals' as const, 'transactions' as const),
  rows: fc.array(
    fc.record({
      name: fc.constantFrom<MonthRow['name']>('Anchor', 'Bell', 'Coral', 'Dune'),
      isReadable: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      hasMarks: fc.boolean(),
    }),
    { minLength: 1, maxLength: mostRows },
  ),
  steps: stepsOf<Step>(load, step, mostSteps),
});

/** Records are refused, and made or not made without an answer that can be understood. */
export const illness: Illness = {
  shares: { 'success-false': 0.2, '500': 0.12, '500-after': 0.12, 'reset-after': 0.1, '401': 0.05 },
  on: ['addDeal', 'addTransactions'],
};

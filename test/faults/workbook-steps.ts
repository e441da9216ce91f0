/** What happens in a month to a workbook whose sheets name each other's rows, as plain data that a generator makes up. */
import fc from 'fast-check';
import type { Circumstances } from './month-steps.ts';

export const sheetNames = ['Companies', 'Deals', 'Notes', 'Transactions'] as const;
export type SheetName = (typeof sheetNames)[number];

/** A row by what nobody else is called: `Deals 2`. */
export interface WorkbookRow {
  readonly sheet: SheetName;
  readonly name: string;
  /** The name of the row that its ref names, or `null`. */
  readonly parent: string | null;
  /** Whether its cells pass the checks in the source. */
  readonly isGood: boolean;
}

/** What is done to a row of a results sheet that is not in. */
export type WorkbookEdit = 'leave' | 'answer' | 'correct' | 'spoil';
/** Which sheets of a results workbook are kept. */
export type SheetsKept = 'all' | 'without companies' | 'without deals' | 'children alone';

export type WorkbookStep =
  | ({ readonly do: 'load the source'; readonly limit: number | null } & Circumstances)
  | ({
      readonly do: 'load results';
      /** Counted back from the newest. */
      readonly age: number;
      readonly edits: readonly WorkbookEdit[];
      readonly kept: SheetsKept;
      readonly isTurnedOver: boolean;
      readonly limit: number | null;
    } & Circumstances)
  | ({ readonly do: 'resume' } & Circumstances)
  | { readonly do: 'settle' };

export interface WorkbookMonth {
  readonly rows: readonly WorkbookRow[];
  readonly steps: readonly WorkbookStep[];
}

const mostRowsOfSheet = 3;
const mostSteps = 6;
const mostEdits = sheetNames.length * mostRowsOfSheet;
const deaths = ['intent', 'settle', 'record'].flatMap((write) =>
  ['before', 'after'].flatMap((when) => [1, 2, 3].map((time) => `${write}-${when}-commit:${time}`)),
);

const limit = rarely(fc.integer({ min: 1, max: 5 }));
const circumstances = {
  service: fc.record({ isGood: fc.boolean(), seed: fc.nat(99) }),
  dies: rarely(fc.constantFrom(...deaths)),
};
const load = fc.record({ do: fc.constant('load the source' as const), limit, ...circumstances });
const edit = fc.constantFrom<WorkbookEdit>('leave', 'leave', 'answer', 'answer', 'correct', 'correct', 'spoil');
const kept = fc.constantFrom<SheetsKept>('all', 'all', 'all', 'without companies', 'without deals', 'children alone');

const step: fc.Arbitrary<WorkbookStep> = fc.oneof(
  { weight: 2, arbitrary: load },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('load results' as const),
      age: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
      edits: fc.array(edit, { minLength: mostEdits, maxLength: mostEdits }),
      kept,
      isTurnedOver: fc.boolean(),
      limit,
      ...circumstances,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), ...circumstances }) },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
);

/** A row of each sheet names one of those above it, or the last of them. */
const rows: fc.Arbitrary<readonly WorkbookRow[]> = fc
  .tuple(
    ...sheetNames.map(() =>
      fc.array(
        fc.record({
          parent: fc.nat(mostRowsOfSheet - 1),
          isGood: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
        }),
        { minLength: 1, maxLength: mostRowsOfSheet },
      ),
    ),
  )
  .map((sheets) =>
    sheets.flatMap((ofSheet, place) => {
      const sheet = sheetNames[place] ?? 'Companies';
      const parents = parentSheetOf(sheet);
      const most = sheets[sheetNames.indexOf(parents ?? 'Companies')]?.length ?? 1;
      return ofSheet.map(({ parent, isGood }, index) => ({
        sheet,
        name: `${sheet} ${index + 1}`,
        parent: parents === null ? null : `${parents} ${Math.min(parent, most - 1) + 1}`,
        isGood,
      }));
    }),
  );

/** Any month: it begins with a load of its workbook. */
export const workbookMonths: fc.Arbitrary<WorkbookMonth> = fc.record({
  rows,
  steps: fc.tuple(load, fc.array(step, { maxLength: mostSteps })).map(([first, further]) => [first, ...further]),
});

function parentSheetOf(sheet: SheetName): SheetName | null {
  if (sheet === 'Companies') return null;
  return sheet === 'Deals' ? 'Companies' : 'Deals';
}

function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

/** What happens in a month to a workbook whose sheets name each other's rows, as plain data that a generator makes up. */
import fc from 'fast-check';
import { ageUpTo, type Circumstances, circumstancesWith, type Illness, rarely, stepsOf } from './circumstances.ts';

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

const limit = rarely(fc.integer({ min: 1, max: 5 }));
const circumstances = circumstancesWith(['intent', 'settle', 'record'], [1, 2, 3]);
const load = fc.record({ do: fc.constant('load the source' as const), limit, ...circumstances });
const edit = fc.constantFrom<WorkbookEdit>('leave', 'leave', 'answer', 'answer', 'correct', 'correct', 'spoil');
const kept = fc.constantFrom<SheetsKept>('all', 'all', 'all', 'without companies', 'without deals', 'children alone');

const step: fc.Arbitrary<WorkbookStep> = fc.oneof(
  { weight: 2, arbitrary: load },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('load results' as const),
      age: ageUpTo(4),
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
  steps: stepsOf<WorkbookStep>(load, step, mostSteps),
});

function parentSheetOf(sheet: SheetName): SheetName | null {
  if (sheet === 'Companies') return null;
  return sheet === 'Deals' ? 'Companies' : 'Deals';
}

export const illness: Illness = {
  shares: { 'success-false': 0.15, '500': 0.05, '500-after': 0.08, 'reset-after': 0.08, '401': 0.04 },
  on: ['addCompany', 'addDeal', 'addNote', 'addTransactions'],
};

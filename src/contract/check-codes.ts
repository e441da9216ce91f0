/** The codes of the checks, with their levels: what each finds, and how far a person may change what comes of it. */
import * as z from 'zod';

/** `skip` leaves the row out: it is not sent, and stands in no sum. */
export const checkLevels = ['off', 'warning', 'error', 'skip'] as const;
export type CheckLevel = (typeof checkLevels)[number];

export interface CheckFacts {
  /** Unless a profile, a mapping or the command line says otherwise. */
  readonly level: CheckLevel;
  /** The levels that it may be given. */
  readonly may: readonly CheckLevel[];
  readonly means: string;
  readonly example: string;
}

const toldOnly = ['off', 'warning', 'error'] as const;
/** `error` holds the row. */
const heldOrSent = ['warning', 'error'] as const;
/** Without it a record would go nowhere, or to another one. */
const fixed = [] as const;

const facts = {
  'total-row': {
    level: 'skip',
    may: checkLevels,
    means:
      'A cell is the label of a total (total, subtotal, sum, grand total), and the row names no parent and no date.',
    example: 'A row `Total` with 12,500.00 below the payments',
  },
  'total-like': {
    level: 'warning',
    may: checkLevels,
    means: 'A cell is, or begins with, the label of a total, and the row is no `total-row`.',
    example: 'A deal of the company `Total`',
  },
  'example-row': {
    level: 'skip',
    may: checkLevels,
    means: 'The row is the example row of a template. A rehearsal sends it.',
    example: 'The second row of a template that nobody has taken out',
  },
  'example-like': {
    level: 'warning',
    may: checkLevels,
    means: 'The few values of the row are those of an example row of a template.',
    example: 'A note `Bank statements received` of the deal with the Ref of the example',
  },
  'same-content': {
    level: 'warning',
    may: checkLevels,
    means: 'The row has the same values as an earlier row of the file. Both are sent.',
    example: 'Two payments of one deal, day and amount',
  },
  'same-company': {
    level: 'warning',
    may: toldOnly,
    means: 'The row makes a company with the name, EIN or e-mail of an earlier row of the file.',
    example: 'Two deals that each bring `Harbor Bakery LLC` along',
  },
  'contradicting-update': {
    level: 'warning',
    may: toldOnly,
    means: 'An update gives a field of a company another value than an earlier row of the file. The later one counts.',
    example: 'Two phone numbers for one company',
  },
  'ref-repeated': {
    level: 'error',
    may: fixed,
    means: 'Several rows of one kind have the same Ref.',
    example: 'Two deals with the Ref `D-7`',
  },
  'ref-unknown': {
    level: 'error',
    may: fixed,
    means: 'No row of the file and no earlier load has the Ref.',
    example: 'A note for `D-8`, where the deals end with `D-7`',
  },
  'ref-ambiguous': {
    level: 'error',
    may: fixed,
    means: 'Several rows of the file, or several records of earlier loads, have the Ref.',
    example: 'A note for `D-7`, which is the Ref of two deals',
  },
  'ref-not-in': {
    level: 'error',
    may: fixed,
    means: 'The row of an earlier load that has the Ref is not in.',
    example: 'A note for a deal that the service rejected last month',
  },
  'ref-loaded': {
    level: 'warning',
    may: toldOnly,
    means: 'The Ref is that of a record of an earlier load.',
    example: 'A payment for a deal of last month',
  },
  'ref-not-looked-up': {
    level: 'warning',
    may: toldOnly,
    means: 'No row of the file has the Ref. The import looks for it in earlier loads.',
    example: 'A check of payments for deals of last month',
  },
  'attachment-file': {
    level: 'error',
    may: fixed,
    means: 'The file of an attachment is missing, empty, hidden, outside of its folder, or may not be sent.',
    example: '`statements/june.pdf`, which is not there',
  },
  'merged-cell': {
    level: 'error',
    may: toldOnly,
    means: 'The cell is merged with one above, which alone has the value.',
    example: 'A deal ID that is merged over three payments',
  },
  'value-under-merge': {
    level: 'warning',
    may: toldOnly,
    means: 'The cell has a value of its own under a merged cell that shows another.',
    example: 'A cell that was merged by a program that kept what was below',
  },
  'link-text': {
    level: 'warning',
    may: toldOnly,
    means: 'The cell is a link, and shows another text than the address. The text is what is read.',
    example: '`Our site`, which leads to https://harbor.example',
  },
  'cells-beside-table': {
    level: 'warning',
    may: toldOnly,
    means: 'Cells to the right of the last header hold values. They are left out.',
    example: 'A remark behind the last column',
  },
  'column-without-header': {
    level: 'error',
    may: fixed,
    means: 'A column between others holds values and has no header. The file is refused.',
    example: 'Amounts in column C, whose header is blank',
  },
  'moved-cells': {
    level: 'error',
    may: toldOnly,
    means: 'Rows of a CSV file have more cells than headers: a comma may have moved cells. The file is refused.',
    example: '`Harbor Bakery,1,250.00` below `Company,Amount`',
  },
  'hidden-rows': {
    level: 'warning',
    may: toldOnly,
    means: 'Hidden rows are read like the others.',
    example: 'A sheet that is saved with a filter',
  },
  'possible-correction': {
    level: 'error',
    may: heldOrSent,
    means:
      'A note, attachment or payment has the deal, date and reference of one that is in or in doubt, is no row of this file, and came from a file of the same name: it may be that one, corrected.',
    example: 'A payment of last month whose amount was corrected in the file',
  },
  'possible-duplicate': {
    level: 'error',
    may: heldOrSent,
    means: 'A company has the EIN of another record that is in or in doubt.',
    example: '`Harbor Bakery LLC` under a new Ref, with the EIN of `C-7`',
  },
  'equal-to-loaded-row': {
    level: 'error',
    may: heldOrSent,
    means: 'The row was given the values of another row that is in or in doubt, and is not in this file.',
    example: 'A corrected row that now says what a row of last month says',
  },
  'later-update': {
    level: 'error',
    may: heldOrSent,
    means: 'A later update of the same company is in or in doubt: this one would overwrite it.',
    example: 'The update of May, after the one of June went in',
  },
  'same-ref': {
    level: 'error',
    may: heldOrSent,
    means:
      'The row belongs to a record that was known by its Ref alone, and that says something else now: it may be another one.',
    example: 'A payment for `D-7`, whose deal has another company now',
  },
} as const satisfies Readonly<Record<string, CheckFacts>>;

export type CheckCode = keyof typeof facts;
export const checkFacts: Readonly<Record<CheckCode, CheckFacts>> = facts;
export const checkCodes = Object.keys(facts) as readonly CheckCode[];

/** The codes that may be given another level. */
export const changeableChecks = checkCodes.filter((code) => checkFacts[code].may.length > 0);

/** Levels as a profile or a mapping gives them: `{ "total-row": "warning" }`. */
export const checkLevelsSchema = z.strictObject(
  Object.fromEntries(changeableChecks.map((code) => [code, z.enum(checkFacts[code].may).optional()])),
);
export type CheckLevels = Readonly<Partial<Record<CheckCode, CheckLevel>>>;

/** What is held until a person decides; its level `warning` sends the row. */
export const heldCodes: readonly CheckCode[] = [
  'possible-correction',
  'possible-duplicate',
  'equal-to-loaded-row',
  'later-update',
  'same-ref',
];

/** The codes that hold no row back by these levels. */
export function allowedBy(levels: CheckLevels): ReadonlySet<string> {
  return new Set(heldCodes.filter((code) => levels[code] !== undefined && levels[code] !== 'error'));
}

/** The codes of the checks, with their default levels and the levels that a person may choose. */
import * as z from 'zod';

/** `skip` leaves the row out: it is not sent, and counts in no sum. */
export const checkLevels = ['off', 'warning', 'error', 'skip'] as const;
export type CheckLevel = (typeof checkLevels)[number];

const anyLevel = ['off', 'warning', 'error'] as const;
/** `error` holds the row until a person decides; `warning` sends it. */
const heldOrSent = ['warning', 'error'] as const;
/** No level may be chosen: the record would go nowhere, or to another parent. */
const fixed = [] as const;

interface CheckFacts {
  /** The default, unless a profile, a mapping or the command line sets another. */
  readonly level: CheckLevel;
  readonly may: readonly CheckLevel[];
}

/** docs/checks.md explains each code. */
const facts = {
  'total-row': { level: 'skip', may: checkLevels },
  'total-like': { level: 'warning', may: checkLevels },
  'example-row': { level: 'skip', may: checkLevels },
  'example-like': { level: 'warning', may: checkLevels },
  'lone-value': { level: 'warning', may: checkLevels },
  'same-content': { level: 'warning', may: checkLevels },
  'same-company': { level: 'warning', may: anyLevel },
  'other-company': { level: 'warning', may: anyLevel },
  'ref-repeated': { level: 'error', may: fixed },
  'ref-unknown': { level: 'error', may: fixed },
  'ref-ambiguous': { level: 'error', may: fixed },
  'ref-not-in': { level: 'warning', may: anyLevel },
  'ref-loaded': { level: 'warning', may: anyLevel },
  'ref-not-looked-up': { level: 'warning', may: anyLevel },
  'attachment-file': { level: 'error', may: fixed },
  'merged-cell': { level: 'error', may: anyLevel },
  'value-under-merge': { level: 'warning', may: anyLevel },
  'link-text': { level: 'warning', may: anyLevel },
  'cells-beside-table': { level: 'warning', may: anyLevel },
  'column-without-header': { level: 'error', may: fixed },
  'moved-cells': { level: 'error', may: anyLevel },
  'hidden-rows': { level: 'warning', may: anyLevel },
  'possible-correction': { level: 'error', may: heldOrSent },
  'possible-duplicate': { level: 'error', may: heldOrSent },
  'like-loaded': { level: 'warning', may: heldOrSent },
  'equal-to-loaded-row': { level: 'error', may: heldOrSent },
  'later-update': { level: 'error', may: heldOrSent },
  'same-ref': { level: 'error', may: heldOrSent },
} as const satisfies Readonly<Record<string, CheckFacts>>;

export type CheckCode = keyof typeof facts;
export const checkFacts: Readonly<Record<CheckCode, CheckFacts>> = facts;
export const checkCodes = Object.keys(facts) as readonly CheckCode[];

export const changeableChecks = checkCodes.filter((code) => checkFacts[code].may.length > 0);

export const checkLevelsSchema = z.strictObject(
  Object.fromEntries(changeableChecks.map((code) => [code, z.enum(checkFacts[code].may).optional()])),
);
export type CheckLevels = Readonly<Partial<Record<CheckCode, CheckLevel>>>;

export const heldCodes = checkCodes.filter((code) => checkFacts[code].may === heldOrSent);

/** The codes that hold no row at these levels. */
export function allowedBy(levels: CheckLevels): ReadonlySet<string> {
  return new Set(heldCodes.filter((code) => (levels[code] ?? checkFacts[code].level) !== 'error'));
}

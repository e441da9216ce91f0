/** Groups findings with the same code, column and parameters, and with the same value where the value matters. */
import type { RowPosition } from '../ledger/ledger.ts';
import { type Finding, isError, ofSeveral, paramsOfAll, type Severity, traitsOf } from '../messages/finding.ts';
import { columnName } from '../tables/excel-limits.ts';

export interface FindingGroup {
  readonly rows: number;
  readonly first: RowPosition & { readonly finding: Finding };
  /** The first few row numbers, in order. */
  readonly numbers: readonly number[];
  /** The first few distinct values. The first finding has only one of them. */
  readonly values: readonly string[];
}

interface Growing extends FindingGroup {
  rows: number;
  first: FindingGroup['first'];
  last: number;
  numbers: number[];
  values: string[];
}

/** Row numbers listed for a group. The results show the others. */
const fewNumbers = 8;
const shownValues = 3;
/** One more than the messages list, to know whether there are others. */
const mostValues = shownValues + 1;
const longestValue = 30;
/** Beyond this, groups ignore the value, because a file may have a different one in each row. */
const mostGroups = 1000;

export class FindingGroups {
  readonly #groups = new Map<string, Growing>();
  readonly #mostNumbers: number;

  constructor(mostNumbers = fewNumbers) {
    this.#mostNumbers = mostNumbers;
  }

  /** Call it once for each row. Rows may come in any order: those with changed values come last. */
  add({ sheet, row }: RowPosition, findings: readonly Finding[]): void {
    for (const finding of findings) {
      const key = keyOf(sheet, finding, this.#groups.size < mostGroups);
      const group = this.#groups.get(key) ?? {
        rows: 0,
        last: -1,
        first: { sheet, row, finding },
        numbers: [],
        values: [],
      };
      this.#groups.set(key, group);
      if (group.last !== row) {
        group.rows += 1;
        if (row < group.first.row) group.first = { sheet, row, finding };
        if (group.rows > 1) group.first = { ...group.first, finding: ofSeveral(group.first.finding) };
        const at = group.numbers.findLastIndex((number) => number < row) + 1;
        if (at < this.#mostNumbers) group.numbers.splice(at, 0, row);
        if (group.numbers.length > this.#mostNumbers) group.numbers.pop();
      }
      group.last = row;
      addValue(group.values, finding);
    }
  }

  get found(): readonly FindingGroup[] {
    return [...this.#groups.values()];
  }
}

function keyOf(sheet: string, finding: Finding, isByValue: boolean): string {
  const { code, severity, column, label, params } = ofSeveral(finding);
  const { by, byMarks, lists = 'value' } = traitsOf(finding);
  // A parameter that is neither compared nor listed would be reported for rows where it is not true.
  const ofValue = byMarks === true ? String(params.value).replace(/[\p{L}\p{N}.,]+/gu, '0') : null;
  const what = by !== undefined ? params[by] : params[lists] === undefined ? params : ofValue;
  return JSON.stringify([sheet, code, severity, column, label, isByValue ? what : null, paramsOfAll(finding)]);
}

function addValue(values: string[], { code, isSensitive, params }: Finding): void {
  const { by = 'value', lists = by } = traitsOf({ code });
  const value = params[lists];
  if (values.length === mostValues || isSensitive || typeof value !== 'string') return;
  if (!values.includes(value)) values.push(value);
}

/** ` ("2601", "2602", "2603", …)`; nothing where all rows have one value, which the finding names. */
export function valuesText(values: readonly string[]): string {
  if (values.length < 2) return '';
  const short = (value: string) => (value.length > longestValue ? `${value.slice(0, longestValue - 1)}…` : value);
  const shown = values.slice(0, shownValues).map((value) => `"${short(value)}"`);
  return ` (${shown.join(', ')}${values.length > shownValues ? ', …' : ''})`;
}

const harms = ['error', 'twice', 'wrong', 'read-as'] as const;

/** Errors first, then warnings by harm: may make a record twice, may be wrong, was read as. Each by its number of rows. */
export function byHarm(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  const rank = ({ first: { finding } }: FindingGroup) => harmRank(finding);
  return [...groups].sort((one, other) => rank(one) - rank(other) || other.rows - one.rows);
}

/** The lower, the more harmful. */
export function harmRank(finding: Finding): number {
  return harms.indexOf(harmOf(finding));
}

export function harmOf(finding: Finding): (typeof harms)[number] {
  return isError(finding) ? 'error' : (traitsOf(finding).harm ?? 'wrong');
}

/** How often a code was found, and where first. Part of `--json` and of the library's results. */
export interface FindingCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly first: RowPosition & { readonly column: string | null };
}

export function countsByCode(groups: readonly FindingGroup[]): readonly FindingCount[] {
  const counts = new Map<string, FindingCount>();
  for (const { rows, first } of groups) {
    const { sheet, row, finding } = first;
    const { code, severity, column } = finding;
    const known = counts.get(`${severity} ${code}`);
    const place = known?.first ?? { sheet, row, column: column === null ? null : columnName(column) };
    counts.set(`${severity} ${code}`, { code, severity, count: (known?.count ?? 0) + rows, first: place });
  }
  const isLater = ({ severity }: FindingCount) => Number(severity === 'warning');
  return [...counts.values()].sort((one, other) => isLater(one) - isLater(other) || other.count - one.count);
}

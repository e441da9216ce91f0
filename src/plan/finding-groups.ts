/** Findings that are told together: those that say the same in one column, and of one value where the value matters. */
import { type Finding, isError, paramsOfAll, type Severity, traitsOf } from '../messages/finding.ts';
import { columnName } from '../sheets/excel-limits.ts';

export interface FoundAt {
  readonly sheet: string;
  readonly row: number;
}

export interface FindingGroup {
  readonly rows: number;
  readonly first: FoundAt & { readonly finding: Finding };
  readonly numbers: readonly number[];
  /** The first values of them, each once: of values that differ, the first finding names one. */
  readonly values: readonly string[];
}

interface Growing extends FindingGroup {
  rows: number;
  last: number;
  numbers: number[];
  values: string[];
}

/** A person goes to these one by one; of more, the results show where they stand. */
const fewNumbers = 8;
/** One more than are told, so that it is known whether there are others. */
const mostValues = 4;
/** Of more, the value does not matter any more: a file may have another one in each row. */
const mostGroups = 1000;

export class FindingGroups {
  readonly #groups = new Map<string, Growing>();
  readonly #mostNumbers: number;

  constructor(mostNumbers = fewNumbers) {
    this.#mostNumbers = mostNumbers;
  }

  add({ sheet, row }: FoundAt, findings: readonly Finding[]): void {
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
        if (group.numbers.length < this.#mostNumbers) group.numbers.push(row);
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
  const { code, severity, column, label, params } = finding;
  const { by, byMarks, lists = 'value' } = traitsOf(finding);
  // What is neither told apart nor listed would be said of rows for which it is not so.
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

const harms = ['error', 'twice', 'wrong', 'read-as'] as const;

/** Errors first, then what may make a record twice, what may be wrong, and what was read as it was meant; each by its count. */
export function byHarm(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  const rank = ({ first: { finding } }: FindingGroup) => harms.indexOf(harmOf(finding));
  return [...groups].sort((one, other) => rank(one) - rank(other) || other.rows - one.rows);
}

export function harmOf(finding: Finding): (typeof harms)[number] {
  return isError(finding) ? 'error' : (traitsOf(finding).harm ?? 'wrong');
}

/** How often a code was found, and where first: what `--json` and the library give of findings. */
export interface FindingCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly first: FoundAt & { readonly column: string | null };
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

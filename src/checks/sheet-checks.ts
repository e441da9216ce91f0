/** Runs all checks on one sheet, and gives findings the configured level. */
import { type CheckCode, type CheckLevel, type CheckLevels, checkFacts } from '../contract/check-codes.ts';
import { type Finding, findingOf } from '../messages/finding.ts';
import type { BehindRows } from '../tables/source.ts';
import type { Check, FileToCheck, Found, SheetCheck, SheetToCheck } from './check.ts';
import { exampleRow, loneValue, totalRow } from './no-records.ts';
import { attachmentFile, refs } from './refs.ts';
import { sameContent } from './same-content.ts';
import { hiddenRows, linkText, mergedCells } from './shown-otherwise.ts';
import { movedCells, unheadedCells } from './unheaded-cells.ts';

export interface FoundOfRow {
  readonly findings: readonly Finding[];
  readonly leavesOut: boolean;
}

const nothing: FoundOfRow = { findings: [], leavesOut: false };

export class SheetChecks {
  readonly #levels: CheckLevels;
  readonly #running: readonly SheetCheck[];

  constructor(sheet: SheetToCheck, file: FileToCheck, levels: CheckLevels) {
    this.#levels = levels;
    const isOff = (code: CheckCode) => this.#levelOf(code) === 'off';
    this.#running = checks.flatMap((check) => (check.codes.every(isOff) ? [] : (check.begin(sheet, file) ?? [])));
  }

  get count(): number {
    return this.#running.length;
  }

  of(...row: Parameters<NonNullable<SheetCheck['row']>>): FoundOfRow {
    const all: Found[] = [];
    for (const check of this.#running) for (const one of check.row?.(...row) ?? []) all.push(one);
    if (all.length === 0) return nothing;
    const counted = all.filter(({ message }) => this.#levelOf(message.code) !== 'off');
    if (counted.length === 0) return nothing;
    const skipping = counted.filter(({ message }) => this.#levelOf(message.code) === 'skip');
    return {
      // For a row that is left out, only the reason matters.
      findings: (skipping.length > 0 ? skipping : counted).map((one) => this.#finding(one)),
      leavesOut: skipping.length > 0,
    };
  }

  end(behind: BehindRows): readonly Finding[] {
    const all = this.#running.flatMap((check) => [...(check.end?.(behind) ?? [])]);
    return all.filter(({ message }) => this.#levelOf(message.code) !== 'off').map((one) => this.#finding(one));
  }

  #levelOf(code: CheckCode): CheckLevel {
    return this.#levels[code] ?? checkFacts[code].level;
  }

  #finding({ message, column, label }: Found): Finding {
    const severity = this.#levelOf(message.code) === 'error' ? 'error' : 'warning';
    return findingOf(severity, message, { column, label });
  }
}

export const checks: readonly Check[] = [
  refs,
  sameContent,
  totalRow,
  exampleRow,
  loneValue,
  attachmentFile,
  mergedCells,
  linkText,
  unheadedCells,
  movedCells,
  hiddenRows,
];

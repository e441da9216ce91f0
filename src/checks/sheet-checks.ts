/** Runs all checks on one sheet, and gives findings the configured level. */
import { type CheckCode, type CheckLevels, checkFacts } from '../contract/check-codes.ts';
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

export function sheetChecks(sheet: SheetToCheck, file: FileToCheck, levels: CheckLevels) {
  const levelOf = (code: CheckCode) => levels[code] ?? checkFacts[code].level;
  const isOff = (code: CheckCode) => levelOf(code) === 'off';
  const running = checks.flatMap((check) => (check.codes.every(isOff) ? [] : (check.begin(sheet, file) ?? [])));
  const findingsOf = (all: readonly Found[]) =>
    all.map(({ message, ...place }): Finding => {
      const severity = levelOf(message.code) === 'error' ? 'error' : 'warning';
      return findingOf(severity, message, place);
    });
  return {
    count: running.length,
    of(...row: Parameters<NonNullable<SheetCheck['row']>>): FoundOfRow {
      const all: Found[] = [];
      for (const check of running)
        for (const one of check.row?.(...row) ?? []) if (!isOff(one.message.code)) all.push(one);
      if (all.length === 0) return nothing;
      const skipping = all.filter(({ message }) => levelOf(message.code) === 'skip');
      // For a row that is left out, only the reason matters.
      const leavesOut = skipping.length > 0;
      return { findings: findingsOf(leavesOut ? skipping : all), leavesOut };
    },
    end(behind: BehindRows): readonly Finding[] {
      const all = running.flatMap((check) => [...(check.end?.(behind) ?? [])]);
      return findingsOf(all.filter(({ message }) => !isOff(message.code)));
    },
  };
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

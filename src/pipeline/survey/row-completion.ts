/** Adds to the checks of one row by itself those that need other rows, the ledger or the disk. */
import type { SheetChecks } from '../../checks/sheet-checks.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type Finding, findingOf, isError } from '../../messages/finding.ts';
import { rowMessage } from '../../messages/rows.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { free, type Standing } from '../rows/held-rows.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';
import { findAttachment } from './attachment-files.ts';
import type { JudgedRow } from './judged-row.ts';
import type { SurveyOptions } from './survey-options.ts';
import { comparisonOf } from './unchanged-cells.ts';

export type Completer = (row: CheckedRow, source: SheetRow) => JudgedRow;

const nothingElse = { isLeftOut: false, twin: null };

export function completerOf(sheet: MatchedSheet, checks: SheetChecks, options: SurveyOptions): Completer {
  const heldRows = sheet.ownColumns === 0 ? null : options.heldRows;
  const compare = comparisonOf(sheet, options.service);
  return (row, source) => {
    const standing = heldRows?.standingOf(row, source) ?? free;
    // What went in with an earlier load, or may have, is told so also where its cells were put back since.
    const compared = standing.kind === 'held' ? null : (compare?.(source) ?? null);
    if (compared?.isUnchanged === true)
      return { ...row, standing: unchanged(row, compared.exportedAt), ...nothingElse };
    if (standing.kind === 'held') return { ...row, problems: [], isValid: true, standing, ...nothingElse };
    const isFile = sheet.kind.sending.hasFile && typeof row.body.file === 'string';
    const found = isFile ? findAttachment(options.attachments, String(row.body.file)) : null;
    const { findings, leavesOut, twin } = checks.of(row, source, found?.ok === false ? found.fault : null);
    const file = found?.ok === true ? { file: { name: String(row.body.file), size: found.file.size } } : {};
    if (standing.kind === 'contradiction')
      return {
        ...row,
        problems: [findingOf('error', standing.message), ...together(findings, row.problems)],
        isValid: false,
        standing,
        ...nothingElse,
      };
    if (leavesOut) return { ...row, problems: findings, isValid: false, standing, isLeftOut: true, twin: null };
    if (findings.length === 0) return { ...row, ...file, standing, ...nothingElse };
    const isValid = row.isValid && !findings.some(isError);
    return { ...row, ...file, problems: together(findings, row.problems), isValid, standing, isLeftOut: false, twin };
  };
}

/** Where a check tells why a cell is wrong, what its field says of it need not be told. */
function together(found: readonly Finding[], ofCells: readonly Finding[]): readonly Finding[] {
  const explained = new Set(found.filter(isError).map(({ column }) => column));
  explained.delete(null);
  const [errors, others] = [found.filter(isError), found.filter((one) => !isError(one))];
  return [...errors, ...ofCells.filter(({ column }) => !explained.has(column)), ...others];
}

/** A row of an exported template in which nothing was changed is in as it stands. */
function unchanged(row: CheckedRow, exportedAt: string | null): Standing {
  const { pathId: id } = row;
  const held = { id, companyId: null, url: null, message: rowMessage('as-exported'), exportedAt, settles: null };
  return { kind: 'held', row: { state: 'unchanged', ...held }, earlier: null };
}

/** Adds to the checks of one row by itself those that need other rows, the ledger or the disk. */

import type { CheckedRow } from '../../mapping/checked-row.ts';
import { saidOfValue } from '../../mapping/remark.ts';
import { type Finding, findingOf, isError } from '../../messages/finding.ts';
import type { Message } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import { traitsOf } from '../../messages/traits.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { free, type Standing } from '../rows/held-rows.ts';
import { columnOf, type MatchedSheet } from '../source/matched-sheet.ts';
import { type FoundFile, findAttachment } from './attachment-files.ts';
import { exampleRows } from './example-rows.ts';
import type { Finders } from './finders.ts';
import type { JudgedRow } from './judged-row.ts';
import type { ReferenceIndex } from './reference-index.ts';
import { struckRows } from './struck-rows.ts';
import type { SurveyOptions } from './survey-options.ts';
import { comparisonOf } from './unchanged-cells.ts';

export type Completer = (row: CheckedRow, source: SheetRow) => JudgedRow;

export function completerOf(
  sheet: MatchedSheet,
  references: ReferenceIndex,
  { apart, duplicates, groups, merges, totals, unseen, words }: Finders,
  options: SurveyOptions,
): Completer {
  const refColumn = columnOf(sheet, 'ref');
  const fileColumn = sheet.kind.sending === 'form' ? columnOf(sheet, 'file') : null;
  const heldRows = sheet.ownColumns === 0 ? null : options.heldRows;
  const compare = comparisonOf(sheet, options.service);
  const examples = exampleRows(sheet, options.service);
  const struck = struckRows(sheet);
  return (row, source) => {
    const standing = heldRows?.standingOf(row, source) ?? free;
    // What went in with an earlier load, or may have, is told so also where its cells were put back since.
    const compared = standing.kind === 'held' ? null : (compare?.(source) ?? null);
    if (compared?.isUnchanged === true) return { ...row, standing: unchanged(row, compared.exportedAt), twin: null };
    if (standing.kind === 'held') return { ...row, problems: [], isValid: true, standing, twin: null };
    const contradictions = standing.kind === 'contradiction' ? [contradiction(standing.message)] : [];
    const ofNoRecord = [...noneOf(words.problemsOf(row), totals.problemsOf(row)), ...groups.problemsOf(row, source)];
    const further = [
      ...references.problemsOf(row, refColumn),
      ...duplicates.problemsOf(row),
      ...ofNoRecord,
      ...apart.problemsOf(source),
      ...examples(row),
      ...struck(source),
      ...unseen.problemsOf(source),
    ];
    const found = fileColumn === null ? null : fileOf(row, options);
    if (fileColumn !== null && found?.ok === false) further.push(fileProblem(row, fileColumn, found.fault));
    const file = found?.ok === true ? { file: { name: String(row.body.file), size: found.file.size } } : {};
    const merged = merges.problemsOf(source);
    if (further.length + contradictions.length + merged.length === 0) return { ...row, ...file, standing, twin: null };
    const isValid = row.isValid && contradictions.length === 0 && merged.length === 0 && !further.some(isError);
    const twin = duplicates.twinOf(row);
    const said = isValid ? further : further.filter((finding) => traitsOf(finding).saysSent !== true);
    // What is wrong with the cells of a row that may be a copy, or be in, comes second.
    const ofRow = ofNoRecord.some(isError)
      ? row.problems.filter((finding) => traitsOf(finding).ofBlank !== true)
      : row.problems;
    const ofCells = withoutColumnsOf(merged, [...ofRow, ...said]);
    return { ...row, ...file, problems: [...contradictions, ...merged, ...ofCells], isValid, standing, twin };
  };
}

/** What tells that a row is no record: of words that are an error, that alone, and else of a total that is one. */
function noneOf(ofWords: readonly Finding[], ofTotals: readonly Finding[]): readonly Finding[] {
  if (ofWords.some(isError)) return ofWords;
  return ofTotals.some(isError) ? ofTotals : [...ofWords, ...ofTotals];
}

/** That a cell is missing is told once, with the reason why. */
function withoutColumnsOf(told: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  return others.filter(({ column }) => !told.some((one) => one.column === column));
}

/** A row of an exported template in which nothing was changed is in as it stands. */
function unchanged(row: CheckedRow, exportedAt: string | null): Standing {
  const { pathId: id } = row;
  const held = { id, companyId: null, url: null, message: rowMessage('as-exported'), exportedAt, settles: null };
  return { kind: 'held', row: { state: 'unchanged', ...held }, earlier: null };
}

function contradiction(message: Message): Finding {
  return findingOf('error', message);
}

function fileOf({ body }: CheckedRow, { attachments }: SurveyOptions): FoundFile | null {
  return typeof body.file === 'string' ? findAttachment(attachments, body.file) : null;
}

function fileProblem({ body }: CheckedRow, column: number, fault: string): Finding {
  const said = { text: fault, hidden: fault };
  return saidOfValue('error', column, { label: 'File', sensitive: false }, { value: String(body.file), said });
}

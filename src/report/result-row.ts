/**
 * A row as a person sees it: in a results sheet, with our six columns and then the user's own cells as they are; and its cells on
 * the page and at the terminal, personal values masked.
 */
import { holdsWrittenSsn, isSensitiveName, isWrittenSsn } from '../contract/fields.ts';
import { type RecordReference, rowStates } from '../contract/row-state.ts';
import type { RowNote } from '../ledger/ledger.ts';
import { isAmount, type ValueFormat } from '../mapping/column.ts';
import { masked, standsForNothing } from '../mapping/marks.ts';
import { shownText, showsTime } from '../mapping/reading.ts';
import { isShownAsAnother } from '../mapping/values/amounts.ts';
import { withoutWords } from '../mapping/values/identifiers.ts';
import { type Finding, findingText, isError, traitsOf } from '../messages/finding.ts';
import { shownValue } from '../messages/message.ts';
import { textOf } from '../messages/text.ts';
import { oncePer } from '../once.ts';
import { harmRank } from '../plan/finding-groups.ts';
import type { MaskMode } from '../staging/reading.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MeasuredSheet } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { columnName, excelDigits, roundToExcel } from '../tables/excel-limits.ts';
import type { Cell, NumberCell, SheetRow } from '../tables/row.ts';
import type { OutputCell } from '../tables/sheet-writer.ts';
import type { ResultMark, ResultRow } from '../workbooks/results.ts';

export type RowResult = RowNote & RecordReference;

export interface ReportedRow extends RowResult {
  readonly source: SheetRow;
  readonly findings: readonly Finding[];
  readonly key: string;
  /** The amount in the control totals; `null` without a readable one. */
  readonly amount: number | null;
}

export function resultRow(row: ReportedRow, sheet: MatchedSheet, mask: MaskMode): ResultRow {
  const { state, source, message } = row;
  const sensitive = sensitiveColumns(sheet);
  const { isIn } = rowStates[state];
  const wasSent = state !== 'changed-since-loaded';
  const findings = row.findings.filter((finding) => wasSent || traitsOf(finding).saysSent !== true);
  const isMasked = mask === 'all' || (mask === 'rows that are in' && isIn);
  const isOpen = (index: number) =>
    sheet.columns.some((column) => column.field === null && column.origins.includes(index));
  const refused = new Set(findings.filter(isError).map(({ column }) => column));
  const outputs = source.values.map((cell, index): OutputCell => {
    const isHidden = isMasked && (sensitive.has(index) || (isWrittenSsn(cell) && isOpen(index)));
    return (isHidden ? null : asRead(cell, index, sheet, refused.has(index))) ?? outputOf(cell, isHidden);
  });
  return {
    state,
    record: row.record,
    company: row.company,
    url: row.url,
    problems: [
      ...(message === null ? [] : [textOf(message)]),
      ...inWords(findings.filter((finding) => traitsOf(finding).ofCell !== true)),
    ],
    key: row.key,
    cells: withMergedMarks(outputs, row).slice(sheet.ownColumns),
    marks: findings.flatMap((finding): ResultMark[] =>
      finding.column === null
        ? []
        : [{ column: finding.column - sheet.ownColumns, severity: finding.severity, note: findingText(finding) }],
    ),
  };
}

/**
 * The next load refuses these marks like any error value. A results sheet has no merged cells and no formulas: without a mark, such
 * a cell would be read as blank or as the text of its formula when the sheet comes back.
 */
const marks = { merged: '#MERGED!', formula: '#FORMULA!' };

function withMergedMarks(cells: readonly OutputCell[], { state, findings }: ReportedRow): readonly OutputCell[] {
  const merged = rowStates[state].isIn ? [] : findings.filter((one) => isError(one) && one.code === 'merged-cell');
  const marked = [...cells];
  for (const { column } of merged) if (column !== null) marked[column] = marks.merged;
  return merged.length === 0 ? cells : Array.from(marked, (cell) => cell ?? null);
}

/** The most harmful first, because a person sees only the first line of a cell. */
function inWords(problems: readonly Finding[]): readonly string[] {
  const ranked = [...problems].sort((one, other) => harmRank(one) - harmRank(other));
  return ranked.map((problem) => `${isError(problem) ? '' : 'Note: '}${findingText(problem)}`);
}

/**
 * Writes a formula without its result, and a number whose format shows something else, so that the next load reads or refuses it as
 * this one did; `null` for any other cell. `12 months` was read as its number, and so was the 1250 that is shown as `01,250`. 1250 in
 * brackets was refused, as was 1250000 that is shown as `1250`: the next load would accept the shown text alone.
 */
function asRead(cell: Cell, index: number, sheet: MatchedSheet, isRefused: boolean): OutputCell {
  if (cell === null || typeof cell === 'string') return null;
  const isFormula = cell.kind === 'formula-without-value';
  if (!isFormula && (cell.kind !== 'number' || cell.percent)) return null;
  if (!isFormula && cell.inOtherForm === undefined && isShownPlainly(cell)) return null;
  const column = sheet.columns.find(({ origins }) => origins.includes(index));
  if (column === undefined) return null;
  if (isFormula) return marks.formula;
  return isAmount(column)
    ? amountAsRead(cell, column.format === 'money')
    : digitsAsRead(cell, column.format, isRefused);
}

const withoutWordsOf: ReadonlySet<ValueFormat> = new Set(['ein', 'ssn', 'zip']);
const ofDigits: ReadonlySet<ValueFormat> = new Set([...withoutWordsOf, 'identifier', 'phone']);

/** As text, digits that were refused as a number would be accepted, although some are lost. */
function digitsAsRead(cell: NumberCell, format: ValueFormat, isRefused: boolean): OutputCell {
  const { inOtherForm, stored, value } = cell;
  if (inOtherForm) return isRefused && ofDigits.has(format) ? value.toExponential().toUpperCase() : null;
  if (ofDigits.has(format) && Math.abs(value) >= 10 ** excelDigits) return { digits: stored };
  return withoutWordsOf.has(format) ? withoutWords(cell) : null;
}

function amountAsRead(cell: NumberCell, isMoney: boolean): OutputCell {
  if (showsTime(cell)) return null;
  // Either may be the amount that was meant. No load accepts both together.
  if (isShownAsAnother(cell, isMoney)) return `${roundToExcel(cell.value)} shown as ${cell.shown}`;
  return { digits: plainly(cell.stored, cell.value) };
}

/** The cell of the source, unchanged. What only its format showed (the leading zero of a ZIP) becomes text. */
function outputOf(cell: Cell, isMasked: boolean): OutputCell {
  if (cell === null) return null;
  // A word for nothing hides nothing; masked, it would look like a value.
  if (isMasked && !standsForNothing(shownText(cell))) return masked(shownText(cell));
  if (typeof cell === 'string') return cell;
  switch (cell.kind) {
    case 'number':
      return isShownPlainly(cell) ? { digits: plainly(cell.stored, cell.value) } : shownText(cell);
    case 'date':
      return cell.time === null ? { day: cell.day } : { day: cell.day, time: cell.time };
    case 'boolean':
      return cell.value;
    default:
      return shownText(cell);
  }
}

/** Java programs store `1.25E7`, which is an amount in a workbook, but would be refused in CSV. */
function plainly(stored: string, value: number): string {
  const text = String(value);
  return /e/i.test(stored) && !text.includes('e') && Math.abs(value) < 10 ** excelDigits ? text : stored;
}

function isShownPlainly(cell: NumberCell): boolean {
  const shown = shownText(cell);
  const isSame = Number(shown) === cell.value || Number(shown) === roundToExcel(cell.value);
  return isSame && !/^-?0\d/.test(shown);
}

export const sensitiveColumns = oncePer(({ columns }: MatchedSheet): ReadonlySet<number> => {
  return new Set(columns.filter(({ sensitive }) => sensitive).flatMap(({ origins }) => origins));
});

/** The indices of masked columns, which are sensitive by their field or their header. */
export const hiddenColumns = oncePer((sheet: MatchedSheet): ReadonlySet<number> => {
  const named = sheet.header.headers.flatMap((header, index) =>
    header !== null && isSensitiveName(header) ? [index] : [],
  );
  return new Set([...sensitiveColumns(sheet), ...named]);
});

export function shownCell(cell: Cell, look: 'clear' | 'masked' | 'by what it says'): string {
  const text = cell === null ? '' : shownText(cell);
  return look === 'masked' || (look !== 'clear' && holdsWrittenSsn(text)) ? masked(text) : text;
}

const fewCells = 6;

/** The first filled cells, by which a person knows a row: `Deal ref “D-2”, Note “Called the owner”`. */
export function firstCells(row: KnownStaged, staging: Staging, { sheet }: MeasuredSheet): string {
  const hidden = hiddenColumns(sheet);
  const cells = staging.cellsOf(row).values.flatMap((cell, at) => {
    const text = at < sheet.ownColumns ? '' : shownCell(cell, hidden.has(at) ? 'masked' : 'by what it says').trim();
    return text === '' ? [] : [`${sheet.header.headers[at] ?? columnName(at)} “${shownValue(text)}”`];
  });
  return cells.slice(0, fewCells).join(', ');
}

/** What a load would do, as the page shows it: counts and sums by sheet, and what was found, grouped and in the order of harm. */
import { changeableChecks, checkFacts, heldCodes } from '../contract/check-codes.ts';
import { type Counts, type RowState, rowStates } from '../contract/row-state.ts';
import { holdsSensitive } from '../contract/sensitive-names.ts';
import type { Planned } from '../load/import-file.ts';
import type { FindingGroup } from '../mapping/finding-groups.ts';
import { shownText } from '../mapping/reading.ts';
import { type Finding, findingText, isError } from '../messages/finding.ts';
import { shortened } from '../messages/shown-value.ts';
import { traitsOf } from '../messages/traits.ts';
import type { Preview, PreviewedSheet } from '../plan/preview.ts';
import { cellAt } from '../sheets/row.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { originsOf } from '../staging/source/matched-sheet.ts';
import type { Staging } from '../staging/staging.ts';
import type { CorrectionShown, FindingShown, PreviewShown, SheetShown, StateCount } from './protocol.ts';
import { hiddenColumns } from './row-window.ts';

interface Found {
  readonly sheet: PreviewedSheet;
  readonly group: FindingGroup;
}

/** Errors first, then what a person is to see before anything is sent, then by how many rows it is. */
export function findingsInOrder({ sheets }: Preview): readonly Found[] {
  const found = sheets.flatMap((sheet) => sheet.findings.map((group) => ({ sheet, group })));
  const harm = ({ group }: Found): number => {
    const { finding } = group.first;
    if (isError(finding)) return 0;
    return isHeld(finding) || traitsOf(finding).toldBefore === true ? 1 : 2;
  };
  return found.sort((one, other) => harm(one) - harm(other) || other.group.rows - one.group.rows);
}

export function previewShown(
  { preview, staging }: Planned,
  found: readonly Found[],
  corrections: readonly CorrectionShown[],
): PreviewShown {
  const toSend = preview.sheets.reduce((sum, sheet) => sum + sheet.toSend, 0);
  const repeats = preview.repeats.rows;
  const emptied = preview.sheets.reduce((sum, sheet) => sum + sheet.clears, 0);
  const { files, settled } = preview;
  const also = [
    repeats === 0 ? [] : [`${rowsText(repeats)} to send say the same as an earlier row of the file.`],
    emptied === 0 ? [] : [`${emptied} ${emptied === 1 ? 'field' : 'fields'} of companies will be emptied.`],
    files.files === 0
      ? []
      : [`${files.files} files go with them: ${files.examples.map(({ name }) => name).join(', ')}.`],
    settled.created === 0 ? [] : [`${rowsText(settled.created)} in doubt are taken as created, by their ID cells.`],
  ].flat();
  return {
    toSend,
    notices: [...preview.notices, ...also],
    sheets: preview.sheets.filter(({ rows }) => rows > 0).map(sheetShown),
    findings: found.map((one, number) => findingShown(one, number, staging)),
    corrections,
  };
}

function rowsText(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function sheetShown(sheet: PreviewedSheet): SheetShown {
  const { name, kind, rows, toSend, staying, header, ownColumns, amount, amountToSend } = sheet;
  const hidden = [...hiddenColumns(sheet)].map((column) => column - ownColumns);
  return {
    name,
    kind: kind.name,
    rows,
    headers: header.headers.slice(ownColumns).map((text) => text ?? ''),
    hidden: hidden.filter((column) => column >= 0),
    choices: header.headers.slice(ownColumns).map((_, at) => choicesAt(sheet, at + ownColumns)),
    states: stateCounts({ ready: toSend, ...staying }),
    amount,
    amountToSend,
  };
}

export function stateCounts(rows: Readonly<Partial<Record<RowState, number>>>): readonly StateCount[] {
  return (Object.keys(rowStates) as RowState[]).flatMap((state): StateCount[] => {
    const count = rows[state] ?? 0;
    return count === 0 ? [] : [[state, rowStates[state].status, count]];
  });
}

export function statesOfCounts(counts: Counts): readonly StateCount[] {
  const names = Object.keys(rowStates) as RowState[];
  return stateCounts(Object.fromEntries(names.map((state) => [state, counts[rowStates[state].count]])));
}

function findingShown({ sheet, group }: Found, number: number, staging: Staging): FindingShown {
  const { rows, first } = group;
  const { finding } = first;
  const { code, severity, column, label } = finding;
  return {
    number,
    sheet: sheet.name,
    code,
    severity,
    column: column === null ? null : `${columnName(column)}${label === null ? '' : ` · ${label}`}`,
    index: column === null ? null : column - sheet.ownColumns,
    text: findingText(finding),
    rows,
    from: valueOfAll(group, staging),
    allow: allowable(finding),
    choices: choicesAt(sheet, column),
  };
}

/** The whole text of the cells of a group, where they hold one value, and nothing beside it. */
function valueOfAll({ first, values }: FindingGroup, staging: Staging): string | null {
  const { finding, row } = first;
  const [value, another] = values;
  if (finding.isSensitive || finding.column === null || value === undefined || another !== undefined) return null;
  const sheet = staging.sheets.find(({ name }) => name === first.sheet);
  const staged = sheet === undefined ? null : staging.at(sheet.number, row);
  const [source] = staged === null ? [] : staging.cellsOfRows([staged]);
  const cell = source === undefined ? null : cellAt(source, finding.column);
  const text = cell == null ? '' : shownText(cell).trim();
  return text !== '' && shortened(text) === value && !holdsSensitive(text) ? text : null;
}

/** The check by which such rows may go out once a person allows it, or `null`. */
function allowable(finding: Finding): string | null {
  const code = finding.code === 'parent-changed' ? 'same-ref' : finding.code;
  const check = changeableChecks.find((one) => one === code);
  if (check === undefined || !checkFacts[check].may.includes('warning')) return null;
  return isHeld(finding) || isError(finding) ? check : null;
}

function isHeld({ code }: Finding): boolean {
  return code === 'parent-changed' || heldCodes.some((held) => held === code);
}

function choicesAt(sheet: PreviewedSheet, index: number | null): readonly string[] {
  const column = sheet.columns.find((one) => index !== null && originsOf(sheet, one).includes(index));
  return column?.use === 'field' ? (column.field.choices ?? []) : [];
}

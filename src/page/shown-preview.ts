/** The preview as the page shows it: counts and sums by sheet, and findings by harm. */
import { changeableChecks, checkFacts } from '../contract/check-codes.ts';
import { type Field, holdsWrittenSsn } from '../contract/fields.ts';
import { rowStates } from '../contract/row-state.ts';
import type { Planned } from '../load/import-file.ts';
import { headerName } from '../mapping/mapping-file/mapped-sheet.ts';
import { shownText } from '../mapping/reading.ts';
import { type Finding, findingText, isError, levelOf } from '../messages/finding.ts';
import { type Message, shownValue } from '../messages/message.ts';
import { messageOf, textOf } from '../messages/text.ts';
import { type FindingGroup, valuesText } from '../plan/finding-groups.ts';
import type { PreviewedSheet } from '../plan/preview.ts';
import { hiddenColumns } from '../report/result-row.ts';
import type { Correction } from '../staging/source/corrections.ts';
import type { Staging } from '../staging/staging.ts';
import { columnName } from '../tables/excel-limits.ts';
import { cellAt } from '../tables/row.ts';
import type { ValueRule } from './file-mapping.ts';
import type { Chosen } from './held-file.ts';
import type { FindingShown, PreviewShown, SheetShown } from './protocol.ts';
import type { RowWindow } from './row-window.ts';
import { stateCounts } from './shown-load.ts';

export function previewShown(
  { preview, staging }: Planned,
  found: readonly FindingGroup[],
  corrections: readonly Correction[],
  values: readonly ValueRule[],
  window: RowWindow,
): PreviewShown {
  const { sheets, files, settled, notices } = preview;
  const sum = (of: (sheet: PreviewedSheet) => number) => sheets.reduce((all, sheet) => all + of(sheet), 0);
  const [emptied, again] = [sum(({ clears }) => clears), sum(({ onceMore }) => onceMore)];
  const names = files.examples.map(({ name }) => name);
  const also: readonly (readonly [number, Message])[] = [
    [again, messageOf('page-once-more', { rows: again })],
    [emptied, messageOf('page-emptied', { fields: emptied })],
    [files.files, messageOf('page-files', { files: files.files, names })],
    [settled.created + settled.notCreated, messageOf('settled-by-cells', settled)],
  ];
  return {
    toSend: sum(({ toSend }) => toSend),
    mayBeTwice: sum(({ mayBeTwice }) => mayBeTwice),
    notices: [...notices, ...also.flatMap(([count, said]) => (count === 0 ? [] : [textOf(said)]))],
    sheets: sheets.filter(({ rows }) => rows > 0).map(sheetShown),
    findings: found.flatMap((group) => {
      const sheet = sheets.find(({ name }) => name === group.first.sheet);
      return sheet === undefined ? [] : [findingShown(group, sheet, staging)];
    }),
    corrections: [
      ...corrections.map((one) => correctionText(one, window)),
      ...values.map((one) => valueRuleText(one, window)),
    ],
  };
}

function correctionText({ sheet, column, row, from, to }: Correction, window: RowWindow): string {
  const header = window.sheet(sheet).header.headers[column] ?? '';
  const [before, now] = [from, to].map((text) => window.valueText(sheet, column, text));
  return `${sheet}, ${header}: ${row === null ? `every ${before}` : `row ${row}, ${before}`} is now ${now}`;
}

function valueRuleText({ sheet, header, from, to }: ValueRule, window: RowWindow): string {
  const { headers } = window.sheet(sheet).header;
  const column = headers.findIndex((one) => one !== null && headerName(one) === headerName(header));
  const [before, now] = [from, to].map((text) => window.valueText(sheet, column, text));
  return `${sheet}, ${header}: every ${before} is sent as ${now}, every month from now on; the cells stay as they are`;
}

function sheetShown(sheet: PreviewedSheet): SheetShown {
  const { name, rows, toSend, staying, header, ownColumns, amount, amountToSend } = sheet;
  const hidden = [...hiddenColumns(sheet)].map((column) => column - ownColumns);
  return {
    name,
    rows,
    headers: header.headers.slice(ownColumns).map((text) => text ?? ''),
    hidden: hidden.filter((column) => column >= 0),
    choices: header.headers.slice(ownColumns).map((_, at) => fieldAt(sheet, at + ownColumns)?.choices ?? []),
    states: [['ready', rowStates.ready.status, toSend], ...stateCounts(staying)],
    amount,
    amountToSend,
  };
}

function findingShown(group: FindingGroup, sheet: PreviewedSheet, staging: Staging): FindingShown {
  const { rows, first } = group;
  const { row, finding } = first;
  const { severity, column, label } = finding;
  const ofOne = rows === 1 ? row : '';
  return {
    sheet: sheet.name,
    severity,
    level: levelOf(finding),
    column: column === null ? null : `${columnName(column)}${ofOne}${label === null ? '' : ` · ${label}`}`,
    index: column === null ? null : column - sheet.ownColumns,
    text: findingText(finding),
    values: valuesText(group.values),
    rows,
    // Each row has a Ref of its own.
    from: fieldAt(sheet, column)?.path === 'ref' ? null : valueOfAll(group, staging),
    allow: allowable(finding),
  };
}

/** The complete cell text of a group if it has a single value that is not sensitive, else `null`. */
function valueOfAll({ first, values }: FindingGroup, staging: Staging): string | null {
  const { finding, row } = first;
  const [value, another] = values;
  if (finding.isSensitive || finding.column === null || value === undefined || another !== undefined) return null;
  const sheet = staging.sheets.find(({ name }) => name === first.sheet);
  const staged = sheet === undefined ? null : staging.at(sheet.number, row);
  const cell = staged === null ? null : cellAt(staging.cellsOf(staged), finding.column);
  const text = cell === null ? '' : shownText(cell).trim();
  return text !== '' && shownValue(text) === value && !holdsWrittenSsn(text) ? text : null;
}

/** The check that a person can allow so that held rows are sent, or `null`. */
function allowable(finding: Finding): string | null {
  const check = changeableChecks.find((one) => one === finding.code);
  if (check === undefined || !checkFacts[check].may.includes('warning')) return null;
  return isError(finding) || checkFacts[check].level !== 'warning' ? check : null;
}

function fieldAt({ columns }: PreviewedSheet, index: number | null): Field | null {
  const column = index === null ? undefined : columns.find(({ origins }) => origins.includes(index));
  return column?.field ?? null;
}

/** About changes that were dropped or made again, because the file has other bytes than what was read before. */
export function aboutChanges({ corrected, corrections }: Chosen, kept: readonly Correction[]): readonly string[] {
  const [dropped, again] = [corrected === null ? 0 : corrections.length, kept.length];
  const said = (code: 'page-changes-dropped' | 'page-changes-again', count: number) =>
    count === 0 ? [] : [textOf(messageOf(code, { count, isOne: count === 1 }))];
  return [...said('page-changes-dropped', dropped), ...said('page-changes-again', again)];
}

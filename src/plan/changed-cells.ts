/** Which cells of a row say something else than when it went in, and what the message of the row tells of them. */
import { fieldsOf } from '../contract/fields.ts';
import { looksSensitive } from '../contract/sensitive-names.ts';
import { type Column, isSensitiveColumn, labelOfColumn, originOf, pathOfColumn } from '../mapping/column.ts';
import { trimmedText } from '../mapping/reading.ts';
import { type Finding, findingOf, findingOfValue } from '../messages/finding.ts';
import { type Message, shortened } from '../messages/message.ts';
import { planMessage } from '../messages/plan.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';

/** The cell of a field: its column, where the sheet has one, and what it says. */
export interface CellOfField {
  readonly label: string;
  readonly column: Column | null;
  readonly text: string;
  readonly isSensitive: boolean;
}

/** What fields of changed rows said when these went in, where that is known: by the place of the row (`Deals!12`) and the path. */
export type ValuesBefore = ReadonlyMap<string, ReadonlyMap<string, string>>;

const unknown: ReadonlyMap<string, string> = new Map();

/** The message of a row that has changed names paths: the ledger knows them alone. Here it names fields, and each is told at its cell. */
export function toldAtCells(
  sheet: MatchedSheet,
  row: SheetRow,
  message: Message | null,
  valuesBefore = unknown,
): { readonly message: Message | null; readonly atCells: readonly Finding[] } {
  const paths = pathsOf(message);
  if (message === null || paths.length === 0) return { message, atCells: [] };
  const cells = paths.map((path) => {
    const cell = cellOf(sheet, row, path);
    return { ...cell, before: cell.isSensitive ? null : (valuesBefore.get(path) ?? null) };
  });
  const fields = new Set(
    cells.map(({ label, before }) => (before === null ? label : `${label} (was ${quoted(before)})`)),
  );
  return {
    message: { code: message.code, params: { ...message.params, fields: [...fields] } },
    atCells: cells.map(({ label, column, text, isSensitive, before }) => {
      const origin = column === null ? null : originOf(column);
      if (text === '')
        return findingOf('warning', planMessage('changed-field', { field: label, before }), { column: origin, label });
      const subject = { label, sensitive: isSensitive };
      return findingOfValue('warning', origin, subject, text, planMessage('changed-value', { before }));
    }),
  };
}

function quoted(text: string): string {
  return text === '' ? 'blank' : `"${shortened(text)}"`;
}

/** The fields that a message says have changed. */
export function pathsOf(message: Message | null): readonly string[] {
  return message?.code === 'changed-since-loaded' ? ((message.params.fields ?? []) as readonly string[]) : [];
}

export function cellOf(sheet: MatchedSheet, row: SheetRow, path: string): CellOfField {
  const textOf = (column: Column) => trimmedText(column.cellOf(row));
  const reference = sheet.kind.references.find(({ fills }) => fills === path)?.column;
  const wanted = new Set([partOfList(path, sheet.columns, textOf), reference]);
  const found = sheet.columns.filter((column) => wanted.has(pathOfColumn(column)));
  const column = found.find((one) => textOf(one) !== '') ?? found[0] ?? null;
  const field = fieldsOf(sheet.kind).find((one) => one.path === path || one.path === reference);
  const text = column === null ? '' : textOf(column);
  const isSensitive =
    column === null ? field?.facts.sensitive === true : isSensitiveColumn(column) || looksSensitive(text);
  const label = column === null ? (field?.label ?? path) : labelOfColumn(column);
  return { label, column, text, isSensitive };
}

/** Parts of a list whose cells are all blank have no place in the record: those behind them stand further in front there. */
function partOfList(path: string, columns: readonly Column[], textOf: (column: Column) => string): string {
  const [, list, part] = /^([^[]*)\[(\d+)\]/.exec(path) ?? [];
  if (list === undefined) return path;
  const partsOf = (some: readonly Column[]) =>
    some.flatMap((column) => {
      const of = pathOfColumn(column);
      return of.startsWith(`${list}[`) ? [Number(/\d+/.exec(of.slice(list.length))?.[0])] : [];
    });
  const filled = partsOf(columns.filter((column) => textOf(column) !== ''));
  const inOrder = [...new Set([...filled.sort(byNumber), ...partsOf(columns).sort(byNumber)])];
  return path.replace(`[${part}]`, `[${inOrder[Number(part)] ?? part}]`);
}

const byNumber = (one: number, other: number): number => one - other;

/** Shapes the rows of a foreign sheet: values that are split, joined or the same in every row become further columns. */

import { isSensitiveName } from '../../contract/fields.ts';
import type { Formats } from '../../contract/profile-parts.ts';
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { type Finding, findingOfValue, type Severity } from '../../messages/finding.ts';
import type { Message } from '../../messages/message.ts';
import { messageOf } from '../../messages/text.ts';
import { columnName } from '../../tables/excel-limits.ts';
import { type Cell, cellAt, type SheetRow } from '../../tables/row.ts';
import { type Column, isAmount } from '../column.ts';
import { fieldOfHeader, matchHeaders, placeNamed } from '../headers.ts';
import { shownHeader } from '../marks.ts';
import { textOfCell, trimmedText } from '../reading.ts';
import { cellsThatCount, joined, joinedAmount, partsOf, valueMap } from './made-cells.ts';
import { headerName, mappedNames } from './mapped-sheet.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';

export interface RowShape {
  readonly columns: readonly Column[];
  /** The row without the cells that count as blank. Everything else reads this row. */
  readonly emptied: (row: SheetRow) => SheetRow;
  readonly notesOf: (emptied: SheetRow) => readonly Finding[];
}

/** Of a sheet whose rows are read as they are. */
export const noShape: RowShape = { columns: [], emptied: (row) => row, notesOf: () => [] };

type Headers = readonly (string | null)[];

/** @returns the shape, or what does not fit */
export function rowShape(
  kind: RecordKind,
  rules: SheetMappingRules,
  headers: Headers,
  formats: Formats,
): RowShape | readonly Message[] {
  const placeOf = (field: string) => placeNamed(kind, field) ?? field;
  const [ofProfile, words] = [formats.defaults[kind.name] ?? {}, formats.values[kind.name] ?? {}];
  const wordsAt = new Map(Object.entries(words).map(([field, values]) => [placeOf(field), values]));
  const defaults = [...Object.entries(ofProfile), ...Object.entries(rules.defaults ?? {})];
  const blankAt = new Map(defaults.map((one) => [placeOf(one[0]), one]));
  const { made, faults } = madeBy(kind, rules, headers);
  const filled = new Set(made.flatMap(({ fields }) => fields.map(placeOf)));
  // A field without a column is blank in every row.
  for (const [place, one] of blankAt) if (!filled.has(place)) made.push(sameInEveryRow(one));
  const needFields = (fields: readonly string[], isProfile: boolean) => {
    const unknown = fields.filter((field) => placeNamed(kind, field) === null);
    faults.push(...unknown.map((field) => messageOf('mapping-without-field', { field, kind: oneOf(kind), isProfile })));
  };
  needFields(Object.keys({ ...words, ...ofProfile }), true);
  needFields(
    made.flatMap(({ fields }) => fields),
    false,
  );
  if (faults.length > 0) return faults;

  const columns: (Pick<Column, 'header' | 'origins' | 'originIn' | 'cellOf'> | null)[] = headers.map(() => null);
  for (const { fields, origins, values, cellOf, originIn } of made)
    for (const [part, header] of fields.entries()) {
      const place = placeOf(header);
      const [, blank = null] = blankAt.get(place) ?? [];
      const isList = ['choices', 'list'].includes(fieldOfHeader(kind, header)?.format ?? '');
      const change = valueMap({ ...wordsAt.get(place), ...values }, { blank, isList });
      const isSame = origins.length === 0;
      // A column that fills one field keeps its place. The others come after those of the sheet.
      const [at = columns.length] = fields.length === 1 && origins.length === 1 ? origins : [];
      const cellIn = (row: SheetRow) => (isSame ? cellOf(row, part) : change(cellOf(row, part)));
      columns[at] = { header, origins, originIn, cellOf: cellIn };
    }
  const names = columns.map((column) => column?.header ?? null);
  const matched = matchHeaders(kind, names, [], (field, index) => {
    const [at] = columns[index]?.origins ?? [];
    return `${at === undefined ? '' : `Column ${columnName(at)} "${shownHeader(headers[at] ?? '')}" as `}"${field}"`;
  });
  if (matched.problems.length > 0) return matched.problems;
  const noting = made.filter(({ notesOf }) => notesOf !== undefined);
  return {
    columns: matched.columns.map((column) => {
      const header = headers[column.index] ?? column.header;
      const label = column.field === null ? header : column.label;
      return { ...column, ...columns[column.index], header, label };
    }),
    emptied: emptierOf(rules.blanks ?? formats.blanks ?? [], headers),
    notesOf: (row) => noting.flatMap((one) => findingsOf(one, row, headers)),
  };
}

/** The shape of a sheet with Dealsheet's own headers. A profile may declare how to read its cells. */
export function shapeByProfile(
  kind: RecordKind,
  columns: readonly Column[],
  headers: Headers,
  formats: Formats,
): RowShape | readonly Message[] {
  const { blanks = [], defaults, values } = formats;
  if (blanks.length === 0 && defaults[kind.name] === undefined && values[kind.name] === undefined)
    return { ...noShape, columns };
  const fieldAt = new Map(columns.map(({ index, field, header }) => [index, field === null ? header : field.path]));
  const rules = headers.flatMap((name, index) => (name === null ? [] : [[name, fieldAt.get(index) ?? null] as const]));
  return rowShape(kind, { kind: kind.name, columns: Object.fromEntries(rules) }, headers, formats);
}

/** What a rule makes: fields out of columns. Out of no column, a field has the same value in every row. */
interface Made {
  readonly fields: readonly string[];
  readonly origins: readonly number[];
  readonly values?: ColumnRule['values'];
  readonly cellOf: (row: SheetRow, part: number) => Cell;
  readonly originIn?: Column['originIn'];
  readonly notesOf?: (row: SheetRow) => readonly Note[];
}

type Note = readonly [column: number, severity: Severity, message: Message];
type Join = NonNullable<SheetMappingRules['joins']>[number];

/** What the rules make of a sheet, and what of them does not fit it. */
function madeBy(kind: RecordKind, rules: SheetMappingRules, headers: Headers): { made: Made[]; faults: Message[] } {
  const [made, faults]: [Made[], Message[]] = [[], []];
  const numberOf = new Map(headers.map((name, index) => [name === null ? null : headerName(name), index]));
  const named = new Set(mappedNames(rules).map(headerName));
  if (named.size > 0 && ![...named].some((name) => numberOf.has(name))) {
    return { made, faults: [messageOf('mapping-of-other-file', { names: mappedNames(rules) })] };
  }
  const columnNamed = (header: string): number | null => {
    const column = numberOf.get(headerName(header)) ?? null;
    if (column === null) faults.push(messageOf('mapping-without-column', { header }));
    return column;
  };
  for (const [header, rule] of Object.entries(rules.columns)) {
    const column = columnNamed(header);
    if (column === null || rule === null) continue;
    const { field = null, split, values }: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
    faults.push(...openValues(kind, header, field, values));
    if (split !== undefined) made.push({ ...splitOf(kind, column, split), values });
    else if (field !== null)
      made.push({ fields: [field], origins: [column], values, cellOf: (row) => cellAt(row, column) });
    else faults.push(messageOf('column-not-mapped', { header, isOpen: true }));
  }
  for (const join of rules.joins ?? []) {
    const origins = join.columns.flatMap((name) => columnNamed(name) ?? []);
    const field = join.with === '' ? fieldOfHeader(kind, join.field) : null;
    const isOfAmounts = field !== null && isAmount(field);
    if (!isOfAmounts && (join.minus ?? []).length > 0)
      faults.push(messageOf('sign-of-no-amount', { field: join.field }));
    made.push(isOfAmounts ? amountJoined(join, origins) : textJoined(join, origins));
  }
  made.push(...Object.entries(rules.constants ?? {}).map(sameInEveryRow));
  // A column that was added after the mapping was made is neither guessed nor dropped.
  for (const name of headers)
    if (name !== null && !named.has(headerName(name)))
      faults.push(messageOf('column-not-mapped', { header: shownHeader(name), isOpen: false }));
  return { made, faults };
}

/** Open values are refused, so that none is left blank or guessed. */
function openValues(kind: RecordKind, header: string, field: string | null, values: ColumnRule['values'] = {}) {
  const choices = (field === null ? null : fieldOfHeader(kind, field)?.choices) ?? [];
  const open = Object.keys(values).filter((from) => values[from] === null);
  return open.map((from) => messageOf('value-open', { from, header, choices: choices.join(', ') }));
}

function sameInEveryRow([field, text]: readonly [field: string, text: string]): Made {
  const isEmpty = ({ values }: SheetRow) => values.every((cell) => trimmedText(cell) === '');
  return { fields: [field], origins: [], cellOf: (row) => (isEmpty(row) ? null : text) };
}

function splitOf(kind: RecordKind, column: number, { fields, at }: NonNullable<ColumnRule['split']>): Made {
  const marks = typeof at === 'string' ? fields.slice(1).map(() => at) : at;
  const formats = fields.map((field) => fieldOfHeader(kind, field)?.format);
  const taken = (row: SheetRow) => partsOf(cellAt(row, column), marks, formats);
  const notesOf = (row: SheetRow): readonly Note[] => {
    const { cells, hasSurplus } = taken(row);
    const read = cells.map(trimmedText).filter((text) => text !== '');
    const isAtComma = read.some((part) => part.endsWith(','));
    const ofWhole = hasSurplus ? 'split-surplus' : isAtComma ? 'split-at-comma' : null;
    const code = read.length < fields.length ? 'split-too-few' : ofWhole;
    const parts = read.map((part) => `"${part}"`).join(' and ');
    return code === null || read.length === 0 ? [] : [[column, 'warning', messageOf(code, { parts })]];
  };
  return { fields, origins: [column], cellOf: (row, part) => taken(row).cells[part] ?? null, notesOf };
}

/** The one amount of several columns, such as Debit and Credit. */
function amountJoined({ field, columns, minus = [] }: Join, origins: readonly number[]): Made {
  const names = columns.map(headerName);
  const against = new Set(minus.map((name) => names.indexOf(headerName(name))));
  const cellsOf = (row: SheetRow) => origins.map((column) => cellAt(row, column));
  const cellOf = (row: SheetRow) => joinedAmount(cellsOf(row), against);
  const originIn = (row: SheetRow) => origins[cellsThatCount(cellsOf(row))[0] ?? 0];
  const notesOf = (row: SheetRow): readonly Note[] => {
    const [only = -1, second = only] = cellsThatCount(cellsOf(row));
    const column = origins[second];
    if (column === undefined) return [];
    if (second !== only) return [[column, 'error', messageOf('beside-another')]];
    const read = against.has(only) ? trimmedText(cellOf(row)) : '';
    // Money out below zero is money back, or the program writes all money out so.
    return /^[^-]*[1-9]/.test(read) ? [[column, 'warning', messageOf('sign-turned', { read })]] : [];
  };
  return { fields: [field], origins, cellOf, originIn, notesOf };
}

function textJoined({ field, with: between }: Join, origins: readonly number[]): Made {
  const cellOf = (row: SheetRow) => {
    const cells = origins.map((column) => cellAt(row, column));
    return joined(cells, between);
  };
  const notesOf = (row: SheetRow) => {
    const filled = origins.filter((column) => trimmedText(cellAt(row, column)) !== '');
    // The field itself reports a cell that stands alone.
    return filled.length < 2 ? [] : filled.flatMap((column) => notesOfPart(column, cellAt(row, column)));
  };
  return { fields: [field], origins, cellOf, notesOf };
}

/** Notes on a cell that becomes part of a text, such as a house number that a spreadsheet turned into a date. */
function notesOfPart(column: number, cell: Cell): readonly Note[] {
  const reading = cell === null ? null : textOfCell(cell, trimmedText(cell));
  return reading?.ok === true ? reading.notes.map((note) => [column, 'warning', note] as const) : [];
}

function findingsOf({ fields, notesOf }: Made, row: SheetRow, headers: Headers): readonly Finding[] {
  const sensitive = fields.some(isSensitiveName);
  return (notesOf?.(row) ?? []).map(([column, severity, message]) => {
    const subject = { label: `Column "${headers[column]}"`, sensitive };
    return findingOfValue(severity, column, subject, trimmedText(cellAt(row, column)), message);
  });
}

/** Empties the cells of headed columns that hold one of the words for a blank. */
function emptierOf(words: readonly string[], headers: Headers): RowShape['emptied'] {
  const blanks = new Set(words.map((word) => word.trim()));
  if (blanks.size === 0) return (row) => row;
  const isEmptied = (cell: Cell, index: number) => headers[index] != null && blanks.has(trimmedText(cell));
  return (row) => ({
    ...row,
    values: row.values.map((cell, index) => (isEmptied(cell, index) ? null : cell)),
  });
}

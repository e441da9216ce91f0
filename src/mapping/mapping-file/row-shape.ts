/** Shapes the rows of a foreign sheet: values that are split, joined or the same in every row become further columns. */

import { isSensitiveName } from '../../contract/fields.ts';
import type { Formats } from '../../contract/formats.ts';
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { type Finding, findingOfValue, type Severity } from '../../messages/finding.ts';
import type { Message } from '../../messages/message.ts';
import { valueMessage } from '../../messages/values.ts';
import type { Cell } from '../../sheets/cell.ts';
import { cellAt, columnOf, type SheetRow } from '../../sheets/row.ts';
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

type Filled = Pick<Column, 'origins' | 'cellOf'> & { readonly name: string };

/** @returns the shape, or what does not fit, as sentences */
export function rowShape(
  kind: RecordKind,
  rules: SheetMappingRules,
  headers: readonly (string | null)[],
  formats: Formats,
): RowShape | readonly string[] {
  const faults: string[] = [];
  const notes: RowShape['notesOf'][] = [];
  const filled = new Set<string>();
  const placeOf = (field: string) => placeNamed(kind, field) ?? field;
  const [values = {}, defaults = {}] = [formats.values[kind.name], formats.defaults[kind.name]];
  // By the place of a field: the profile's words for its values, and the default for blank cells.
  const knownWords = new Map(Object.entries(values).map(([field, words]) => [placeOf(field), words]));
  const said = [...Object.entries(defaults), ...Object.entries(rules.defaults ?? {})];
  const saidWhereBlank = new Map(said.map((one) => [placeOf(one[0]), one]));
  const blanks = new Set((rules.blanks ?? formats.blanks ?? []).map((word) => word.trim()));
  const numberOf = new Map(
    headers.flatMap((name, index) => (name === null ? [] : [[headerName(name), index] as const])),
  );
  // Made columns come after those of the sheet.
  const columns: (Filled | null)[] = headers.map((name, index) =>
    name === null ? null : { name: `(${name})`, origins: [index], cellOf: (row: SheetRow) => cellAt(row, index) },
  );

  const changeOf = (field: string, values: ColumnRule['values']): ((cell: Cell) => Cell) => {
    const format = fieldOfHeader(kind, field)?.format;
    const place = placeOf(field);
    const [, blank = null] = saidWhereBlank.get(place) ?? [];
    const isList = format === 'choices' || format === 'list';
    return valueMap({ ...knownWords.get(place), ...values }, { blank, isList });
  };

  const fill = (column: Filled, index = columns.length) => {
    if (placeNamed(kind, column.name) === null)
      faults.push(`The mapping names a field "${column.name}", but ${oneOf(kind)} has no such field.`);
    filled.add(placeOf(column.name));
    columns[index] = column;
  };

  const addSame = (field: string, text: string) => {
    const isEmpty = ({ values }: SheetRow) => values.every((cell) => trimmedText(cell) === '');
    fill({ name: field, origins: [], cellOf: (row) => (isEmpty(row) ? null : text) });
  };

  const columnNamed = (header: string): number | null => {
    const column = numberOf.get(headerName(header)) ?? null;
    if (column === null) faults.push(`The mapping names a column "${header}", but the sheet has no such column.`);
    return column;
  };

  /** Refuses open values, so that none is left blank or guessed. */
  const refuseOpenValues = (header: string, field: string | null, values: ColumnRule['values'] = {}) => {
    const choices = (field === null ? null : fieldOfHeader(kind, field)?.choices) ?? [];
    const wanted = choices.length === 0 ? 'a value' : `one of ${choices.join(', ')}`;
    for (const [from, to] of Object.entries(values)) {
      if (to !== null) continue;
      faults.push(
        `The value "${from}" of column "${header}" is still open in the mapping: give it ${wanted}, or "" to leave it blank.`,
      );
    }
  };

  /** @param fields what the columns fill; values of a sensitive one are not shown */
  const note = (
    columns: readonly number[],
    fields: readonly string[],
    notesOf: (row: SheetRow) => readonly (readonly [column: number, severity: Severity, message: Message])[],
  ) => {
    const sensitive = fields.some(isSensitiveName);
    const labels = new Map(columns.map((column) => [column, `Column "${headers[column]}"`]));
    notes.push((row) =>
      notesOf(row).map(([column, severity, message]) => {
        const subject = { label: labels.get(column) ?? '', sensitive };
        return findingOfValue(severity, column, subject, trimmedText(cellAt(row, column)), message);
      }),
    );
  };

  const addSplit = (column: number, { fields, at }: NonNullable<ColumnRule['split']>, values: ColumnRule['values']) => {
    const marks = typeof at === 'string' ? fields.slice(1).map(() => at) : at;
    const formats = fields.map((field) => fieldOfHeader(kind, field)?.format);
    // The last part of `Albany, NY` is not a ZIP code, because a ZIP code has digits.
    const canBe = (part: number, text: string) => formats[part] !== 'zip' || /\d/.test(text);
    const taken = (row: SheetRow) => partsOf(cellAt(row, column), marks, canBe);
    fields.forEach((field, part) => {
      const change = changeOf(field, values);
      fill({ name: field, origins: [column], cellOf: (row) => change(taken(row).cells[part] ?? null) });
    });
    note([column], fields, (row) => {
      const { cells, hasSurplus } = taken(row);
      const read = cells.map(trimmedText).filter((text) => text !== '');
      const parts = read.map((part) => `"${part}"`).join(' and ');
      const finding = (code: 'split-too-few' | 'split-surplus' | 'split-at-comma') =>
        [[column, 'warning', valueMessage(code, { parts })]] as const;
      if (read.length === 0) return [];
      if (read.length < fields.length) return finding('split-too-few');
      if (hasSurplus) return finding('split-surplus');
      return read.some((part) => part.endsWith(',')) ? finding('split-at-comma') : [];
    });
  };

  const addJoin = ({ field, columns, with: between, minus = [] }: NonNullable<SheetMappingRules['joins']>[number]) => {
    const found = columns.flatMap((name) => columnNamed(name) ?? []);
    if (found.length < columns.length) return;
    const change = changeOf(field, undefined);
    const cellsOf = (row: SheetRow) => found.map((column) => cellAt(row, column));
    const named = fieldOfHeader(kind, field);
    if (between === '' && named !== null && isAmount(named)) {
      const names = columns.map(headerName);
      const against = new Set(minus.map((name) => names.indexOf(headerName(name))));
      fill({ name: field, origins: found, cellOf: (row) => change(joinedAmount(cellsOf(row), against)) });
      note(found, [], (row) => {
        const [, second = -1] = cellsThatCount(cellsOf(row));
        const column = found[second];
        return column === undefined ? [] : [[column, 'error', valueMessage('beside-another')]];
      });
      return;
    }
    if (minus.length > 0)
      faults.push(`The mapping changes a sign in "${field}" ("minus"), but that field is not an amount.`);
    fill({ name: field, origins: found, cellOf: (row) => change(joined(cellsOf(row), between)) });
    note(found, [field], (row) => {
      const filled = found.filter((column) => trimmedText(cellAt(row, column)) !== '');
      // The field itself reports a cell that stands alone.
      return filled.length < 2 ? [] : filled.flatMap((column) => notesOfPart(column, cellAt(row, column)));
    });
  };

  const addColumn = (header: string, rule: SheetMappingRules['columns'][string]) => {
    const column = columnNamed(header);
    if (column === null || rule === null) return;
    const { field = null, split, values }: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
    refuseOpenValues(header, field, values);
    if (split !== undefined) addSplit(column, split, values);
    else if (field === null)
      faults.push(`Column "${header}" is still open in the mapping: give it a field, or null to leave it out.`);
    else {
      const change = changeOf(field, values);
      fill({ name: field, origins: [column], cellOf: (row) => change(cellAt(row, column)) }, column);
    }
  };

  for (const field of [...Object.keys(values), ...Object.keys(defaults)])
    if (placeNamed(kind, field) === null)
      faults.push(`The profile has "formats" for a field "${field}", but ${oneOf(kind)} has no such field.`);
  const named = new Set(mappedNames(rules).map(headerName));
  if (named.size > 0 && ![...named].some((name) => numberOf.has(name))) {
    const names = mappedNames(rules).join(', ');
    faults.push(`The sheet has none of the headers that the mapping names: ${names}. It may be the wrong file.`);
    return faults;
  }
  for (const [header, rule] of Object.entries(rules.columns)) addColumn(header, rule);
  for (const join of rules.joins ?? []) addJoin(join);
  for (const [field, text] of Object.entries(rules.constants ?? {})) addSame(field, text);
  // A field without a column is blank in every row.
  for (const [place, [field, text]] of saidWhereBlank) if (!filled.has(place)) addSame(field, text);
  // A column that was added after the mapping was made is neither guessed nor dropped.
  const unnamed = headers.flatMap((name) => (name === null || named.has(headerName(name)) ? [] : [shownHeader(name)]));
  for (const header of unnamed)
    faults.push(`Column "${header}" is not in the mapping: add it with its field, or with null to leave it out.`);
  const matched = matchHeaders(
    kind,
    columns.map((column) => column?.name ?? null),
    [],
  );
  if (faults.length === 0) faults.push(...matched.problems);
  if (faults.length > 0) return faults;
  const isEmptied = (cell: Cell, index: number) => headers[index] != null && blanks.has(trimmedText(cell));
  return {
    columns: matched.columns.map((column) => {
      const { origins, cellOf } = columns[column.index] as Filled;
      return { ...column, origins, cellOf, header: headers[column.index] ?? column.header };
    }),
    emptied: (row) => {
      if (blanks.size === 0) return row;
      const values = row.values.map((cell, place) => (isEmptied(cell, columnOf(row, place)) ? null : cell));
      return { ...row, values };
    },
    notesOf: (row) => notes.flatMap((notesOf) => notesOf(row)),
  };
}

/** The shape of a sheet with Dealsheet's own headers. A profile may declare how to read its cells. */
export function shapeByProfile(
  kind: RecordKind,
  columns: readonly Column[],
  headers: readonly (string | null)[],
  formats: Formats,
): RowShape | readonly string[] {
  const { blanks = [], defaults, values } = formats;
  if (blanks.length === 0 && defaults[kind.name] === undefined && values[kind.name] === undefined)
    return { columns, emptied: (row) => row, notesOf: () => [] };
  const fields = columns.map(
    (column) => [column.index, column.use === 'open' ? column.header : column.field.path] as const,
  );
  const fieldAt = new Map(fields);
  const rules = headers.flatMap((name, index) => (name === null ? [] : [[name, fieldAt.get(index) ?? null] as const]));
  return rowShape(kind, { kind: kind.name, columns: Object.fromEntries(rules) }, headers, formats);
}

/** Notes on a cell that becomes part of a text, such as a house number that a spreadsheet turned into a date. */
function notesOfPart(column: number, cell: Cell): readonly (readonly [number, Severity, Message])[] {
  const reading = cell === null ? null : textOfCell(cell, trimmedText(cell));
  return reading?.ok === true ? reading.notes.map((note) => [column, 'warning', note] as const) : [];
}

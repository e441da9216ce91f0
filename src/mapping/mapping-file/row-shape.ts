/**
 * From the rows of somebody else's sheet to rows whose columns are fields: what stands in one column stays in its place, and
 * what is split, joined or the same in every row stands in further columns behind.
 */
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { isSensitiveName } from '../../contract/sensitive-names.ts';
import { type Finding, findingOfValue } from '../../messages/finding.ts';
import { valueMessage } from '../../messages/values.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { isAmount } from '../column.ts';
import { fieldOfHeader, placeNamed } from '../headers.ts';
import { trimmedText } from '../reading.ts';
import { emptierOf } from './blank-words.ts';
import { headerName } from './header-name.ts';
import { cellsThatCount, joinedAmount } from './joined-amounts.ts';
import { joined, notesOfPart, partOf } from './made-cells.ts';
import { mappedNames } from './mapped-sheet.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';
import { noteOfSplit } from './split-cells.ts';
import { faultOfUnnamed, perhapsCalled, unnamedHeaders } from './unnamed-headers.ts';
import { valueMap } from './value-map.ts';

export interface RowShape {
  /** The headers by which columns are matched to fields; those left out stand in parentheses. */
  readonly headers: readonly (string | null)[];
  /** The row of the sheet without the cells that count as blank: what is read of it is read of this. */
  readonly emptied: (row: SheetRow) => SheetRow;
  readonly reshape: (emptied: SheetRow) => SheetRow;
  /** The columns of the sheet that a column of the shape comes from, the first one first; none when every row says the same. */
  readonly originsOf: (column: number) => readonly number[];
  /** What is to be said of a row's cells before they are read, at the columns of the sheet. */
  readonly notesOf: (emptied: SheetRow) => readonly Finding[];
}

interface MadeColumn {
  readonly field: string;
  readonly origins: readonly number[];
  readonly make: (row: SheetRow) => Cell;
}

/** @returns the shape, or what does not fit, as whole sentences */
export function rowShape(
  kind: RecordKind,
  rules: SheetMappingRules,
  headers: readonly (string | null)[],
): RowShape | readonly string[] {
  const building = new ShapeBuilder(kind, rules, headers);
  return building.faults.length > 0 ? building.faults : building.shape();
}

/** What a mapping says of a column, in its long form. */
function ruleOf(rule: SheetMappingRules['columns'][string]): ColumnRule | null {
  return typeof rule === 'string' ? { field: rule } : rule;
}

class ShapeBuilder {
  readonly faults: string[] = [];
  readonly #kind: RecordKind;
  readonly #rules: SheetMappingRules;
  readonly #headers: readonly (string | null)[];
  readonly #columnOf: ReadonlyMap<string, number>;
  /** Headers that have come since the mapping was made. */
  readonly #unnamed: readonly string[];
  readonly #shown: (string | null)[];
  readonly #changes = new Map<number, (cell: Cell) => Cell>();
  readonly #made: MadeColumn[] = [];
  readonly #notes: RowShape['notesOf'][] = [];
  /** Where columns, joins and constants put their cells. */
  readonly #filled = new Set<string>();

  constructor(kind: RecordKind, rules: SheetMappingRules, headers: readonly (string | null)[]) {
    this.#kind = kind;
    this.#rules = rules;
    this.#headers = headers;
    this.#columnOf = new Map(
      headers.flatMap((name, index) => (name === null ? [] : [[headerName(name), index] as const])),
    );
    this.#unnamed = unnamedHeaders(headers, rules);
    this.#shown = headers.map((name) => (name === null ? null : `(${name})`));
    if (this.#namesNothing()) {
      this.faults.push(
        `None of the headers that the mapping names stands here: ${mappedNames(rules).join(', ')}. The file may be another one.`,
      );
      return;
    }
    this.#addColumns();
    this.#addJoins();
    for (const [field, text] of Object.entries(rules.constants ?? {})) this.#addSame(field, text);
    this.#addDefaults();
    for (const header of this.#unnamed) this.faults.push(faultOfUnnamed(header));
  }

  shape(): RowShape {
    const width = this.#headers.length;
    const made = this.#made;
    const changes = this.#changes;
    const notes = this.#notes;
    return {
      headers: [...this.#shown, ...made.map(({ field }) => field)],
      emptied: emptierOf(this.#rules.blanks ?? [], this.#headers),
      reshape: (row) => {
        const cells: Cell[] = Array.from({ length: width }, (_, index) => {
          const cell = row.cells[index] ?? null;
          return changes.get(index)?.(cell) ?? (changes.has(index) ? null : cell);
        });
        for (const column of made) cells.push(column.make(row));
        return { ...row, cells };
      },
      originsOf: (column) => (column < width ? [column] : (made[column - width]?.origins ?? [])),
      notesOf: (row) => notes.flatMap((notesOf) => notesOf(row)),
    };
  }

  #namesNothing(): boolean {
    const names = mappedNames(this.#rules);
    return names.length > 0 && !names.some((header) => this.#columnOf.has(headerName(header)));
  }

  #addColumns(): void {
    for (const [header, written] of Object.entries(this.#rules.columns)) {
      const column = this.#columnOf.get(headerName(header));
      if (column === undefined) {
        this.faults.push(
          `The mapping names a column "${header}", and the sheet has none.${perhapsCalled(this.#unnamed)}`,
        );
        continue;
      }
      const rule = ruleOf(written);
      if (rule === null) continue;
      this.#refuseOpenValues(header, rule);
      if (rule.split !== undefined) this.#addSplit(column, header, rule.split, rule.values);
      else if (rule.field === null || rule.field === undefined) {
        this.faults.push(`Column "${header}" is still open in the mapping: give it a field, or null to leave it out.`);
      } else if (this.#isField(rule.field)) {
        this.#shown[column] = rule.field;
        this.#fill(rule.field);
        this.#changes.set(column, this.#changeOf(rule.field, rule.values));
      }
    }
  }

  /** A value that nobody has decided is neither left blank nor guessed. */
  #refuseOpenValues(header: string, { field, values = {} }: ColumnRule): void {
    const choices = (field == null ? null : fieldOfHeader(this.#kind, field)?.choices) ?? [];
    const wanted = choices.length === 0 ? 'a value' : `one of ${choices.join(', ')}`;
    for (const [from, to] of Object.entries(values)) {
      if (to !== null) continue;
      this.faults.push(
        `The value "${from}" of column "${header}" is still open in the mapping: give it ${wanted}, or "" to leave it blank.`,
      );
    }
  }

  #addSplit(
    column: number,
    header: string,
    { fields, at }: NonNullable<ColumnRule['split']>,
    values: ColumnRule['values'],
  ): void {
    fields.forEach((field, part) => {
      if (!this.#isField(field)) return;
      const change = this.#changeOf(field, values);
      const make = (row: SheetRow) => change(partOf(cellOf(row, column), at, fields.length, part));
      this.#addMade({ field, origins: [column], make });
    });
    const sensitive = fields.some((field) => this.#isSensitive(field));
    const noteOf = noteOfSplit({ column, header, at, count: fields.length, sensitive });
    this.#notes.push((row) => noteOf(cellOf(row, column)));
  }

  #addJoins(): void {
    for (const { field, columns, with: between, minus = [] } of this.#rules.joins ?? []) {
      const found = columns.flatMap((name) => this.#columnOf.get(headerName(name)) ?? []);
      const missing = columns.filter((name) => !this.#columnOf.has(headerName(name)));
      for (const name of missing) {
        this.faults.push(
          `The mapping joins a column "${name}", and the sheet has none.${perhapsCalled(this.#unnamed)}`,
        );
      }
      if (missing.length > 0 || !this.#isField(field)) continue;
      const change = this.#changeOf(field, undefined);
      const cellsOf = (row: SheetRow) => found.map((column) => cellOf(row, column));
      if (this.#isNumber(field) && between === '') {
        const against = new Set(minus.map((name) => columns.findIndex((one) => headerName(one) === headerName(name))));
        this.#addMade({ field, origins: found, make: (row) => change(joinedAmount(cellsOf(row), against)) });
        this.#refuseTwoValues(found);
        continue;
      }
      if (minus.length > 0) this.faults.push(`The mapping turns a sign in "${field}" ("minus"), which is no amount.`);
      this.#addMade({ field, origins: found, make: (row) => change(joined(cellsOf(row), between)) });
      this.#tellParts(found, this.#isSensitive(field));
    }
  }

  /** Of a cell that stands alone its field tells. */
  #tellParts(columns: readonly number[], sensitive: boolean): void {
    this.#notes.push((row) => {
      const filled = columns.filter((column) => trimmedText(cellOf(row, column)) !== '');
      if (filled.length < 2) return [];
      return filled.flatMap((column) => {
        const subject = { label: `Column "${this.#headers[column]}"`, sensitive };
        const value = trimmedText(cellOf(row, column));
        return notesOfPart(cellOf(row, column)).map((note) => findingOfValue('warning', column, subject, value, note));
      });
    });
  }

  #refuseTwoValues(columns: readonly number[]): void {
    this.#notes.push((row) => {
      const [, second] = cellsThatCount(columns.map((column) => cellOf(row, column))).map((index) => columns[index]);
      if (second === undefined) return [];
      const subject = { label: `Column "${this.#headers[second]}"`, sensitive: false };
      return [
        findingOfValue('error', second, subject, trimmedText(cellOf(row, second)), valueMessage('beside-another')),
      ];
    });
  }

  #addMade(column: MadeColumn): void {
    this.#fill(column.field);
    this.#made.push(column);
  }

  #fill(field: string): void {
    const place = this.#placeOf(field);
    if (this.#filled.has(place)) {
      this.faults.push(
        `The mapping fills "${field}" twice: it names the same field as another of its columns, joins or constants. Keep one of them.`,
      );
    }
    this.#filled.add(place);
  }

  /** What a field says in every row. */
  #addSame(field: string, text: string): void {
    if (!this.#isField(field)) return;
    this.#addMade({ field, origins: [], make: (row) => (isEmptyRow(row) ? null : text) });
  }

  /** A field without a column is blank in every row. */
  #addDefaults(): void {
    for (const [field, text] of Object.entries(this.#rules.defaults ?? {})) {
      if (!this.#filled.has(this.#placeOf(field))) this.#addSame(field, text);
    }
  }

  #changeOf(field: string, values: ColumnRule['values']): (cell: Cell) => Cell {
    const format = fieldOfHeader(this.#kind, field)?.format;
    return valueMap(values, { blank: this.#defaultOf(field), isList: format === 'choices' || format === 'list' });
  }

  #defaultOf(field: string): string | null {
    const place = this.#placeOf(field);
    return Object.entries(this.#rules.defaults ?? {}).find(([name]) => this.#placeOf(name) === place)?.[1] ?? null;
  }

  #isField(name: string): boolean {
    if (placeNamed(this.#kind, name) !== null) return true;
    this.faults.push(`The mapping names a field "${name}", and ${oneOf(this.#kind)} has none.`);
    return false;
  }

  #isNumber(field: string): boolean {
    const named = fieldOfHeader(this.#kind, field);
    return named !== null && isAmount(named);
  }

  #isSensitive(field: string): boolean {
    return isSensitiveName(field);
  }

  #placeOf(field: string): string {
    return placeNamed(this.#kind, field) ?? field;
  }
}

function cellOf(row: SheetRow, column: number): Cell {
  return row.cells[column] ?? null;
}

function isEmptyRow(row: SheetRow): boolean {
  return row.cells.every((cell) => trimmedText(cell) === '');
}

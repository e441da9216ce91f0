/**
 * From the rows of somebody else's sheet to rows whose columns are fields: what stands in one column stays in its place, and
 * what is split, joined or the same in every row stands in further columns behind.
 */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { placeNamed } from '../headers.ts';
import { shownText } from '../reading.ts';
import { valueName } from './contradictions.ts';
import { headerName } from './header-name.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';

export interface RowShape {
  /** The headers by which columns are matched to fields; those left out stand in parentheses. */
  readonly headers: readonly (string | null)[];
  readonly reshape: (row: SheetRow) => SheetRow;
  /** The column of the sheet that a column of the shape comes from, or `null`. */
  readonly originOf: (column: number) => number | null;
}

interface MadeColumn {
  readonly field: string;
  readonly origin: number | null;
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
export function ruleOf(rule: SheetMappingRules['columns'][string]): ColumnRule | null {
  return typeof rule === 'string' ? { field: rule } : rule;
}

/** More new headers than this are not guessed among. */
const mostNewNames = 3;

class ShapeBuilder {
  readonly faults: string[] = [];
  readonly #kind: RecordKind;
  readonly #rules: SheetMappingRules;
  readonly #headers: readonly (string | null)[];
  readonly #columnOf: ReadonlyMap<string, number>;
  readonly #shown: (string | null)[];
  readonly #changes = new Map<number, (cell: Cell) => Cell>();
  readonly #made: MadeColumn[] = [];
  /** Where columns, joins and constants put their cells. */
  readonly #filled = new Set<string>();

  constructor(kind: RecordKind, rules: SheetMappingRules, headers: readonly (string | null)[]) {
    this.#kind = kind;
    this.#rules = rules;
    this.#headers = headers;
    this.#columnOf = new Map(
      headers.flatMap((name, index) => (name === null ? [] : [[headerName(name), index] as const])),
    );
    this.#shown = headers.map((name) => (name === null ? null : `(${name})`));
    if (this.#namesNothing()) {
      this.faults.push(
        `None of the headers that the mapping names stands here: ${Object.keys(rules.columns).join(', ')}. The file may be another one.`,
      );
      return;
    }
    this.#addColumns();
    this.#addJoins();
    for (const [field, text] of Object.entries(rules.constants ?? {})) this.#addSame(field, text);
    this.#addDefaults();
    this.#refuseUnnamed();
  }

  shape(): RowShape {
    const width = this.#headers.length;
    const made = this.#made;
    const changes = this.#changes;
    return {
      headers: [...this.#shown, ...made.map(({ field }) => field)],
      reshape: (row) => {
        const cells: Cell[] = Array.from({ length: width }, (_, index) => {
          const cell = row.cells[index] ?? null;
          return changes.get(index)?.(cell) ?? (changes.has(index) ? null : cell);
        });
        for (const column of made) cells.push(column.make(row));
        return { ...row, cells };
      },
      originOf: (column) => (column < width ? column : (made[column - width]?.origin ?? null)),
    };
  }

  #namesNothing(): boolean {
    return !Object.keys(this.#rules.columns).some((header) => this.#columnOf.has(headerName(header)));
  }

  #addColumns(): void {
    for (const [header, written] of Object.entries(this.#rules.columns)) {
      const column = this.#columnOf.get(headerName(header));
      if (column === undefined) {
        this.faults.push(`The mapping names a column "${header}", and the sheet has none.${this.#newNames()}`);
        continue;
      }
      const rule = ruleOf(written);
      if (rule === null) continue;
      if (rule.split !== undefined) this.#addSplit(column, rule.split, rule.values);
      else if (rule.field === null || rule.field === undefined) {
        this.faults.push(`Column "${header}" is still open in the mapping: give it a field, or null to leave it out.`);
      } else if (this.#isField(rule.field)) {
        this.#shown[column] = rule.field;
        this.#filled.add(this.#placeOf(rule.field));
        this.#changes.set(column, this.#changeOf(rule.field, rule.values));
      }
    }
  }

  #addSplit(column: number, { fields, at }: NonNullable<ColumnRule['split']>, values: ColumnRule['values']): void {
    fields.forEach((field, part) => {
      if (!this.#isField(field)) return;
      this.#filled.add(this.#placeOf(field));
      const change = this.#changeOf(field, values);
      const make = (row: SheetRow): Cell => {
        const cell = row.cells[column] ?? null;
        return change(cell === null ? null : partOf(shownText(cell), at, fields.length, part));
      };
      this.#made.push({ field, origin: column, make });
    });
  }

  #addJoins(): void {
    for (const { field, columns, with: between } of this.#rules.joins ?? []) {
      const found = columns.map((name) => this.#columnOf.get(headerName(name)));
      const missing = columns.filter((_, index) => found[index] === undefined);
      for (const name of missing) {
        this.faults.push(`The mapping joins a column "${name}", and the sheet has none.${this.#newNames()}`);
      }
      if (missing.length > 0 || !this.#isField(field)) continue;
      this.#filled.add(this.#placeOf(field));
      const change = this.#changeOf(field, undefined);
      const make = (row: SheetRow): Cell => {
        const parts = found.map((column) => textOf(row.cells[column ?? -1] ?? null)).filter((text) => text !== '');
        return change(parts.length === 0 ? null : parts.join(between));
      };
      this.#made.push({ field, origin: found[0] ?? null, make });
    }
  }

  /** What a field says in every row. */
  #addSame(field: string, text: string): void {
    if (!this.#isField(field)) return;
    this.#filled.add(this.#placeOf(field));
    this.#made.push({ field, origin: null, make: (row) => (isEmptyRow(row) ? null : text) });
  }

  /** A field without a column is blank in every row. */
  #addDefaults(): void {
    for (const [field, text] of Object.entries(this.#rules.defaults ?? {})) {
      if (!this.#filled.has(this.#placeOf(field))) this.#addSame(field, text);
    }
  }

  #changeOf(field: string, values: ColumnRule['values']): (cell: Cell) => Cell {
    const told = new Map(Object.entries(values ?? {}).map(([from, to]) => [valueName(from), to]));
    const blank = this.#defaultOf(field);
    return (cell) => {
      const text = textOf(cell);
      const mapped = told.get(valueName(text));
      if (mapped !== undefined) return mapped === '' ? blank : mapped;
      return text === '' ? blank : cell;
    };
  }

  #defaultOf(field: string): string | null {
    const place = this.#placeOf(field);
    return Object.entries(this.#rules.defaults ?? {}).find(([name]) => this.#placeOf(name) === place)?.[1] ?? null;
  }

  #isField(name: string): boolean {
    if (/^\{.*\}$/.test(name) || placeNamed(this.#kind, name) !== null) return true;
    this.faults.push(`The mapping names a field "${name}", and a ${this.#kind.singular} has none.`);
    return false;
  }

  #placeOf(field: string): string {
    return placeNamed(this.#kind, field) ?? field;
  }

  /** A header that has come since the mapping was made is neither guessed nor dropped. */
  #refuseUnnamed(): void {
    for (const name of this.#unnamed()) {
      this.faults.push(`Column "${name}" is not in the mapping: add it with its field, or with null to leave it out.`);
    }
  }

  #newNames(): string {
    const names = this.#unnamed();
    return names.length === 0 || names.length > mostNewNames
      ? ''
      : ` Is it called ${names.map((name) => `"${name}"`).join(' or ')} now?`;
  }

  #unnamed(): readonly string[] {
    const named = new Set(
      [...Object.keys(this.#rules.columns), ...(this.#rules.joins ?? []).flatMap(({ columns }) => columns)].map(
        headerName,
      ),
    );
    return this.#headers.filter((name): name is string => name !== null && !named.has(headerName(name)));
  }
}

/** The n-th of so many parts: surplus ones stay with the first (`Mary Ann Moreno`: `Mary Ann`, `Moreno`). */
function partOf(text: string, at: string, count: number, part: number): string | null {
  const all = text.split(at).map((piece) => piece.trim());
  const parts = at.trim() === '' ? all.filter((piece) => piece !== '') : all;
  const surplus = Math.max(0, parts.length - count);
  const found = part === 0 ? parts.slice(0, surplus + 1).join(at) : parts[part + surplus];
  return found === undefined || found === '' ? null : found;
}

function textOf(cell: Cell): string {
  return cell === null ? '' : shownText(cell).trim();
}

function isEmptyRow(row: SheetRow): boolean {
  return row.cells.every((cell) => textOf(cell) === '');
}

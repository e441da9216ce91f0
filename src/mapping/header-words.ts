/** Tells a row of headers from a row of data by what its cells say, wherever it stands in its sheet. */
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import type { SheetRow } from '../sheets/cell.ts';
import { folded } from './headers.ts';
import { isBlank } from './reading.ts';

/** A cell that says one field by chance is no header; two fields in one row are said by headers alone. */
const fewestNames = 2;
/** A text that is longer than this is no header. */
const longestHeader = 200;

export class HeaderWords {
  /** What each header, folded, names: a field by its path, or a column of the sheet. */
  readonly #names = new Map<string, string>();
  readonly #fewest: number;
  /** How they begin and end: most cells of data are told from headers by that, and folding each cost 8 µs a row. */
  readonly #edges = new Set<number>();

  /**
   * @param headers  the headers of the sheet, however they are said: they are headers wherever they stand
   * @param columns  how many columns of the sheet have a header
   */
  constructor(kind: RecordKind, headers: readonly string[], columns: number) {
    for (const header of headers) this.#names.set(folded(header), folded(header));
    // In a table of one column, what is a header elsewhere may be a value.
    const fields = columns < fewestNames ? [] : fieldsOf(kind);
    for (const { path, headers: words } of fields)
      for (const name of [path, ...words]) this.#names.set(folded(name), path);
    this.#names.delete('');
    this.#fewest = Math.min(fewestNames, columns);
    for (const name of this.#names.keys()) {
      const edges = edgesOf(name);
      if (edges !== null) this.#edges.add(edges);
    }
  }

  /** Whether half of what the row says, or more, are headers of different columns. */
  isHeaderRow({ cells }: SheetRow): boolean {
    let said: string[] | null = null;
    let others = 0;
    for (const cell of cells) {
      if (isBlank(cell)) continue;
      const name = typeof cell === 'string' ? this.#nameIn(cell) : null;
      if (name === null) others += 1;
      else if (said === null) said = [name];
      else if (!said.includes(name)) said.push(name);
      if (others * 2 > cells.length) return false;
    }
    return said !== null && said.length >= this.#fewest && said.length >= others;
  }

  #nameIn(text: string): string | null {
    if (text.length > longestHeader) return null;
    const edges = edgesOf(text);
    if (edges !== null && !this.#edges.has(edges)) return null;
    return this.#names.get(folded(text)) ?? null;
  }
}

/** The first and the last letter or digit, folded; `null` for a text that begins or ends with anything else. */
function edgesOf(text: string): number | null {
  const first = foldedUnit(text.charCodeAt(0));
  const last = foldedUnit(text.charCodeAt(text.length - 1));
  return first === null || last === null ? null : first * asciiUnits + last;
}

/** A letter or a digit of ASCII in lower case, or `null`. */
function foldedUnit(unit: number): number | null {
  if (unit >= units.zero && unit <= units.nine) return unit;
  const lower = unit | caseBit;
  return unit < asciiUnits && lower >= units.a && lower <= units.z ? lower : null;
}

const units = { zero: 0x30, nine: 0x39, a: 0x61, z: 0x7a } as const;
const asciiUnits = 0x80;
const caseBit = 0x20;

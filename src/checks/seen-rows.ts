/** What the rows of a source have said so far: which have which Ref, and which was the first with some content. */
import { hash } from 'node:crypto';
import type { RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/body.ts';
import { comparableKey } from '../mapping/spreadsheet-rewriting.ts';

/** The rows with one Ref. The first is not stored as text, which would take 15 MB for 100,000 Refs. */
interface Carriers {
  readonly sheet: string;
  readonly row: number;
  rows: number;
  further: readonly string[] | null;
}

/** A column of keys may say "N/A" in every row. */
const mostPlaces = 3;

export class CarriedRefs {
  readonly #carriers = new Map<RecordKindName, Map<string, Carriers>>();
  hasDuplicates = false;

  add({ kind, ref: written, sheet, row }: CheckedRow): void {
    if (written === null) return;
    const ref = comparableKey(written);
    const ofKind = this.#carriers.get(kind.name) ?? new Map<string, Carriers>();
    this.#carriers.set(kind.name, ofKind);
    const known = ofKind.get(ref) ?? { sheet, row, rows: 0, further: null };
    known.rows += 1;
    if (known.rows === 1) ofKind.set(ref, known);
    else this.hasDuplicates = true;
    if (known.rows > 1 && known.rows <= mostPlaces) known.further = [...(known.further ?? []), `${sheet} row ${row}`];
  }

  /** The rows that share a Ref, as text; `null` if it occurs once or not at all. */
  repeated(kind: RecordKindName, ref: string): string | null {
    const known = this.#carriers.get(kind)?.get(comparableKey(ref));
    if (known === undefined || known.further === null) return null;
    const places = [`${known.sheet} row ${known.row}`, ...known.further];
    const more = known.rows > places.length ? ` and ${known.rows - places.length} more` : '';
    return places.join(', ') + more;
  }

  has(kind: RecordKindName, ref: string): boolean {
    return this.#carriers.get(kind)?.has(comparableKey(ref)) === true;
  }
}

/** The initial number of slots. The table doubles when it is full, up to 20 MB. */
const fewestSlots = 1_250;
const mostFilled = 0.8;
/** Above this many different rows, new ones are not stored, so their duplicates are not found. */
const mostRemembered = 1_000_000;
const rowsOfSheet = 2 ** 32;

/** A table of 16 bytes a row: its digest, and its place in one number. A Map would need several times as much. */
export class FirstRows {
  #table = new Float64Array(fewestSlots * 2);
  #used = 0;
  readonly #sheets: string[] = [];

  /** The place of the first row with this digest, or `null` for that row itself. */
  placeOf(digest: number, sheet: string, row: number): string | null {
    const here = this.#numberOf(sheet) * rowsOfSheet + row;
    const first = this.#table[this.#slotOf(digest) + 1] ?? 0;
    if (first === 0 && this.#used < mostRemembered) this.#add(digest, here);
    if (first === 0 || first === here) return null;
    const name = this.#sheets[Math.floor(first / rowsOfSheet)];
    return `${name === sheet ? '' : `${name} `}row ${first % rowsOfSheet}`;
  }

  has(digest: number): boolean {
    return this.#table[this.#slotOf(digest) + 1] !== 0;
  }

  #numberOf(sheet: string): number {
    const known = this.#sheets.lastIndexOf(sheet);
    return known === -1 ? this.#sheets.push(sheet) - 1 : known;
  }

  /** The slot of the digest, or the empty slot for it. */
  #slotOf(digest: number): number {
    const table = this.#table;
    let at = (digest * 2) % table.length;
    while (table[at + 1] !== 0 && table[at] !== digest) at = (at + 2) % table.length;
    return at;
  }

  #add(digest: number, place: number): void {
    this.#table.set([digest, place], this.#slotOf(digest));
    this.#used += 1;
    if (this.#used * 2 <= this.#table.length * mostFilled) return;
    // A table of full size from the start would make V8 collect garbage on every load.
    const before = this.#table;
    this.#table = new Float64Array(2 * before.length);
    for (let from = 0; from < before.length; from += 2)
      if (before[from + 1] !== 0) this.#table.set(before.subarray(from, from + 2), this.#slotOf(before[from] ?? 0));
  }

  /** Forgets all rows before they are read again: with other formats, they may say something else. */
  clear(): void {
    this.#table.fill(0);
    this.#used = 0;
  }
}

/** 52 bits are enough for a warning. */
const digitsOfDigest = 13;

/** Read from text: a Buffer for each takes longer than the hash. */
export function shortDigest(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, digitsOfDigest), 16);
}

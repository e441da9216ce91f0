/** Collects the Refs of a source: which row has which Ref, and which Refs repeat. */
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
  #hasDuplicates = false;

  add({ kind, ref: written, sheet, row }: CheckedRow): void {
    if (written === null) return;
    const ref = comparableKey(written);
    const ofKind = this.#carriers.get(kind.name) ?? new Map<string, Carriers>();
    this.#carriers.set(kind.name, ofKind);
    const known = ofKind.get(ref);
    if (known === undefined) {
      ofKind.set(ref, { sheet, row, rows: 1, further: null });
      return;
    }
    this.#hasDuplicates = true;
    known.rows += 1;
    if (known.rows <= mostPlaces) known.further = [...(known.further ?? []), `${sheet} row ${row}`];
  }

  get hasDuplicates(): boolean {
    return this.#hasDuplicates;
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

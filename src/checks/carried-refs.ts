/** The Refs of a source: which row carries which, and which stand several times. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/body.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';

/** The rows that carry a Ref: a text for each of the first ones would take 15 MB of 100,000. */
interface Carriers {
  readonly sheet: string;
  readonly row: number;
  rows: number;
  further: readonly string[] | null;
}

/** A column of keys may say "N/A" on every row. */
const mostPlaces = 3;

export class CarriedRefs {
  readonly #carriers = new Map<RecordKindName, Map<string, Carriers>>();
  #hasDuplicates = false;

  add({ kind, ref: written, sheet, row }: CheckedRow): void {
    if (written === null) return;
    const ref = withoutLostZeros(written);
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

  /** The rows that have a Ref in common, in words; `null` where it stands once or nowhere. */
  repeated(kind: RecordKindName, ref: string): string | null {
    const known = this.#carriers.get(kind)?.get(withoutLostZeros(ref));
    if (known === undefined || known.further === null) return null;
    const places = [`${known.sheet} row ${known.row}`, ...known.further];
    const more = known.rows > places.length ? ` and ${known.rows - places.length} more` : '';
    return places.join(', ') + more;
  }

  has(kind: RecordKindName, ref: string): boolean {
    return this.#carriers.get(kind)?.has(withoutLostZeros(ref)) === true;
  }
}

/** The Refs of a source: which row carries which, which stand several times, and what earlier loads know of one. */
import type { EarlierRef, KnownRefs } from '../../checks/check.ts';
import type { RecordKindName } from '../../contract/record-kind.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';

export type EarlierRefs = (kind: RecordKindName, ref: string) => EarlierRef;

interface Carriers {
  /** The first rows that carry it, in words. */
  readonly places: string[];
  rows: number;
}

/** A column of keys may say "N/A" on every row. */
const mostPlaces = 3;

export class ReferenceIndex implements KnownRefs {
  readonly #carriers = new Map<RecordKindName, Map<string, Carriers>>();
  /** `null` where no ledger is asked (a check without a service). */
  readonly #earlier: EarlierRefs | null;
  /** Whether a Ref was found twice, so that rows judged before are to be judged again. */
  hasDuplicates = false;

  constructor(earlier: EarlierRefs | null) {
    this.#earlier = earlier;
  }

  add({ kind, ref, sheet, row }: CheckedRow): void {
    if (ref === null) return;
    const ofKind = this.#carriers.get(kind.name) ?? new Map<string, Carriers>();
    this.#carriers.set(kind.name, ofKind);
    const known = ofKind.get(ref);
    const place = `${sheet} row ${row}`;
    if (known === undefined) {
      ofKind.set(ref, { places: [place], rows: 1 });
      return;
    }
    this.hasDuplicates = true;
    known.rows += 1;
    if (known.places.length < mostPlaces) known.places.push(place);
  }

  repeated(kind: RecordKindName, ref: string): string | null {
    const known = this.#carriers.get(kind)?.get(ref);
    if (known === undefined || known.rows === 1) return null;
    const told = known.places.join(', ');
    return known.rows === known.places.length ? told : `${told} and ${known.rows - known.places.length} more`;
  }

  /** Whether a row of this source carries the Ref. */
  has(kind: RecordKindName, ref: string): boolean {
    return this.#carriers.get(kind)?.has(ref) === true;
  }

  earlier(kind: RecordKindName, ref: string): EarlierRef | null {
    return this.#earlier?.(kind, ref) ?? null;
  }

  /** The one id that earlier loads know for a Ref, or `null`. */
  earlierId(kind: RecordKindName, ref: string): string | null {
    const known = this.earlier(kind, ref);
    return known?.open === null && known.records.length === 1 ? (known.records[0]?.id ?? null) : null;
  }
}

/** The Refs of a source: which row carries which, which stand several times, and what earlier loads know of one. */
import type { EarlierRef, KnownRefs } from '../checks/check.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';

export type EarlierRefs = (kind: RecordKindName, ref: string) => EarlierRef;

/** The sheet and the row of a Ref's first carrier: a text or an array for each would take 15 MB of 100,000. */
interface Carrier {
  readonly sheet: string;
  readonly row: number;
}

interface Repeated {
  /** The first rows that carry it, in words. */
  readonly places: string[];
  rows: number;
}

/** A column of keys may say "N/A" on every row. */
const mostPlaces = 3;

export class ReferenceIndex implements KnownRefs {
  readonly #carriers = new Map<RecordKindName, Map<string, Carrier>>();
  readonly #repeated = new Map<RecordKindName, Map<string, Repeated>>();
  /** `null` where no ledger is asked (a check without a service). */
  readonly #earlier: EarlierRefs | null;

  constructor(earlier: EarlierRefs | null) {
    this.#earlier = earlier;
  }

  add({ kind, ref, sheet, row }: CheckedRow): void {
    if (ref === null) return;
    const ofKind = this.#carriers.get(kind.name) ?? new Map<string, Carrier>();
    this.#carriers.set(kind.name, ofKind);
    const first = ofKind.get(ref);
    if (first === undefined) {
      ofKind.set(ref, { sheet, row });
      return;
    }
    const repeatedOfKind = this.#repeated.get(kind.name) ?? new Map<string, Repeated>();
    this.#repeated.set(kind.name, repeatedOfKind);
    const repeated = repeatedOfKind.get(ref) ?? { places: [inWords(first)], rows: 1 };
    repeatedOfKind.set(ref, repeated);
    repeated.rows += 1;
    if (repeated.places.length < mostPlaces) repeated.places.push(inWords({ sheet, row }));
  }

  /** Whether a Ref was found twice, so that rows judged before are to be judged again. */
  get hasDuplicates(): boolean {
    return this.#repeated.size > 0;
  }

  repeated(kind: RecordKindName, ref: string): string | null {
    const known = this.#repeated.get(kind)?.get(ref);
    if (known === undefined) return null;
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
}

function inWords({ sheet, row }: Carrier): string {
  return `${sheet} row ${row}`;
}

/**
 * The Ref that is meant by one that no row carries: it differs in case or blanks alone, or by one slip of the hand. Its one rule: a ref
 * with another number in it is another ref, and of two that are as near, neither is suggested.
 */
import { distance } from 'fastest-levenshtein';

/** A file may name many thousands that nobody carries, and carry as many. */
const mostComparisons = 1_000_000;

export class NearRefs {
  readonly #refs: readonly string[];
  readonly #known = new Map<string, string | null>();
  #sameButForCase: ReadonlyMap<string, string | null> | null = null;
  #comparisonsLeft = mostComparisons;

  constructor(refs: Iterable<string>) {
    this.#refs = [...refs];
  }

  nearestTo(ref: string): string | null {
    const known = this.#known.get(ref);
    if (known !== undefined) return known;
    const found = this.#bySpelling(ref) ?? this.#bySlip(ref);
    this.#known.set(ref, found);
    return found;
  }

  #bySpelling(ref: string): string | null {
    if (this.#sameButForCase === null) {
      const same = new Map<string, string | null>();
      for (const one of this.#refs) same.set(plain(one), same.has(plain(one)) ? null : one);
      this.#sameButForCase = same;
    }
    return this.#sameButForCase.get(plain(ref)) ?? null;
  }

  #bySlip(ref: string): string | null {
    if (this.#comparisonsLeft < this.#refs.length) return null;
    this.#comparisonsLeft -= this.#refs.length;
    const wanted = plain(ref);
    const [found, another] = this.#refs.filter((one) => isSlip(plain(one), wanted));
    return another === undefined ? (found ?? null) : null;
  }
}

function plain(ref: string): string {
  return ref.replace(/\s/g, '').toLowerCase();
}

function isSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || distance(one, other) !== 1) return false;
  return withoutDigits(one) !== withoutDigits(other);
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, '');
}

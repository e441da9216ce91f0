/**
 * Counts equal rows of a source in the order of their rows: the first of them, the second, … Two equal payments can be two
 * payments, so the count is part of what makes a row itself.
 */

const leastSlots = 1 << 12;
const fullShare = 0.8;
/** Doubled, the slots of a million rows were the highest of a load's memory at the moment when they grew. */
const growth = 1.25;
/** A row that is there more often is counted beside the slots. */
const mostInSlot = 0xff;

/**
 * A counter by digest. It keeps the first 64 bits of each digest in typed arrays (9 bytes a slot), where a Map of texts
 * would need some 150 MB for a million rows.
 */
export class Occurrences {
  #high: Uint32Array;
  #low: Uint32Array;
  #counts: Uint8Array;
  /** The counts that no slot holds, by digest in hexadecimal. */
  readonly #beyond = new Map<string, number>();
  #used = 0;

  /** @param expected  about how many different rows will come, by which room is made for them at once; more may */
  constructor(expected = 0) {
    const slots = Math.max(leastSlots, Math.ceil(expected / fullShare) + 1);
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#counts = new Uint8Array(slots);
  }

  /** @returns how many rows with this digest there have been, this one included */
  next(digest: Buffer): number {
    if (this.#used > this.#counts.length * fullShare) this.#grow();
    const high = digest.readUInt32LE(0);
    const low = digest.readUInt32LE(4);
    const slot = this.#slotOf(high, low);
    if (this.#counts[slot] === 0) {
      this.#high[slot] = high;
      this.#low[slot] = low;
      this.#used += 1;
    }
    const before = this.#counts[slot] ?? 0;
    if (before === mostInSlot) return this.#nextBeyond(digest.toString('hex'));
    this.#counts[slot] = before + 1;
    return before + 1;
  }

  #nextBeyond(digest: string): number {
    const count = (this.#beyond.get(digest) ?? mostInSlot) + 1;
    this.#beyond.set(digest, count);
    return count;
  }

  #slotOf(high: number, low: number): number {
    const { length } = this.#counts;
    let slot = ((high ^ low) >>> 0) % length;
    while (this.#counts[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const [high, low, counts] = [this.#high, this.#low, this.#counts];
    const size = Math.floor(counts.length * growth);
    this.#high = new Uint32Array(size);
    this.#low = new Uint32Array(size);
    this.#counts = new Uint8Array(size);
    counts.forEach((count, old) => {
      if (count === 0) return;
      const slot = this.#slotOf(high[old] ?? 0, low[old] ?? 0);
      this.#high[slot] = high[old] ?? 0;
      this.#low[slot] = low[old] ?? 0;
      this.#counts[slot] = count;
    });
  }
}

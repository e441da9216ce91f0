/** A set of texts, small enough for every id of a run. */

const initialSlots = 1 << 10;
const fullShare = 0.8;
/** Doubled, the slots of a million ids were the highest of a load's memory at the moment when they grew. */
const growth = 1.25;

/**
 * A set of texts by digests of 53 bits, 8 bytes a slot: a Set of a million ids would need some 80 MB. Two ids of one
 * digest, one chance in 18,000 among a million, leave a doubt, and never a false yes.
 */
export class IdSet {
  #slots = new Float64Array(initialSlots);
  #used = 0;

  /** `false` when it was there before. */
  add(text: string): boolean {
    if (this.#used > this.#slots.length * fullShare) this.#grow();
    return this.#put(digestOf(text));
  }

  has(text: string): boolean {
    const digest = digestOf(text);
    return this.#slots[this.#slotOf(digest)] === digest;
  }

  #put(digest: number): boolean {
    const slot = this.#slotOf(digest);
    if (this.#slots[slot] === digest) return false;
    this.#slots[slot] = digest;
    this.#used += 1;
    return true;
  }

  /** Where a digest stands, or the empty slot for it. */
  #slotOf(digest: number): number {
    const { length } = this.#slots;
    let slot = (digest >>> 0) % length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== digest) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(Math.floor(before.length * growth));
    this.#used = 0;
    for (const digest of before) if (digest !== 0) this.#put(digest);
  }
}

/** Two hashes (the multiplications of MurmurHash) in one number, of which 0 is kept for an empty slot. */
function digestOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    high ^= high >>> 16;
    low ^= low >>> 13;
  }
  return ((high >>> 0) % highBits) * lowBits + (low >>> 0) || 1;
}

/** A number holds 53 bits exactly. */
const lowBits = 2 ** 32;
const highBits = 2 ** 21;

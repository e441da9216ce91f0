/**
 * Rows by digests of 64 bits, in typed arrays (16 bytes a slot): a Map of texts would need some 150 MB for a million rows.
 * Its one rule: what was added stays, and is added once.
 */
import type { Digest } from './digester.ts';

/** A place in a source: the number of its sheet, from 0, and Excel's row number. */
export interface FirstRow {
  readonly sheet: number;
  readonly row: number;
}

const initialSlots = 1 << 8;
const fullShare = 0.8;
/** Doubled, the slots took half as much again at the moment when they grew. */
const growth = 1.25;

export class RowTable {
  #high = new Int32Array(initialSlots);
  #low = new Int32Array(initialSlots);
  #sheets = new Uint32Array(initialSlots);
  /** 0 in an empty slot: rows count from 1. */
  #rows = new Uint32Array(initialSlots);
  #used = 0;

  rowOf({ high, low }: Digest): FirstRow | null {
    const slot = this.#slotOf(high, low);
    const row = this.#rows[slot] ?? 0;
    return row === 0 ? null : { sheet: this.#sheets[slot] ?? 0, row };
  }

  add({ high, low }: Digest, { sheet, row }: FirstRow): void {
    if (this.#used > this.#rows.length * fullShare) this.#grow();
    this.#put(this.#slotOf(high, low), high, low, sheet, row);
    this.#used += 1;
  }

  #put(slot: number, high: number, low: number, sheet: number, row: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#sheets[slot] = sheet;
    this.#rows[slot] = row;
  }

  #slotOf(high: number, low: number): number {
    const { length } = this.#rows;
    let slot = ((high ^ low) >>> 0) % length;
    while (this.#rows[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const [high, low, sheets, rows] = [this.#high, this.#low, this.#sheets, this.#rows];
    const size = Math.floor(rows.length * growth);
    this.#high = new Int32Array(size);
    this.#low = new Int32Array(size);
    this.#sheets = new Uint32Array(size);
    this.#rows = new Uint32Array(size);
    rows.forEach((row, old) => {
      const [digestHigh, digestLow] = [high[old] ?? 0, low[old] ?? 0];
      if (row !== 0) this.#put(this.#slotOf(digestHigh, digestLow), digestHigh, digestLow, sheets[old] ?? 0, row);
    });
  }
}

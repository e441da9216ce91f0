/**
 * What the first reading found out about each row of a sheet, in 13 bytes a row: a later reading need not judge a row again
 * about which there is nothing to say.
 */

const firstCapacity = 1 << 10;

export interface RowFact {
  /** Valid, without a word of warning, and known by no results sheet. */
  readonly isPlain: boolean;
  /** By which the row counts in the control totals, or `null` when it has no readable one. */
  readonly amount: number | null;
}

export class RowFacts {
  #rows = new Uint32Array(firstCapacity);
  #plain = new Uint8Array(firstCapacity);
  /** NaN for none. */
  #amounts = new Float64Array(firstCapacity);
  #count = 0;

  /** Rows come in their order. */
  add(row: number, { isPlain, amount }: RowFact): void {
    if (this.#count === this.#rows.length) this.#grow();
    this.#rows[this.#count] = row;
    this.#plain[this.#count] = isPlain ? 1 : 0;
    this.#amounts[this.#count] = amount ?? Number.NaN;
    this.#count += 1;
  }

  /** Makes the function that finds the fact of a row, asked in the order of the rows; `null` for one that was not added. */
  reader(): (row: number) => RowFact | null {
    let next = 0;
    return (row) => {
      while (next < this.#count && (this.#rows[next] as number) < row) next += 1;
      if (next === this.#count || this.#rows[next] !== row) return null;
      const amount = this.#amounts[next] as number;
      return { isPlain: this.#plain[next] === 1, amount: Number.isNaN(amount) ? null : amount };
    };
  }

  #grow(): void {
    const size = this.#rows.length * 2;
    const [rows, plain, amounts] = [new Uint32Array(size), new Uint8Array(size), new Float64Array(size)];
    rows.set(this.#rows);
    plain.set(this.#plain);
    amounts.set(this.#amounts);
    [this.#rows, this.#plain, this.#amounts] = [rows, plain, amounts];
  }
}

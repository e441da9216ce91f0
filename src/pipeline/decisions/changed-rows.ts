/** Rows that are in, and by now say something else than what went in: nothing of it was sent, and a person must know. */
import { saysNothingReadable, saysSomethingElse } from '../../ledger/kept-sentences.ts';

/** Of a row of a source that is in as it was corrected in a results sheet. */
export const wentInOtherwise = 'It went in with other values than it has here.';

const mostNamed = 5;

export class ChangedRows {
  #count = 0;
  readonly #named: string[] = [];

  /** @param message  what the ledger says of a row */
  look(sheet: string, row: number, message: string | null): void {
    if (message === null || !(message.endsWith(saysSomethingElse) || message.endsWith(saysNothingReadable))) return;
    this.#count += 1;
    if (this.#named.length < mostNamed) this.#named.push(`${sheet} row ${row}`);
  }

  /** One sentence with the first of them, or `null` when there are none. */
  get told(): string | null {
    if (this.#count === 0) return null;
    const more = this.#count - this.#named.length;
    const named = `${this.#named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
    const are = this.#count === 1 ? '1 row is in, and says' : `${this.#count} rows are in, and say`;
    return `${are} something else now than what went in: ${named}. That was not sent, and sums count what the rows say. Change the records in the service, or put the cells back; empty the first six cells of a row that is a new one.`;
  }
}

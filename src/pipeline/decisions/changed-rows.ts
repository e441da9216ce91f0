/** Rows that are in, and have other values now than what went in: nothing of it was sent, and a person must know. */
import { type Message, mentions } from '../../messages/message.ts';

const mostNamed = 5;

export class ChangedRows {
  readonly #byCells = new CountedRows();
  readonly #byOthers = new CountedRows();
  readonly #byLoads = new CountedRows();
  readonly #byCorrections = new CountedRows();

  /** @param message  what the ledger has of a row */
  look(sheet: string, row: number, message: Message | null): void {
    if (mentions(message, 'changed-since-loaded', 'unreadable-since-loaded')) this.#byCells.add(sheet, row);
    else if (mentions(message, 'other-parent', 'other-parent-again', 'other-file', 'other-file-again'))
      this.#byOthers.add(sheet, row);
    else if (mentions(message, 'updated-since', 'updated-since-export')) this.#byLoads.add(sheet, row);
    else if (mentions(message, 'like-corrected-row')) this.#byCorrections.add(sheet, row);
  }

  /** A few sentences with the first of them, or `null` when there are none. */
  get told(): string | null {
    const sentences = [
      this.#byCells.told(
        [
          'is in, and says something else now than what went in',
          'are in, and say something else now than what went in',
        ],
        'That was not sent, and sums count what the rows say. Change the records in the service, or put the cells back; empty the first six cells of a row that is a new one.',
      ),
      this.#byOthers.told(
        [
          'is in for another record, or with another file, than it names now',
          'are in for other records, or with other files, than they name now',
        ],
        'Nothing more was sent. Put that right in the service, or do as the Problems cell says.',
      ),
      this.#byLoads.told(
        [
          'was loaded before, and another load has updated its company since',
          'were loaded before, and other loads have updated their companies since',
        ],
        'Nothing of that was sent. If the companies are to have these values again, do as the Problems cell says.',
      ),
      this.#byCorrections.told(
        [
          'was not sent, since it says what a row said before it was corrected that is in',
          'were not sent, since they say what rows said before they were corrected that are in',
        ],
        'Where that is the same record, all is well; where it is another one, load it in a file of its own with --again.',
      ),
    ].filter((told) => told !== null);
    return sentences.length === 0 ? null : sentences.join('\n');
  }
}

class CountedRows {
  #count = 0;
  readonly #named: string[] = [];

  add(sheet: string, row: number): void {
    this.#count += 1;
    if (this.#named.length < mostNamed) this.#named.push(`${sheet} row ${row}`);
  }

  told([ofOne, ofSeveral]: readonly [string, string], whatToDo: string): string | null {
    if (this.#count === 0) return null;
    const more = this.#count - this.#named.length;
    const named = `${this.#named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
    const are = this.#count === 1 ? `1 row ${ofOne}` : `${this.#count} rows ${ofSeveral}`;
    return `${are}: ${named}. ${whatToDo}`;
  }
}

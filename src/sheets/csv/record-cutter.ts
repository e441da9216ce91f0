/**
 * Cuts text where a record ends: outside of quotes, at any kind of line end. It gives `\n` for every line end between
 * records (papaparse takes mixtures for data) and leaves those within quotes as they are.
 */
import { DealsheetError } from '../../errors.ts';

/** A record longer than this is no row of a spreadsheet. */
const longestRecord = 16_777_216;

export class RecordCutter {
  readonly #delimiter: string;
  #pending = '';
  /** How far the pending text has been looked at. */
  #seen = 0;
  #quoted = false;
  /** Whether a cell begins here: only there does a quotation mark open. */
  #atStart = true;
  #line = 1;
  #quoteLine = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Adds text and gives the whole records that there are now, or an empty text. */
  add(text: string): string {
    this.#pending += text;
    return this.#cut(false);
  }

  /** Gives what is left. @throws DealsheetError `unreadable-source` when a quotation mark is still open */
  end(): string {
    const records = this.#cut(true);
    if (this.#quoted) {
      throw new DealsheetError(
        'unreadable-source',
        `The CSV file has a quotation mark in line ${this.#quoteLine} that is never closed.`,
        'Close or remove it, and try again.',
      );
    }
    const rest = records + this.#pending;
    this.#pending = '';
    return rest;
  }

  #cut(isEnd: boolean): string {
    const text = this.#pending;
    const whole: string[] = [];
    let start = 0;
    let index = this.#seen;
    for (; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (this.#quoted) {
        if (code === lineFeed) this.#line += 1;
        if (code !== quote) continue;
        if (index + 1 === text.length && !isEnd) break;
        if (text.charCodeAt(index + 1) === quote) index += 1;
        else this.#closeQuote(text, index);
        continue;
      }
      if (code === quote && this.#atStart) {
        this.#quoted = true;
        this.#quoteLine = this.#line;
        this.#atStart = false;
      } else if (code === carriageReturn || code === lineFeed) {
        if (code === carriageReturn && index + 1 === text.length && !isEnd) break;
        whole.push(text.slice(start, index), '\n');
        if (code === carriageReturn && text.charCodeAt(index + 1) === lineFeed) index += 1;
        start = index + 1;
        this.#line += 1;
        this.#atStart = true;
      } else {
        this.#atStart = text[index] === this.#delimiter;
      }
    }
    this.#pending = text.slice(start);
    this.#seen = index - start;
    if (this.#pending.length > longestRecord) throw tooLong(this.#line);
    return whole.join('');
  }

  #closeQuote(text: string, index: number): void {
    this.#quoted = false;
    this.#atStart = false;
    const next = text[index + 1];
    if (next === undefined || next === this.#delimiter || next === '\r' || next === '\n') return;
    throw new DealsheetError(
      'unreadable-source',
      `The CSV file has text behind a closing quotation mark in line ${this.#line}.`,
      'Double the quotation marks within a cell, or leave them out, and try again.',
    );
  }
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function tooLong(line: number): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    `The row at line ${line} of the CSV file is longer than ${longestRecord / 1024 / 1024} million characters: this is no table.`,
    'Look at the file in a text editor. A quotation mark that is never closed can be the cause.',
  );
}

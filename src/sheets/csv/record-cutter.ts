/** Cuts text where a record ends, at any kind of line end, and gives `\n` for it: papaparse takes mixtures for data. */
import { unreadable } from '../unreadable.ts';
import { lineFeedsIn } from './character-set.ts';

const longestRecord = 4_194_304;

export class RecordCutter {
  readonly #delimiter: string;
  #pending = '';
  #seen = 0;
  #quoted = false;
  #line = 1;
  #quoteLine = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  add(text: string): string {
    this.#pending += text;
    return this.#cut(false);
  }

  end(): string {
    const records = this.#cut(true);
    if (this.#quoted) throw neverClosed(this.#quoteLine);
    const rest = records + this.#pending;
    this.#pending = '';
    return rest;
  }

  #cut(isEnd: boolean): string {
    const text = this.#pending;
    const whole: string[] = [];
    let copied = 0;
    let start = 0;
    let index = this.#seen;
    for (;;) {
      const at = this.#quoted ? text.indexOf('"', index) : indexOfMark(text, index);
      if (this.#quoted) this.#line += lineFeedsIn(text.slice(index, at === -1 ? text.length : at));
      index = at === -1 ? text.length : at;
      const isLast = index + 1 >= text.length && !isEnd;
      if (at === -1) break;
      if (this.#quoted) {
        if (isLast) break;
        const isDoubled = text[at + 1] === '"';
        if (!isDoubled) this.#closeQuote(text, at);
        index += isDoubled ? 2 : 1;
      } else if (text[at] === '"') {
        // Only where a cell begins does a quotation mark open.
        if (at === start || text[at - 1] === this.#delimiter) [this.#quoted, this.#quoteLine] = [true, this.#line];
        index += 1;
      } else {
        if (text[at] === '\r') {
          if (isLast) break;
          whole.push(text.slice(copied, at), '\n');
          if (text[at + 1] === '\n') index += 1;
          copied = index + 1;
        }
        index += 1;
        start = index;
        this.#line += 1;
      }
    }
    whole.push(text.slice(copied, start));
    this.#pending = text.slice(start);
    this.#seen = index - start;
    if (this.#pending.length > longestRecord) throw this.#quoted ? neverClosed(this.#quoteLine) : tooLong(this.#line);
    return whole.join('');
  }

  #closeQuote(text: string, index: number): void {
    this.#quoted = false;
    const next = text[index + 1];
    if (next === undefined || next === this.#delimiter || next === '\r' || next === '\n') return;
    throw unreadable(
      `The CSV file has text behind a closing quotation mark in line ${this.#line}.`,
      'Double the quotation marks within a cell, or leave them out, and try again.',
    );
  }
}

const mark = /["\r\n]/g;

function indexOfMark(text: string, from: number): number {
  mark.lastIndex = from;
  return mark.test(text) ? mark.lastIndex - 1 : -1;
}

function neverClosed(line: number): Error {
  return unreadable(
    `The CSV file has a quotation mark in line ${line} that is never closed.`,
    'Close or remove it, and try again.',
  );
}

function tooLong(line: number): Error {
  return unreadable(
    `The row at line ${line} of the CSV file is longer than ${longestRecord / 1024 / 1024} million characters: this is no table.`,
    'Look at the file in a text editor. A quotation mark that is never closed can be the cause.',
  );
}

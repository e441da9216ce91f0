/** Whole numbers of more digits than a number holds exactly, such as ids: they go out digit by digit. */
import { randomUUID } from 'node:crypto';

/** No text of a sheet holds it: it is made anew each time that the program runs. */
const mark = `${randomUUID()}:`;

export class LongNumber {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toJSON(): string {
    return mark + this.#digits;
  }

  toString(): string {
    return this.#digits;
  }
}

/** The JSON of a value that may hold long numbers. */
export function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(mark) ? json.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : json;
}

/**
 * JSON read piece by piece, so that an answer may be larger than memory, and exactly: a number keeps the digits in which
 * it was written, and the members of an object keep their order, whatever their names.
 */

import type { TextDecoder } from 'node:util';

/** A number by its digits, as the answer wrote it. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = null | boolean | string | ExactNumber | readonly JsonValue[] | JsonObject;

/** Gives the next piece of a text, or `null` at its end. */
export type TextPieces = () => string | null;

/** The text is no JSON, or ends before it is complete. */
export class BrokenJson extends Error {}

const deepest = 100;
/** A longer text is no value of a record. */
const longestText = 16 * 1024 * 1024;
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const textForm = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const wordForm = /(?:true|false|null)\b/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const nextMark = /["{}[\]]/g;
const nextFilled = /[^ \n\r\t]/g;

/** @throws BrokenJson when it is not one JSON value as a whole */
export function parseExactly(text: string): JsonValue {
  let rest: string | null = text;
  const reader = new JsonReader(() => {
    const piece = rest;
    rest = null;
    return piece;
  });
  const value = reader.value();
  reader.end();
  return value;
}

/** @throws BrokenJson where it is no UTF-8: a letter of it would be lost */
export function decodedBy(decoder: TextDecoder, bytes: Buffer, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new BrokenJson('it is not written in UTF-8');
  }
}

/** The JSON of a value, its numbers in the digits that they came with. */
export function exactText(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.digits;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(',')}}`;
  }
  return `[${(value as readonly JsonValue[]).map(exactText).join(',')}]`;
}

/** The value as JSON is usually read, with numbers that may be rounded; a whole number that would be is given as its digits. */
export function plainValue(value: JsonValue): unknown {
  if (value instanceof ExactNumber) {
    const number = Number(value.digits);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? value.digits : number;
  }
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, plainValue(member)]));
  return (value as readonly JsonValue[]).map(plainValue);
}

/** A number or a text as its characters, `null` for anything else. */
export function textOf(value: JsonValue | undefined): string | null {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' ? value : null;
}

/** A text of its own: one that is cut from a piece of an answer holds on to the whole of it. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export class JsonReader {
  readonly #pieces: TextPieces;
  #text = '';
  #at = 0;
  #depth = 0;

  constructor(pieces: TextPieces) {
    this.#pieces = pieces;
  }

  /** What comes next: `{`, `[`, `"`, another character, or nothing at the end. */
  peek(): string {
    return this.#goTo(nextFilled);
  }

  /**
   * Reads the next value.
   *
   * @param most  how many parts of each list and object are held; the others are passed over
   */
  value(most = Number.POSITIVE_INFINITY): JsonValue {
    switch (this.peek()) {
      case '{': {
        const members = new Map<string, JsonValue>();
        for (const name of this.members()) {
          if (members.has(name)) throw new BrokenJson(`the name "${name}" is there twice`);
          if (members.size < most) members.set(name, this.value(most));
          else this.skip();
        }
        return members;
      }
      case '[': {
        const items: JsonValue[] = [];
        for (const place of this.items()) {
          if (place < most) items.push(this.value(most));
          else this.skip();
        }
        return items;
      }
      case '"':
        return this.#string();
      case 't':
      case 'f':
      case 'n':
        return words[this.#match(wordForm)] ?? null;
      default:
        return new ExactNumber(this.#match(numberForm));
    }
  }

  /** The names of the object that comes next; the value behind each must be taken before the next is asked for. */
  *members(): Generator<string> {
    for (const _ of this.#parts('{', '}')) {
      if (this.peek() !== '"') throw this.#broken();
      const name = this.#string();
      this.#take(':');
      yield name;
    }
  }

  /** The places of the items of the list that comes next; the item must be taken before the next is asked for. */
  items(): Generator<number> {
    return this.#parts('[', ']');
  }

  /** Passes over the next value. Only its brackets and texts are looked at. */
  skip(): void {
    if (!'{['.includes(this.peek() || '"')) {
      this.value();
      return;
    }
    let open = 0;
    do {
      const mark = this.#goTo(nextMark);
      if (mark === '') throw this.#broken();
      if (mark === '"') this.#match(textForm);
      else {
        this.#at += 1;
        open += mark === '{' || mark === '[' ? 1 : -1;
      }
    } while (open > 0);
  }

  /** @throws BrokenJson when anything follows */
  end(): void {
    if (this.peek() !== '') throw this.#broken();
  }

  *#parts(opening: string, closing: string): Generator<number> {
    this.#take(opening);
    this.#depth += 1;
    if (this.#depth > deepest) throw new BrokenJson('its values are nested too deep');
    for (let place = 0; place > 0 || this.peek() !== closing; place += 1) {
      yield place;
      if (this.peek() === closing) break;
      this.#take(',');
    }
    this.#at += 1;
    this.#depth -= 1;
  }

  #take(mark: string): void {
    if (this.peek() !== mark) throw this.#broken();
    this.#at += 1;
  }

  #string(): string {
    const text = this.#match(textForm);
    if (!text.includes('\\')) return text.slice(1, -1);
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#broken();
    }
  }

  /** Goes to the next character of a kind. @returns it, or nothing where the text has none any more */
  #goTo(kind: RegExp): string {
    for (;;) {
      kind.lastIndex = this.#at;
      const isThere = kind.test(this.#text);
      this.#at = isThere ? kind.lastIndex - 1 : this.#text.length;
      if (isThere) return this.#text.charAt(this.#at);
      if (!this.#fill()) return '';
    }
  }

  /** Takes what has a form. What reaches to the end of a piece may go on in the next one. */
  #match(form: RegExp): string {
    for (;;) {
      form.lastIndex = this.#at;
      const isThere = form.test(this.#text);
      const end = form.lastIndex;
      const isLong = this.#text.length - this.#at > longestText;
      if ((isThere && end < this.#text.length) || isLong || !this.#fill()) {
        if (!isThere) throw this.#broken();
        const found = this.#text.slice(this.#at, end);
        this.#at = end;
        return found;
      }
    }
  }

  #fill(): boolean {
    const piece = this.#pieces();
    if (piece === null) return false;
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    return true;
  }

  #broken(): BrokenJson {
    const near = this.#text.slice(this.#at, this.#at + 1);
    return new BrokenJson(near === '' ? 'it ends too early' : `"${near}" stands where it cannot stand`);
  }
}

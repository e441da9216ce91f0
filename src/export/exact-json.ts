/**
 * JSON read piece by piece, so that an answer may be larger than memory, and exactly: a number keeps the digits in which
 * it was written, and the members of an object keep their order, whatever their names.
 */

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

/** What JSON looks at code by code. */
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const deepest = 100;
/** A longer text is no value of a record. */
const longestText = 16 * 1024 * 1024;
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

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

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export class JsonReader {
  readonly #pieces: TextPieces;
  #text = '';
  #at = 0;
  #backslash = -1;
  #stringStart = 0;
  #depth = 0;

  constructor(pieces: TextPieces) {
    this.#pieces = pieces;
  }

  /** What comes next: `{`, `[`, `"`, another character, or nothing at the end. */
  peek(): string {
    for (;;) {
      while (this.#at < this.#text.length) {
        const character = this.#text.charCodeAt(this.#at);
        if (character !== space && character !== lineFeed && character !== carriageReturn && character !== tab)
          return this.#text[this.#at] ?? '';
        this.#at += 1;
      }
      if (!this.#fill()) return '';
    }
  }

  /** Reads the next value whole. */
  value(): JsonValue {
    switch (this.peek()) {
      case '{': {
        const members = new Map<string, JsonValue>();
        for (const name of this.members()) members.set(name, this.value());
        return members;
      }
      case '[': {
        const items: JsonValue[] = [];
        for (const _ of this.items()) items.push(this.value());
        return items;
      }
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  /** The names of the object that comes next; the value behind each must be taken before the next is asked for. */
  *members(): Generator<string> {
    this.#open('{');
    if (this.peek() === '}') return this.#close();
    for (;;) {
      if (this.peek() !== '"') throw this.#broken();
      const name = this.#string();
      this.#take(':');
      yield name;
      if (this.peek() === '}') return this.#close();
      this.#take(',');
    }
  }

  /** The places of the items of the list that comes next; the item must be taken before the next is asked for. */
  *items(): Generator<number> {
    this.#open('[');
    if (this.peek() === ']') return this.#close();
    for (let index = 0; ; index += 1) {
      yield index;
      if (this.peek() === ']') return this.#close();
      this.#take(',');
    }
  }

  /** Passes over the next value. Only its brackets and texts are looked at. */
  skip(): void {
    const first = this.peek();
    if (first !== '{' && first !== '[') {
      this.value();
      return;
    }
    let open = 0;
    for (;;) {
      if (this.#at >= this.#text.length && !this.#fill()) throw this.#broken();
      const character = this.#text.charCodeAt(this.#at);
      if (character === quote) {
        this.#passString();
        continue;
      }
      this.#at += 1;
      if (character === openBrace || character === openBracket) open += 1;
      else if (character === closeBrace || character === closeBracket) {
        open -= 1;
        if (open === 0) return;
      }
    }
  }

  /** @throws BrokenJson when anything follows */
  end(): void {
    if (this.peek() !== '') throw this.#broken();
  }

  #fill(): boolean {
    const piece = this.#pieces();
    if (piece === null) return false;
    this.#text = this.#at >= this.#text.length ? piece : this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#backslash = this.#text.indexOf('\\');
    return true;
  }

  #open(bracket: string): void {
    this.#take(bracket);
    this.#depth += 1;
    if (this.#depth > deepest) throw new BrokenJson('its values are nested too deep');
  }

  #close(): void {
    this.#at += 1;
    this.#depth -= 1;
  }

  #take(mark: string): void {
    if (this.peek() !== mark) throw this.#broken();
    this.#at += 1;
  }

  #string(): string {
    const hasEscapes = this.#passString();
    const text = this.#text.slice(this.#stringStart, this.#at);
    if (!hasEscapes) return text.slice(1, -1);
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#broken();
    }
  }

  /** Passes over a text, which then stands from `#stringStart` on. Gives whether it has escapes in it. */
  #passString(): boolean {
    let hasEscapes = false;
    let from = this.#at + 1;
    for (;;) {
      const end = this.#text.indexOf('"', from);
      const backslash = this.#backslashFrom(from);
      if (backslash !== -1 && (end === -1 || backslash < end) && backslash + 1 < this.#text.length) {
        hasEscapes = true;
        from = backslash + 2;
      } else if (end !== -1 && (backslash === -1 || backslash > end)) {
        this.#stringStart = this.#at;
        this.#at = end + 1;
        return hasEscapes;
      } else {
        const done = from - this.#at;
        if (this.#text.length - this.#at > longestText || !this.#fill()) throw this.#broken();
        from = this.#at + done;
      }
    }
  }

  /** Where the next backslash stands, or -1; looked for once, not for every text. */
  #backslashFrom(from: number): number {
    if (this.#backslash !== -1 && this.#backslash < from) this.#backslash = this.#text.indexOf('\\', from);
    return this.#backslash;
  }

  #number(): ExactNumber {
    for (;;) {
      numberForm.lastIndex = this.#at;
      const digits = numberForm.exec(this.#text)?.[0];
      const end = this.#at + (digits?.length ?? 0);
      // A number at the very end of a piece may go on in the next one, and so may a lone sign.
      if (end + 2 >= this.#text.length && this.#fill()) continue;
      if (digits === undefined || /[\w.+-]/.test(this.#text[end] ?? '')) throw this.#broken();
      this.#at = end;
      return new ExactNumber(digits);
    }
  }

  #word<Value>(word: string, value: Value): Value {
    while (this.#text.length - this.#at < word.length && this.#fill());
    if (!this.#text.startsWith(word, this.#at)) throw this.#broken();
    this.#at += word.length;
    return value;
  }

  #broken(): BrokenJson {
    const near = this.#text.slice(this.#at, this.#at + 1);
    return new BrokenJson(near === '' ? 'it ends too early' : `"${near}" stands where it cannot stand`);
  }
}

/** Streaming, exact JSON: answers may exceed memory, numbers keep their digits, and members their order, whatever their names. */
import type { TextDecoder } from 'node:util';
import { getManyValues, isMany, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';

export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }
}

export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = null | boolean | string | ExactNumber | readonly JsonValue[] | JsonObject;

const broken = (why: Message | string) => errorOf('answer-broken', { why });

const deepest = 100;
/** In characters. A longer text is not a value of a record. */
const longestText = 16 * 1024 * 1024;

/** @throws DealsheetError `output-failed` when it is not exactly one JSON value */
export function parseExactly(text: string): JsonValue {
  const reader = new JsonReader([text]);
  const value = reader.value();
  reader.end();
  return value;
}

/** @throws DealsheetError `output-failed` when it is not UTF-8, because characters would be lost */
export function decodedBy(decoder: TextDecoder, bytes: Buffer, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw broken(messageOf('json-not-utf8'));
  }
}

/** The JSON of a value, with the original digits of its numbers. */
export function exactText(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.digits;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(',')}}`;
  }
  return `[${(value as readonly JsonValue[]).map(exactText).join(',')}]`;
}

/** The value as JSON.parse returns it, with rounded numbers. An integer that would be rounded becomes its digits. */
export function plainValue(value: JsonValue): unknown {
  if (value instanceof ExactNumber) {
    const number = Number(value.digits);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? value.digits : number;
  }
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, plainValue(member)]));
  return (value as readonly JsonValue[]).map(plainValue);
}

/** A number or text as characters, `null` for anything else. */
export function textOf(value: JsonValue | undefined): string | null {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' ? value : null;
}

/** Copies a text, because a slice keeps its whole source text in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/** What comes next: an object, a list, another value, or the end. */
type Coming = '{' | '[' | 'value' | 'end';

export class JsonReader {
  readonly #pieces: Iterator<string>;
  /** Several values may follow each other, as in the lines of a file. */
  readonly #parse = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  #tokens: readonly Token[] = [];
  #at = 0;
  #isEnded = false;
  #depth = 0;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  peek(): Coming {
    const name = this.#coming()?.name;
    if (name === 'startObject') return '{';
    if (name === 'startArray') return '[';
    return name === undefined ? 'end' : 'value';
  }

  /** @param most  how many parts of each list and object to keep; the rest is skipped */
  value(most = Number.POSITIVE_INFINITY): JsonValue {
    const coming = this.peek();
    if (coming === '{') {
      const members = new Map<string, JsonValue>();
      for (const name of this.members()) {
        if (members.has(name)) throw broken(messageOf('json-name-twice', { name }));
        if (members.size < most) members.set(name, this.value(most));
        else this.skip();
      }
      return members;
    }
    if (coming === '[') {
      const items: JsonValue[] = [];
      for (const place of this.items()) {
        if (place < most) items.push(this.value(most));
        else this.skip();
      }
      return items;
    }
    const token = this.#take();
    if (token.name === 'numberValue') return new ExactNumber(token.value);
    return 'value' in token ? token.value : null;
  }

  /** The member names of the next object. Read each value before asking for the next name. */
  *members(): Generator<string> {
    this.#enter();
    for (let token = this.#take(); token.name !== 'endObject'; token = this.#take())
      if (token.name === 'keyValue') yield token.value;
    this.#depth -= 1;
  }

  /** The item indices of the next list. Read each item before asking for the next index. */
  *items(): Generator<number> {
    this.#enter();
    for (let place = 0; this.#coming()?.name !== 'endArray'; place += 1) yield place;
    this.#take();
    this.#depth -= 1;
  }

  skip(): void {
    let open = 0;
    do {
      const { name } = this.#take();
      if (name === 'startObject' || name === 'startArray') open += 1;
      if (name === 'endObject' || name === 'endArray') open -= 1;
    } while (open > 0);
  }

  end(): void {
    if (this.#coming() !== undefined) throw broken(messageOf('json-goes-on'));
  }

  #enter(): void {
    this.#take();
    this.#depth += 1;
    if (this.#depth > deepest) throw broken(messageOf('json-too-deep'));
  }

  #take(): Token {
    const token = this.#coming();
    if (token === undefined) throw broken(messageOf('json-ends-early'));
    this.#at += 1;
    return token;
  }

  #coming(): Token | undefined {
    let waiting = 0;
    while (this.#at >= this.#tokens.length && !this.#isEnded) {
      const { value: piece, done } = this.#pieces.next();
      waiting += piece?.length ?? 0;
      if (waiting > longestText) throw broken(messageOf('json-text-too-long'));
      this.#isEnded = done === true;
      this.#at = 0;
      this.#tokens = this.#tokensOf(piece);
    }
    return this.#tokens[this.#at];
  }

  /** @param piece  `undefined` at the end of the text */
  #tokensOf(piece: string | undefined): readonly Token[] {
    try {
      const given = this.#parse(piece ?? (none as never));
      return isMany(given) ? getManyValues(given) : [];
    } catch (error) {
      throw broken((error as Error).message);
    }
  }
}

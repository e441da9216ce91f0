/** How much of a file that is not UTF-8 throughout is UTF-8 all the same, byte by byte and in constant memory. */
import { isAscii } from 'node:buffer';
import { filePieces } from '../file-pieces.ts';

export const firstBeyondAscii = 0x80;

export interface Utf8Count {
  /** Characters of more than one byte that are whole. */
  readonly characters: number;
  /** Bytes beyond ASCII that belong to none of them. */
  readonly otherBytes: number;
  /** The first of those bytes and its line, counted from 1; `null` when there is none. */
  readonly firstOther: { readonly byte: number; readonly line: number } | null;
}

export async function countUtf8(path: string): Promise<Utf8Count> {
  const counter = new Counter();
  for await (const piece of filePieces(path)) counter.add(piece);
  return counter.end();
}

const lineFeed = 0x0a;
const lastContinuation = 0xbf;

/** The bytes that may follow a first one: how many, and the bounds of the next; those of the others are always the same. */
interface Expected {
  readonly more: number;
  readonly least: number;
  readonly most: number;
}

const continuation = { least: firstBeyondAscii, most: lastContinuation } as const;

/** The table of well-formed UTF-8: no letter in more bytes than it needs, no half of a pair of UTF-16, none beyond U+10FFFF. */
const firstBytes: readonly (Expected & { readonly from: number; readonly to: number })[] = [
  { from: 0xc2, to: 0xdf, more: 1, ...continuation },
  { from: 0xe0, to: 0xe0, more: 2, ...continuation, least: 0xa0 },
  { from: 0xe1, to: 0xec, more: 2, ...continuation },
  { from: 0xed, to: 0xed, more: 2, ...continuation, most: 0x9f },
  { from: 0xee, to: 0xef, more: 2, ...continuation },
  { from: 0xf0, to: 0xf0, more: 3, ...continuation, least: 0x90 },
  { from: 0xf1, to: 0xf3, more: 3, ...continuation },
  { from: 0xf4, to: 0xf4, more: 3, ...continuation, most: 0x8f },
];

const expectedAfter: readonly (Expected | null)[] = Array.from(
  { length: 256 },
  (_, byte) => firstBytes.find(({ from, to }) => byte >= from && byte <= to) ?? null,
);

class Counter {
  #characters = 0;
  #otherBytes = 0;
  #firstOther: Utf8Count['firstOther'] = null;
  #line = 1;
  /** The bytes of a character that has begun, and what must follow. */
  #begun: number[] = [];
  #expected: Expected | null = null;

  add(chunk: Buffer): void {
    if (this.#begun.length === 0 && isAscii(chunk)) {
      if (this.#firstOther === null) this.#countLines(chunk);
      return;
    }
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      if (byte >= firstBeyondAscii || byte === lineFeed || this.#expected !== null) this.#addByte(byte);
    }
  }

  end(): Utf8Count {
    this.#giveUp();
    return { characters: this.#characters, otherBytes: this.#otherBytes, firstOther: this.#firstOther };
  }

  #countLines(chunk: Buffer): void {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) this.#line += 1;
  }

  #addByte(byte: number): void {
    const expected = this.#expected;
    if (expected !== null) {
      if (byte >= expected.least && byte <= expected.most) {
        this.#goOn(byte, expected.more - 1);
        return;
      }
      this.#giveUp();
    }
    if (byte === lineFeed) this.#line += 1;
    if (byte < firstBeyondAscii) return;
    this.#expected = expectedAfter[byte] ?? null;
    if (this.#expected === null) this.#noteOther(byte);
    else this.#begun.push(byte);
  }

  #goOn(byte: number, more: number): void {
    this.#begun.push(byte);
    this.#expected = more === 0 ? null : { more, ...continuation };
    if (more > 0) return;
    this.#characters += 1;
    this.#begun = [];
  }

  /** What has begun is no character after all. */
  #giveUp(): void {
    for (const byte of this.#begun) this.#noteOther(byte);
    this.#begun = [];
    this.#expected = null;
  }

  #noteOther(byte: number): void {
    this.#otherBytes += 1;
    this.#firstOther ??= { byte, line: this.#line };
  }
}

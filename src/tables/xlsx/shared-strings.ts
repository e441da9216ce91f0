/** The shared strings: UTF-8 bytes in one buffer with offsets, decoded on use. */
import { errorOf } from '../../messages/text.ts';
import { utf8Pieces } from './utf8-pieces.ts';
import { elementText } from './xml-text.ts';
import type { ZipEntries } from './zip-entries.ts';

export interface SharedStrings {
  at(index: number): string | undefined;
}

export const noSharedStrings: SharedStrings = { at: () => undefined };

const firstCapacity = 1 << 16;
const endOfItem = 'si>';
const longestItem = 4 * 1024 ** 2;

/** @throws DealsheetError `unreadable-source` for XML that is not a table of strings, or ends early */
export async function readSharedStrings(entries: ZipEntries, part: string): Promise<SharedStrings> {
  const table = new Table();
  let text = '';
  let isBegun = false;
  let isEnded = false;
  for await (const piece of utf8Pieces(entries.read(part), part, endOfItem)) {
    text += piece;
    if (!isBegun) {
      const root = /<sst\b[^<>]*?(\/?)>/.exec(text);
      if (root === null && text.length > longestItem) throw errorOf('part-unreadable', { part });
      if (root === null) continue;
      isEnded = root[1] === '/';
      isBegun = true;
      text = text.slice(root.index + root[0].length);
    }
    text = takeItems(text, table, part);
    if (text.length > longestItem) throw errorOf('part-unreadable', { part });
    if (text.trimStart().startsWith('</sst>')) isEnded = true;
  }
  if (!isEnded) throw errorOf('part-unreadable', { part });
  return table;
}

const startOfItem = /\s*<si(?: [^<>]*)?\/?>/y;
const closing = '</si>';

/** Searches for the end of an item, because an expression keeps a place for each tag that it may return to. */
function takeItems(text: string, table: Table, part: string): string {
  let taken = 0;
  for (;;) {
    startOfItem.lastIndex = taken;
    const [tag] = startOfItem.exec(text) ?? [];
    if (tag === undefined) return text.slice(taken);
    const start = startOfItem.lastIndex;
    const isBlank = tag.endsWith('/>');
    const end = isBlank ? start : text.indexOf(closing, start);
    if (end === -1) return text.slice(taken);
    table.add(elementText(text.slice(start, end), part));
    taken = isBlank ? end : end + closing.length;
  }
}

/** A cache of recent strings, by the low bits of their index, because values such as a state or stage repeat in every row. */
const rememberedStrings = 4096;

class Table implements SharedStrings {
  #bytes = Buffer.allocUnsafe(firstCapacity);
  #offsets = new Float64Array(firstCapacity);
  #length = 0;
  #isAscii = true;
  readonly #usedLast = new Array<string>(rememberedStrings).fill('');
  readonly #numbersUsedLast = new Float64Array(rememberedStrings).fill(-1);
  #count = 0;

  add(text: string): void {
    this.#makeRoom(text.length * 3);
    const written = this.#bytes.write(text, this.#length, 'utf8');
    if (written !== text.length) this.#isAscii = false;
    this.#length += written;
    this.#count += 1;
    this.#offsets[this.#count] = this.#length;
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    const place = index & (rememberedStrings - 1);
    if (this.#numbersUsedLast[place] !== index) {
      const encoding = this.#isAscii ? 'latin1' : 'utf8';
      this.#usedLast[place] = this.#bytes.toString(encoding, this.#offsets[index], this.#offsets[index + 1]);
      this.#numbersUsedLast[place] = index;
    }
    return this.#usedLast[place];
  }

  #makeRoom(most: number): void {
    if (this.#length + most > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 1.5, this.#length + most) | 0);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    if (this.#count + 2 > this.#offsets.length) {
      const grown = new Float64Array(this.#offsets.length * 2);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
  }
}

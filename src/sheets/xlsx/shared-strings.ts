/** The table of strings: their UTF-8 bytes end to end and where each begins, decoded when it is used. */

import { elementText } from './string-item.ts';
import { utf8Pieces } from './utf8-pieces.ts';
import type { ZipEntries } from './zip-entries.ts';
import { damaged } from './zip-entries.ts';

export interface SharedStrings {
  readonly count: number;
  at(index: number): string | undefined;
}

export const noSharedStrings: SharedStrings = { count: 0, at: () => undefined };

const firstCapacity = 1 << 16;
const endOfItem = 'si>';
const longestItem = 4 * 1024 ** 2;

/** @throws DealsheetError `unreadable-source` for XML that is not a table of strings, or ends early */
export async function readSharedStrings(entries: ZipEntries, part: string): Promise<SharedStrings> {
  const table = new Table();
  let text = '';
  let tags: { open: string; close: string; end: string } | null = null;
  let isEnded = false;
  for await (const piece of utf8Pieces(entries.read(part), part, endOfItem)) {
    text += piece;
    if (tags === null) {
      const root = /<((?:[\w.-]+:)?)sst\b[^>]*?(\/?)>/.exec(text);
      if (root === null) continue;
      const prefix = root[1] ?? '';
      if (root[2] === '/') isEnded = true;
      tags = { open: `<${prefix}si`, close: `</${prefix}si>`, end: `</${prefix}sst>` };
      text = text.slice(root.index + root[0].length);
    }
    text = takeItems(text, tags, table, part);
    if (text.length > longestItem) throw damaged(`a string in its part ${part} has no end`);
    if (text.trimStart().startsWith(tags.end)) isEnded = true;
  }
  if (!isEnded) throw damaged(`its part ${part} ends early`);
  return table;
}

/** Takes the whole items off the front of the text and gives the rest. */
function takeItems(text: string, tags: { open: string; close: string }, table: Table, part: string): string {
  let start = 0;
  for (;;) {
    const open = text.indexOf(tags.open, start);
    if (open === -1) break;
    if (text.slice(start, open).trim() !== '') throw damaged(`its part ${part} holds something else than strings`);
    const afterName = open + tags.open.length;
    const head = text.indexOf('>', afterName);
    if (head === -1) break;
    if (text[head - 1] === '/') {
      table.add('');
      start = head + 1;
      continue;
    }
    const close = text.indexOf(tags.close, head);
    if (close === -1) break;
    table.add(elementText(text.slice(head + 1, close), part));
    start = close + tags.close.length;
  }
  return text.slice(start);
}

class Table implements SharedStrings {
  #bytes = Buffer.allocUnsafe(firstCapacity);
  #offsets = new Float64Array(firstCapacity);
  #length = 0;
  count = 0;

  add(text: string): void {
    const most = text.length * 3;
    if (this.#length + most > this.#bytes.length) this.#growBytes(most);
    if (this.count + 2 > this.#offsets.length) this.#growOffsets();
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.count += 1;
    this.#offsets[this.count] = this.#length;
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined;
    return this.#bytes.toString('utf8', this.#offsets[index], this.#offsets[index + 1]);
  }

  #growBytes(most: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 1.5, this.#length + most) | 0);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  #growOffsets(): void {
    const grown = new Float64Array(this.#offsets.length * 2);
    grown.set(this.#offsets);
    this.#offsets = grown;
  }
}

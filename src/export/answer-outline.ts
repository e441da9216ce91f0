/** What stands in a kept answer, without what is in its lists: small, however many records there are. */
import { BrokenJson, ExactNumber, type JsonReader, type JsonValue } from './exact-json.ts';
import { openAnswer } from './kept-answers.ts';
import { balanceFault } from './read-fault.ts';

/** What stands around the records. A list is known by what is in it, and is not held. */
export type Around = ReadonlyMap<string, AroundValue>;
export type AroundValue = null | boolean | string | ExactNumber | ListFound | Around;

export class ListFound {
  length = 0;
  /** What every item is; `other` for anything else, and for several. */
  holds: 'objects' | 'lists' | 'other' | null = null;

  add(first: string): void {
    const what = first === '{' ? 'objects' : first === '[' ? 'lists' : 'other';
    this.holds = this.length === 0 || this.holds === what ? what : 'other';
    this.length += 1;
  }
}

/** Lists are looked for so many objects deep. */
const deepest = 4;
const mostMembers = 10_000;

export function outlineOf(answer: string): AroundValue {
  const { reader, close } = openAnswer(answer);
  try {
    const found = outline(reader, 0);
    reader.end();
    return found;
  } catch (error) {
    throw asFault(error);
  } finally {
    close();
  }
}

export function asFault(error: unknown): unknown {
  return error instanceof BrokenJson ? balanceFault('broken-json', { why: error.message }) : error;
}

function outline(reader: JsonReader, depth: number): AroundValue {
  const next = reader.peek();
  if (next === '[') {
    const list = new ListFound();
    for (const _ of reader.items()) {
      list.add(reader.peek());
      reader.skip();
    }
    return list;
  }
  if (next !== '{') return plain(reader.value());
  const members = new Map<string, AroundValue>();
  for (const name of reader.members()) {
    if (members.has(name)) throw new BrokenJson(`the name "${name}" is there twice`);
    if (depth >= deepest || members.size >= mostMembers) reader.skip();
    else members.set(name, outline(reader, depth + 1));
  }
  return members;
}

function plain(value: JsonValue): null | boolean | string | ExactNumber {
  return value === null || typeof value !== 'object' || value instanceof ExactNumber ? value : null;
}

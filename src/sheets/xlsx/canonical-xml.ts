/**
 * Any XML as the plain XML that spreadsheet programs write: the same elements and texts without comments, CDATA, instructions and
 * prefixes, in UTF-8. It costs several times what the readers made for plain XML cost, and is for what they refuse.
 */
import type { SaxesTagNS } from 'saxes';
import { damaged } from '../unreadable.ts';
import { characterSetOf, guardedParser, officeRelations, ownNamespaces } from './xml-parser.ts';
import type { ZipEntries } from './zip-entries.ts';

/** Above this, a part that is not plain stays refused: no spreadsheet program has made it. */
const largestPart = 256 * 1024 ** 2;
/** Of one tag or one text, in characters. */
const longestToken = 2 * 1024 ** 2;
const flushLength = 65_536;

/** The same archive, each of whose parts reads as plain XML. */
export function withCanonicalXml(entries: ZipEntries): ZipEntries {
  return {
    ...entries,
    read: (name) => canonicalPieces(entries.read(name), name),
  };
}

/** @throws DealsheetError `unreadable-source` for XML that is not well formed, or has a DOCTYPE, or no end */
async function* canonicalPieces(stream: AsyncIterable<Buffer>, part: string): AsyncGenerator<Buffer> {
  const writer = new CanonicalWriter(part);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > largestPart) throw damaged(`its part ${part} is too large to be read in the form that it has`);
      decoder ??= new TextDecoder(characterSetOf(chunk), { fatal: true });
      writer.add(decoder.decode(chunk, { stream: true }));
      if (writer.length >= flushLength) yield writer.take();
    }
    writer.end(decoder?.decode() ?? '');
  } catch (error) {
    if (error instanceof TypeError) throw damaged(`its part ${part} is not UTF-8`, error);
    throw error;
  }
  yield writer.take();
}

class CanonicalWriter {
  readonly #parser: ReturnType<typeof guardedParser>;
  readonly #part: string;
  #pending = '';
  /** Characters since the last tag or text came out of the parser. */
  #unanswered = 0;

  constructor(part: string) {
    this.#part = part;
    this.#parser = guardedParser(part, { open: (tag) => this.#open(tag), close: (tag) => this.#close(tag) });
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
    this.#parser.on('comment', () => {
      this.#unanswered = 0;
    });
  }

  get length(): number {
    return this.#pending.length;
  }

  add(xml: string): void {
    this.#unanswered += xml.length;
    this.#parser.write(xml);
    if (this.#unanswered > longestToken) throw damaged(`a text in its part ${this.#part} has no end`);
  }

  end(rest: string): void {
    this.#parser.write(rest).close();
  }

  take(): Buffer {
    const bytes = Buffer.from(this.#pending, 'utf8');
    this.#pending = '';
    return bytes;
  }

  #open(tag: SaxesTagNS): void {
    this.#unanswered = 0;
    const own = Object.values(tag.attributes).filter(({ prefix, local }) => prefix === '' && local !== 'xmlns');
    const attributes = own.map(({ local, value }) => ` ${local}="${escaped(value).replaceAll('"', '&quot;')}"`);
    const relation = Object.values(tag.attributes).find(({ uri, local }) => local === 'id' && officeRelations.has(uri));
    if (relation !== undefined) attributes.push(` r:id="${escaped(relation.value).replaceAll('"', '&quot;')}"`);
    this.#pending += `<${nameOf(tag)}${attributes.join('')}>`;
  }

  #close(tag: SaxesTagNS): void {
    this.#unanswered = 0;
    this.#pending += `</${nameOf(tag)}>`;
  }

  #text(text: string): void {
    this.#unanswered = 0;
    this.#pending += escaped(text);
  }
}

/** What is of another namespace keeps a prefix, so that nobody takes it for what it is not. */
function nameOf(tag: SaxesTagNS): string {
  return ownNamespaces.has(tag.uri) ? tag.local : `other:${tag.local}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

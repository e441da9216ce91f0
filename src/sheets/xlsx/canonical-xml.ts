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
  let pending = '';
  /** Characters since the last tag or text came out of the parser. */
  let unanswered = 0;
  const add = (xml: string) => {
    unanswered = 0;
    pending += xml;
  };
  const parser = guardedParser(part, {
    open: (tag) => add(`<${nameOf(tag)}${attributesOf(tag)}>`),
    close: (tag) => add(`</${nameOf(tag)}>`),
  });
  parser.on('text', (text) => add(escaped(text)));
  parser.on('cdata', (text) => add(escaped(text)));
  parser.on('comment', () => add(''));
  const taken = () => {
    const bytes = Buffer.from(pending, 'utf8');
    pending = '';
    return bytes;
  };
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > largestPart) throw damaged(`its part ${part} is too large to be read in the form that it has`);
      decoder ??= new TextDecoder(characterSetOf(chunk), { fatal: true });
      const xml = decoder.decode(chunk, { stream: true });
      unanswered += xml.length;
      parser.write(xml);
      if (unanswered > longestToken) throw damaged(`a text in its part ${part} has no end`);
      if (pending.length >= flushLength) yield taken();
    }
    parser.write(decoder?.decode() ?? '').close();
  } catch (error) {
    throw error instanceof TypeError ? damaged(`its part ${part} is not UTF-8`, error) : error;
  }
  yield taken();
}

/** Those without a namespace, and the relation that the element names. */
function attributesOf(tag: SaxesTagNS): string {
  const all = Object.values(tag.attributes);
  const relation = all.find(({ uri, local }) => local === 'id' && officeRelations.has(uri));
  const own = all.filter(({ prefix, local }) => prefix === '' && local !== 'xmlns');
  return [
    ...own.map(({ local, value }) => [local, value] as const),
    ...(relation ? [['r:id', relation.value] as const] : []),
  ]
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('');
}

/** What is of another namespace keeps a prefix, so that nobody takes it for what it is not. */
function nameOf(tag: SaxesTagNS): string {
  return ownNamespaces.has(tag.uri) ? tag.local : `other:${tag.local}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

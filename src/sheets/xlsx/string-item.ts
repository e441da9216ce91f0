/** The text of a string item: of its runs one after the other, without the phonetic ones (ECMA-376 18.4.8). */
import { damaged } from '../unreadable.ts';
import { decodedEntities, decodedEscapes } from './xml-entities.ts';

const plainItem = /^\s*<t(?:\s[^<>]*)?>([^<]*)<\/t>\s*$/;
/** A tag, or the text before the next one; what is neither is passed over, and shows in the length. */
const tagOrText = /<(\/?)((?:[\w.-]+:)?)([\w.-]+)(?![\w.-])([^<>]*)>|[^<]+/g;

/**
 * @param xml  what stands inside an `si` or `is` element
 * @throws DealsheetError `unreadable-source` for what is not plainly a string item
 */
export function elementText(xml: string, part: string): string {
  const only = plainItem.exec(xml);
  if (only !== null) return decoded(only[1] ?? '', part);
  const open: string[] = [];
  let text = '';
  let length = 0;
  let prefix: string | null = null;
  for (const [piece, slash, ownPrefix, name = '', rest = ''] of xml.matchAll(tagOrText)) {
    length += piece.length;
    if (ownPrefix === undefined) {
      if (open.at(-1) === 't' && !open.includes('rPh')) text += decoded(piece, part);
      else if (open.at(-1) !== 't' && piece.trim() !== '') throw strange(part);
      continue;
    }
    prefix ??= ownPrefix;
    if (ownPrefix !== prefix) throw strange(part);
    if (slash === '/') {
      if (open.pop() !== name) throw strange(part);
    } else if (!rest.endsWith('/')) open.push(name);
    if (open.length > deepest) throw strange(part);
  }
  if (length !== xml.length || open.length > 0) throw strange(part);
  return text;
}

const deepest = 10;

function strange(part: string): Error {
  return damaged(`its part ${part} has a string in it that is none`);
}

/** Line ends become line feeds twice: as XML has them in its text, and as a cell has them once escapes are read. */
export function decoded(text: string, part: string): string {
  const plain = decodedEntities(withLineFeeds(text));
  if (plain === null) throw damaged(`its part ${part} has a character reference that XML does not know`);
  return withLineFeeds(decodedEscapes(plain));
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

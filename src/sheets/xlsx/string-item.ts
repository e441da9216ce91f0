/** The text of a string item: of its runs one after the other, without the phonetic ones (ECMA-376 18.4.8). */
import { decodedEntities, decodedEscapes } from './xml-entities.ts';
import { damaged } from './zip-entries.ts';

const textElement = /<((?:[\w.-]+:)?)t(?:\s[^>]*)?(?:\/>|>([^<]*)<\/\1t>)/g;
const phonetic = /<((?:[\w.-]+:)?)rPh\b[^>]*>.*?<\/\1rPh>/gs;
const plainItem = /^\s*<t(?:\s[^>]*)?>([^<]*)<\/t>\s*$/;

/** @param xml  what stands inside an `si` or `is` element */
export function elementText(xml: string, part: string): string {
  const only = plainItem.exec(xml);
  if (only !== null) return decoded(only[1] ?? '', part);
  const runs = xml.includes('rPh') ? xml.replace(phonetic, '') : xml;
  let text = '';
  for (const match of runs.matchAll(textElement)) text += match[2] ?? '';
  return decoded(text, part);
}

export function decoded(text: string, part: string): string {
  const plain = decodedEntities(text);
  if (plain === null) throw damaged(`its part ${part} has a character reference that XML does not know`);
  return decodedEscapes(plain).replace(/\r\n?/g, '\n');
}

/** Text in XML: decodes string items, and escapes text so that every program reads it back. */
import { errorOf } from '../../messages/text.ts';

const plainItem = /^\s*<t(?:\s[^<>]*)?>([^<]*)<\/t>\s*$/;
/** A tag, or the text before the next one. The match skips anything else, which then shows in the length. */
const tagOrText = /<(\/?)([\w.-]+)(?![\w.:-])([^<>]*)>|[^<]+/g;
const deepest = 10;

/** The text of the runs in a string item, without the phonetic ones. @throws DealsheetError `unreadable-source` */
export function elementText(xml: string, part: string): string {
  const only = plainItem.exec(xml);
  if (only !== null) return decoded(only[1] ?? '', part);
  const open: string[] = [];
  let text = '';
  let length = 0;
  for (const [piece, slash, name, rest = ''] of xml.matchAll(tagOrText)) {
    length += piece.length;
    if (name === undefined) {
      if (open.at(-1) === 't' && !open.includes('rPh')) text += decoded(piece, part);
      else if (open.at(-1) !== 't' && piece.trim() !== '') throw errorOf('part-unreadable', { part });
    } else if (slash === '/') {
      if (open.pop() !== name) throw errorOf('part-unreadable', { part });
    } else if (!rest.endsWith('/')) open.push(name);
    if (open.length > deepest) throw errorOf('part-unreadable', { part });
  }
  if (length !== xml.length || open.length > 0) throw errorOf('part-unreadable', { part });
  return text;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#[xX]([0-9A-Fa-f]+));|&/g;
/** `_x0041_`: how Excel escapes a character that XML cannot hold (ECMA-376 ST_Xstring). */
const escapedCharacter = /_x([0-9A-Fa-f]{4})_/g;
const characterOfXml = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;
const lastCode = 0x10ffff;

/** Most texts have none of these, so they need no decoding. */
const special = /[&_\r]/;

/** Normalizes line ends twice: first as XML does, then again after escapes are decoded. */
export function decoded(text: string, part: string): string {
  if (!special.test(text)) return text;
  const plain = withoutReferences(withLineFeeds(text), part);
  if (!plain.includes('_x')) return withLineFeeds(plain);
  return withLineFeeds(
    plain.replace(escapedCharacter, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}

/** Checks one by one, because all matches of a hostile text would fill memory before the first is refused. */
function withoutReferences(text: string, part: string): string {
  if (!text.includes('&')) return text;
  let plain = '';
  let copied = 0;
  for (const { 0: whole, 1: name, 2: decimal, 3: hex, index } of text.matchAll(reference)) {
    const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
    const character = name === undefined ? (code <= lastCode ? String.fromCodePoint(code) : '') : named[name];
    if (character === undefined || !characterOfXml.test(character)) throw errorOf('part-unreadable', { part });
    plain += text.slice(copied, index) + character;
    copied = index + whole.length;
  }
  return plain + text.slice(copied);
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const unwritable =
  /[<>&"\u0000-\u0008\u000b\u000c\r\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9A-Fa-f]{4}_)/;
const everyUnwritable = new RegExp(unwritable.source, 'g');
const nameOf = new Map(Object.entries(named).map(([name, character]) => [character, name]));

/** Escapes markup, and as `_x0001_` what XML cannot hold. Excel reads it back (ECMA-376 18.3.1.96, ST_Xstring). */
export function xmlText(text: string): string {
  if (!unwritable.test(text)) return text;
  return text.replace(everyUnwritable, (one) => {
    const name = nameOf.get(one);
    return name === undefined ? `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_` : `&${name};`;
  });
}

/** Detects the character set from the first bytes (XML 1.0, appendix F), as a name for `TextDecoder`. */
export function characterSetOf([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}

/** The tags of a sheet's rows and cells, under the prefix that its writer chose, and the looking for them in text. */
import { carriageReturn, greater, slash, space } from './character-codes.ts';

export interface SheetTags {
  readonly prefix: string;
  readonly row: string;
  readonly endOfRow: string;
  readonly cell: string;
  readonly endOfCell: string;
  readonly endOfRows: string;
  readonly endOfSheet: string;
}

/** @param prefix  with its colon, or empty */
export function sheetTags(prefix: string): SheetTags {
  return {
    prefix,
    row: `<${prefix}row`,
    endOfRow: `</${prefix}row>`,
    cell: `<${prefix}c`,
    endOfCell: `</${prefix}c>`,
    endOfRows: `</${prefix}sheetData>`,
    endOfSheet: `</${prefix}worksheet>`,
  };
}

/** Whether the tag stands there, and not one whose name only begins like it. */
export function isTag(text: string, at: number, tag: string): boolean {
  if (!text.startsWith(tag, at)) return false;
  const next = text.charCodeAt(at + tag.length);
  return next === greater || next === slash || isSpace(next);
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const lineFeed = 0x0a;
const tab = 0x09;

function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === carriageReturn || code === tab;
}

/** @param attributes  what stands between a tag's name and its end */
export function attribute(attributes: string, name: string): string | null {
  const start = attributes.indexOf(` ${name}="`);
  if (start !== -1) {
    const from = start + name.length + 3;
    return attributes.slice(from, attributes.indexOf('"', from));
  }
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? null;
}

/** The text inside the first element of this name, or `null`. */
export function between(xml: string, name: string): string | null {
  const tag = `<${name}`;
  let start = xml.indexOf(tag);
  while (start !== -1 && !isTag(xml, start, tag)) start = xml.indexOf(tag, start + 1);
  if (start === -1) return null;
  const head = xml.indexOf('>', start);
  if (xml.charCodeAt(head - 1) === slash) return null;
  const end = xml.indexOf(`</${name}>`, head);
  return end === -1 ? null : xml.slice(head + 1, end);
}

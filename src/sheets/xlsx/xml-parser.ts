/** A parser for XML that somebody may have made to fill a memory. Its one rule: what no spreadsheet program writes is refused. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { damaged } from '../unreadable.ts';

/** Of all parts of a workbook: transitional, strict (ECMA-376, Parts 4 and 1), or none, as some writers have it. */
export const ownNamespaces: ReadonlySet<string> = new Set([
  '',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
  'http://schemas.openxmlformats.org/officeDocument/2006/custom-properties',
  'http://purl.oclc.org/ooxml/officeDocument/customProperties',
]);

/** Of `r:id`, and of the types of relations. */
export const officeRelations: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]);

const deepestElement = 100;
const mostAttributes = 1000;

export interface ElementEvents {
  readonly open: (tag: SaxesTagNS) => void;
  readonly close: (tag: SaxesTagNS) => void;
}

/**
 * @returns a parser that throws DealsheetError `unreadable-source` for XML that is not well formed, or has a DOCTYPE: entities
 * of one's own making are how a small file becomes a large one
 */
export function guardedParser(part: string, { open, close }: ElementEvents): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let attributes = 0;
  parser.on('error', (error) => {
    throw damaged(`its part ${part} is not well formed`, error);
  });
  parser.on('doctype', () => {
    throw damaged(`its part ${part} has a DOCTYPE, which no spreadsheet program writes`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes) throw damaged(`its part ${part} has an element of countless attributes`);
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    depth += 1;
    if (depth > deepestElement) throw damaged(`its part ${part} is nested deeper than any spreadsheet`);
    open(tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    close(tag);
  });
  return parser;
}

/** The character sets that every XML parser knows, by how a part begins (XML 1.0, appendix F), by names of `TextDecoder`. */
export function characterSetOf([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}

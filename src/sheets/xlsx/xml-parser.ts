/** A parser for XML that somebody may have made to fill a memory. Its one rule: what no spreadsheet program writes is refused. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { damaged } from '../unreadable.ts';

/** Of sheets, strings, styles and the workbook itself: transitional, strict, or none, as some writers have it. */
export const mainNamespaces: ReadonlySet<string> = new Set([
  '',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
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

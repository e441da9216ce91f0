/** The small parts of a workbook, read with saxes: who is related to whom, which sheets there are, how numbers look. */
import { guardedParser } from './xml-parser.ts';
import { hostile } from './zip-entries.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Local names of the elements around it, the outermost first. */
  readonly path: readonly string[];
}

/**
 * Walks through the elements of a part by their local names, whatever prefix they carry.
 *
 * @throws DealsheetError `unreadable-source` for XML that is not well formed, or has a DOCTYPE
 */
export function walkXml(
  part: string,
  xml: string,
  visit: (element: XmlElement) => void,
  text?: (text: string, path: readonly string[]) => void,
): void {
  const path: string[] = [];
  const parser = guardedParser(part, {
    open: (tag) => {
      const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
      visit({ name: tag.local, attributes, path });
      path.push(tag.local);
    },
    close: () => {
      path.pop();
    },
  });
  if (text !== undefined) parser.on('text', (piece) => text(piece, path));
  parser.write(xml.replace(/^\uFEFF/, '')).close();
}

export interface Relation {
  readonly id: string;
  /** The last word of the type: `worksheet`, `styles`, `sharedStrings`. */
  readonly type: string;
  /** The part's name in the archive. */
  readonly target: string;
}

/** The relations of a part; targets are made whole against its folder. */
export function readRelations(part: string, xml: string, owner: string): readonly Relation[] {
  const relations: Relation[] = [];
  walkXml(part, xml, ({ name, attributes }) => {
    if (name !== 'Relationship' || attributes.TargetMode === 'External') return;
    const { Id = '', Type = '', Target = '' } = attributes;
    relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolvedTarget(owner, Target) });
  });
  return relations;
}

/** The name of the part that holds the relations of a part. */
export function relationsPartOf(part: string): string {
  const slash = part.lastIndexOf('/');
  return `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`;
}

function resolvedTarget(owner: string, written: string): string {
  const target = decodedPath(written);
  if (target.startsWith('/')) return target.slice(1);
  const folders = owner.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') folders.pop();
    else if (step !== '.') folders.push(step);
  }
  return folders.join('/');
}

/** A target is a part of a URL: `my%20sheet.xml`. */
function decodedPath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

const mostSheets = 5000;

export interface WorkbookPart {
  readonly sheets: readonly { readonly name: string; readonly relation: string; readonly hidden: boolean }[];
  /** Whether day 0 is 1 January 1904 (ECMA-376 18.2.28). */
  readonly date1904: boolean;
  /** Whether every formula is to be calculated by the next program that opens the workbook (ECMA-376 18.2.2). */
  readonly awaitsCalculation: boolean;
}

export function readWorkbookPart(part: string, xml: string): WorkbookPart {
  const sheets: { name: string; relation: string; hidden: boolean }[] = [];
  let date1904 = false;
  let awaitsCalculation = false;
  walkXml(part, xml, ({ name, attributes }) => {
    if (name === 'workbookPr') date1904 = isTrue(attributes.date1904);
    if (name === 'calcPr') awaitsCalculation = isTrue(attributes.fullCalcOnLoad);
    if (name !== 'sheet') return;
    if (sheets.length >= mostSheets) throw hostile(`it has more than ${mostSheets} sheets`);
    const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
    // A macro can put a line break into a name, and rows are told by it: `Deals!12`.
    const shownName = (attributes.name ?? '').replace(/[\n\r]+/g, ' ');
    sheets.push({ name: shownName, relation: attributes.id ?? '', hidden });
  });
  return { sheets, date1904, awaitsCalculation };
}

function isTrue(written: string | undefined): boolean {
  return written === '1' || written === 'true';
}

/** Excel has room for 65,490. */
const mostCellFormats = 65_536;

/** The number format codes of the cell formats, by the index that cells name. */
export function readFormatCodes(part: string, xml: string): readonly (string | number)[] {
  const codes = new Map<string, string>();
  const formats: (string | number)[] = [];
  walkXml(part, xml, ({ name, attributes, path }) => {
    if (name === 'numFmt' && path.at(-1) === 'numFmts')
      codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
    if (name !== 'xf' || path.at(-1) !== 'cellXfs') return;
    if (formats.length >= mostCellFormats) throw hostile(`it has more than ${mostCellFormats} cell formats`);
    const id = attributes.numFmtId ?? '0';
    formats.push(codes.get(id) ?? Number(id));
  });
  return formats;
}

/** Custom document properties with a text. */
export function readCustomProperties(part: string, xml: string): Readonly<Record<string, string>> {
  const properties = new Map<string, string>();
  let name: string | null = null;
  walkXml(
    part,
    xml,
    (element) => {
      if (element.name === 'property') name = element.attributes.name ?? null;
    },
    (text, path) => {
      if (name !== null && path.includes('property') && text.trim() !== '') properties.set(name, text);
    },
  );
  return Object.fromEntries(properties);
}

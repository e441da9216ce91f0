/** The small parts of a workbook, read with saxes: who is related to whom, which sheets there are, how numbers look. */
import { hostile } from '../unreadable.ts';
import { guardedParser, officeRelations, ownNamespaces } from './xml-parser.ts';

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

export interface XmlElement {
  /** Its place by local names, its own last: `workbook/sheets/sheet`. What stands in another namespace has a prefix there. */
  readonly path: string;
  /** Those without a namespace. */
  readonly attributes: Readonly<Record<string, string>>;
  /** `r:id`: the relation that the element names. */
  readonly relation: string;
}

/**
 * Walks through the elements of a part by their namespaces and places. Of alternatives for newer programs, it takes the one for
 * all others (ECMA-376, Part 3).
 *
 * @throws DealsheetError `unreadable-source` for XML that is not well formed, or has a DOCTYPE
 */
export function walkXml(
  part: string,
  xml: string,
  visit: (element: XmlElement) => void,
  text?: (text: string, path: string) => void,
): void {
  const paths = [''];
  const parser = guardedParser(part, {
    open: (tag) => {
      const around = paths.at(-1) ?? '';
      const isTransparent = tag.uri === compatibility && tag.local !== 'Choice';
      const name = ownNamespaces.has(tag.uri) ? tag.local : `other:${tag.local}`;
      const path = isTransparent ? around : around === '' ? name : `${around}/${name}`;
      paths.push(path);
      if (isTransparent) return;
      const all = Object.values(tag.attributes);
      const attributes = Object.fromEntries(
        all.flatMap(({ uri, local, value }) => (uri === '' ? [[local, value]] : [])),
      );
      const ids = all.filter(({ uri, local }) => local === 'id' && uri !== '');
      const relation = (ids.find(({ uri }) => officeRelations.has(uri)) ?? ids[0])?.value ?? '';
      visit({ path, attributes, relation });
    },
    close: () => {
      paths.pop();
    },
  });
  if (text !== undefined) parser.on('text', (piece) => text(piece, paths.at(-1) ?? ''));
  parser.write(xml.replace(/^\uFEFF/, '')).close();
}

export interface Relation {
  readonly id: string;
  /** The last word of an office type: `worksheet`, `styles`, `sharedStrings`; any other type as it stands. */
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

export function readRelations(part: string, xml: string, owner: string): readonly Relation[] {
  const relations: Relation[] = [];
  walkXml(part, xml, ({ path, attributes }) => {
    if (path !== 'Relationships/Relationship') return;
    const { Id = '', Type = '', Target = '' } = attributes;
    const family = [...officeRelations].find((one) => Type.startsWith(`${one}/`));
    const isExternal = attributes.TargetMode === 'External';
    relations.push({
      id: Id,
      type: family === undefined ? Type : Type.slice(family.length + 1),
      target: isExternal ? Target : resolvedTarget(owner, Target),
      isExternal,
    });
  });
  return relations;
}

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
  walkXml(part, xml, ({ path, attributes, relation }) => {
    if (path === 'workbook/workbookPr') date1904 = isTrue(attributes.date1904);
    if (path === 'workbook/calcPr') awaitsCalculation = isTrue(attributes.fullCalcOnLoad);
    if (path !== 'workbook/sheets/sheet') return;
    if (sheets.length >= mostSheets) throw hostile(`it has more than ${mostSheets} sheets`);
    const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
    // A macro can put a line break into a name, and rows are told by it: `Deals!12`.
    const shownName = (attributes.name ?? '').replace(/[\n\r]+/g, ' ');
    sheets.push({ name: shownName, relation, hidden });
  });
  return { sheets, date1904, awaitsCalculation };
}

function isTrue(written: string | undefined): boolean {
  return written === '1' || written === 'true';
}

const mostCellFormats = 65_536;

/** The number format codes of the cell formats, by the index that cells name. */
export function readFormatCodes(part: string, xml: string): readonly (string | number)[] {
  const codes = new Map<string, string>();
  const formats: (string | number)[] = [];
  walkXml(part, xml, ({ path, attributes }) => {
    if (path === 'styleSheet/numFmts/numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
    if (path !== 'styleSheet/cellXfs/xf') return;
    if (formats.length >= mostCellFormats) throw hostile(`it has more than ${mostCellFormats} cell formats`);
    const id = attributes.numFmtId ?? '0';
    formats.push(codes.get(id) ?? Number(id));
  });
  return formats;
}

const property = 'Properties/property';

/** Custom document properties with a text. */
export function readCustomProperties(part: string, xml: string): Readonly<Record<string, string>> {
  const properties = new Map<string, string>();
  let name: string | null = null;
  const visit = ({ path, attributes }: XmlElement) => {
    if (path === property) name = attributes.name ?? null;
  };
  walkXml(part, xml, visit, (text, path) => {
    if (name !== null && path.startsWith(`${property}/`) && text.trim() !== '') properties.set(name, text);
  });
  return Object.fromEntries(properties);
}

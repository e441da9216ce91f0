/** Reads the small parts of a workbook with saxes: relations, sheets, number formats and properties. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { errorOf } from '../../messages/text.ts';
import { characterSetOf } from './xml-text.ts';
import type { ZipEntries } from './zip-entries.ts';

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

export interface XmlElement {
  /** The path of local names, such as `workbook/sheets/sheet`. Names of other namespaces have a prefix. */
  readonly path: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The relation that the element names in `r:id`. */
  readonly relation: string;
}

/**
 * Visits the elements of a part with their paths. Skips the alternatives for newer programs (ECMA-376, Part 3).
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
      const path = isTransparent ? around : around === '' ? nameOf(tag) : `${around}/${nameOf(tag)}`;
      paths.push(path);
      if (isTransparent) return;
      const { own, relation } = attributesOf(tag);
      visit({ path, attributes: Object.fromEntries(own), relation });
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
  /** The last segment of an office type (`worksheet`, `styles`, `sharedStrings`), or any other type in full. */
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

/** A target is part of a URL: `my%20sheet.xml`. */
function decodedPath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

const mostSheets = 5000;

export function readWorkbookPart(part: string, xml: string) {
  const sheets: { name: string; relation: string; hidden: boolean }[] = [];
  /** Whether day 0 is 1 January 1904 (ECMA-376 18.2.28). */
  let date1904 = false;
  /** Whether the next program that opens the workbook is to calculate all formulas (ECMA-376 18.2.2). */
  let awaitsCalculation = false;
  walkXml(part, xml, ({ path, attributes, relation }) => {
    if (path === 'workbook/workbookPr') date1904 = isTrue(attributes.date1904);
    if (path === 'workbook/calcPr') awaitsCalculation = isTrue(attributes.fullCalcOnLoad);
    if (path !== 'workbook/sheets/sheet') return;
    if (sheets.length >= mostSheets) throw errorOf('workbook-with-many-sheets', { most: mostSheets });
    const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
    // A macro can put a line break into a name, but the name is part of a row's key: `Deals!12`.
    const shownName = (attributes.name ?? '').replace(/[\n\r]+/g, ' ');
    sheets.push({ name: shownName, relation, hidden });
  });
  return { sheets, date1904, awaitsCalculation };
}

/** Blanks around a Boolean mean nothing in XML. Other programs read `on`, too, which some writers take for one. */
function isTrue(written = ''): boolean {
  return /^\s*(?:1|true|on)\s*$/.test(written);
}

const mostCellFormats = 65_536;

/** The format code or built-in format id of each cell format, by the index that cells use. */
export function readFormatCodes(part: string, xml: string): readonly (string | number)[] {
  const codes = new Map<string, string>();
  const formats: (string | number)[] = [];
  walkXml(part, xml, ({ path, attributes }) => {
    if (path === 'styleSheet/numFmts/numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
    if (path !== 'styleSheet/cellXfs/xf') return;
    if (formats.length >= mostCellFormats) throw errorOf('workbook-with-many-formats', { most: mostCellFormats });
    const id = attributes.numFmtId ?? '0';
    formats.push(codes.get(id) ?? Number(id));
  });
  return formats;
}

const property = 'Properties/property';

/** Custom document properties that have a text. */
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

/** The namespaces of workbook parts: transitional, strict (ECMA-376, Parts 4 and 1), or none, as some writers do. */
const ownNamespaces: ReadonlySet<string> = new Set([
  '',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
  'http://schemas.openxmlformats.org/officeDocument/2006/custom-properties',
  'http://purl.oclc.org/ooxml/officeDocument/customProperties',
]);

/** The namespaces of `r:id` and of relation types. */
const officeRelations: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]);

const deepestElement = 100;
const mostAttributes = 1000;

type TagEvents = Readonly<Record<'open' | 'close', (tag: SaxesTagNS) => void>>;

/** The parser throws `unreadable-source` for broken XML, and for a DOCTYPE: entities can expand a small file into a huge one. */
function guardedParser(part: string, { open, close }: TagEvents): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let attributes = 0;
  parser.on('error', (error) => {
    throw errorOf('part-unreadable', { part }, error);
  });
  parser.on('doctype', () => {
    throw errorOf('part-unreadable', { part });
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes) throw errorOf('part-unreadable', { part });
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    depth += 1;
    if (depth > deepestElement) throw errorOf('part-unreadable', { part });
    open(tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    close(tag);
  });
  return parser;
}

/** A larger part that is not plain stays refused, because no spreadsheet program writes it. */
const largestPart = 256 * 1024 ** 2;
const longestToken = 2 * 1024 ** 2;
const flushLength = 65_536;

/** Rewrites parts as plain UTF-8 XML without extensions. Several times slower, so only for what the plain readers refuse. */
export function withCanonicalXml(entries: ZipEntries): ZipEntries {
  return {
    ...entries,
    read: (name) => canonicalPieces(entries.read(name), name),
  };
}

/** @throws DealsheetError `unreadable-source` for XML that is not well formed, or has a DOCTYPE, or no end */
async function* canonicalPieces(stream: AsyncIterable<Buffer>, part: string): AsyncGenerator<Buffer> {
  let pending = '';
  /** Characters since the parser last emitted a tag or text. */
  let unanswered = 0;
  let elementsOfExtension = 0;
  const add = (xml: string) => {
    unanswered = 0;
    if (elementsOfExtension === 0) pending += xml;
  };
  const parser = guardedParser(part, {
    open: (tag) => {
      if (elementsOfExtension > 0 || nameOf(tag) === 'extLst') elementsOfExtension += 1;
      const { own, relation } = attributesOf(tag);
      const all = relation === '' ? own : [...own, ['r:id', relation]];
      const written = all.map(([name, value = '']) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`);
      add(`<${nameOf(tag)}${written.join('')}>`);
    },
    close: (tag) => {
      add(`</${nameOf(tag)}>`);
      if (elementsOfExtension > 0) elementsOfExtension -= 1;
    },
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
      if (size > largestPart) throw errorOf('part-unreadable', { part });
      decoder ??= new TextDecoder(characterSetOf(chunk), { fatal: true });
      const xml = decoder.decode(chunk, { stream: true });
      unanswered += xml.length;
      parser.write(xml);
      if (unanswered > longestToken) throw errorOf('part-unreadable', { part });
      if (pending.length >= flushLength) yield taken();
    }
    parser.write(decoder?.decode() ?? '').close();
  } catch (error) {
    throw error instanceof TypeError ? errorOf('part-unreadable', { part }, error) : error;
  }
  yield taken();
}

/** The attributes without a namespace, and the relation that the element names in `r:id`. */
function attributesOf(tag: SaxesTagNS) {
  const all = Object.values(tag.attributes);
  const own = all.flatMap(({ uri, local, value }) => (uri === '' ? [[local, value]] : []));
  const ids = all.filter(({ uri, local }) => local === 'id' && uri !== '');
  return { own, relation: (ids.find(({ uri }) => officeRelations.has(uri)) ?? ids[0])?.value ?? '' };
}

/** Names of other namespaces keep a prefix, so that they are not taken for the workbook's own. */
function nameOf(tag: SaxesTagNS): string {
  return ownNamespaces.has(tag.uri) ? tag.local : `other:${tag.local}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

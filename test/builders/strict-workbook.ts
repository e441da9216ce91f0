/**
 * What Excel would refuse or repair in a workbook, as sentences; none when it would open it in silence. The rules are those of
 * ECMA-376 that Excel enforces, and its own limits ("Excel specifications and limits").
 */
import { openZip } from '../../src/tables/xlsx/zip-entries.ts';
import { checkSheet, type Formats } from './strict-sheet.ts';
import { all, checkOrder, type Element, every, none, one, reportTwice, treeOf } from './xml-tree.ts';

const orderOfWorkbook =
  'fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences definedNames calcPr extLst';
const orderOfStyles = 'numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst';

/** @throws for a part that is not well formed */
export async function strictFaults(path: string): Promise<readonly string[]> {
  const entries = await openZip(path);
  const parts = new Map<string, Element>();
  const faults: string[] = [];
  try {
    for (const name of entries.names) {
      if (/\.(xml|rels|vml)$/.test(name)) parts.set(name, treeOf(name, await entries.readText(name)));
    }
    checkTypes(entries.names, parts, faults);
    checkRelations(entries.names, parts, faults);
    checkWorkbook(need(parts, 'xl/workbook.xml'), faults);
    const formats = checkStyles(need(parts, 'xl/styles.xml'), faults);
    const strings = all(parts.get('xl/sharedStrings.xml') ?? none, 'si').length;
    for (const [name, part] of parts)
      if (name.startsWith('xl/worksheets/sheet')) checkSheet(name, part, { ...formats, strings }, faults);
    for (const [name, part] of parts) if (/comments\d*\.xml$/.test(name)) checkComments(name, part, faults);
    checkProperties(parts.get('docProps/custom.xml') ?? none, faults);
  } finally {
    entries.close();
  }
  return faults;
}

function checkTypes(names: ReadonlySet<string>, parts: ReadonlyMap<string, Element>, faults: string[]): void {
  const types = need(parts, '[Content_Types].xml');
  const defaults = new Set(all(types, 'Default').map(({ attributes }) => attributes.Extension?.toLowerCase()));
  const overrides = all(types, 'Override').map(({ attributes }) => (attributes.PartName ?? '').slice(1));
  reportTwice('parts in the content types', overrides, (name) => name, faults);
  for (const name of overrides)
    if (!names.has(name)) faults.push(`The content types name ${name}, which is not there.`);
  for (const name of names) {
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    if (name !== '[Content_Types].xml' && !overrides.includes(name) && !defaults.has(ending))
      faults.push(`${name} has no content type.`);
  }
}

const longestAddress = 2079;

function checkRelations(names: ReadonlySet<string>, parts: ReadonlyMap<string, Element>, faults: string[]): void {
  for (const [name, part] of parts) {
    if (!name.endsWith('.rels')) continue;
    const owner = name.replace('_rels/', '').replace(/\.rels$/, '');
    if (owner !== '' && !names.has(owner)) faults.push(`${name} is of a part that is not there.`);
    reportTwice(`ids in ${name}`, part.children, ({ attributes }) => attributes.Id ?? '', faults);
    for (const { attributes } of part.children) {
      const target = attributes.Target ?? '';
      if (attributes.TargetMode === 'External') {
        if (!URL.canParse(target) || /[\s<>"{}|\\^`]/.test(target))
          faults.push(`${name} has the address ${target}, which is none.`);
        if (target.length > longestAddress) faults.push(`${name} has an address of ${target.length} characters.`);
      } else {
        const whole = new URL(target, `file:///${owner}`).pathname.slice(1);
        if (!names.has(whole)) faults.push(`${name} names ${whole}, which is not there.`);
      }
    }
  }
  for (const [name, part] of parts) {
    const relations = parts.get(name.replace(/([^/]+)$/, '_rels/$1.rels'));
    const known = new Set(relations?.children.map(({ attributes }) => attributes.Id));
    for (const element of every(part)) {
      const id = element.attributes['r:id'];
      if (id !== undefined && !known.has(id)) faults.push(`${name} names the relation ${id}, which is not there.`);
    }
  }
}

function checkWorkbook(workbook: Element, faults: string[]): void {
  checkOrder('the workbook', workbook, orderOfWorkbook, faults);
  const sheets = all(one(workbook, 'sheets'), 'sheet');
  const names = sheets.map(({ attributes }) => attributes.name ?? '');
  reportTwice('sheets', names, (name) => name.toLowerCase(), faults);
  reportTwice('sheet ids', sheets, ({ attributes }) => attributes.sheetId ?? '', faults);
  for (const name of names)
    if (name === '' || name.length > 31 || /[:\\/?*[\]]|^'|'$|^history$/i.test(name))
      faults.push(`"${name}" is no name of a sheet.`);
  if (sheets.every(({ attributes }) => (attributes.state ?? 'visible') !== 'visible'))
    faults.push('No sheet is visible.');
  const defined = all(one(workbook, 'definedNames'), 'definedName');
  const definedAs = ({ attributes }: Element) => `${attributes.name?.toLowerCase()} of ${attributes.localSheetId}`;
  reportTwice('defined names', defined, definedAs, faults);
  for (const { attributes, text } of defined) {
    if (
      !/^[\p{L}_\\][\p{L}\p{N}_.\\]{0,254}$/u.test(attributes.name ?? '') ||
      /^[A-Z]{1,3}\d+$/i.test(attributes.name ?? '')
    )
      faults.push(`${attributes.name} is no defined name.`);
    if (attributes.localSheetId !== undefined && Number(attributes.localSheetId) >= sheets.length)
      faults.push(`The defined name ${attributes.name} is of a sheet that is not there.`);
    for (const [, quoted, bare] of text.matchAll(/(?:'((?:[^']|'')+)'|(\b[\p{L}_][\p{L}\p{N}_.]*))!/gu)) {
      const sheet = quoted?.replaceAll("''", "'") ?? bare ?? '';
      if (!names.includes(sheet))
        faults.push(`The defined name ${attributes.name} names the sheet ${sheet}, which is not there.`);
    }
  }
}

function checkStyles(styles: Element, faults: string[]): Formats {
  checkOrder('the styles', styles, orderOfStyles, faults);
  for (const list of styles.children) {
    const count = list.attributes.count;
    if (count !== undefined && Number(count) !== list.children.length)
      faults.push(`${list.name} says ${count} of ${list.children.length}.`);
  }
  const size = (name: string) => one(styles, name).children.length;
  const codes = all(one(styles, 'numFmts'), 'numFmt').map(({ attributes }) => attributes.numFmtId ?? '');
  reportTwice('number formats', codes, (code) => code, faults);
  for (const format of one(styles, 'cellXfs').children) {
    const { numFmtId = '0', fontId = '0', fillId = '0', borderId = '0', xfId = '0' } = format.attributes;
    const isKnown = Number(numFmtId) < 164 || codes.includes(numFmtId);
    const fits =
      Number(fontId) < size('fonts') &&
      Number(fillId) < size('fills') &&
      Number(borderId) < size('borders') &&
      Number(xfId) < size('cellStyleXfs');
    if (!isKnown || !fits) faults.push(`A cell format names what is not there: ${JSON.stringify(format.attributes)}.`);
  }
  return { cellFormats: size('cellXfs'), differentials: size('dxfs') };
}

function checkComments(part: string, comments: Element, faults: string[]): void {
  const list = one(comments, 'commentList').children;
  reportTwice(`notes in ${part}`, list, ({ attributes }) => attributes.ref ?? '', faults);
  for (const note of list) {
    const length = [...every(note)].reduce((sum, { text }) => sum + text.length, 0);
    if (length > 32_767) faults.push(`${part}: the note at ${note.attributes.ref} has ${length} characters.`);
  }
}

function checkProperties(properties: Element, faults: string[]): void {
  reportTwice('ids of properties', properties.children, ({ attributes }) => attributes.pid ?? '', faults);
  reportTwice('properties', properties.children, ({ attributes }) => (attributes.name ?? '').toLowerCase(), faults);
  for (const { attributes } of properties.children)
    if (!(Number(attributes.pid) >= 2)) faults.push(`A property has the id ${attributes.pid}.`);
}

function need(parts: ReadonlyMap<string, Element>, name: string): Element {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`There is no part ${name}.`);
  return part;
}

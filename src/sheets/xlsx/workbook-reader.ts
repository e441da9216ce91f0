/** XLSX in: parts found by their relations, whatever their names and order; sheets read row by row. */
import { isDealsheetError } from '../../errors.ts';
import type { MergedRange, SheetRow } from '../cell.ts';
import type { OnBehindRows, Source, SourceSheet } from '../source.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { BehindRowsFinder } from './behind-rows.ts';
import { withCanonicalXml } from './canonical-xml.ts';
import type { SheetContext } from './cell-value.ts';
import { hiddenColumnsIn } from './hidden-columns.ts';
import { mergedRangesIn } from './merged-ranges.ts';
import { builtInLook, lookOfCode, type NumberLook } from './number-format.ts';
import { noSharedStrings, readSharedStrings, type SharedStrings } from './shared-strings.ts';
import { scanRows } from './sheet-scanner.ts';
import { utf8Pieces } from './utf8-pieces.ts';
import {
  type Relation,
  readCustomProperties,
  readFormatCodes,
  readRelations,
  readWorkbookPart,
  relationsPartOf,
  type WorkbookPart,
} from './xml-parts.ts';
import { openZip, type ZipEntries } from './zip-entries.ts';

/**
 * @param verifiesLater  the caller reads the file to its end, and verifies it before acting on it
 * @throws DealsheetError `unreadable-source` for a damaged or hostile workbook, and for archives that are none
 */
export async function openXlsx(path: string, verifiesLater: boolean): Promise<Source> {
  const entries = await openZip(path);
  try {
    if (!verifiesLater) await entries.verify();
    return await openWorkbook(entries);
  } catch (error) {
    await entries.close();
    throw error;
  }
}

async function openWorkbook(entries: ZipEntries): Promise<Source> {
  const root = await relationsOf(entries, '');
  const workbookPart = root.find(({ type }) => type === 'officeDocument')?.target;
  if (workbookPart === undefined) throw notAWorkbook(entries);
  if (workbookPart.endsWith('.bin')) throw otherFormat('a binary workbook (.xlsb)');
  const workbook = readWorkbookPart(workbookPart, await entries.readText(workbookPart));
  const relations = await relationsOf(entries, workbookPart);
  if (!relations.some(({ type }) => type === 'worksheet'))
    throw damaged('it holds no sheets: it is a document of another kind');
  const styles = await stylesOf(entries, relations);
  const strings = lazily(() => stringsOf(entries, relations));
  refuseStrangeSheets(workbook);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const notices: string[] = [];
  const namesByPart = new Map<string, string>();
  const sheets = workbook.sheets.flatMap(({ name, relation, hidden }): SourceSheet[] => {
    const found = byId.get(relation);
    if (found === undefined && relation !== '') throw damaged(`its sheet ${name} is missing`);
    // Modules of macros have no part of their own.
    if (found?.type !== 'worksheet') {
      notices.push(`${name} is a chart or a macro, not a table: it is left out.`);
      return [];
    }
    const other = namesByPart.get(found.target.toLowerCase());
    if (other !== undefined) throw damaged(`its sheets ${other} and ${name} are one and the same part`);
    namesByPart.set(found.target.toLowerCase(), name);
    const { date1904, awaitsCalculation } = workbook;
    return [sheetOf(entries, { name, hidden, part: found.target, ...styles, strings, date1904, awaitsCalculation })];
  });
  return {
    format: 'xlsx',
    sheets,
    notices,
    properties: await propertiesOf(entries, root),
    verify: () => entries.verify(),
    close: () => entries.close(),
  };
}

function notAWorkbook(entries: ZipEntries): Error {
  return entries.has('mimetype') && entries.has('content.xml')
    ? otherFormat('an OpenDocument file (.ods)')
    : damaged('it is an archive, but not a workbook');
}

function otherFormat(what: string): Error {
  return unreadable(
    `The file is ${what}.`,
    'Open it in a spreadsheet program, save it as an Excel workbook (.xlsx), and try again.',
  );
}

/** Rows are told apart by their sheet's name. */
function refuseStrangeSheets({ sheets }: WorkbookPart): void {
  const names = new Set<string>();
  for (const { name } of sheets) {
    if (names.has(name.toLowerCase())) throw damaged(`it has two sheets named ${name}`);
    names.add(name.toLowerCase());
  }
}

interface Styles {
  readonly lookOf: SheetContext['lookOf'];
}

interface SheetParts extends Styles {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
  readonly strings: () => Promise<SharedStrings>;
  readonly date1904: boolean;
  readonly awaitsCalculation: boolean;
}

function sheetOf(entries: ZipEntries, sheet: SheetParts): SourceSheet {
  return {
    name: sheet.name,
    hidden: sheet.hidden,
    async *rows(onBehind: OnBehindRows = () => {}) {
      const context: Omit<SheetContext, 'onFormula'> = {
        part: `the sheet ${sheet.name}`,
        strings: await sheet.strings(),
        lookOf: sheet.lookOf,
        date1904: sheet.date1904,
        awaitsCalculation: sheet.awaitsCalculation,
      };
      yield* rowsOf(entries, sheet.part, context, onBehind);
    },
    mergedHeaderRanges: () => plainOrCanonical(entries, (archive) => mergedHeaderRanges(archive, sheet.part)),
    hiddenColumns: () =>
      plainOrCanonical(entries, (archive) => hiddenColumnsIn(utf8Pieces(archive.read(sheet.part), sheet.part, '>'))),
  };
}

/** What the scanner refuses is looked at again as a full XML parser sees it; rows that were given are not given twice. */
async function* rowsOf(
  entries: ZipEntries,
  part: string,
  context: Omit<SheetContext, 'onFormula'>,
  onBehind: OnBehindRows,
): AsyncGenerator<SheetRow> {
  const rowsIn = async function* (archive: ZipEntries): AsyncGenerator<SheetRow> {
    const behind = new BehindRowsFinder();
    const pieces = utf8Pieces(archive.read(part), part, endOfRow);
    yield* scanRows(pieces, { ...context, onFormula: behind.lookAtFormula }, behind.look);
    const relations = behind.namesRelations ? await allRelationsOf(entries, part) : [];
    onBehind({ merges: behind.merges, links: behind.links(relations) });
  };
  let lastRow = 0;
  let refusal: unknown;
  try {
    for await (const row of rowsIn(entries)) {
      lastRow = row.number;
      yield row;
    }
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refusal = error;
  }
  try {
    for await (const row of rowsIn(withCanonicalXml(entries))) if (row.number > lastRow) yield row;
  } catch (error) {
    throw isRefusal(error) ? refusal : error;
  }
}

/** Reads plain XML, and any other XML when that is refused; what no parser can read is refused as it was at first. */
async function plainOrCanonical<Value>(
  entries: ZipEntries,
  read: (entries: ZipEntries) => Promise<Value>,
): Promise<Value> {
  try {
    return await read(entries);
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    return read(withCanonicalXml(entries)).catch((error: unknown) => {
      throw isRefusal(error) ? refusal : error;
    });
  }
}

function isRefusal(error: unknown): boolean {
  return isDealsheetError(error) && error.code === 'unreadable-source';
}

const headerRows = 50;
const endOfRow = 'row>';

/** Merges stand behind the rows; those of the first rows are kept, however many there are. */
async function mergedHeaderRanges(entries: ZipEntries, part: string): Promise<readonly MergedRange[]> {
  const ranges: MergedRange[] = [];
  for await (const piece of utf8Pieces(entries.read(part), part, endOfRow, 'mergeCell')) {
    for (const range of mergedRangesIn(piece)) {
      if (range.firstRow < headerRows && ranges.length < headerRows * headerRows) ranges.push(range);
    }
  }
  return ranges;
}

/** Those to other parts. */
async function relationsOf(entries: ZipEntries, owner: string): Promise<readonly Relation[]> {
  return (await allRelationsOf(entries, owner)).filter(({ isExternal }) => !isExternal);
}

async function allRelationsOf(entries: ZipEntries, owner: string): Promise<readonly Relation[]> {
  const part = relationsPartOf(owner);
  return entries.has(part) ? readRelations(part, await entries.readText(part), owner) : [];
}

async function stylesOf(entries: ZipEntries, relations: readonly Relation[]): Promise<Styles> {
  const part = relations.find(({ type }) => type === 'styles')?.target;
  if (part === undefined) return { lookOf: () => undefined };
  const xml = await entries.readText(part);
  return { lookOf: looksOf(readFormatCodes(part, xml)) };
}

/** Takes each code apart when a cell has it: a workbook can hold many more than its cells use. */
function looksOf(codes: readonly (string | number)[]): Styles['lookOf'] {
  const looks = new Array<NumberLook | undefined>(codes.length);
  return (style) => {
    const known = looks[style];
    const code = codes[style];
    if (known !== undefined || code === undefined) return known;
    const look = typeof code === 'number' ? builtInLook(code) : lookOfCode(code);
    looks[style] = look;
    return look;
  };
}

async function stringsOf(entries: ZipEntries, relations: readonly Relation[]): Promise<SharedStrings> {
  const part = relations.find(({ type }) => type === 'sharedStrings')?.target;
  return part === undefined
    ? noSharedStrings
    : plainOrCanonical(entries, (archive) => readSharedStrings(archive, part));
}

async function propertiesOf(entries: ZipEntries, root: readonly Relation[]): Promise<Readonly<Record<string, string>>> {
  const part = root.find(({ type }) => type === 'custom-properties' || type === 'customProperties')?.target;
  return part === undefined || !entries.has(part) ? {} : readCustomProperties(part, await entries.readText(part));
}

/** Asks once, at the first need. */
function lazily<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}

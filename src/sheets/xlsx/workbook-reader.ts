/** XLSX in: parts found by their relations, whatever their names and order; sheets read row by row. */
import type { MergedRange } from '../cell.ts';
import type { Source, SourceSheet } from '../source.ts';
import type { SheetContext } from './cell-value.ts';
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
} from './xml-parts.ts';
import { damaged, openZip, type ZipEntries } from './zip-entries.ts';

/** @throws DealsheetError `unreadable-source` for a damaged or hostile workbook, and for archives that are none */
export async function openXlsx(path: string, verifiesLater: boolean): Promise<Source> {
  const entries = await openZip(path);
  try {
    if (!verifiesLater) await entries.verify();
    return await openWorkbook(entries);
  } catch (error) {
    entries.close();
    throw error;
  }
}

async function openWorkbook(entries: ZipEntries): Promise<Source> {
  const root = await relationsOf(entries, '');
  const workbookPart = root.find(({ type }) => type === 'officeDocument')?.target;
  if (workbookPart === undefined) throw damaged('it is an archive, but not a workbook');
  const relations = await relationsOf(entries, workbookPart);
  if (!relations.some(({ type }) => type === 'worksheet'))
    throw damaged('it holds no sheets: it is a document of another kind');
  const workbook = readWorkbookPart(workbookPart, await entries.readText(workbookPart));
  const looks = await looksOf(entries, relations);
  const strings = lazily(() => stringsOf(entries, relations));
  const notices: string[] = [];
  const sheets = workbook.sheets.flatMap(({ name, relation, hidden }): SourceSheet[] => {
    const found = relations.find(({ id }) => id === relation);
    if (found === undefined) throw damaged(`its sheet ${name} is missing`);
    if (found.type !== 'worksheet') {
      notices.push(`${name} is a chart, not a table: it is left out.`);
      return [];
    }
    return [sheetOf(entries, { name, hidden, part: found.target, looks, strings, date1904: workbook.date1904 })];
  });
  return {
    format: 'xlsx',
    sheets,
    notices,
    properties: await propertiesOf(entries, root),
    verify: () => entries.verify(),
    close: async () => entries.close(),
  };
}

interface SheetParts {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
  readonly looks: readonly NumberLook[];
  readonly strings: () => Promise<SharedStrings>;
  readonly date1904: boolean;
}

function sheetOf(entries: ZipEntries, sheet: SheetParts): SourceSheet {
  return {
    name: sheet.name,
    hidden: sheet.hidden,
    async *rows() {
      const context: SheetContext = {
        part: `the sheet ${sheet.name}`,
        strings: await sheet.strings(),
        looks: sheet.looks,
        date1904: sheet.date1904,
      };
      yield* scanRows(utf8Pieces(entries.read(sheet.part), sheet.part, endOfRow), context);
    },
    mergedHeaderRanges: () => mergedHeaderRanges(entries, sheet.part),
  };
}

const headerRows = 50;
const endOfRow = 'row>';

/** Merges stand behind the rows; those of the first rows are kept, however many there are. */
async function mergedHeaderRanges(entries: ZipEntries, part: string): Promise<readonly MergedRange[]> {
  const ranges: MergedRange[] = [];
  for await (const piece of utf8Pieces(entries.read(part), part, endOfRow)) {
    if (!piece.includes('mergeCell')) continue;
    for (const match of piece.matchAll(/<(?:[\w.-]+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"/g)) {
      const firstRow = Number(match[2]) - 1;
      if (firstRow >= headerRows || ranges.length >= headerRows * headerRows) continue;
      ranges.push({
        firstRow,
        lastRow: Number(match[4]) - 1,
        firstColumn: columnIndex(match[1] ?? ''),
        lastColumn: columnIndex(match[3] ?? ''),
      });
    }
  }
  return ranges;
}

function columnIndex(letters: string): number {
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

async function relationsOf(entries: ZipEntries, owner: string): Promise<readonly Relation[]> {
  const part = relationsPartOf(owner);
  return entries.names.has(part) ? readRelations(part, await entries.readText(part), owner) : [];
}

async function looksOf(entries: ZipEntries, relations: readonly Relation[]): Promise<readonly NumberLook[]> {
  const part = relations.find(({ type }) => type === 'styles')?.target;
  if (part === undefined || !entries.names.has(part)) return [];
  const codes = readFormatCodes(part, await entries.readText(part));
  return codes.map((code) => (typeof code === 'number' ? builtInLook(code) : lookOfCode(code)));
}

async function stringsOf(entries: ZipEntries, relations: readonly Relation[]): Promise<SharedStrings> {
  const part = relations.find(({ type }) => type === 'sharedStrings')?.target;
  return part === undefined || !entries.names.has(part) ? noSharedStrings : readSharedStrings(entries, part);
}

async function propertiesOf(entries: ZipEntries, root: readonly Relation[]): Promise<Readonly<Record<string, string>>> {
  const part = root.find(({ type }) => type === 'custom-properties')?.target;
  return part === undefined || !entries.names.has(part) ? {} : readCustomProperties(part, await entries.readText(part));
}

/** Asks once, at the first need. */
function lazily<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}

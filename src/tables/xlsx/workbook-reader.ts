/** Reads XLSX. Finds parts by their relations, not by name or order, and reads sheets row by row. */
import { isDealsheetError } from '../../errors.ts';
import type { Message } from '../../messages/message.ts';
import { errorOf, messageOf } from '../../messages/text.ts';
import { once } from '../../once.ts';
import type { MergedRange, SheetRow } from '../row.ts';
import type { OnBehindRows, Source, SourceSheet } from '../source.ts';
import type { SheetContext } from './cell-value.ts';
import { builtInLook, lookOfCode, type NumberLook } from './number-format.ts';
import { noSharedStrings, readSharedStrings } from './shared-strings.ts';
import { BehindRowsFinder, mergedRangesIn, scanRows } from './sheet-scanner.ts';
import { utf8Pieces } from './utf8-pieces.ts';
import {
  type Relation,
  readCustomProperties,
  readFormatCodes,
  readRelations,
  readWorkbookPart,
  relationsPartOf,
  withCanonicalXml,
} from './xml-parts.ts';
import { openZip, tooLarge, type ZipEntries } from './zip-entries.ts';

/** @throws DealsheetError `unreadable-source` for a damaged or hostile workbook, and for other archives */
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
  const root = partsIn(await relationsOf(entries, ''));
  const workbookPart = root.find(({ type }) => type === 'officeDocument')?.target;
  if (workbookPart === undefined) {
    const isOpenDocument = entries.has('mimetype') && entries.has('content.xml');
    throw errorOf(isOpenDocument ? 'file-is-ods' : 'file-is-archive');
  }
  if (workbookPart.endsWith('.bin')) throw errorOf('file-is-xlsb');
  const { sheets: named, ...workbook } = readWorkbookPart(workbookPart, await entries.readText(workbookPart));
  const relations = partsIn(await relationsOf(entries, workbookPart));
  if (!relations.some(({ type }) => type === 'worksheet')) throw errorOf('file-is-archive');
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target;
  const lookOf = await looksOf(entries, partOf('styles'));
  const strings = once(async () => {
    const part = partOf('sharedStrings');
    return part === undefined
      ? noSharedStrings
      : plainOrCanonical(entries, (archive) => readSharedStrings(archive, part));
  });
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const notices: Message[] = [];
  const names = new Set<string>();
  const namesByPart = new Map<string, string>();
  let allText = 0;
  const sheets = named.flatMap(({ name, relation, hidden }): SourceSheet[] => {
    // Rows are identified by the name of their sheet.
    if (names.has(name.toLowerCase())) throw errorOf('sheet-named-twice', { name });
    names.add(name.toLowerCase());
    const found = byId.get(relation);
    if (found === undefined && relation !== '') throw errorOf('sheet-missing', { name });
    // Macro modules have no part of their own.
    if (found?.type !== 'worksheet') {
      notices.push(messageOf('sheet-no-table', { name }));
      return [];
    }
    const part = found.target;
    const other = namesByPart.get(part.toLowerCase());
    if (other !== undefined) throw errorOf('sheet-shared', { other, name });
    namesByPart.set(part.toLowerCase(), name);
    let ownText = 0;
    // One shared string in many cells, or a gap of many blanks, takes little of the file, but would fill a disk.
    const count = ({ values }: SheetRow): void => {
      const before = ownText;
      for (const cell of values) ownText += typeof cell === 'string' ? cell.length : lengthOfBlank;
      allText += ownText - before;
      if (allText > entries.mostUnpacked) throw tooLarge(entries.mostUnpacked);
    };
    return [
      {
        name,
        hidden,
        async *rows(onBehind = () => {}) {
          const context = { ...workbook, lookOf, sheet: name, strings: await strings() };
          [allText, ownText] = [allText - ownText, 0];
          yield* rowsOf(entries, part, context, onBehind, count);
        },
        mergedHeaderRanges: () => plainOrCanonical(entries, (archive) => mergedHeaderRanges(archive, part)),
      },
    ];
  });
  const properties = root.find(({ type }) => type === 'custom-properties' || type === 'customProperties')?.target;
  return {
    format: 'xlsx',
    sheets,
    notices,
    properties:
      properties === undefined || !entries.has(properties)
        ? {}
        : readCustomProperties(properties, await entries.readText(properties)),
    isSavedElsewhere: root.some(({ type }) => type === 'extended-properties' || type === 'extendedProperties'),
    verify: () => entries.verify(),
    close: () => entries.close(),
  };
}

/** In staging, as in `[null,null]`. */
const lengthOfBlank = 5;

/** Reads with the fast scanner, then with a full XML parser if that refuses. No row is yielded twice. */
async function* rowsOf(
  entries: ZipEntries,
  part: string,
  context: Omit<SheetContext, 'onFormula'>,
  onBehind: OnBehindRows,
  count: (row: SheetRow) => void,
): AsyncGenerator<SheetRow> {
  const rowsIn = async function* (archive: ZipEntries): AsyncGenerator<SheetRow> {
    const behind = new BehindRowsFinder();
    const pieces = utf8Pieces(archive.read(part), part, endOfRow);
    yield* scanRows(pieces, { ...context, onFormula: behind.lookAtFormula }, behind.look);
    const relations = behind.namesRelations ? await relationsOf(entries, part) : [];
    const { merges, hiddenColumns } = behind;
    onBehind({ merges, hiddenColumns, links: behind.links(relations) });
  };
  let lastRow = 0;
  let refusal: unknown = null;
  for (const archive of [entries, withCanonicalXml(entries)]) {
    try {
      for await (const row of rowsIn(archive)) {
        if (row.number <= lastRow) continue;
        count(row);
        lastRow = row.number;
        yield row;
      }
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Reads plain XML, or any XML if that is refused. If both are refused, throws the first error. */
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

/** Merges come after the rows, in any number. Keeps those of the header rows, up to a limit. */
async function mergedHeaderRanges(entries: ZipEntries, part: string): Promise<readonly MergedRange[]> {
  const ranges: MergedRange[] = [];
  for await (const piece of utf8Pieces(entries.read(part), part, endOfRow, 'mergeCell')) {
    for (const range of mergedRangesIn(piece)) {
      if (range.firstRow < headerRows && ranges.length < headerRows * headerRows) ranges.push(range);
    }
  }
  return ranges;
}

async function relationsOf(entries: ZipEntries, owner: string): Promise<readonly Relation[]> {
  const part = relationsPartOf(owner);
  return entries.has(part) ? readRelations(part, await entries.readText(part), owner) : [];
}

function partsIn(relations: readonly Relation[]): readonly Relation[] {
  return relations.filter(({ isExternal }) => !isExternal);
}

/** Parses a format code on first use, because a workbook may have many more than its cells use. */
async function looksOf(entries: ZipEntries, part: string | undefined): Promise<SheetContext['lookOf']> {
  if (part === undefined) return () => undefined;
  const codes = readFormatCodes(part, await entries.readText(part));
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

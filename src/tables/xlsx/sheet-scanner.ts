/** Scans the rows of a sheet, its merged ranges and its links. Unknown content is refused, so no row is lost silently. */
import { errorOf } from '../../messages/text.ts';
import { columnIndex, mostLinks, mostRows } from '../excel-limits.ts';
import type { LinkedRange, MergedRange, SheetRow } from '../row.ts';
import type { BehindRows } from '../source.ts';
import { attribute, CellScanner, execAt, notWhole, plainAttributes } from './cell-scanner.ts';
import type { SheetContext } from './cell-value.ts';
import type { Relation } from './xml-parts.ts';

/** A sheet may have an element for every column before its rows. */
const longestHead = 4 * 1024 ** 2;
const longestRow = 8 * 1024 ** 2;
const tailLength = 200;
const rowTag = new RegExp(`\\s*<row${plainAttributes}(/?)>`, 'y');
const endOfRows = /\s*<\/sheetData>/y;

/** @throws DealsheetError `unreadable-source` for a sheet that ends early or is not what a sheet is */
export async function* scanRows(
  pieces: AsyncIterable<string>,
  context: SheetContext,
  onAround: (text: string) => void,
): AsyncGenerator<SheetRow> {
  let text = '';
  let waiting = '';
  let headLength = 0;
  let rows: RowScanner | null = null;
  let tail = '';
  for await (const piece of pieces) {
    if (rows?.isEnded) {
      onAround(piece);
      tail = tailOf(tail + piece, context);
      continue;
    }
    let from = 0;
    if (rows === null) {
      const [start, slash] = /<sheetData\s*(\/?)>/.exec(piece) ?? [];
      if (start === undefined) {
        headLength += piece.length;
        onAround(piece);
        if (headLength > longestHead) throw errorOf('sheet-unreadable', { sheet: context.sheet, row: 0 });
        continue;
      }
      rows = new RowScanner(context, slash === '/');
      from = piece.indexOf(start) + start.length;
      onAround(piece.slice(0, from));
    }
    waiting += piece;
    // Scans a long row again only when the text has doubled, not for each piece.
    if (waiting.length < text.length && piece !== '') continue;
    text = text === '' ? waiting : text + waiting;
    waiting = '';
    for (const row of rows.take(text, from)) yield row;
    text = text.slice(rows.taken);
    if (rows.isEnded) {
      onAround(text);
      tail = tailOf(text, context);
    } else if (text.length > longestRow) throw errorOf('sheet-unreadable', { sheet: context.sheet, row: rows.lastRow });
  }
  if (!rows?.isEnded || !tail.trimEnd().endsWith('</worksheet>'))
    throw errorOf('sheet-unreadable', { sheet: context.sheet, row: rows?.lastRow ?? 0 });
}

/** Refuses a second block of rows, because it would be skipped. Returns the end of the text. */
function tailOf(text: string, { sheet }: SheetContext): string {
  if (text.includes('sheetData') && /<(?:[\w.-]+:)?sheetData[\s/>]/.test(text))
    throw errorOf('sheet-unreadable', { sheet, row: 0 });
  return text.slice(-tailLength);
}

class RowScanner {
  readonly #context: SheetContext;
  readonly #cells: CellScanner;
  isEnded: boolean;
  lastRow = 0;
  taken = 0;

  constructor(context: SheetContext, isEnded: boolean) {
    this.#context = context;
    this.#cells = new CellScanner(context);
    this.isEnded = isEnded;
  }

  *take(text: string, from: number): Generator<SheetRow> {
    this.taken = from;
    while (!this.isEnded) {
      const tag = execAt(rowTag, text, this.taken);
      if (tag === null) {
        this.isEnded = execAt(endOfRows, text, this.taken) !== null;
        if (!this.isEnded && text.indexOf('>', this.taken) !== -1)
          throw errorOf('sheet-unreadable', { sheet: this.#context.sheet, row: this.lastRow });
        if (this.isEnded) this.taken = endOfRows.lastIndex;
        return;
      }
      const [, attributes = '', slash] = tag;
      const head = rowTag.lastIndex;
      const number = this.#rowNumber(attributes);
      const values = slash === '/' ? [] : this.#cells.take(text, head, number);
      const end = slash === '/' ? head : this.#cells.end;
      if (end === notWhole) return;
      this.lastRow = number;
      this.taken = end;
      if (values.length > 0) yield { number, values, hidden: isHidden(attributes) };
    }
  }

  #rowNumber(attributes: string): number {
    const written = attribute(attributes, 'r');
    const number = written === null ? this.lastRow + 1 : Number(written);
    if (!Number.isInteger(number) || number <= this.lastRow || number > mostRows)
      throw errorOf('sheet-unreadable', { sheet: this.#context.sheet, row: this.lastRow });
    return number;
  }
}

function isHidden(attributes: string): boolean {
  const hidden = attribute(attributes, 'hidden');
  return hidden === '1' || hidden === 'true';
}

/** Merges within one row. No table has more, and each takes memory. */
const mostWithinRows = 65_536;
/** No match crosses a tag, so a part full of unclosed tags costs no more than another. */
const mergedRange = /<mergeCell\s([^<>]*)>/g;
const columnTag = /<col(\s[^<>]*)>/g;
const hyperlink = /<hyperlink\s([^<>]*)>/g;
const reference = /^([A-Za-z]{1,3})(\d{1,7})(?::([A-Za-z]{1,3})(\d{1,7}))?$/;
const relationId = /\s[\w.-]+:id\s*=\s*["']([^"']*)["']/;
/** A formula that links to an address written in it. */
const linkFormula = /^\s*HYPERLINK\(\s*"([^"]*(?:""[^"]*)*)"\s*[,)]/i;

const refAttribute = /(?:^|\s)ref\s*=\s*["']([^"']*)["']/;

/** @param text XML that ends at the end of a tag */
export function* mergedRangesIn(text: string): Generator<MergedRange> {
  for (const [, written = ''] of text.matchAll(mergedRange)) {
    const range = rangeOf(written);
    if (range !== null) yield range;
  }
}

/** @param attributes with `A2` or `A2:B3` as `ref`; anything else returns `null` */
function rangeOf(attributes: string): MergedRange | null {
  const match = reference.exec(refAttribute.exec(attributes)?.[1] ?? '');
  if (match === null) return null;
  const [, first = '', row = '', last = first, lastRow = row] = match;
  return {
    firstRow: Number(row) - 1,
    lastRow: Number(lastRow) - 1,
    firstColumn: columnIndex(first),
    lastColumn: columnIndex(last),
  };
}

export class BehindRowsFinder {
  readonly merges: MergedRange[] = [];
  readonly hiddenColumns: BehindRows['hiddenColumns'][number][] = [];
  readonly #links: (MergedRange & { readonly relation: string })[] = [];
  readonly #ofFormulas: LinkedRange[] = [];
  #withinRows = 0;

  /** @param text XML that ends at the end of a tag */
  readonly look = (text: string): void => {
    for (const [, written = ''] of text.includes('<col ') ? text.matchAll(columnTag) : []) {
      const [firstColumn, lastColumn] = ['min', 'max'].map((name) => Number(attribute(written, name)) - 1);
      if (isHidden(written)) this.hiddenColumns.push({ firstColumn, lastColumn } as MergedRange);
    }
    if (text.includes('mergeCell')) {
      for (const range of mergedRangesIn(text)) {
        if (range.lastRow === range.firstRow) this.#withinRows += 1;
        if (range.lastRow !== range.firstRow || this.#withinRows <= mostWithinRows) this.merges.push(range);
      }
    }
    if (!text.includes('hyperlink')) return;
    for (const [, written = ''] of text.matchAll(hyperlink)) {
      const range = rangeOf(written);
      const relation = relationId.exec(` ${written}`)?.[1];
      if (range !== null && relation !== undefined && this.#links.length < mostLinks)
        this.#links.push({ ...range, relation });
    }
  };

  readonly lookAtFormula = (row: number, column: number, formula: string): void => {
    const address = linkFormula.exec(formula)?.[1];
    if (address === undefined || this.#ofFormulas.length >= mostLinks) return;
    const place = { firstRow: row - 1, lastRow: row - 1, firstColumn: column, lastColumn: column };
    this.#ofFormulas.push({ ...place, address: address.replaceAll('""', '"') });
  };

  get namesRelations(): boolean {
    return this.#links.length > 0;
  }

  links(relations: readonly Relation[]): readonly LinkedRange[] {
    const addresses = new Map(relations.map(({ id, target, isExternal }) => [id, isExternal ? target : null]));
    const own = this.#links.flatMap(({ relation, ...range }) => {
      const address = addresses.get(relation) ?? null;
      return address === null ? [] : [{ ...range, address }];
    });
    return [...own, ...this.#ofFormulas];
  }
}

/**
 * The rows of a sheet, found by a scanner made for them: it knows rows and cells alone, takes nothing else for granted,
 * and refuses what it does not know, so that no row is ever lost in silence.
 */
import type { SheetRow } from '../cell.ts';
import { mostRows } from '../sheet-limits.ts';
import { damaged } from '../unreadable.ts';
import { CellScanner, notWhole } from './cell-scanner.ts';
import type { SheetContext } from './cell-value.ts';
import { attribute, isTag, type SheetTags, sheetTags, skipSpace } from './sheet-tags.ts';

/** What stands before the rows: a column for each that there can be. */
const longestHead = 4 * 1024 ** 2;
const longestRow = 8 * 1024 ** 2;
const tailLength = 200;

/**
 * @param onBehind  told what stands behind the rows, in texts that end where a tag ends
 * @throws DealsheetError `unreadable-source` for a sheet that ends early or is not what a sheet is
 */
export async function* scanRows(
  pieces: AsyncIterable<string>,
  context: SheetContext,
  onBehind: (text: string) => void,
): AsyncGenerator<SheetRow> {
  let text = '';
  let waiting = '';
  let headLength = 0;
  let rows: RowScanner | null = null;
  let tail = '';
  for await (const piece of pieces) {
    if (rows?.isEnded) {
      onBehind(piece);
      tail = tailOf(tail + piece, context);
      continue;
    }
    let from = 0;
    if (rows === null) {
      // Pieces end where a tag ends: the one that is looked for stands whole in one of them.
      const found = sheetDataOf(piece);
      if (found === null) {
        headLength += piece.length;
        if (headLength > longestHead) throw damaged(`${context.part} has no rows where a sheet has them`);
        continue;
      }
      rows = new RowScanner(found.tags, context, found.isEmpty);
      from = found.end;
    }
    waiting += piece;
    // A long row is looked through again when the text has doubled, not at each piece.
    if (waiting.length < text.length && piece !== '') continue;
    text = text === '' ? waiting : text + waiting;
    waiting = '';
    for (const row of rows.take(text, from)) yield row;
    text = text.slice(rows.taken);
    if (rows.isEnded) {
      onBehind(text);
      tail = tailOf(text, context);
    } else if (text.length > longestRow) throw damaged(`a row of ${context.part} after row ${rows.lastRow} has no end`);
  }
  if (!rows?.isEnded || !tail.trimEnd().endsWith(rows.tags.endOfSheet))
    throw damaged(`${context.part} ends early, after row ${rows?.lastRow ?? 0}`);
}

/** What stands behind the rows is not looked at, but that it holds no further rows, which would be passed over. */
function tailOf(text: string, { part }: SheetContext): string {
  if (text.includes('sheetData') && /<(?:[\w.-]+:)?sheetData[\s/>]/.test(text))
    throw damaged(`${part} has rows in more than one place`);
  return text.slice(-tailLength);
}

function sheetDataOf(text: string): { tags: SheetTags; end: number; isEmpty: boolean } | null {
  const match = /<((?:[\w.-]+:)?)sheetData\s*(\/?)>/.exec(text);
  if (match === null) return null;
  return { tags: sheetTags(match[1] ?? ''), end: match.index + match[0].length, isEmpty: match[2] === '/' };
}

class RowScanner {
  readonly tags: SheetTags;
  readonly #context: SheetContext;
  readonly #cells: CellScanner;
  /** The sheet's last row has been read. */
  isEnded: boolean;
  lastRow = 0;
  /** How much of the text given last has been read. */
  taken = 0;

  constructor(tags: SheetTags, context: SheetContext, isEnded: boolean) {
    this.tags = tags;
    this.#context = context;
    this.#cells = new CellScanner(tags, context);
    this.isEnded = isEnded;
  }

  /** The rows that stand whole in the text from there on, but for blank ones. */
  *take(text: string, from: number): Generator<SheetRow> {
    this.taken = from;
    while (!this.isEnded) {
      const start = skipSpace(text, this.taken);
      if (text.startsWith(this.tags.endOfRows, start)) {
        this.isEnded = true;
        this.taken = start + this.tags.endOfRows.length;
        return;
      }
      const head = text.indexOf('>', start);
      if (head === -1) return;
      if (!isTag(text, start, this.tags.row))
        throw damaged(`${this.#context.part} holds something else than rows after row ${this.lastRow}`);
      const isEmpty = text[head - 1] === '/';
      const attributes = text.slice(start + this.tags.row.length, head);
      if (/['&]/.test(attributes)) throw damaged(`${this.#context.part} has a strange row after row ${this.lastRow}`);
      const number = this.#rowNumber(attributes);
      const cells = isEmpty ? [] : this.#cells.take(text, head + 1, number);
      if (!isEmpty && this.#cells.end === notWhole) return;
      this.lastRow = number;
      this.taken = isEmpty ? head + 1 : this.#cells.end + this.tags.endOfRow.length;
      if (cells.length === 0) continue;
      yield { number, cells, hidden: isHidden(attributes) };
    }
  }

  #rowNumber(attributes: string): number {
    const written = attribute(attributes, 'r');
    const number = written === null ? this.lastRow + 1 : Number(written);
    if (!Number.isInteger(number) || number <= this.lastRow || number > mostRows)
      throw damaged(`${this.#context.part} has its rows out of order after row ${this.lastRow}`);
    return number;
  }
}

function isHidden(attributes: string): boolean {
  if (!attributes.includes('hidden')) return false;
  const hidden = attribute(attributes, 'hidden');
  return hidden === '1' || hidden === 'true';
}

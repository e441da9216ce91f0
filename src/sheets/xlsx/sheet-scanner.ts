/** The rows of a sheet. What the scanner does not know, it refuses, so that no row is ever lost in silence. */

import { mostRows } from '../excel-limits.ts';
import type { SheetRow } from '../row.ts';
import { damaged } from '../unreadable.ts';
import { attribute, CellScanner, execAt, notWhole, plainAttributes } from './cell-scanner.ts';
import type { SheetContext } from './cell-value.ts';

/** What stands before the rows: a column for each that there can be. */
const longestHead = 4 * 1024 ** 2;
const longestRow = 8 * 1024 ** 2;
const tailLength = 200;
const rowTag = new RegExp(`\\s*<row${plainAttributes}(/?)>`, 'y');
const endOfRows = /\s*<\/sheetData>/y;

/** @throws DealsheetError `unreadable-source` for a sheet that ends early or is not what a sheet is */
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
      const [start, slash] = /<sheetData\s*(\/?)>/.exec(piece) ?? [];
      if (start === undefined) {
        headLength += piece.length;
        if (headLength > longestHead) throw damaged(`${context.part} has no rows where a sheet has them`);
        continue;
      }
      rows = new RowScanner(context, slash === '/');
      from = piece.indexOf(start) + start.length;
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
  if (!rows?.isEnded || !tail.trimEnd().endsWith('</worksheet>'))
    throw damaged(`${context.part} ends early, after row ${rows?.lastRow ?? 0}`);
}

/** What stands behind the rows is not looked at, but that it holds no further rows, which would be passed over. */
function tailOf(text: string, { part }: SheetContext): string {
  if (text.includes('sheetData') && /<(?:[\w.-]+:)?sheetData[\s/>]/.test(text))
    throw damaged(`${part} has rows in more than one place`);
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

  /** The rows that stand whole in the text from there on, but for blank ones. */
  *take(text: string, from: number): Generator<SheetRow> {
    this.taken = from;
    while (!this.isEnded) {
      const tag = execAt(rowTag, text, this.taken);
      if (tag === null) {
        this.isEnded = execAt(endOfRows, text, this.taken) !== null;
        if (!this.isEnded && text.indexOf('>', this.taken) !== -1)
          throw damaged(`${this.#context.part} holds something else than rows after row ${this.lastRow}`);
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
      if (values.length > 0) yield { number, values, columns: this.#cells.columns, hidden: isHidden(attributes) };
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
  const hidden = attribute(attributes, 'hidden');
  return hidden === '1' || hidden === 'true';
}

/** Reads CSV with papaparse, in pieces that end at the end of a record so that no record is cut in two. */
import Papa from 'papaparse';
import { errorOf } from '../../messages/text.ts';
import { mostColumns } from '../excel-limits.ts';
import type { Cell, SheetRow } from '../row.ts';
import type { Source, SourceOptions } from '../source.ts';
import { type CharacterSet, decodedText, findCharacterSet } from './character-set.ts';

/** @throws DealsheetError `unreadable-source` for bytes that are not text, or an empty file */
export async function openCsv(path: string, options: SourceOptions): Promise<Source> {
  const set = await findCharacterSet(path, options.encoding, options.usualEncoding);
  const beginning = await beginningOf(path, set);
  const declared = declaredDelimiter(beginning);
  const format: CsvFormat = {
    path,
    set,
    skip: declared?.length ?? 0,
    delimiter: options.delimiter ?? declared?.delimiter ?? findDelimiter(beginning.slice(declared?.length ?? 0)),
  };
  return {
    format: 'csv',
    sheets: [
      {
        name: options.name,
        hidden: false,
        delimiter: format.delimiter,
        rows: () => rowsOf(format),
        mergedHeaderRanges: async () => [],
      },
    ],
    notices: set.notices,
    properties: {},
    isSavedElsewhere: false,
    verify: async () => {},
    close: async () => {},
  };
}

interface CsvFormat {
  readonly path: string;
  readonly set: CharacterSet;
  readonly delimiter: string;
  readonly skip: number;
}

const lookAhead = 65_536;

async function beginningOf(path: string, set: CharacterSet): Promise<string> {
  let text = '';
  for await (const piece of decodedText(path, set)) {
    text += piece;
    if (text.length >= lookAhead) break;
  }
  return text.slice(0, lookAhead);
}

async function* rowsOf(format: CsvFormat): AsyncGenerator<SheetRow> {
  const cutter = new RecordCutter(format.delimiter);
  // The parser itself, because the wrapper `Papa.parse` takes twice as long.
  const parser = new Papa.Parser({ delimiter: format.delimiter, newline: '\n', quoteChar: '"', escapeChar: '"' });
  const counter: Counter = { row: format.skip > 0 ? 1 : 0 };
  let skip = format.skip;
  for await (const piece of decodedText(format.path, format.set)) {
    const text = skip === 0 ? piece : piece.slice(skip);
    skip = Math.max(0, skip - piece.length);
    for (const row of parsed(cutter.add(text), parser, counter)) yield row;
  }
  for (const row of parsed(cutter.end(), parser, counter)) yield row;
}

interface Counter {
  row: number;
  /** Matches a cell in the quotation marks that every cell of the first row is in; `null` if it has none. */
  quoted?: RegExp | null;
}

/** @param text whole records that end with a line feed */
function* parsed(text: string, parser: Papa.Parser, counter: Counter): Generator<SheetRow> {
  if (text === '') return;
  if (text.includes('\u0000')) throw errorOf('text-with-nul');
  const { data, errors }: Papa.ParseResult<Cell[]> = parser.parse(text, 0, false);
  const fault = errors[0];
  if (fault !== undefined)
    throw errorOf('csv-quote-misplaced', { line: null, row: counter.row + (fault.row ?? 0) + 1 });
  if (text.endsWith('\n')) data.pop();
  if (text.includes('="')) for (const record of data) unwrap(record, textFormula);
  const [first = []] = data;
  if (counter.quoted === undefined)
    counter.quoted = quotations.find((form) => first.every((cell) => form.test(String(cell)))) ?? null;
  if (counter.quoted !== null) for (const record of data) unwrap(record, counter.quoted);
  for (const record of data) {
    counter.row += 1;
    if (record.length > mostColumns) throw errorOf('csv-row-too-wide', { most: mostColumns, row: counter.row });
    const width = record.length;
    leaveBlanks(record);
    if (record.length > 0) yield { number: counter.row, values: record, hidden: false, width };
  }
}

/** Turns empty strings into `null` in place, because copying a record costs as much as parsing it. */
function leaveBlanks(record: Cell[]): void {
  let length = record.length;
  while (length > 0 && record[length - 1] === '') length -= 1;
  record.length = length;
  for (let index = 0; index < length; index += 1) if (record[index] === '') record[index] = null;
}

function unwrap(record: Cell[], form: RegExp): void {
  for (const [index, cell] of record.entries()) {
    const [, text, mark = ''] = form.exec(String(cell)) ?? [];
    if (text !== undefined) record[index] = text.replaceAll(mark + mark, mark);
  }
}

/** `="00123"` keeps a spreadsheet from reading text as a number. The person sees 00123. */
const textFormula = /^="((?:[^"]|"")*)(")$/;
/** Marks of other programs, and those of a file that was quoted twice. */
const quotations = [/^'((?:[^']|'')*)(')$/, /^"((?:[^"]|"")*)(")$/, /^“([^”]*)(”)$/];

const delimiters = [',', ';', '\t', '|'];
const anyDelimiter = /[,;\t|]/;
const quotedCell = /(?<=^|[,;\t|\r\n])"[^"]*(?:""[^"]*)*"?/g;
const linesToLookAt = 20;
const fewestOfTable = 2;

/** The delimiter that splits the first lines into the most even rows of several cells; `,` if none does. */
export function findDelimiter(text: string): string {
  const bare = text.replace(quotedCell, '').split(/[\r\n]+/);
  const lines = bare.filter((line) => line !== '').slice(0, linesToLookAt);
  const marked = lines.filter((line) => anyDelimiter.test(line));
  // A header's delimiter is in every line with any delimiter. Without one, the first line is a title.
  const ofHeaders = delimiters.filter((mark) => marked.every((line) => line.includes(mark)));
  const [mark, counts] = (ofHeaders.length > 0 ? ofHeaders : delimiters)
    .map((one) => [one, lines.map((line) => cellsIn(line, one))] as const)
    .reduce((one, other) => (evennessOf(other[1]) > evennessOf(one[1]) ? other : one));
  // A first line of one cell may be the only header, below which a few marks prove nothing.
  const marks = counts.reduce((sum, cells) => sum + cells - 1, 0);
  const mayBeTable = marks >= Math.max(fewestOfTable, counts.filter((cells) => cells === 1).length);
  return lines[0] === marked[0] || mayBeTable ? mark : ',';
}

/** The best product of a cell count above one and its lines. A line with the same count as the previous one counts twice. */
function evennessOf(counts: readonly number[]): number {
  const scoreOf = (cells: number) =>
    counts.reduce((sum, count, at) => sum + (count !== cells ? 0 : count === counts[at - 1] ? 2 : 1), 0) * cells;
  return Math.max(0, ...counts.map((cells) => (cells > 1 ? scoreOf(cells) : 0)));
}

/** `D1;1250,50`: in a line with another mark, a comma between digits is usually not a delimiter. */
function cellsIn(line: string, delimiter: string): number {
  return (/[;\t|]/.test(line) ? line.replace(/(?<=\d),(?=\d)/g, '') : line).split(delimiter).length;
}

function declaredDelimiter(text: string): { readonly delimiter: string; readonly length: number } | null {
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return match === null ? null : { delimiter: match[1] ?? ',', length: match[0].length };
}

const millions = 4;
const longestRecord = millions * 1024 ** 2;

class RecordCutter {
  readonly #delimiter: string;
  #pending = '';
  #seen = 0;
  #quoted = false;
  #line = 1;
  #quoteLine = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  add(text: string): string {
    this.#pending += text;
    return this.#cut(false);
  }

  end(): string {
    const records = this.#cut(true);
    if (this.#quoted) throw errorOf('csv-quote-open', { line: this.#quoteLine });
    const rest = records + this.#pending;
    this.#pending = '';
    return rest;
  }

  /** Takes whole records off the pending text. Its last character waits, because `""` and CRLF are one mark each. */
  #cut(isEnd: boolean): string {
    const text = this.#pending;
    const end = isEnd ? text.length : text.length - 1;
    const whole: string[] = [];
    let [copied, start, index, at] = [0, 0, this.#seen, 0];
    for (;;) {
      at = this.#quoted ? text.indexOf('"', index) : indexOfMark(text, index);
      if (at === -1) at = text.length;
      if (this.#quoted) this.#line += lineFeedsIn(text.slice(index, at));
      if (at >= end) break;
      const next = text[at + 1];
      index = at + 1;
      if (this.#quoted) {
        if (next === '"') index += 1;
        else this.#closeQuote(next);
      } else if (text[at] === '"') {
        // A quotation mark opens a quote only at the start of a cell.
        if (at === start || text[at - 1] === this.#delimiter) [this.#quoted, this.#quoteLine] = [true, this.#line];
      } else {
        if (text[at] === '\r') {
          if (next === '\n') index += 1;
          whole.push(text.slice(copied, at), '\n');
          copied = index;
        }
        start = index;
        this.#line += 1;
      }
    }
    whole.push(text.slice(copied, start));
    this.#pending = text.slice(start);
    this.#seen = at - start;
    if (this.#pending.length > longestRecord)
      throw this.#quoted
        ? errorOf('csv-quote-open', { line: this.#quoteLine })
        : errorOf('csv-row-too-long', { line: this.#line, millions });
    return whole.join('');
  }

  #closeQuote(next: string | undefined): void {
    this.#quoted = false;
    if (next === undefined || next === this.#delimiter || next === '\r' || next === '\n') return;
    throw errorOf('csv-quote-misplaced', { line: this.#line, row: 0 });
  }
}

const mark = /["\r\n]/g;

function indexOfMark(text: string, from: number): number {
  mark.lastIndex = from;
  return mark.test(text) ? mark.lastIndex - 1 : -1;
}

function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

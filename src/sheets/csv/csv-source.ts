/** CSV in: decoded text to papaparse in pieces that end with a record, so that no record is ever cut in two. */
import Papa from 'papaparse';
import type { Cell } from '../cell.ts';
import { mostColumns } from '../excel-limits.ts';
import { type SheetRow, widestUsualGap } from '../row.ts';
import type { Source, SourceOptions } from '../source.ts';
import { unreadable } from '../unreadable.ts';
import { type CharacterSet, decodedText, findCharacterSet } from './character-set.ts';
import { declaredDelimiter, findDelimiter } from './delimiter.ts';
import { RecordCutter } from './record-cutter.ts';

/** @throws DealsheetError `unreadable-source` for bytes that are no text, or an empty file */
export async function openCsv(path: string, options: SourceOptions): Promise<Source> {
  const set = await findCharacterSet(path, options.encoding);
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
        rows: () => rowsOf(format),
        mergedHeaderRanges: async () => [],
      },
    ],
    notices: set.notice === null ? [] : [set.notice],
    properties: {},
    verify: async () => {},
    close: async () => {},
  };
}

interface CsvFormat {
  readonly path: string;
  readonly set: CharacterSet;
  readonly delimiter: string;
  /** Characters of a `sep=` line in front. */
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
  // The parser itself: what `Papa.parse` wraps around it takes twice its time.
  const parser = new Papa.Parser({ delimiter: format.delimiter, newline: '\n', quoteChar: '"', escapeChar: '"' });
  const counter = { row: format.skip > 0 ? 1 : 0 };
  let skip = format.skip;
  for await (const piece of decodedText(format.path, format.set)) {
    const text = skip === 0 ? piece : piece.slice(skip);
    skip = Math.max(0, skip - piece.length);
    for (const row of parsed(cutter.add(text), parser, counter)) yield row;
  }
  for (const row of parsed(cutter.end(), parser, counter)) yield row;
}

/** @param text  whole records with `\n` as the end of a line */
function* parsed(text: string, parser: Papa.Parser, counter: { row: number }): Generator<SheetRow> {
  if (text === '') return;
  if (text.includes('\u0000')) throw damaged('it holds NUL characters');
  const { data, errors }: Papa.ParseResult<Cell[]> = parser.parse(text, 0, false);
  const fault = errors[0];
  if (fault !== undefined)
    throw damaged(`it has a quotation mark that does not belong there in row ${counter.row + (fault.row ?? 0) + 1}`);
  if (text.endsWith('\n')) data.pop();
  if (text.includes('="')) for (const record of data) unwrapFormulas(record);
  for (const record of data) {
    counter.row += 1;
    if (record.length > mostColumns)
      throw unreadable(
        `The CSV file has more than ${mostColumns} cells in row ${counter.row}: this is no table.`,
        'Look at the file in a text editor. Another delimiter than the one between its cells can be the cause: name it with --delimiter.',
      );
    const width = record.length;
    const blanks = leaveBlanks(record);
    if (record.length === 0) continue;
    const isFull = blanks <= widestUsualGap || blanks * 2 <= record.length;
    const columns = isFull ? undefined : [...record.keys()].filter((column) => record[column] !== null);
    const values = columns === undefined ? record : columns.map((column) => record[column] ?? null);
    yield { number: counter.row, values, columns, hidden: false, width };
  }
}

/**
 * Turns the record into cells where it stands: a copy of each would cost as much as the parsing.
 *
 * @returns how many of them are blank
 */
function leaveBlanks(record: Cell[]): number {
  let length = record.length;
  while (length > 0 && record[length - 1] === '') length -= 1;
  record.length = length;
  let blanks = 0;
  for (let index = 0; index < length; index += 1) {
    if (record[index] !== '') continue;
    record[index] = null;
    blanks += 1;
  }
  return blanks;
}

/**
 * `="00123"`: how programs keep a spreadsheet from taking a text for a number. Whoever opens the file sees 00123.
 */
function unwrapFormulas(record: Cell[]): void {
  for (const [index, cell] of record.entries()) {
    const text = typeof cell === 'string' && cell.startsWith('="') ? textFormula.exec(cell)?.[1] : undefined;
    if (text !== undefined) record[index] = text.replaceAll('""', '"');
  }
}

const textFormula = /^="((?:[^"]|"")*)"$/;

function damaged(what: string): Error {
  return unreadable(
    `The CSV file cannot be read exactly: ${what}.`,
    'Open it in a spreadsheet program, save it again as CSV or XLSX, and try again.',
  );
}

/** CSV out: UTF-8 with a byte order mark and CRLF, as Excel opens it right; formulas defused. */
import { DealsheetError } from '../../errors.ts';
import type { OutputCell, OutputSheet, OutputValue, SheetWriter, SheetWriterOptions } from '../sheet-writer.ts';
import { openTemporaryFile, type TemporaryFile } from '../temporary-file.ts';
import { defuse } from './formula-defusing.ts';

/** A terminal obeys them; tabs and line breaks stay. */
const controls = /(?![\t\n\r])\p{Cc}/gu;
const byteOrderMark = '\uFEFF';
const lineEnd = '\r\n';
const flushLength = 65_536;

/** One sheet alone: a second one is refused. Styles and notes have no place in CSV; a link is its address. */
export async function createCsvWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode, options.mayReplace);
  const text = new BufferedText(file);
  let hasSheet = false;
  return {
    addSheet: async () => {
      if (hasSheet) throw new DealsheetError('usage', 'A CSV file has room for one sheet.', 'Write to an .xlsx file.');
      hasSheet = true;
      await text.add(byteOrderMark);
      const sheet: OutputSheet = {
        addRow: (cells) => text.add(cells.map(csvCell).join(',') + lineEnd),
        addDataBar: () => {},
      };
      return sheet;
    },
    finish: async () => {
      await text.flush();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

class BufferedText {
  readonly #file: TemporaryFile;
  #pending = '';

  constructor(file: TemporaryFile) {
    this.#file = file;
  }

  async add(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length >= flushLength) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    await this.#file.write(Buffer.from(text, 'utf8'));
  }
}

function csvCell(cell: OutputCell): string {
  const value = cell !== null && typeof cell === 'object' && 'value' in cell ? cell.value : cell;
  return quoted(textOf(value));
}

function textOf(value: OutputValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return defuse(value.replace(controls, ''));
  if (typeof value !== 'object') return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
  if ('digits' in value) return value.digits;
  if ('link' in value) return defuse(value.link.replace(controls, ''));
  return value.time === undefined ? value.day : `${value.day} ${value.time}`;
}

function quoted(text: string): string {
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

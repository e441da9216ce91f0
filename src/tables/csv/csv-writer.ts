/** Writes CSV as Excel opens it correctly: UTF-8 with a byte order mark and CRLF, formulas defused. */
import { openTemporaryFile, textWriter } from '../../disk/temporary-file.ts';
import { errorOf } from '../../messages/text.ts';
import type { SheetRow } from '../row.ts';
import {
  type OutputCell,
  type OutputValue,
  type SheetWriter,
  type SheetWriterOptions,
  unstyled,
} from '../sheet-writer.ts';

/** A terminal acts on control characters. Tabs and line breaks stay. */
const controls = /(?![\t\n\r])\p{Cc}/gu;
const byteOrderMark = '\uFEFF';
const lineEnd = '\r\n';

/** Writes one sheet and refuses a second. Drops styles, and writes a link as its address. */
export async function createCsvWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode, options.mayReplace);
  const text = textWriter(file.write);
  let hasSheet = false;
  return {
    addSheet: async () => {
      if (hasSheet) throw errorOf('csv-of-several-sheets');
      hasSheet = true;
      await text.add(byteOrderMark);
      return { addRow: async (cells) => text.add(cells.map(csvCell).join(',') + lineEnd) };
    },
    finish: async () => {
      await text.end();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

/** A vertical tab or a form feed breaks a line, as when it is read. */
function printable(text: string): string {
  return text.replace(/[\v\f]/g, '\n').replace(controls, '');
}

function csvCell(cell: OutputCell): string {
  const text = textOf(unstyled(cell));
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: OutputValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return defuse(printable(value));
  if (typeof value !== 'object') return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
  if ('digits' in value) return value.digits;
  if ('link' in value) return defuse(printable(value.link));
  return value.time === undefined ? value.day : `${value.day} ${value.time}`;
}

const dangerousStart = /^[=+\-@\t\r\n]/;
/** A negative number is not a formula. */
const plainNumber = /^[+-]?\d[\d.,]*$/;
const defusedStart = /^'+[=+\-@\t\r\n]/;

/** `=2+2` becomes `'=2+2`. Text that already looks defused gets another apostrophe, so that `undefuse` is exact. */
export function defuse(text: string): string {
  const isDangerous = dangerousStart.test(text) && !plainNumber.test(text);
  return isDangerous || defusedStart.test(text) ? `'${text}` : text;
}

export function undefuse(text: string): string {
  return defusedStart.test(text) ? text.slice(1) : text;
}

/** A row of a file that Dealsheet has written. */
export function undefusedRow(row: SheetRow): SheetRow {
  return { ...row, values: row.values.map((cell) => (typeof cell === 'string' ? undefuse(cell) : cell)) };
}

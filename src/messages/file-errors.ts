/** The errors of files: sources that cannot be read, private copies, and places that cannot be written. */
import { isForRoom } from '../errors.ts';
import { type ErrorCatalogue, withCode } from './message.ts';

const saveAgain = 'Save the spreadsheet again, and try again.';
const checkName = 'Check the name, the folder and its permissions, and try again.';
const asWorkbook = 'Open it in a spreadsheet program, save it as an Excel workbook (.xlsx), and try again.';
const toCsv = 'Write to a .csv file.';

/** The file that is named cannot be opened, or is of another format. */
const ofFiles = withCode('unreadable-source', {
  'line-break-in-name': [
    '{path} has a line break in its name.',
    'Rename it, or the folder that it is in, and try again.',
  ],
  'file-is-folder': ['{path} is a folder.', 'Name the CSV or XLSX file in it.'],
  'file-is-device': ['{path} is not a file.', 'Name a CSV or XLSX file.'],
  'file-not-found': ['There is no file {path}.', checkName],
  'file-not-read': ['The file {path} cannot be read ({code}).', checkName],
  'file-is-lock': [
    'The file is a lock file, which a spreadsheet program keeps beside a file that it has open. It holds no rows.',
    'Name the file itself, whose name is the same without the lock mark in front (~$ or .~lock.).',
  ],
  'file-is-empty': ['The file is empty.', saveAgain],
  'file-is-empty-archive': ['The file is an empty archive.', saveAgain],
  'file-is-protected': [
    'The file is protected by a password, or is of the old Excel format (.xls).',
    'Open it in Excel, take the password off, and save it as an Excel workbook (.xlsx).',
  ],
  'file-is-pdf': ['The file is a PDF, not a spreadsheet.', 'Name the CSV or XLSX file it was made from.'],
  'file-is-markup': [
    'The file is HTML or XML, not CSV, whatever its name.',
    'Open it in a spreadsheet program and save it as .xlsx or .csv.',
  ],
  'file-is-json': ['The file is JSON, not a spreadsheet.', 'Name a CSV file or an Excel workbook (.xlsx).'],
  'file-is-compressed': ['The file is compressed (gzip).', 'Unpack it first.'],
  'file-is-ods': ['The file is an OpenDocument file (.ods).', asWorkbook],
  'file-is-xlsb': ['The file is a binary workbook (.xlsb).', asWorkbook],
  'workbook-encrypted': ['The workbook is encrypted.', 'Save it without a password, and try again.'],
});

const saveExactly = 'Open it in a spreadsheet program, save it again as CSV or XLSX, and try again.';

const ofText = withCode('unreadable-source', {
  'text-with-nul-bytes': [
    'The file holds NUL bytes: it is not text, or it is damaged.',
    'Save the spreadsheet as CSV (UTF-8) or XLSX, and try again.',
  ],
  'letters-in-doubt': [
    'The file is not UTF-8, and its letters can be read in several ways: "{word}" as windows-1252, or "{other}" as macintosh.',
    'Save it as CSV UTF-8, or {to:name-character-set its}, such as windows-1252, macintosh or cp850. If most of it is UTF-8, choose that to see which line is not.',
  ],
  'text-cut-off': ['The file ends with half a character of UTF-16: it was cut off.', saveAgain],
  'text-partly-utf8': [
    'The file is not UTF-8 throughout: there are other bytes after line {line}.',
    'Save it as UTF-8, or {to:name-character-set its}.',
  ],
  'csv-with-nul': ['The CSV file cannot be read exactly: it holds NUL characters.', saveExactly],
  'csv-quote-misplaced': [
    'The CSV file cannot be read exactly: it has a quotation mark that does not belong there in row {row}.',
    saveExactly,
  ],
  'csv-text-behind-quote': [
    'The CSV file has text behind a closing quotation mark in line {line}.',
    'Double the quotation marks within a cell, or leave them out, and try again.',
  ],
  'csv-quote-open': [
    'The CSV file has a quotation mark in line {line} that is never closed.',
    'Close or remove it, and try again.',
  ],
  'csv-row-too-long': [
    'The row at line {line} of the CSV file is longer than {millions} million characters: this is not a table.',
    'Look at the file in a text editor. A quotation mark that is never closed can be the cause.',
  ],
  'csv-row-too-wide': [
    'The CSV file has more than {most} cells in row {row}: this is not a table.',
    'Look at the file in a text editor. A wrong delimiter can be the cause: {to:name-delimiter}.',
  ],
});

/** What is wrong in a workbook that is incomplete or corrupt. */
const damages = {
  'archive-without-workbook': 'it is an archive, but not a workbook',
  'archive-without-sheets': 'it holds no sheets: it is a document of another kind',
  'directory-cut-off': 'its directory is missing or cut off',
  'directory-invalid': 'its directory is not valid',
  'part-missing': 'its part {part} is missing',
  'part-packed-strangely': 'its part {part} is packed in a way that spreadsheets do not use',
  'part-not-unpacked': 'its part {part} cannot be unpacked',
  'part-changed': 'its part {part} is not the same as when it was saved',
  'part-cut-off': 'its part {part} ends early',
  'part-not-unicode': 'its part {part} is neither UTF-8 nor UTF-16',
  'part-not-utf8': 'its part {part} is not UTF-8',
  'part-in-other-set': 'its part {part} is written in {set}',
  'part-malformed': 'its part {part} is not well formed',
  'part-with-doctype': 'its part {part} has a DOCTYPE, which no spreadsheet program writes',
  'part-with-asides': 'its part {part} holds comments or declarations that no spreadsheet program writes',
  'part-with-prefixes': 'its part {part} has names with a prefix',
  'part-with-many-attributes': 'its part {part} has an element with too many attributes',
  'part-too-deep': 'its part {part} is nested deeper than any spreadsheet',
  'part-too-large-as-it-is': 'its part {part} is too large to be read in its present form',
  'part-with-endless-text': 'its part {part} holds a text without an end',
  'part-with-strange-character': 'its part {part} has a character reference that XML does not know',
  'part-without-strings': 'its part {part} is not a table of strings',
  'part-with-strange-string': 'its part {part} has something in its list of strings that is not a string',
  'part-with-endless-string': 'a string in its part {part} has no end',
  'sheet-named-twice': 'it has two sheets named {name}',
  'sheet-part-missing': 'its sheet {name} is missing',
  'sheet-part-shared': 'its sheets {other} and {name} are one and the same part',
  'sheet-without-rows': 'the sheet {sheet} has no rows where a sheet has them',
  'sheet-cut-off': 'the sheet {sheet} ends early, after row {row}',
  'sheet-rows-apart': 'the sheet {sheet} has rows in more than one place',
  'sheet-not-of-rows': 'the sheet {sheet} holds something other than rows after row {row}',
  'sheet-rows-out-of-order': 'the sheet {sheet} has its rows out of order after row {row}',
  'row-endless': 'a row of the sheet {sheet} after row {row} has no end',
  'row-not-of-cells': 'row {row} of the sheet {sheet} holds something other than cells',
  'row-with-many-cells': 'row {row} of the sheet {sheet} has more cells than a sheet has columns',
  'cell-out-of-place':
    'row {row} of the sheet {sheet} has a cell out of its place ([reference?{reference}|without a reference])',
  'cell-of-unknown-type': 'row {row} of the sheet {sheet} has a cell of the unknown type {type}',
  'cell-without-number': 'row {row} of the sheet {sheet} has a number cell without a number ({stored})',
  'cell-without-truth': 'row {row} of the sheet {sheet} has a TRUE/FALSE cell with another value ({stored})',
  'cell-without-string': 'row {row} of the sheet {sheet} names a string that is not in the workbook',
  'cell-string-unnumbered':
    'row {row} of the sheet {sheet} names a string by something other than its number ({stored})',
} as const;

/** What no spreadsheet program writes. */
const hostilities = {
  'parts-too-many': 'it has {count} parts',
  'parts-named-twice': 'it has two parts named {part}',
  'parts-too-large': 'its parts are too large to be a spreadsheet',
  'parts-unpacked-too-large': 'its parts together would unpack to more than {megabytes} MB',
  'part-unpacked-too-large': 'its part {part} would unpack to {megabytes} MB',
  'part-too-large': 'its part {part} is too large',
  'cells-too-large': 'its cells together hold more than {megabytes} MB of text, which its size does not explain',
  'sheets-too-many': 'it has more than {most} sheets',
  'cell-formats-too-many': 'it has more than {most} cell formats',
  'number-format-too-long': 'row {row} of the sheet {sheet} has a number format that is longer than Excel allows',
} as const;

/** The same sentence around each, and the same remedy. */
function ofWorkbook<Texts extends Readonly<Record<string, string>>>(is: string, texts: Texts, remedy: string) {
  const entries = Object.entries(texts).map(([reason, text]) => [reason, [`The workbook is ${is}: ${text}.`, remedy]]);
  return Object.fromEntries(entries) as { readonly [Reason in keyof Texts]: readonly [Texts[Reason], string] };
}

const saveAnew = 'Open it in a spreadsheet program, save it again as an Excel workbook (.xlsx), and try again.';
const ofWorkbooks = withCode('unreadable-source', {
  ...ofWorkbook('damaged', damages, saveAnew),
  ...ofWorkbook('refused', hostilities, 'Save the table into a new workbook, and try again.'),
});

const thenAgain = 'Then import the file again, or resume its run: rows that are in are not sent a second time.';

/** The private copies of a source, of its rows and of its corrections. */
const ofCopies = withCode('unreadable-source', {
  'source-unreadable': [
    'The file {path} cannot be read ({code}).',
    'Check its permissions and try again. Nothing was sent.',
  ],
  'source-without-input': [
    'Nothing came from standard input.',
    'Check that the command before the pipe prints the rows, and try again. Nothing was sent.',
  ],
  'source-not-copied': [
    'The private copy of {path} cannot be written to the folder {folder}{obstacle}.',
    'Make room there, or name a ledger in another folder with DEALSHEET_LEDGER, and try again. Nothing was sent.',
  ],
  'corrections-gone': [
    'The corrections that belong to this run, {path}, are gone or were changed.',
    'Restore them, or correct the file itself and import it: rows that are in are not sent again.',
  ],
  'rows-without-room': [
    'The private copy of the rows, in {folder}, has no room on its disk.',
    `Make room there. ${thenAgain}`,
  ],
});

/** What ends in other ways. */
const ofOthers = {
  'character-set-unknown': ['There is no character set "{name}".', 'Usual ones are utf-8, windows-1252 and utf-16le.'],
  'rows-changed': [
    'The private copy of the rows, in {folder}, was changed by another program, or its disk fails.',
    `Check that disk. ${thenAgain}`,
    'copy-changed',
  ],
  'folder-unwritable': [
    'The file {path} cannot be written{obstacle}. Nothing was sent.',
    '[isNameTooLong?Name a file with a shorter name.|Name another folder, or make this one writable.]',
    'unwritable-results',
  ],
  'csv-of-several-sheets': ['A CSV file has room for one sheet.', 'Write to an .xlsx file.'],
  'sheet-too-long': ['A sheet of Excel has room for {most} rows.', toCsv, 'output-failed'],
  'sheet-too-wide': ['A sheet of Excel has room for {most} columns.', toCsv, 'output-failed'],
  'workbook-too-large': ['A workbook has room for 4 GB of rows, and these are more.', toCsv, 'output-failed'],
  'workbook-without-sheet': ['A workbook needs a sheet.', 'Nothing was written.', 'output-failed'],
  'engine-too-old': [
    'SQLite {version} is in use here, which can lose what is written when two programs use a file at once. Dealsheet needs {oldest} or newer.',
    'Install dealsheet again, so that it has the SQLite that comes with it.',
    'ledger-refused',
  ],
} as const satisfies ErrorCatalogue;

export const fileErrors = { ...ofFiles, ...ofText, ...ofWorkbooks, ...ofCopies, ...ofOthers };

const obstacles: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EPERM: 'you may not write there',
  EROFS: 'the disk is read-only',
};

/** Why a file cannot be written, as text that follows its path. */
export function obstacleText(cause: unknown): string {
  if (isForRoom(cause)) return ': the disk is full';
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return '';
  const obstacle = obstacles[code];
  return obstacle === undefined ? ` (${code})` : `: ${obstacle} (${code})`;
}

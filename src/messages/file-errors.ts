/** The errors of files: sources that cannot be read, private copies, and places that cannot be written. */
import { isForRoom } from '../errors.ts';
import { type ErrorCatalogue, withCode } from './message.ts';
import { nameCharacterSet } from './ways.ts';

const saveAgain = 'Save the spreadsheet again, and try again.';
const checkName = 'Check the name, the folder and its permissions, and try again.';
const asWorkbook = 'Open it in a spreadsheet program, save it as an Excel workbook (.xlsx), and try again.';
const nameSpreadsheet = 'Name a CSV file or an Excel workbook (.xlsx).';
const toCsv = 'Give a name that ends in .csv.';

const damaged = <Why extends string>(why: Why) => [`The workbook is damaged: ${why}.`, asWorkbook] as const;
/** No spreadsheet program writes such a workbook. */
const tooLarge = <Why extends string>(why: Why) =>
  [`The workbook is refused: ${why}.`, 'Copy only the cells of the table into a new workbook, and try again.'] as const;

const thenAgain = 'Then import the file again, or resume its run: rows that are in are not sent a second time.';

const ofSources = withCode('unreadable-source', {
  'line-break-in-name': [
    '{path} has a line break in its name.',
    'Rename it, or the folder that it is in, and try again.',
  ],
  'file-is-folder': ['{path} is a folder.', 'Name the CSV or XLSX file in it.'],
  'file-is-device': ['{path} is not a file.', nameSpreadsheet],
  'file-not-found': ['There is no file {path}.', checkName],
  'file-not-read': [
    'The file {path} cannot be read ({code}).',
    'Close it in other programs, check its permissions, and try again.',
  ],
  'file-is-lock': [
    'The file is a lock file, which a spreadsheet program keeps beside a file that it has open. It holds no rows.',
    'Name the file itself, whose name is the same without the lock mark in front (~$ or .~lock.).',
  ],
  'file-is-empty': ['The file is empty.', saveAgain],
  'file-is-protected': [
    'The file is protected by a password, or is of the old Excel format (.xls).',
    'Open it in Excel, take the password off, save it as an Excel workbook (.xlsx), and try again.',
  ],
  'file-is-pdf': ['The file is a PDF, not a spreadsheet.', 'Name the CSV or XLSX file it was made from.'],
  'file-is-markup': ['The file is HTML or XML, not CSV, whatever its name.', asWorkbook],
  'file-is-json': ['The file is JSON, not a spreadsheet.', nameSpreadsheet],
  'file-is-archive': ['The file is an archive or a document of another kind, not a workbook.', nameSpreadsheet],
  'file-is-compressed': ['The file is compressed (gzip).', 'Unpack it, and try again.'],
  'file-is-ods': ['The file is an OpenDocument file (.ods).', asWorkbook],
  'file-is-xlsb': ['The file is a binary workbook (.xlsb).', asWorkbook],
  'workbook-encrypted': ['The workbook is encrypted.', 'Save it without a password, and try again.'],

  'text-with-nul': [
    'The file holds NUL characters: it is not text, or it is damaged.',
    'Save the spreadsheet as CSV (UTF-8) or XLSX, and try again.',
  ],
  'letters-in-doubt': [
    'The file is not UTF-8, and its letters can be read in several ways: "{word}" as windows-1252, or "{other}" as macintosh.',
    `Save it as CSV UTF-8, or ${nameCharacterSet('its')}, such as windows-1252, macintosh or cp850. If most of it is UTF-8, choose that to see which line is not.`,
  ],
  'text-cut-off': ['The file ends with half a character of UTF-16: it was cut off.', saveAgain],
  'text-partly-utf8': [
    'The file is not UTF-8 throughout: line {line} has other bytes.',
    `Save it as UTF-8, or ${nameCharacterSet('its')}.`,
  ],
  'csv-quote-misplaced': [
    'The CSV file has a quotation mark that does not belong there in [line?line {line}|row {row}].',
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
    'Look at the file in a text editor. A wrong delimiter can be the cause: [shell?name the right one with --delimiter|save the file with commas between its cells].',
  ],

  'workbook-cut-off': [
    'The workbook is damaged: it is cut off, or was changed by another program.',
    'Get the file again from where it came from, and try again.',
  ],
  'part-unreadable': damaged('{part} in it is missing, is there twice, or cannot be read'),
  'sheet-named-twice': damaged('it has two sheets named {name}'),
  'sheet-missing': damaged('its sheet {name} is missing'),
  'sheet-shared': damaged('its sheets {other} and {name} are one and the same'),
  'sheet-unreadable': damaged('the sheet {sheet} cannot be read[row? after row {row}]'),
  'row-unreadable': damaged('row {row} of the sheet {sheet} has a cell that cannot be read[stored?: {stored}]'),
  'workbook-with-many-parts': tooLarge('there are {count} files in it'),
  'workbook-with-many-sheets': tooLarge('it has more than {most} sheets'),
  'workbook-with-many-formats': tooLarge('it has more than {most} cell formats'),
  'workbook-unpacks-too-large': tooLarge('it would unpack to {megabytes} MB or more'),

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

/** Errors with other exit codes. */
const ofOthers = {
  'character-set-unknown': ['There is no character set "{name}".', 'Name one such as utf-8, windows-1252 or utf-16le.'],
  'settings-unreadable': ['{path} cannot be read ({code}).', checkName],
  'rows-changed': [
    'The private copy of the rows, in {folder}, was changed by another program, or its disk fails.',
    `Check that disk. ${thenAgain}`,
    'copy-changed',
  ],
  'folder-unwritable': [
    'The file {path} cannot be written{obstacle}. Nothing was sent.',
    '[isNameTooLong?Name a file with a shorter name.|Name a folder that exists and that you may write to.]',
    'unwritable-results',
  ],
  'csv-of-several-sheets': [
    'A CSV file has room for one sheet.',
    'Give a name that ends in .xlsx, or take one sheet or kind alone.',
  ],
  'sheet-too-large': ['A sheet of Excel has room for {most} [isWide?columns|rows].', toCsv, 'output-failed'],
  'workbook-too-large': ['A workbook has room for 4 GB of rows, and these are more.', toCsv, 'output-failed'],
} as const satisfies ErrorCatalogue;

export const fileErrors = { ...ofSources, ...ofOthers };

const obstacles: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EBUSY: 'another program has it open',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EPERM: 'you may not write there',
  EROFS: 'the disk is read-only',
  EXDEV: 'it is on another disk',
};

/** Why a file cannot be written, as text that follows its path. */
export function obstacleText(cause: unknown): string {
  if (isForRoom(cause)) return ': the disk is full';
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return '';
  const obstacle = obstacles[code];
  return obstacle === undefined ? ` (${code})` : `: ${obstacle} (${code})`;
}

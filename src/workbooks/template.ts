/** Makes a template: a workbook with a sheet for each kind, and a guide. Everything comes from the schemas. */
import { extname } from 'node:path';
import type ExcelJS from 'exceljs';
import { type Field, neededGroups, refInPlaceOf, ruleSentences, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { errorOf } from '../messages/text.ts';
import {
  addTemplateSheet,
  fontName,
  headerLookOf,
  headerLooks,
  isByWhichKnown,
  paint,
  requiredText,
  type TemplateOptions,
  templateHeader,
} from './template-sheet.ts';

/**
 * The bytes of a template: a workbook, or the header line of one kind if the path ends in .csv.
 *
 * @throws DealsheetError `usage` for a CSV of several kinds
 */
export async function templateBytes(
  kinds: readonly RecordKind[],
  path: string,
  options: TemplateOptions,
): Promise<Buffer> {
  if (extname(path).toLowerCase() === '.csv') return Buffer.from(csvTemplate(kinds, options));
  // Imported only here, because it is large.
  const { Workbook, madeAt } = await import('./excel-workbook.ts');
  const workbook = Object.assign(new Workbook(), { creator: 'Dealsheet', created: madeAt, modified: madeAt });
  addGuide(workbook, kinds, (kind) => shownFields(kind, options));
  for (const kind of kinds) addTemplateSheet(workbook, kind, shownFields(kind, options), options);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** The fields of a kind's template in column order. Those that stay in view come first. */
function shownFields(kind: RecordKind, { columns }: Pick<TemplateOptions, 'columns'>): readonly Field[] {
  if (typeof columns !== 'string') return columns;
  const fields = templateFieldsOf(kind, columns);
  const first = fields.filter((field) => isByWhichKnown(field, kind));
  return [...first, ...fields.filter((field) => !first.includes(field))];
}

function csvTemplate(kinds: readonly RecordKind[], options: TemplateOptions): string {
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) throw errorOf('csv-of-several-sheets');
  const fields = shownFields(kind, options);
  const lines = [
    fields.map((field) => templateHeader(field, kind)),
    ...(options.examples ? [fields.map(({ facts }) => facts.example)] : []),
  ];
  const quoted = (cell: string) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `\uFEFF${lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}`;
}

/** A sheet with this name and this title is not loaded. */
const guideSheetName = 'Guide';
export const guideTitle = 'How to fill in this workbook';

const advice = [
  'One row is one record. Fill in the sheets that you need, and leave the others empty.',
  'Columns with a star must be filled. Where a column is expected, the check warns you about blanks. You can move columns, and delete those without a star: a column is found by its header.',
  'Ref is your own key for a row. Give a company the Ref C-1, and its deal has C-1 under Company ref. Give the deal the Ref D-1, and its notes have D-1 under Deal ref. Where a sheet has both Deal ref and Deal id, either will do.',
  'A blank cell is not sent. In Company updates, a blank leaves the value as it is, and <clear> empties it. Phones, e-mails and addresses are sent as whole lists: fill in all of their cells that the company has.',
  'Put semicolons between several values in one cell: Merchant; Broker.',
  'Write dates as 2026-04-30, or as Excel dates. SSN, EIN, ZIP, phone and id columns are text, so that leading zeros stay.',
  'A header in parentheses, such as (internal note), is not loaded. A header in braces, such as {bank.largestDeposit}, is sent under exactly that name.',
];

const nextSteps = [
  ['dealsheet check FILE', 'Shows every problem at its cell. Nothing is sent.'],
  ['dealsheet import FILE --sandbox', 'Rehearses the load against a copy of the service on your own computer.'],
  ['dealsheet setup', 'The first time only: asks for the address and the token of your service.'],
  ['dealsheet import FILE --profile live', 'Loads the rows after you say yes, and writes the results beside the file.'],
] as const;

const widths = [34, 28, 84, 36];

function addGuide(
  workbook: ExcelJS.Workbook,
  kinds: readonly RecordKind[],
  fieldsOf: (kind: RecordKind) => readonly Field[],
): void {
  // Fits the width of one printed page.
  const sheet = workbook.addWorksheet(guideSheetName, {
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = widths.map((width) => ({ width }));
  const title = sheet.addRow([guideTitle]);
  title.font = { name: fontName, bold: true, size: 16 };
  for (const sentence of advice) addSentence(sheet, sentence);
  sheet.addRow([]);
  addHeading(sheet, 'The colors of the headers');
  for (const look of Object.values(headerLooks)) paint(addPair(sheet, '', look.means).getCell(1), look);
  sheet.addRow([]);
  addHeading(sheet, 'When it is filled in');
  addSentence(sheet, 'Save the workbook, open a terminal in its folder, and type its name in place of FILE:');
  for (const [command, does] of nextSteps)
    addPair(sheet, command, does).getCell(1).font = { name: 'Consolas', size: 10 };
  sheet.addRow([]);
  for (const kind of kinds) addKind(sheet, kind, fieldsOf(kind));
}

function addSentence(sheet: ExcelJS.Worksheet, sentence: string): void {
  const row = sheet.addRow([sentence]);
  sheet.mergeCells(row.number, 1, row.number, widths.length);
  row.getCell(1).alignment = { wrapText: true, vertical: 'top' };
  row.height = heightOf(row, [widths.reduce((sum, width) => sum + width)]);
}

/** The height of a line at the usual font size, in points. */
const lineHeight = 16;

const longestWord = 12;

/** Spreadsheet programs do not fit a row's height to its text, so the text would cover the next row. */
function heightOf(row: ExcelJS.Row, columns: readonly number[]): number {
  const lines = columns.map((width, index) => {
    const { length } = String(row.getCell(index + 1).value ?? '');
    return length <= width ? 1 : Math.ceil(length / (width - longestWord));
  });
  return lineHeight * Math.max(...lines);
}

function addHeading(sheet: ExcelJS.Worksheet, text: string): void {
  const row = sheet.addRow([text]);
  row.font = { name: fontName, bold: true, size: 13 };
  row.height = headingHeight;
}

function addPair(sheet: ExcelJS.Worksheet, words: string, text: string): ExcelJS.Row {
  const row = sheet.addRow([words, text]);
  sheet.mergeCells(row.number, 2, row.number, widths.length);
  row.getCell(2).alignment = { horizontal: 'left', indent: 1 };
  return row;
}

const headingHeight = 20;

function addKind(sheet: ExcelJS.Worksheet, kind: RecordKind, fields: readonly Field[]): void {
  addHeading(sheet, kind.sheet);
  addSentence(sheet, kind.about);
  const needs = needsText(kind);
  if (needs !== null) addSentence(sheet, needs);
  const head = sheet.addRow(['Column', 'Required', 'Rules', 'Example']);
  head.eachCell((cell) => {
    cell.font = { name: fontName, bold: true };
    cell.border = { bottom: { style: 'thin' } };
  });
  head.getCell(2).alignment = { horizontal: 'left', indent: 1 };
  for (const field of fields) {
    const rules = ruleSentences(field).join(' ');
    const row = sheet.addRow([field.label, requiredText(field, kind), rules, field.facts.example]);
    row.alignment = { wrapText: true, vertical: 'top' };
    row.getCell(2).alignment = { horizontal: 'left', vertical: 'top', indent: 1, wrapText: true };
    row.getCell(4).numFmt = '@';
    row.height = heightOf(row, widths);
    paint(row.getCell(1), headerLookOf(field, kind));
  }
  sheet.addRow([]);
}

/** `Every deal needs at least one cell of Company (or a Company ref) and at least one of Owner 1.` */
function needsText(kind: RecordKind): string | null {
  const groups = neededGroups(kind).map(({ path, label }) => {
    const ref = refInPlaceOf(path, kind);
    return ref === null ? label : `${label} (or a ${ref})`;
  });
  return groups.length === 0
    ? null
    : `Every ${kind.singular} needs at least one cell of ${groups.join(' and at least one of ')}.`;
}

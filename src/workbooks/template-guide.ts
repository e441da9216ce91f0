/** The guide of a template: how to fill it in, and every column with its rules. Reading a file skips this sheet. */
import type ExcelJS from 'exceljs';
import { ruleSentences } from '../contract/field-rules.ts';
import type { Field } from '../contract/fields.ts';
import { neededGroups, refInPlaceOf } from '../contract/needs.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { assumedColors, documentedColors, fontName, type HeaderColors, requiredColors } from './template-colors.ts';

/** A sheet of this name that begins with this title is not loaded. */
export const guideSheetName = 'Guide';
export const guideTitle = 'How to fill in this workbook';

const advice = [
  'One row is one record. Fill in the sheets that you need and leave the others as they are; a sheet without rows is passed over.',
  'Columns with a star must be filled. Move columns as you like, and leave out those that you do not need: a column is known by its header.',
  'Ref is your own key for a row. Other rows point at it: a deal names its company by Company ref, a note its deal by Deal ref.',
  'A blank cell is not sent. In Company updates, a blank leaves the field as it is, and <clear> empties it.',
  'Several values in one cell are separated by a semicolon: Merchant; Broker.',
  'Write dates as 2026-04-30 or as dates of Excel. SSN, EIN, ZIP, phones and ids are text: their columns keep the zeros in front.',
  'A header in parentheses, such as (internal note), is left out. A header in braces, such as {bank.largestDeposit}, goes into the record as it stands where the service does not show its fields.',
  'Grey headers are assumed: the service does not document these fields. If your service names them otherwise, ask whoever set it up for you.',
];

const widths = [22, 30, 12, 70, 34, 14];

export function addGuide(
  workbook: ExcelJS.Workbook,
  kinds: readonly RecordKind[],
  fieldsOf: (kind: RecordKind) => readonly Field[],
): void {
  const sheet = workbook.addWorksheet(guideSheetName, {
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = widths.map((width) => ({ width }));
  const title = sheet.addRow([guideTitle]);
  title.font = { name: fontName, bold: true, size: 16 };
  for (const sentence of advice) addSentence(sheet, sentence);
  sheet.addRow([]);
  addLegend(sheet);
  sheet.addRow([]);
  for (const kind of kinds) addKind(sheet, kind, fieldsOf(kind));
}

/** A text over all columns. */
function addSentence(sheet: ExcelJS.Worksheet, sentence: string): void {
  const row = sheet.addRow([sentence]);
  sheet.mergeCells(row.number, 1, row.number, widths.length);
  row.getCell(1).alignment = { wrapText: true, vertical: 'top' };
  row.height = heightOf(row, [sum(widths)]);
}

/** In points, of a line of the font at its usual size. */
const lineHeight = 16;

/** A spreadsheet does not make a row as high as its text by itself: the lines below would lie over the next row. */
function heightOf(row: ExcelJS.Row, columns: readonly number[]): number {
  const lines = columns.map((width, index) => linesIn(String(row.getCell(index + 1).value ?? ''), width));
  return lineHeight * Math.max(1, ...lines);
}

/** How many lines a text takes that is broken at its blanks. A column is as wide as so many digits, and letters are no wider. */
function linesIn(text: string, width: number): number {
  let [lines, used] = [1, 0];
  for (const word of text.split(' ')) {
    const isFirst = used === 0;
    const needed = word.length + (isFirst ? 0 : 1);
    if (!isFirst && used + needed > width) [lines, used] = [lines + 1, word.length];
    else used += needed;
    lines += Math.max(0, Math.ceil(used / width) - 1);
    used = Math.min(used, width);
  }
  return lines;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function addLegend(sheet: ExcelJS.Worksheet): void {
  for (const [name, colors] of [
    ['Required', requiredColors],
    ['Documented by the service', documentedColors],
    ['Assumed', assumedColors],
  ] as const) {
    paint(sheet.addRow(['', name]).getCell(2), colors);
  }
}

/** The name of a sheet is larger than what stands below it. */
const headingHeight = 20;

function addKind(sheet: ExcelJS.Worksheet, kind: RecordKind, fields: readonly Field[]): void {
  const heading = sheet.addRow([kind.sheet, kind.about]);
  heading.font = { name: fontName, bold: true, size: 13 };
  sheet.mergeCells(heading.number, 2, heading.number, widths.length);
  heading.getCell(2).font = { name: fontName, size: 11 };
  heading.getCell(2).alignment = { wrapText: true, vertical: 'middle' };
  const [ofKind = 0, ...ofAbout] = widths;
  heading.height = Math.max(headingHeight, heightOf(heading, [ofKind, sum(ofAbout)]));
  const needs = needsText(kind);
  if (needs !== null) addSentence(sheet, needs);
  const head = sheet.addRow(['Sheet', 'Column', 'Required', 'Rules', 'Example', 'Source']);
  head.eachCell((cell) => paint(cell, requiredColors));
  for (const field of fields) {
    const isOwn = field.place === 'row' && field.facts.source === 'assumed';
    const source = isOwn ? 'not sent' : `${field.facts.source} ${field.facts.section}`;
    const row = sheet.addRow([
      kind.sheet,
      field.label,
      requiredText(field, kind),
      ruleSentences(field).join(' '),
      field.facts.example,
      source,
    ]);
    row.alignment = { wrapText: true, vertical: 'top' };
    row.getCell(5).numFmt = '@';
    row.height = heightOf(row, widths);
  }
  sheet.addRow([]);
}

function requiredText({ required, path }: Field, kind: RecordKind): string {
  if (!required) return '';
  const ref = refInPlaceOf(path, kind);
  return ref === null ? 'yes' : `yes, or ${ref}`;
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

function paint(cell: ExcelJS.Cell, colors: HeaderColors): void {
  cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: colors.fill } };
  cell.font = { name: fontName, size: 11, bold: true, color: { argb: colors.text } };
}

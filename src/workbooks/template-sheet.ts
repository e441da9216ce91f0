/** Writes one sheet of a template: headers with notes, text formats, drop-downs and limits. */
import type ExcelJS from 'exceljs';
import type { FieldFormat } from '../contract/field-facts.ts';
import {
  type Field,
  insteadOf,
  isLink,
  isNeeded,
  limitsOf,
  mustBeFilled,
  ruleSentences,
  type TemplateExtent,
} from '../contract/fields.ts';
import { funderFields } from '../contract/kinds/companies.ts';
import { hasRefs, type RecordKind } from '../contract/record-kind.ts';
import { oncePer } from '../once.ts';
import { headerLook } from '../tables/sheet-writer.ts';

export interface TemplateOptions {
  /** Which columns to show of each kind, or the exact columns of one kind. */
  readonly columns: TemplateExtent | readonly Field[];
  readonly examples: boolean;
  /** Deal statuses for a drop-down; empty if unknown. */
  readonly dealStatuses: readonly string[];
  readonly assignees: readonly string[];
}

/** The last row with validation. A load checks all rows. */
const validatedRows = 5000;
const narrowest = 12;
const widest = 34;
const headerHeight = 32;
/** Excel refuses a longer list within a validation. */
const longestList = 255;
const textFormat = '@';
/** Before this day Excel's days are off by one, because it counts a 29 February 1900 that did not exist. */
const firstDay = new Date('1900-03-01T00:00:00Z');

/** All other columns are text, so that leading zeros stay. */
const numberFormats: Readonly<Partial<Record<FieldFormat, string>>> = { money: '#,##0.00', date: 'yyyy-mm-dd' };
const withoutFormat: readonly FieldFormat[] = ['number', 'percent', 'choice', 'text-or-number'];

/** A sheet with this name and this title is not loaded. */
const listsSheetName = 'Lists';
export const listsTitle = 'The lists of the drop-downs';

export const fontName = 'Calibri';

/** The looks of headers, with their meanings. Each pair of colors has a contrast of at least 4.5. */
export const headerLooks = {
  required: { fill: headerLook.fill, text: headerLook.color, means: 'Must be filled' },
  link: { fill: 'FFFFE3A3', text: 'FF5A3A00', means: 'Links rows to each other by your own keys' },
  usual: { fill: 'FFD6E6F0', text: 'FF173042', means: 'May stay blank' },
  unpublished: {
    fill: 'FFE4E4E4',
    text: 'FF3A3A3A',
    means: 'May stay blank. The service does not publish the name of this field: load one row first',
  },
} as const;
type HeaderLook = (typeof headerLooks)[keyof typeof headerLooks];

export function headerLookOf(field: Field, kind: RecordKind): HeaderLook {
  if (mustBeFilled(field, kind)) return headerLooks.required;
  if (isLink(field)) return headerLooks.link;
  return field.facts.source === 'documented' ? headerLooks.usual : headerLooks.unpublished;
}

export function paint(cell: ExcelJS.Cell, { fill, text }: HeaderLook): void {
  cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: fill } };
  cell.font = { name: fontName, size: 11, bold: true, color: { argb: text } };
}

export function addTemplateSheet(
  workbook: ExcelJS.Workbook,
  kind: RecordKind,
  fields: readonly Field[],
  options: TemplateOptions,
): void {
  const firstPassing = fields.findIndex((field) => !isByWhichKnown(field, kind));
  const sheet = workbook.addWorksheet(kind.sheet, {
    views: [{ state: 'frozen', xSplit: Math.max(0, firstPassing), ySplit: 1 }],
  });
  sheet.columns = fields.map((field) => columnOf(field, kind));
  const header = sheet.getRow(1);
  header.height = headerHeight;
  // exceljs writes one element for a range, but one for each row if cells are validated one by one.
  const { dataValidations } = sheet as unknown as {
    dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
  };
  for (const [index, field] of fields.entries()) {
    dressHeader(header.getCell(index + 1), field, kind);
    const { letter } = sheet.getColumn(index + 1);
    const validation = validationOf(field, options, listsOf(workbook));
    if (validation !== null) dataValidations.add(`${letter}2:${letter}${validatedRows}`, validation);
  }
  if (options.examples) sheet.addRow(fields.map((field) => exampleValue(field, kind)));
}

/** Whether a person identifies a row by this field: a Ref, an id, or the name of its subject. */
export function isByWhichKnown({ path, place, format }: Field, kind: RecordKind): boolean {
  const identifies = kind.identifiedBy.flat().some((paths) => paths.length === 1 && paths[0] === path);
  // A record without a Ref is identified by its parent.
  const isName = format === 'text' && identifies && hasRefs(kind);
  return place === 'row' || isName;
}

/** The header of a column in a template. A star marks a field that nothing else can replace. */
export function templateHeader(field: Field, kind: RecordKind): string {
  return mustBeFilled(field, kind) ? `${field.label} *` : field.label;
}

function columnOf(field: Field, kind: RecordKind): Partial<ExcelJS.Column> & { readonly width: number } {
  const header = templateHeader(field, kind);
  const width = Math.min(widest, Math.max(narrowest, header.length + 2, field.facts.example.length + 2));
  const style = { numFmt: numberFormats[field.format] ?? textFormat };
  return { header, width, ...(withoutFormat.includes(field.format) ? {} : { style }) };
}

function dressHeader(cell: ExcelJS.Cell, field: Field, kind: RecordKind): void {
  paint(cell, headerLookOf(field, kind));
  cell.alignment = { vertical: 'middle', wrapText: true };
  cell.numFmt = 'General';
  cell.note = { texts: [{ text: noteText(field, kind) }], margins: { insetmode: 'auto' } };
}

/** The note on a header: whether it is required, its rules, an example, and whether the field's name is uncertain. */
function noteText(field: Field, kind: RecordKind): string {
  const need = isLink(field) ? [] : [`Required: ${requiredText(field, kind) || 'no'}.`];
  const isPublished = isLink(field) || field.facts.source === 'documented';
  const source = isPublished ? [] : ['The service does not publish the name of this field: load one row first.'];
  return [...need, ...ruleSentences(field), `Example: ${field.facts.example}`, ...source].join('\n');
}

export function requiredText(field: Field, kind: RecordKind): string {
  const fields = insteadOf(field, kind);
  const isExpected = fields.some(({ facts }) => facts.listed === true);
  const need = fields.some(isNeeded) ? 'yes' : isExpected ? 'expected' : '';
  const others = need === '' ? [] : fields.filter((one) => one !== field).map(({ label }) => `, or ${label}`);
  return need + others.join('');
}

function validationOf(field: Field, options: TemplateOptions, rangeOf: RangeOf): ExcelJS.DataValidation | null {
  const usual = { allowBlank: true, showErrorMessage: true, errorStyle: 'stop', errorTitle: field.label } as const;
  const choices = choicesOf(field, options);
  if (choices !== null) {
    const list = choices.join(',');
    const fits = list.length <= longestList && !choices.some((choice) => /[,"]/.test(choice));
    const formulae = [fits ? `"${list}"` : rangeOf(choices)];
    // Several choices in one cell are separated by semicolons, so the drop-down does not enforce its list.
    const showErrorMessage = field.format === 'choice';
    return { ...usual, type: 'list', formulae, error: 'Choose one from the list.', showErrorMessage };
  }
  const { minimum, maxLength } = limitsOf(field);
  if (maxLength !== undefined) {
    const error = `At most ${maxLength} characters.`;
    return { ...usual, type: 'textLength', operator: 'lessThanOrEqual', formulae: [maxLength], error };
  }
  if (minimum !== undefined) {
    const error = `A number: ${minimum} or more.`;
    return { ...usual, type: 'decimal', operator: 'between', formulae: [minimum, Number.MAX_SAFE_INTEGER], error };
  }
  if (field.format !== 'date') return null;
  const error = 'A date, such as 2026-04-30.';
  return { ...usual, type: 'date', operator: 'greaterThanOrEqual', formulae: [firstDay], error };
}

/** The allowed values, from the field or from the profile, or `null`. */
function choicesOf({ facts, choices }: Field, options: TemplateOptions): readonly string[] | null {
  const listed = facts.listedBy === undefined ? [] : options[facts.listedBy];
  return listed.length > 0 ? listed : choices;
}

/** The examples can be loaded: they use Refs, and the company is not a Funder. */
function exampleValue(field: Field, kind: RecordKind): string | number | Date | null {
  const isByRef = kind.references.some(({ fills }) => fills === field.path);
  const isForFunders = funderFields.some((name) => name === field.path);
  if (isByRef || isForFunders) return null;
  const { example } = field.facts;
  if (field.format === 'money' || field.format === 'number' || field.format === 'percent') return Number(example);
  if (field.format === 'date') return new Date(`${example}T00:00:00Z`);
  return example;
}

type RangeOf = (choices: readonly string[]) => string;

/** Lists that are too long for a validation go to a hidden sheet. */
const listsOf = oncePer((workbook: ExcelJS.Workbook): RangeOf => {
  const ranges = new Map<string, string>();
  return (choices) => {
    const key = choices.join('\n');
    const known = ranges.get(key);
    if (known !== undefined) return known;
    const sheet =
      workbook.getWorksheet(listsSheetName) ?? workbook.addWorksheet(listsSheetName, { state: 'veryHidden' });
    const column = sheet.getColumn(ranges.size + 1);
    column.values = [listsTitle, ...choices];
    const range = `${listsSheetName}!$${column.letter}$2:$${column.letter}$${choices.length + 1}`;
    ranges.set(key, range);
    return range;
  };
});

/** What Excel would refuse in one sheet: its rows and cells, its rules, its ranges. */
import { all, checkOrder, type Element, every, one, placeOf, reportTwice } from './xml-tree.ts';

const orderOfSheet =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects controls webPublishItems tableParts extLst';

export interface Formats {
  readonly cellFormats: number;
  readonly differentials: number;
}

interface Tables extends Formats {
  readonly strings: number;
}

export function checkSheet(part: string, sheet: Element, tables: Tables, faults: string[]): void {
  checkOrder(part, sheet, orderOfSheet, faults);
  checkColumns(part, one(sheet, 'cols').children, faults);
  let lastRow = 0;
  for (const row of one(sheet, 'sheetData').children) {
    const number = Number(row.attributes.r);
    if (!(number > lastRow && number <= 1_048_576)) faults.push(`${part}: row ${number} after row ${lastRow}.`);
    lastRow = number;
    let lastColumn = 0;
    for (const cell of row.children) {
      const { column, row: ownRow } = placeOf(cell.attributes.r ?? '');
      if (ownRow !== number || column <= lastColumn || column > 16_384)
        faults.push(`${part}: cell ${cell.attributes.r} is out of its place.`);
      lastColumn = column;
      checkCell(part, cell, tables, faults);
    }
  }
  checkRules(part, sheet, tables, faults);
  checkRanges(part, sheet, faults);
}

function checkColumns(part: string, columns: readonly Element[], faults: string[]): void {
  let last = 0;
  for (const { attributes } of columns) {
    const [min, max, width] = [Number(attributes.min), Number(attributes.max), Number(attributes.width ?? 9)];
    if (!(min > last && max >= min && max <= 16_384 && width >= 0 && width <= 255))
      faults.push(`${part}: columns ${min} to ${max}, ${width} wide.`);
    last = max;
  }
}

function checkCell(part: string, cell: Element, tables: Tables, faults: string[]): void {
  const say = (what: string) => faults.push(`${part}: cell ${cell.attributes.r} ${what}.`);
  const { t: type = 'n', s: style = '0' } = cell.attributes;
  if (Number(style) >= tables.cellFormats) say(`has the format ${style}, which is not there`);
  const inside = cell.children.map(({ name }) => name).join(' ');
  if (!/^(|f|v|f v|is)$/.test(inside)) say(`holds ${inside}`);
  const value = one(cell, 'v').text;
  if (type === 'n' && value !== '' && !(Number.isFinite(Number(value)) && /^-?\d+(\.\d+)?(E[+-]?\d+)?$/i.test(value)))
    say(`is the number ${value}`);
  if (type === 'b' && !/^[01]$/.test(value)) say(`is the truth value ${value}`);
  if (type === 's' && !(Number(value) < tables.strings)) say(`names the string ${value}`);
  if (!['n', 'b', 's', 'str', 'inlineStr', 'e', 'd'].includes(type)) say(`is of the type ${type}`);
  const text = [...every(one(cell, 'is'))].map((element) => element.text).join('');
  if (text.replace(/_x[0-9A-F]{4}_/gi, 'x').length > 32_767) say(`has ${text.length} characters`);
  if (one(cell, 'f').text.length > 8192) say('has a formula of more than 8,192 characters');
}

function checkRules(part: string, sheet: Element, tables: Tables, faults: string[]): void {
  const rules = all(sheet, 'conditionalFormatting')
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'cfRule');
  for (const { attributes } of rules) {
    if (!(Number(attributes.priority) >= 1)) faults.push(`${part}: a rule has the priority ${attributes.priority}.`);
    if (attributes.dxfId !== undefined && Number(attributes.dxfId) >= tables.differentials)
      faults.push(`${part}: a rule has the look ${attributes.dxfId}.`);
  }
  const list = one(sheet, 'dataValidations');
  if (list.attributes.count !== undefined && Number(list.attributes.count) !== list.children.length)
    faults.push(`${part}: it says ${list.attributes.count} validations.`);
  for (const validation of list.children) {
    const { sqref = '', promptTitle = '', prompt = '', errorTitle = '', error = '' } = validation.attributes;
    const say = (what: string) => faults.push(`${part}: the validation of ${sqref} has ${what}.`);
    if (promptTitle.length > 32 || errorTitle.length > 32) say(`the title "${promptTitle || errorTitle}"`);
    if (prompt.length > 255) say(`a prompt of ${prompt.length} characters`);
    if (error.length > 255) say(`a message of ${error.length} characters`);
    for (const { name, text } of validation.children)
      if (/^formula/.test(name) && text.length > 255) say(`a formula of ${text.length} characters`);
  }
}

const range = /^\$?[A-Z]{1,3}\$?\d+(:\$?[A-Z]{1,3}\$?\d+)?$/;

function checkRanges(part: string, sheet: Element, faults: string[]): void {
  for (const { name, attributes } of every(sheet)) {
    const places =
      attributes.ref !== undefined && name !== 'f'
        ? [attributes.ref]
        : (attributes.sqref ?? '').split(' ').filter(Boolean);
    for (const place of places) {
      const [first = '', last = first] = place.split(':');
      const [from, to] = [placeOf(first), placeOf(last)];
      if (
        !range.test(place) ||
        from.row > to.row ||
        from.column > to.column ||
        to.row > 1_048_576 ||
        to.column > 16_384
      )
        faults.push(`${part}: ${name} has the range ${place}.`);
    }
  }
  const links = one(sheet, 'hyperlinks').children;
  reportTwice(`links in ${part}`, links, ({ attributes }) => attributes.ref ?? '', faults);
  if (links.length > 65_530) faults.push(`${part}: ${links.length} links.`);
  for (const { text } of one(sheet, 'headerFooter').children)
    if (text.length > 255) faults.push(`${part}: a footer of ${text.length} characters.`);
}

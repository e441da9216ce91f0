/** The parts around the sheets of a workbook: types, relationships, properties (ECMA-376, Part 2). */
import { columnName } from './cell-reference.ts';
import { stylesPart } from './writer-styles.ts';
import { xmlText } from './xml-text.ts';

export interface SheetLink {
  /** From 1. */
  readonly row: number;
  /** From 0. */
  readonly column: number;
  readonly address: string;
}

export interface FinishedSheet {
  /** In the order of writing, from 1. */
  readonly number: number;
  readonly name: string;
  readonly place: 'last' | 'first';
  readonly filterRow: number | null;
  /** Rows that stand on every printed page. */
  readonly printTitleRows: number;
  /** Without a row of totals. */
  readonly rowCount: number;
  readonly columnCount: number;
  readonly hasNotes: boolean;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spreadsheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Every part but the sheets and what hangs on them, by name. */
export function packageParts(
  sheets: readonly FinishedSheet[],
  properties: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return [
    ['[Content_Types].xml', contentTypes(sheets)],
    ['_rels/.rels', rootRelationships()],
    [
      'docProps/app.xml',
      `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Dealsheet</Application></Properties>`,
    ],
    ['docProps/custom.xml', customProperties(properties)],
    ['xl/workbook.xml', workbook(sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelationships(sheets)],
    ['xl/styles.xml', stylesPart()],
  ];
}

export function* sheetRelationships(number: number, links: readonly SheetLink[], hasNotes: boolean): Generator<string> {
  yield `${declaration}<Relationships xmlns="${packageRelationships}">`;
  for (const [index, { address }] of links.entries()) {
    yield `<Relationship Id="link${index + 1}" Type="${officeRelationships}/hyperlink" Target="${xmlText(address)}" TargetMode="External"/>`;
  }
  if (hasNotes) {
    yield `<Relationship Id="comments1" Type="${officeRelationships}/comments" Target="../comments${number}.xml"/>`;
    yield `<Relationship Id="drawing1" Type="${officeRelationships}/vmlDrawing" Target="../drawings/vmlDrawing${number}.vml"/>`;
  }
  yield '</Relationships>';
}

function contentTypes(sheets: readonly FinishedSheet[]): string {
  const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`;
  return [
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>',
    override('/xl/workbook.xml', `${spreadsheetTypes}.sheet.main+xml`),
    override('/xl/styles.xml', `${spreadsheetTypes}.styles+xml`),
    override('/docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml'),
    override('/docProps/custom.xml', 'application/vnd.openxmlformats-officedocument.custom-properties+xml'),
    ...sheets.map(({ number }) => override(`/xl/worksheets/sheet${number}.xml`, `${spreadsheetTypes}.worksheet+xml`)),
    ...sheets
      .filter(({ hasNotes }) => hasNotes)
      .map(({ number }) => override(`/xl/comments${number}.xml`, `${spreadsheetTypes}.comments+xml`)),
    '</Types>',
  ].join('');
}

function rootRelationships(): string {
  return [
    `${declaration}<Relationships xmlns="${packageRelationships}">`,
    `<Relationship Id="rId1" Type="${officeRelationships}/officeDocument" Target="xl/workbook.xml"/>`,
    `<Relationship Id="rId2" Type="${officeRelationships}/extended-properties" Target="docProps/app.xml"/>`,
    `<Relationship Id="rId3" Type="${officeRelationships}/custom-properties" Target="docProps/custom.xml"/>`,
    '</Relationships>',
  ].join('');
}

function customProperties(properties: Readonly<Record<string, string>>): string {
  const firstPropertyId = 2;
  const all = Object.entries(properties).map(
    ([name, value], index) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${firstPropertyId + index}" name="${xmlText(name)}"><vt:lpwstr>${xmlText(value)}</vt:lpwstr></property>`,
  );
  return `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">${all.join('')}</Properties>`;
}

function inTabOrder(sheets: readonly FinishedSheet[]): readonly FinishedSheet[] {
  return [...sheets.filter(({ place }) => place === 'first'), ...sheets.filter(({ place }) => place === 'last')];
}

function workbook(sheets: readonly FinishedSheet[]): string {
  const ordered = inTabOrder(sheets);
  const tabs = ordered.map(
    ({ number, name }) => `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="sheet${number}"/>`,
  );
  const filters = ordered.flatMap(({ name, filterRow, rowCount, columnCount }, index) => {
    if (filterRow === null) return [];
    const lastColumn = columnName(Math.max(0, columnCount - 1));
    const range = `${quoted(name)}!$A$${filterRow}:$${lastColumn}$${Math.max(filterRow, rowCount)}`;
    return [
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${xmlText(range)}</definedName>`,
    ];
  });
  const titles = ordered.flatMap(({ name, printTitleRows }, index) => {
    if (printTitleRows === 0) return [];
    const range = `${quoted(name)}!$1:$${printTitleRows}`;
    return [`<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${xmlText(range)}</definedName>`];
  });
  const all = [...filters, ...titles].join('');
  const names = all === '' ? '' : `<definedNames>${all}</definedNames>`;
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelationships}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${tabs.join('')}</sheets>${names}</workbook>`;
}

/** The name of a sheet as a reference holds it. */
function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function workbookRelationships(sheets: readonly FinishedSheet[]): string {
  const ofSheets = sheets.map(
    ({ number }) =>
      `<Relationship Id="sheet${number}" Type="${officeRelationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageRelationships}">${ofSheets.join('')}<Relationship Id="styles" Type="${officeRelationships}/styles" Target="styles.xml"/></Relationships>`;
}

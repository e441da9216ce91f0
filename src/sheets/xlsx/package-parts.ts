/** The parts around the sheets of a workbook: types, relationships, properties (ECMA-376, Part 2). */
import type { OutputSheetOptions } from '../sheet-writer.ts';
import { columnName } from './cell-reference.ts';
import { stylesPart } from './writer-styles.ts';
import { xmlText } from './xml-bytes.ts';

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
  readonly options: OutputSheetOptions;
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
    [
      '_rels/.rels',
      relationships(
        relationship('rId1', 'officeDocument', 'xl/workbook.xml') +
          relationship('rId2', 'extended-properties', 'docProps/app.xml') +
          relationship('rId3', 'custom-properties', 'docProps/custom.xml'),
      ),
    ],
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
  for (const [index, { address }] of links.entries())
    yield `<Relationship Id="link${index + 1}" Type="${officeRelationships}/hyperlink" Target="${xmlText(address)}" TargetMode="External"/>`;
  if (hasNotes) {
    yield relationship('comments1', 'comments', `../comments${number}.xml`);
    yield relationship('drawing1', 'vmlDrawing', `../drawings/vmlDrawing${number}.vml`);
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

function customProperties(properties: Readonly<Record<string, string>>): string {
  const firstPropertyId = 2;
  const all = Object.entries(properties).map(
    ([name, value], index) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${firstPropertyId + index}" name="${xmlText(name)}"><vt:lpwstr>${xmlText(value)}</vt:lpwstr></property>`,
  );
  return `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">${all.join('')}</Properties>`;
}

function workbook(sheets: readonly FinishedSheet[]): string {
  const inTabOrder = (['first', 'last'] as const).flatMap((one) =>
    sheets.filter(({ options }) => options.place === one),
  );
  const tabs = inTabOrder.map(
    ({ number, name }) => `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="sheet${number}"/>`,
  );
  const names = ['', ''];
  for (const [index, { name, options, rowCount, columnCount }] of inTabOrder.entries()) {
    const quoted = `'${name.replaceAll("'", "''")}'`;
    const { filterRow, frozenRows, footer } = options;
    if (filterRow !== null) {
      const lastColumn = columnName(Math.max(0, columnCount - 1));
      const range = `${quoted}!$A$${filterRow}:$${lastColumn}$${Math.max(filterRow, rowCount)}`;
      names[0] += definedName('_xlnm._FilterDatabase', `localSheetId="${index}" hidden="1"`, range);
    }
    if (footer !== undefined && frozenRows > 0)
      names[1] += definedName('_xlnm.Print_Titles', `localSheetId="${index}"`, `${quoted}!$1:$${frozenRows}`);
  }
  const all = names.join('') === '' ? '' : `<definedNames>${names.join('')}</definedNames>`;
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelationships}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${tabs.join('')}</sheets>${all}</workbook>`;
}

function definedName(name: string, attributes: string, range: string): string {
  return `<definedName name="${name}" ${attributes}>${xmlText(range)}</definedName>`;
}

function workbookRelationships(sheets: readonly FinishedSheet[]): string {
  const ofSheets = sheets.map(({ number }) =>
    relationship(`sheet${number}`, 'worksheet', `worksheets/sheet${number}.xml`),
  );
  return relationships(ofSheets.join('') + relationship('styles', 'styles', 'styles.xml'));
}

function relationships(all: string): string {
  return `${declaration}<Relationships xmlns="${packageRelationships}">${all}</Relationships>`;
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${officeRelationships}/${type}" Target="${target}"/>`;
}

/** A note on a cell. */
export interface SheetNote {
  /** From 0. */
  readonly row: number;
  readonly column: number;
  readonly reference: string;
  readonly text: string;
}

export function commentsPart(notes: readonly SheetNote[]): string {
  const comments = notes.map(
    ({ reference, text }) =>
      `<comment ref="${reference}" authorId="0"><text><r><t xml:space="preserve">${xmlText(text)}</t></r></text></comment>`,
  );
  return `${declaration}<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Dealsheet</author></authors><commentList>${comments.join('')}</commentList></comments>`;
}

/** Excel numbers the shapes of the first drawing of a sheet from here on. */
const firstShape = 1025;
/** The box of a note, in columns and rows beside its cell. */
const boxColumns = 3;
const boxRows = 5;

export function drawingPart(notes: readonly SheetNote[]): string {
  const shapes = notes.map(
    ({ row, column }, index) =>
      `<v:shape id="_x0000_s${firstShape + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${column + 1}, 15, ${row}, 2, ${column + 1 + boxColumns}, 15, ${row + boxRows}, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`,
  );
  return `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>${shapes.join('')}</xml>`;
}

/** Writes XLSX as a stream. Each sheet is deflated while its rows arrive, so memory stays constant. */

import { openTemporaryFile } from '../../disk/temporary-file.ts';
import { columnName } from '../excel-limits.ts';
import type { OutputSheet, OutputSheetOptions, SheetWriter, SheetWriterOptions } from '../sheet-writer.ts';
import { type SheetLink, SheetXml, stylesPart } from './sheet-xml.ts';
import { xmlText } from './xml-text.ts';
import { ZipWriter } from './zip-writer.ts';

/** The level of deflate: a workbook is written once and read once or twice. */
const fastest = 1;

/** @throws DealsheetError `unwritable-results` when the folder cannot be written */
export async function createXlsxWriter(path: string, options: SheetWriterOptions): Promise<SheetWriter> {
  const file = await openTemporaryFile(path, options.mode, options.mayReplace);
  const zip = new ZipWriter(fastest, file.write);
  const sheets: FinishedSheet[] = [];
  let current: { readonly xml: SheetXml; readonly options: OutputSheetOptions; readonly name: string } | null = null;

  const endSheet = async (): Promise<void> => {
    if (current === null) return;
    const { xml, ...of } = current;
    current = null;
    const number = sheets.length + 1;
    const { links, ...size } = await xml.end();
    if (links.length > 0) await zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, linkRelationships(links));
    sheets.push({ ...of, ...size, number });
  };

  return {
    addSheet: async (wanted): Promise<OutputSheet> => {
      await endSheet();
      const taken = sheets.map(({ name }) => name);
      const xml = new SheetXml(await zip.begin(`xl/worksheets/sheet${sheets.length + 1}.xml`), wanted);
      current = { xml, options: wanted, name: freeSheetName(wanted.name, taken) };
      return xml;
    },
    finish: async () => {
      await endSheet();
      for (const [name, text] of packageParts(sheets, options.properties)) await zip.add(name, [text]);
      await zip.end();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}

const longestName = 31;

/** A sheet name that Excel accepts: at most 31 characters, none of `: \ / ? * [ ]`, unique, and not History. */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const fit = fitSheetName(wanted);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = cutName(fit, longestName - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function fitSheetName(wanted: string): string {
  const allowed = wanted.replace(/[:\\/?*[\]\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '_').replace(/^'+|'+$/g, '');
  const fit = cutName(allowed, longestName) || 'Sheet';
  return fit.toLowerCase() === 'history' ? `${fit}_` : fit;
}

/** Leaves neither half a surrogate pair nor an apostrophe at the end. */
function cutName(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/'+$/, '');
}

export interface FinishedSheet {
  readonly number: number;
  readonly name: string;
  readonly options: OutputSheetOptions;
  readonly rowCount: number;
  readonly columnCount: number;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spreadsheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function packageParts(
  sheets: readonly FinishedSheet[],
  properties: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return [
    ['[Content_Types].xml', contentTypes(sheets)],
    [
      '_rels/.rels',
      relationships(
        relationship('rId1', 'officeDocument', 'xl/workbook.xml') +
          relationship('rId2', 'custom-properties', 'docProps/custom.xml'),
      ),
    ],
    ['docProps/custom.xml', customProperties(properties)],
    ['xl/workbook.xml', workbook(sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelationships(sheets)],
    ['xl/styles.xml', stylesPart()],
  ];
}

function* linkRelationships(links: readonly SheetLink[]): Generator<string> {
  yield `${declaration}<Relationships xmlns="${packageRelationships}">`;
  for (const [index, { address }] of links.entries())
    yield `<Relationship Id="link${index + 1}" Type="${officeRelationships}/hyperlink" Target="${xmlText(address)}" TargetMode="External"/>`;
  yield '</Relationships>';
}

function contentTypes(sheets: readonly FinishedSheet[]): string {
  const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`;
  return [
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('/xl/workbook.xml', `${spreadsheetTypes}.sheet.main+xml`),
    override('/xl/styles.xml', `${spreadsheetTypes}.styles+xml`),
    override('/docProps/custom.xml', 'application/vnd.openxmlformats-officedocument.custom-properties+xml'),
    ...sheets.map(({ number }) => override(`/xl/worksheets/sheet${number}.xml`, `${spreadsheetTypes}.worksheet+xml`)),
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
  const inTabOrder = [true, undefined].flatMap((isSummary) =>
    sheets.filter(({ options }) => options.isSummary === isSummary),
  );
  const tabs = inTabOrder.map(
    ({ number, name }) => `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="sheet${number}"/>`,
  );
  const names = inTabOrder.flatMap(({ name, options: { isSummary }, rowCount, columnCount }, index) => {
    if (isSummary === true) return [];
    const lastColumn = columnName(Math.max(0, columnCount - 1));
    const range = `'${name.replaceAll("'", "''")}'!$A$1:$${lastColumn}$${Math.max(1, rowCount)}`;
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${xmlText(range)}</definedName>`;
  });
  const all = names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`;
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelationships}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${tabs.join('')}</sheets>${all}</workbook>`;
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

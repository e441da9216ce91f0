import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SheetRow } from '../../../src/tables/row.ts';
import { readTable } from '../../builders/read-table.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { drawOf, type LooseElement, type Looseness, LooseWriter } from './loose-xml.ts';
import { type OracleFormat, rowsOf } from './sheet-oracle.ts';
import { partsOf, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="0000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs>';
const formats: readonly OracleFormat[] = ['plain', 'day', 'percent', { zeros: 7 }];
const runs = process.env.DEALSHEET_LONG === '1' ? 3000 : 80;

const character = fc.constantFrom(
  ...[
    ...['a', 'Z', '7', ' ', '\n', '\r', '\t', '&', '<', '>', '"', "'", ']', '_', 'é', '😀', '\u2028', '\u00a0'],
    ...['\u0085', '/', '='],
  ],
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(character, { maxLength: 12 }).map((all) => all.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '_x0041_', '_x005F_x0042_', ']]>', '&amp;', '<v>1</v>', '</t>', '<!-- -->'),
  },
);
const digits = fc.constantFrom(
  ...['0', '12', '-0.5', '46203', '46203.75', '1.2E+05', '1250.10', '60', '0.1', '12345678', '9007199254740993'],
);

const v = (value: string): LooseElement => ({ name: 'v', children: [value] });
const t = (value: string): LooseElement => ({ name: 't', attributes: { 'xml:space': 'preserve' }, children: [value] });
const item: fc.Arbitrary<readonly LooseElement[]> = fc.oneof(
  text.map((one) => [t(one)]),
  text.map((one): LooseElement[] => [{ name: 't', children: [one] }]),
  fc
    .array(text, { maxLength: 3 })
    .map((all) =>
      all.map((one): LooseElement => ({ name: 'r', children: [{ name: 'rPr', children: [{ name: 'b' }] }, t(one)] })),
    ),
  fc
    .tuple(text, text)
    .map(([one, sound]): LooseElement[] => [
      t(one),
      { name: 'rPh', attributes: { sb: '0', eb: '1' }, children: [t(sound)] },
      { name: 'phoneticPr', attributes: { fontId: '1' } },
    ]),
);

const format = fc.constantFrom(undefined, '0', '1', '2', '3');
/** What stands in a cell; those that name a string name it by a place in the table, whatever its length. */
const filling = fc.oneof(
  fc.tuple(digits, format).map(([value, s]) => ({ s, children: [v(value)] })),
  fc.tuple(digits, format).map(([value, s]) => ({ t: 'n', s, children: [v(value)] })),
  fc.nat(50).map((place) => ({ t: 's', place, children: [] })),
  item.map((children) => ({ t: 'inlineStr', children: [{ name: 'is', children }] })),
  fc
    .tuple(text, text)
    .map(([formula, value]) => ({ t: 'str', children: [{ name: 'f', children: [formula] }, v(value)] })),
  fc.constantFrom('0', '1', 'true', 'false').map((value) => ({ t: 'b', children: [v(value)] })),
  fc.constantFrom('#N/A', '#DIV/0!', '#REF!').map((value) => ({ t: 'e', children: [v(value)] })),
  fc.constantFrom('2026-06-30', '2026-02-28T13:45:10').map((value) => ({ t: 'd', children: [v(value)] })),
  text.map((formula) => ({ children: [{ name: 'f', children: [formula] }, v('')] })),
  text.map((formula) => ({ children: [{ name: 'f', attributes: { t: 'shared', si: '0' }, children: [formula] }] })),
  format.map((s) => ({ s, children: [] })),
  fc.constantFrom('s', 'b', 'e', 'n').map((type) => ({ t: type, children: [v('')] })),
);
interface Filling {
  readonly t?: string;
  readonly s?: string | undefined;
  readonly place?: number;
  readonly children: readonly LooseElement[];
}
const cell = fc.record({
  gap: fc.constantFrom(0, 0, 0, 1, 30),
  named: fc.boolean(),
  filling: filling as fc.Arbitrary<Filling>,
});
const row = fc.record({
  gap: fc.constantFrom(0, 0, 0, 1, 7),
  named: fc.boolean(),
  hidden: fc.constantFrom(undefined, '1', 'true', '0', 'false'),
  cells: fc.array(cell, { maxLength: 6 }),
});
const workbook = fc.record({
  rows: fc.array(row, { maxLength: 6 }),
  strings: fc.array(item, { minLength: 1, maxLength: 5 }),
  seed: fc.nat(),
});
type Workbook = typeof workbook extends fc.Arbitrary<infer Value> ? Value : never;

/** A row or cell that names its place may leave a gap before it; without a name it is the next one. */
function sheetOf(book: Workbook): LooseElement {
  let number = 0;
  const rows = book.rows.map((one): LooseElement => {
    number += 1 + (one.named ? one.gap : 0);
    let column = -1;
    const cells = one.cells.map(({ gap, named, filling: { t: type, s, place, children } }): LooseElement => {
      column += 1 + (named ? gap : 0);
      return {
        name: 'c',
        attributes: present({ r: named ? columnName(column) + number : undefined, s, t: type, cm: '0' }),
        children: place === undefined ? children : [v(String(place % book.strings.length))],
      };
    });
    const attributes = present({
      spans: '1:9',
      r: one.named ? String(number) : undefined,
      hidden: one.hidden,
      'x:r': '99',
    });
    return { name: 'row', attributes, children: cells };
  });
  return {
    name: 'worksheet',
    attributes: declarations,
    children: [
      { name: 'sheetPr', children: [{ name: 'pageSetUpPr', attributes: { fitToPage: '1' } }] },
      { name: 'sheetData', children: rows },
      {
        name: 'pageMargins',
        attributes: { left: '0.7', right: '0.7', top: '1', bottom: '1', header: '0', footer: '0' },
      },
    ],
  };
}

const declarations = { xmlns: main, 'xmlns:x': main, 'xmlns:other': 'http://other.example/' };

function present(attributes: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name === 'x:r' ? 'other:r' : name, value]));
}

function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

interface Xml {
  readonly sheet: string;
  readonly strings: string;
}

function xmlOf(book: Workbook, looseness: Looseness): Xml {
  const writer = new LooseWriter(drawOf(book.seed), looseness);
  const items = book.strings.map((children): LooseElement => ({ name: 'si', children }));
  return {
    sheet: writer.element(sheetOf(book)),
    strings: writer.element({ name: 'sst', attributes: declarations, children: items }),
  };
}

async function read(xml: Xml, encoded: (part: string) => Buffer): Promise<readonly SheetRow[]> {
  const path = inFolder('book.xlsx');
  const parts = { 'xl/worksheets/sheet1.xml': encoded(xml.sheet), 'xl/sharedStrings.xml': encoded(xml.strings) };
  await writeParts(path, partsOf({ sheets: { Data: '' }, styles, parts }));
  const { rows } = await readTable(path);
  return rows.map(({ number, hidden, values }) => ({ number, hidden, values }));
}

const inUtf8 = (part: string) => Buffer.from(part);

async function compare(looseness: Looseness, encoded: (part: string) => Buffer): Promise<void> {
  await fc.assert(
    fc.asyncProperty(workbook, async (book) => {
      const xml = xmlOf(book, looseness);
      const found = await read(xml, encoded);
      expect(found, `${xml.strings}\n${xml.sheet}`).toEqual(rowsOf(xml.sheet, xml.strings, formats));
    }),
    { numRuns: runs },
  );
}

describe('a workbook says the same to us as to a full XML parser', () => {
  it.each<[what: string, looseness: Looseness]>([
    ['in the XML that spreadsheet programs write', { blanks: 0, asides: 0, prefixes: [''] }],
    ['with a prefix before every name', { blanks: 0, asides: 0, prefixes: ['x:'] }],
    ['with all that the standard lets blanks and attributes be', { blanks: 12, asides: 0, prefixes: [''] }],
    ['with comments, instructions and CDATA that look like content', { blanks: 0, asides: 12, prefixes: [''] }],
    ['with two names for one namespace, and all of it at once', { blanks: 12, asides: 8, prefixes: ['', 'x:'] }],
  ])('%s', (_, looseness) => compare(looseness, inUtf8));

  it.each([
    ['UTF-8 with a mark', (part: string) => Buffer.from(`\uFEFF${part}`)],
    ['UTF-16LE', (part: string) => Buffer.from(`\uFEFF${part}`, 'utf16le')],
    ['UTF-16BE', (part: string) => Buffer.from(`\uFEFF${part}`, 'utf16le').swap16()],
    [
      'declared UTF-16',
      (part: string) => Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${part}`, 'utf16le'),
    ],
  ])('in %s', (_name, encoded) => compare({ blanks: 2, asides: 0, prefixes: [''] }, encoded));
});

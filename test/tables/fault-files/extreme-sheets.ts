/** 26 and 27. Sheets at the edges of what a sheet may be. */
import { handMadeZip } from '../hand-made-zip.ts';
import { book, type FaultFile, many, one, oneRow, sheetPart, zipParts } from './fault-file.ts';

function column(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : column(Math.floor(index / 26) - 1) + last;
}

export const extremeSheets: readonly FaultFile[] = [
  {
    name: 'a row below the last one',
    bytes: () => book({}, '<row r="1048577"><c><v>1</v></c></row>'),
    expected: /the sheet Data cannot be read/,
  },
  {
    name: 'the very last row',
    bytes: () => book({}, '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
    expected: { rows: 1, first: [1048576, one] },
  },
  {
    name: 'a cell right of the last column',
    bytes: () => book({}, '<row r="1"><c r="XFE1"><v>1</v></c></row>'),
    expected: /XFE1/,
  },
  {
    name: 'a cell in the very last column',
    bytes: () => book({}, '<row r="1"><c r="XFD1"><v>1</v></c></row>'),
    expected: { rows: 1, cells: 16_384 },
  },
  {
    name: 'more cells without references than there are columns',
    bytes: () => book({}, `<row>${'<c><v>1</v></c>'.repeat(16_385)}</row>`),
    expected: /has a cell that cannot be read/,
  },
  {
    name: 'a hundred rows of 16,384 columns',
    bytes: () => {
      const names = Array.from({ length: 16_384 }, (_, index) => column(index));
      return book(
        {},
        many(
          100,
          (row) => `<row r="${row + 1}">${names.map((name) => `<c r="${name}${row + 1}"><v>1</v></c>`).join('')}</row>`,
        ),
      );
    },
    expected: { rows: 100, cells: 1_638_400 },
    // The V8 of Node 24 holds about 30 MB more of it than that of Node 20.
    mostMegabytes: 175,
  },
  {
    name: 'a million blank formatted rows at the end',
    bytes: () =>
      book({}, oneRow + many(1_000_000, (index) => `<row r="${index + 2}" s="1"><c r="A${index + 2}" s="1"/></row>`)),
    expected: { rows: 1, last: [1, one] },
  },
  {
    name: 'stray cells far to the right',
    bytes: () =>
      book(
        {},
        many(50, (row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c><c r="XFD${row + 1}"><v>1</v></c></row>`),
      ),
    expected: { rows: 50, cells: 50 * 16_384 },
  },
  {
    name: 'no rows at all',
    bytes: () => book({ [sheetPart]: '<worksheet><sheetData/></worksheet>' }),
    expected: { rows: 0 },
  },
  {
    name: 'a string that is not there',
    bytes: () => book({}, '<row r="7"><c r="A7" t="s"><v>99999999999</v></c></row>'),
    expected: /row 7 of the sheet Data has a cell/,
  },
  {
    name: 'parts named in another case than their relations say',
    bytes: () => {
      const parts = zipParts({
        sheets: { Data: '<row><c s="0"><v>46203</v></c></row>' },
        styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
      });
      return handMadeZip(
        parts.map((part) => ({
          ...part,
          name: part.name.replace('styles.xml', 'Styles.xml').replace('sheet1.xml', 'Sheet1.xml'),
        })),
      );
    },
    expected: { rows: 1, first: [1, { kind: 'date', day: '2026-06-30', time: null }] },
  },
  {
    name: 'styles that its relations name and the archive lacks',
    bytes: () => handMadeZip(zipParts({ sheets: { Data: oneRow } }).filter(({ name }) => name !== 'xl/styles.xml')),
    expected: /xl\/styles\.xml in it is missing/,
  },
  {
    name: 'two sheets of one name',
    bytes: () => handMadeZip(zipParts({ sheets: { Data: oneRow, DATA: oneRow } })),
    expected: /two sheets named/,
  },
];

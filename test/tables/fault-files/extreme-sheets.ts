/** 26 and 27. Sheets at the edges of what a sheet may be. */
import { handMadeZip } from '../hand-made-zip.ts';
import { book, type FaultFiles, many, one, oneRow, sheetPart, zipParts } from './fault-file.ts';

function column(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : column(Math.floor(index / 26) - 1) + last;
}

export const extremeSheets: FaultFiles = {
  'a row below the last one': [
    () => book({}, '<row r="1048577"><c><v>1</v></c></row>'),
    /the sheet Data cannot be read/,
  ],
  'the very last row': [
    () => book({}, '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
    { rows: 1, first: [1048576, one] },
  ],
  'a cell right of the last column': [() => book({}, '<row r="1"><c r="XFE1"><v>1</v></c></row>'), /XFE1/],
  'a cell in the very last column': [
    () => book({}, '<row r="1"><c r="XFD1"><v>1</v></c></row>'),
    { rows: 1, cells: 16_384 },
  ],
  'more cells without references than there are columns': [
    () => book({}, `<row>${'<c><v>1</v></c>'.repeat(16_385)}</row>`),
    /has a cell that cannot be read/,
  ],
  'a hundred rows of 16,384 columns': [
    () => {
      const names = Array.from({ length: 16_384 }, (_, index) => column(index));
      return book(
        {},
        many(
          100,
          (row) => `<row r="${row + 1}">${names.map((name) => `<c r="${name}${row + 1}"><v>1</v></c>`).join('')}</row>`,
        ),
      );
    },
    { rows: 100, cells: 1_638_400 },
    // The V8 of Node 24 holds about 30 MB more of it than that of Node 20.
    175,
  ],
  'a million blank formatted rows at the end': [
    () =>
      book({}, oneRow + many(1_000_000, (index) => `<row r="${index + 2}" s="1"><c r="A${index + 2}" s="1"/></row>`)),
    { rows: 1, last: [1, one] },
  ],
  'stray cells far to the right': [
    () =>
      book(
        {},
        many(50, (row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c><c r="XFD${row + 1}"><v>1</v></c></row>`),
      ),
    { rows: 50, cells: 50 * 16_384 },
  ],
  'no rows at all': [() => book({ [sheetPart]: '<worksheet><sheetData/></worksheet>' }), { rows: 0 }],
  'a string that is not there': [
    () => book({}, '<row r="7"><c r="A7" t="s"><v>99999999999</v></c></row>'),
    /row 7 of the sheet Data has a cell/,
  ],
  'parts named in another case than their relations say': [
    () => {
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
    { rows: 1, first: [1, { kind: 'date', day: '2026-06-30', time: null }] },
  ],
  'styles that its relations name and the archive lacks': [
    () => handMadeZip(zipParts({ sheets: { Data: oneRow } }).filter(({ name }) => name !== 'xl/styles.xml')),
    /xl\/styles\.xml in it is missing/,
  ],
  'two sheets of one name': [
    () => handMadeZip(zipParts({ sheets: { Data: oneRow, DATA: oneRow } })),
    /two sheets named/,
  ],
};

/** 23. Archives that are not whole, or not honest. */
import { handMadeZip } from '../hand-made-zip.ts';
import { book, type FaultFile, many, oneRow, sheetPart, zipParts } from './fault-file.ts';

const wholeBook = () =>
  book(
    {},
    many(200, (index) => `<row r="${index + 1}"><c r="A${index + 1}" t="str"><v>text ${index}</v></c></row>`),
  );
const cut = (share: number) => wholeBook().subarray(0, Math.floor(wholeBook().length * share));

const whole = zipParts({ sheets: { Data: oneRow } });

export const brokenArchives: readonly FaultFile[] = [
  ...[0.3, 0.6, 0.9, 0.99].map((share) => ({
    name: `cut at ${share * 100} %`,
    bytes: () => cut(share),
    expected: /damaged/,
  })),
  {
    name: 'without its directory',
    bytes: () => handMadeZip(whole, { withoutDirectory: true }),
    expected: /it is cut off/,
  },
  ...[{ statedChecksum: 5 }, { statedSize: 5 }].map((lie) => ({
    name: `with a lie: ${Object.keys(lie)[0]}`,
    bytes: () => handMadeZip([...whole, { name: 'xl/theme.xml', content: 'xyz', ...lie }]),
    expected: /xl\/theme\.xml in it/,
  })),
  {
    name: 'whose sheet ends early',
    bytes: () => book({ [sheetPart]: `<worksheet><sheetData>${oneRow}` }),
    expected: /the sheet Data cannot be read after row 1/,
  },
  {
    name: 'with two parts of one name',
    bytes: () => handMadeZip([...whole, { name: sheetPart, content: '<worksheet/>' }]),
    expected: /xl\/worksheets\/sheet1\.xml in it .* twice/,
  },
  {
    name: 'that is encrypted',
    bytes: () => handMadeZip(whole.map((part) => ({ ...part, flags: 1 }))),
    expected: /encrypted.*password/,
  },
  ...['../evil.xml', '/etc/evil.xml', '..\\evil.xml'].map((name) => ({
    name: `with a name that climbs out: ${name}`,
    bytes: () => book({ [name]: 'x' }),
    expected: /it is cut off/,
  })),
  { name: 'with a name for Windows', bytes: () => book({ 'xl\\theme.xml': 'x' }), expected: { rows: 1 } },
  {
    name: 'with twenty thousand parts',
    bytes: () => book(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a/${index}`, '']))),
    expected: /2000\d files/,
  },
];

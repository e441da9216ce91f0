/** 23. Archives that are not whole, or not honest. */
import { handMadeZip } from '../hand-made-zip.ts';
import { book, type FaultFiles, filesFor, many, oneRow, sheetPart, zipParts } from './fault-file.ts';

const wholeBook = () =>
  book(
    {},
    many(200, (index) => `<row r="${index + 1}"><c r="A${index + 1}" t="str"><v>text ${index}</v></c></row>`),
  );
const cut = (share: number) => wholeBook().subarray(0, Math.floor(wholeBook().length * share));

const whole = zipParts({ sheets: { Data: oneRow } });

export const brokenArchives: FaultFiles = {
  ...filesFor([0.3, 0.6, 0.9, 0.99], (share) => [`cut at ${share * 100} %`, () => cut(share), /damaged/]),
  'without its directory': [() => handMadeZip(whole, { withoutDirectory: true }), /it is cut off/],
  ...filesFor([{ statedChecksum: 5 }, { statedSize: 5 }], (lie) => [
    `with a lie: ${Object.keys(lie)[0]}`,
    () => handMadeZip([...whole, { name: 'xl/theme.xml', content: 'xyz', ...lie }]),
    /xl\/theme\.xml in it/,
  ]),
  'whose sheet ends early': [
    () => book({ [sheetPart]: `<worksheet><sheetData>${oneRow}` }),
    /the sheet Data cannot be read after row 1/,
  ],
  'with two parts of one name': [
    () => handMadeZip([...whole, { name: sheetPart, content: '<worksheet/>' }]),
    /xl\/worksheets\/sheet1\.xml in it .* twice/,
  ],
  'that is encrypted': [() => handMadeZip(whole.map((part) => ({ ...part, flags: 1 }))), /encrypted.*password/],
  ...filesFor(['../evil.xml', '/etc/evil.xml', '..\\evil.xml'], (name) => [
    `with a name that climbs out: ${name}`,
    () => book({ [name]: 'x' }),
    /it is cut off/,
  ]),
  'with a name for Windows': [() => book({ 'xl\\theme.xml': 'x' }), { rows: 1 }],
  'with twenty thousand parts': [
    () => book(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a/${index}`, '']))),
    /2000\d files/,
  ],
};

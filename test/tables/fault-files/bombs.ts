/** 24. Workbooks that mean harm. */
import { type Content, handMadeZip } from '../hand-made-zip.ts';
import { partsOf, relation, relationships } from '../xlsx/workbook-parts.ts';
import {
  book,
  type FaultFiles,
  filesFor,
  many,
  megabyte,
  noise,
  one,
  oneRow,
  repeated,
  sheet,
  sheetPart,
  stringsPart,
  zipParts,
} from './fault-file.ts';

const laughs =
  '<!DOCTYPE lolz [<!ENTITY lol "lol">' +
  many(9, (index) => `<!ENTITY lol${index + 1} "${`&lol${index === 0 ? '' : index};`.repeat(10)}">`) +
  ']>';

const blanks = ' '.repeat(megabyte);

const oneString = '<row><c t="s"><v>0</v></c></row>';
const withStrings = (strings: Content) => book({ [stringsPart]: strings }, oneString);

/** A workbook that lists so many sheets, each of which is said to be the same part. */
const withSheets = (count: number) =>
  book({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${many(count, (index) => `<sheet name="s${index}" sheetId="${index}" r:id="rel${index}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      many(count, (index) => relation(`rel${index}`, 'worksheet', 'worksheets/sheet1.xml')),
    ),
  });

export const bombs: FaultFiles = {
  ...filesFor(
    [
      { [sheetPart]: repeated(200, blanks, '<worksheet><sheetData>', '</sheetData></worksheet>') },
      { [stringsPart]: repeated(200, blanks) },
      // A part that nothing uses.
      { 'xl/media/a.bin': repeated(200, Buffer.alloc(megabyte)) },
    ],
    (parts) => [`${Object.keys(parts)[0]} that swells`, () => book(parts), /would unpack to 200 MB/],
  ),
  'a thousand small parts, each of which swells': [
    () =>
      handMadeZip([
        ...zipParts({ sheets: { Data: oneRow } }),
        {
          name: 'b/0',
          content: Buffer.alloc(7 * megabyte),
          alsoAs: Array.from({ length: 1000 }, (_, index) => `a/${index}`),
        },
      ]),
    /would unpack/,
  ],
  'one cell of 100 MB': [
    () =>
      book({
        [sheetPart]: repeated(
          100,
          noise(megabyte),
          '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>',
          '</v></c></row></sheetData></worksheet>',
        ),
      }),
    /sheet1\.xml in it is missing/,
  ],
  'one string of 100 MB': [
    () => withStrings(repeated(100, noise(megabyte), '<sst><si><t>', '</t></si></sst>')),
    /sharedStrings\.xml in it is missing/,
  ],
  'a sheet of 100 MB without any rows': [
    () => book({ [sheetPart]: repeated(100, `<a>${noise(megabyte)}</a>`, '<worksheet>', '</worksheet>') }),
    /the sheet Data cannot be read/,
  ],
  'strings of 100 MB without any table': [
    () => withStrings(repeated(100, `<a>${noise(megabyte)}</a>`, '<other>', '</other>')),
    /sharedStrings\.xml/,
  ],
  'one long string in twenty thousand cells of two sheets': [
    () => {
      const rows = many(10_000, (index) => `<row r="${index + 1}"><c r="A${index + 1}" t="s"><v>0</v></c></row>`);
      const strings = `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`;
      return handMadeZip(zipParts({ sheets: { One: rows, Two: rows }, parts: { [stringsPart]: strings } }));
    },
    /would unpack to \d+ MB/,
  ],
  'a million strings': [
    () =>
      book(
        { [stringsPart]: `<sst>${many(1_000_000, (index) => `<si><t>string ${index}</t></si>`)}</sst>` },
        '<row><c t="s"><v>999999</v></c></row>',
      ),
    { rows: 1, first: [1, 'string 999999'] },
    200,
  ],
  'a million merges': [
    () =>
      book({
        [sheetPart]: sheet(
          oneRow,
          `<mergeCells>${many(1_000_000, (index) => `<mergeCell ref="A${index + 1}:B${index + 1}"/>`)}</mergeCells>`,
        ),
      }),
    { rows: 1, merges: 50 },
  ],
  'half a million validations': [
    () =>
      book({
        [sheetPart]: sheet(
          oneRow,
          `<dataValidations>${many(500_000, (index) => `<dataValidation type="list" sqref="A${index + 1}"><formula1>"a,b"</formula1></dataValidation>`)}</dataValidations>`,
        ),
      }),
    { rows: 1, first: [1, one] },
  ],
  'three hundred thousand names over the whole sheet': [
    () =>
      book({
        'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="rel1"/></sheets><definedNames>${many(300_000, (index) => `<definedName name="n${index}">Data!$1:$1048576</definedName>`)}</definedNames></workbook>`,
      }),
    { rows: 1, first: [1, one] },
  ],
  ...filesFor(['xl/workbook.xml', 'xl/styles.xml', stringsPart, sheetPart, '_rels/.rels'], (part) => [
    `a billion laughs in ${part}`,
    () => {
      const usual = partsOf({ sheets: { Data: oneString } });
      return book({ [part]: laughs + String(usual[part]) }, oneString);
    },
    new RegExp(`${part.replaceAll('.', '\\.')} in it`),
  ]),
  'entities within entities, as references': [
    () => book({ [sheetPart]: sheet(`<row><c t="str"><v>${'&amp;'.repeat(6000)}</v></c></row>`) }),
    { rows: 1, first: [1, '&'.repeat(6000)] },
  ],
  'references that never end': [
    () => book({ [sheetPart]: sheet(`<row><c t="str"><v>${'&#'.repeat(1_000_000)}</v></c></row>`) }),
    /damaged: Data in it/,
  ],
  ...filesFor(
    [
      ['xl/styles.xml', '<a>'],
      ['xl/workbook.xml', '<a>'],
      [sheetPart, '<a>'],
      [stringsPart, '<si>'],
      ['_rels/.rels', '<a>'],
    ],
    ([part = '', tag = '']) => [
      `a million elements within each other in ${part}`,
      () => {
        const root = part === sheetPart ? '<worksheet><sheetData>' : part === stringsPart ? '<sst>' : '<root>';
        return book({ [part]: root + tag.repeat(1_000_000) + noise(20_000) }, oneString);
      },
      /damaged/,
    ],
  ),
  'one element of a million attributes': [
    () => book({ 'xl/styles.xml': `<styleSheet ${many(1_000_000, (index) => `a${index}="x" `)}/>` }),
    /damaged: .*styles\.xml/,
  ],
  'sixty thousand cell formats, which Excel allows': [
    () =>
      book({
        'xl/styles.xml': `<styleSheet><cellXfs>${many(60_000, (index) => `<xf numFmtId="${index % 50}" fontId="${index}" fillId="0" borderId="0" xfId="0"/>`)}</cellXfs></styleSheet>`,
      }),
    { rows: 1, first: [1, one] },
  ],
  'a million cell formats': [
    () =>
      book({
        'xl/styles.xml': `<styleSheet><cellXfs>${many(1_000_000, (index) => `<xf numFmtId="${index}"/>`)}</cellXfs></styleSheet>`,
      }),
    /cell formats/,
  ],
  'a hundred thousand sheets': [() => withSheets(100_000), /sheets/],
  'five thousand sheets of one part': [() => withSheets(5000), /sheets s0 and s1 are one and the same/],
  'a number format that never ends': [
    () =>
      book(
        {
          'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(100_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
        },
        many(50, (index) => `<row r="${index + 1}"><c r="A${index + 1}" s="0"><v>1</v></c></row>`),
      ),
    /row 1 of the sheet Data has a cell that cannot be read/,
  ],
  'ten thousand rows with a cell in the last column alone': [
    () =>
      book(
        {},
        many(10_000, (index) => `<row r="${index + 1}"><c r="XFD${index + 1}"><v>1</v></c></row>`),
      ),
    /would unpack/,
  ],
  'merges that never end': [
    () =>
      book({
        [sheetPart]: sheet(
          oneRow,
          many(700_000, (index) => `<mergeCell a${index} `),
        ),
      }),
    /sheet1\.xml in it is missing/,
  ],
  ...filesFor(
    Object.entries({
      'a string whose tag never ends': () => withStrings(`<sst><si><${'a'.repeat(1_000_000)}</si></sst>`),
      'tables of strings that never begin': () => withStrings('<sst '.repeat(1_500_000)),
      'phonetic runs that never end': () => withStrings(`<sst><si>${'<rPh>'.repeat(700_000)}</si></sst>`),
      'text elements that never end': () => withStrings(`<sst><si>${'<t '.repeat(1_000_000)}</si></sst>`),
      'cells that never end': () => book({ [sheetPart]: sheet(`<row>${'<c><v>'.repeat(1_000_000)}</row>`) }),
      'rows that never end': () => book({ [sheetPart]: sheet('<row><c>'.repeat(1_000_000)) }),
      'a million blanks within a cell that holds something else': () =>
        book({ [sheetPart]: sheet(`<row><c><f>1</f>${' '.repeat(1_000_000)}<x/></c></row>`) }),
    }),
    ([name, bytes]) => [name, bytes, /damaged/],
  ),
};

import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/tables/row.ts';
import { readTable } from '../../builders/read-table.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';
import { partsOf, writeParts } from './workbook-parts.ts';

const inFolder = folderForAllTests();

/** The values of the only row, numbers and truths bare, and whether it is hidden. */
async function read(rows: string, sharedStrings = '<si><t>first</t></si><si><t>second</t></si>') {
  const path = inFolder('book.xlsx');
  await writeParts(path, partsOf({ sheets: { Data: rows }, sharedStrings }));
  const [row = null] = (await readTable(path)).rows;
  const bare = (cell: Cell) => (typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell);
  return row && [row.hidden, ...row.values.map(bare)];
}

describe('a cell in a form that is rare', () => {
  it.each([
    ['a blank before the end of its closing tag', '<row><c><v>1</v></c ><c><v>2</v></c></row>', [false, 1, 2]],
    [
      'a blank before the end of its closing tag, with text in line',
      '<row><c t="inlineStr"><is><t>a</t></is></c\n><c t="inlineStr"><is><t>b</t></is></c></row>',
      [false, 'a', 'b'],
    ],
    ['a blank in the closing tag of its value', '<row><c><v>1</v ></c><c><v>2</v></c></row>', [false, 1, 2]],
    ['an instruction before its value', '<row><c><?x <v>5</v>?><v>6</v></c></row>', [false, 6]],
    ['a comment before its value', '<row><c><!-- <v>5</v> --><v>6</v></c></row>', [false, 6]],
    ['a text in pieces', '<row><c t="inlineStr"><is><t>a<![CDATA[<b>]]>c</t></is></c></row>', [false, 'a<b>c']],
    [
      'extensions behind its value, and behind the cells',
      '<row><c><v>1</v><extLst><ext><v>5</v></ext></extLst></c><extLst><ext><c><v>9</v></c></ext></extLst></row>',
      [false, 1],
    ],
    ['references in its attributes', '<row><c t="&#115;"><v>1</v></c></row>', [false, 'second']],
    ['a hidden row said with single quotes', "<row hidden='1'><c><v>1</v></c></row>", [true, 1]],
    ['the name of no string at all', '<row><c t="s"><v></v></c></row>', null],
    [
      'a formula whose value is an empty element',
      '<row><c><f>1+1</f><v></v></c></row>',
      [false, { kind: 'formula-without-value', formula: '1+1' }],
    ],
  ])('is read as what it holds: %s', async (_what, rows, expected) => {
    expect(await read(rows)).toEqual(expected);
  });

  it('does not push the strings behind it out of place', async () => {
    const strings = '<si><t>first</t ></si ><si><t>second</t></si><si><t>third</t></si>';
    expect(await read('<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row>', strings)).toEqual([
      false,
      'first',
      'second',
      'third',
    ]);
  });

  const noNumbers = ['0x10', '0b1', '0o7', '+-1', '1e', '1.2.3', '1_000', 'Infinity'];

  it.each<[what: string, attribute: string, all: readonly string[], said: RegExp]>([
    ['number', '', noNumbers, /row 1 of the sheet .* has a cell that cannot be read: /],
    ['number with blanks around it', " s='0'", noNumbers.map((one) => ` ${one} `), /cannot be read\.$/],
    ['number of its text', ' t="s"', ['0x1', '1e0', '1.0', '-1'], /has a cell that cannot be read: /],
    ['truth value', ' t="b"', ['2', 'yes'], /cannot be read: /],
  ])('is refused when its %s is none', async (_what, attribute, all, said) => {
    for (const written of all) {
      const opened = read(`<row r="1"><c r="A1"${attribute}><v>${written}</v></c></row>`);
      const refusal = { code: 'unreadable-source', message: expect.stringMatching(said) };
      await expect(opened, written).rejects.toMatchObject(refusal);
    }
  });

  it.each(['1', '-1.5', '+2', '.5', '5.', '1e3', '1.5E-7', '1.0E+02'])(
    'is read as the number that it is: %s',
    async (written) => {
      expect(await read(`<row r="1"><c r="A1"><v>${written}</v></c></row>`)).toEqual([false, Number(written)]);
    },
  );
});

it('cells far from each other keep their columns, with blanks between them', async () => {
  const columns = ['A', 'C', 'CZ', 'ZZ', 'XFC', 'XFD'];
  const row = `<row r="1">${columns.map((column, index) => `<c r="${column}1"><v>${index + 1}</v></c>`).join('')}</row>`;
  const [, ...cells] = (await read(row)) ?? [];
  expect(cells).toHaveLength(16_384);
  expect(cells.flatMap((cell, index) => (cell === null ? [] : [[index, cell]]))).toEqual([
    [0, 1],
    [2, 2],
    [103, 3],
    [701, 4],
    [16_382, 5],
    [16_383, 6],
  ]);
});

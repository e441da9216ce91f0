/** Files as other programs write them, each of which stands for its kind: what their cells are, and what a check says. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/cell.ts';
import { openSource } from '../../src/sheets/open-source.ts';
import { checkPlace } from '../builders/check-place.ts';
import { root } from '../builders/workplace.ts';

const folder = join(root, 'test', 'fixtures', 'tables');
const { path, check } = checkPlace();

/** What is to be seen in a cell: a text, a number, a day with its time. */
function seen(cell: Cell): string | number | null {
  if (cell === null || typeof cell === 'string') return cell;
  if (cell.kind === 'number') return cell.value;
  return cell.kind === 'date' ? [cell.day, cell.time].filter(Boolean).join(' ') : JSON.stringify(cell);
}

/** The rows below the headers, and the notices. */
async function read(name: string) {
  const source = await openSource(join(folder, name), { name, encoding: null, delimiter: null });
  const rows: (string | number | null)[][] = [];
  for (const sheet of source.sheets) for await (const { cells } of sheet.rows()) rows.push(cells.map(seen));
  await source.close();
  return { rows: name.startsWith('tiny') ? rows : rows.slice(1), notices: source.notices };
}

const payment = ['D-1', '2026-06-30', 250, 'x'];
const withoutAmount = ['D-1', '2026-06-30', null, 'no amount'];
const in1904 = [['D-1', '2026-06-30', 250, 'x']];

describe('a file that another program wrote', () => {
  it.each<readonly [string, readonly unknown[][]]>([
    ['1904-control.xlsx', in1904],
    ['1904-with-x14-workbookPr.xlsx', in1904],
    ['1904-with-x15-workbookPr.xlsx', in1904],
    ['1904-deals-x15.xlsx', [[50_000, 'Harbor Bakery LLC', '2015-03-01', 'Ada', 'Moreno', '1980-04-17']]],
    ['crlf-in-cell.xlsx', [['D-1', 'line one\nline two']]],
    ['zip-backslash.xlsx', [payment]],
    ['empty-v-without-t.xlsx', [payment, withoutAmount]],
    ['empty-v-with-t-n.xlsx', [payment, withoutAmount]],
    ['spaces-in-v.xlsx', [payment]],
    ['spaces-in-v-control-with-formula.xlsx', [payment]],
    ['vba-module-sheet-without-relation.xlsx', [payment]],
    ['inlineStr-with-v.xlsx', [payment]],
    ['utf-16-parts.xlsx', [payment]],
    ['empty-thumbnail-deflated-to-nothing.xlsx', [payment]],
    ['lower-case-references.xlsx', [payment]],
    ['strict-date-with-noise.xlsx', [payment]],
    ['strict-date-with-noise-control-serial.xlsx', [payment]],
    ['tiny-latin1.csv', [['£1']]],
    [
      'mac-roman.companies.csv',
      [
        ['Joe’s Café', 'Merchant', 'Peña'],
        ['Tide Cafe', 'Merchant', 'x'],
      ],
    ],
    ['utf16le-nobom-wide.deals.csv', [['50000', 'Café Āll 一', 'Ada', 'Moreno']]],
  ])('is read as what it shows: %s', async (name, expected) => {
    expect((await read(name)).rows).toEqual(expected);
  });

  it('has sheets that are no tables left out, with a notice', async () => {
    const { notices } = await read('vba-module-sheet-without-relation.xlsx');
    expect(notices).toEqual(['Module1 is a chart or a macro, not a table: it is left out.']);
  });

  it.each([
    ['hyperlink-other-text.xlsx', 2, 2, /Website "click here" .*https:\/\/harborbakery\.example\//],
    ['value-under-vertical-merge.xlsx', 3, 0, /Company name .*merged/],
  ])('is warned of where nobody sees what is sent: %s', async (name, row, column, said) => {
    copyFileSync(join(folder, name), path(name));
    const { problemRows } = await check(name);
    const warnings = problemRows.flatMap((one) =>
      one.problems.filter((problem) => said.test(problem.message)).map((problem) => [one.row, problem.column]),
    );
    expect(warnings).toEqual([[row, column]]);
  });
});

/** Files as other programs write them, each of which stands for its kind: what their cells are, and what a check says. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { findingText } from '../../src/messages/finding.ts';
import type { Cell } from '../../src/tables/row.ts';
import { checkPlace } from '../builders/check-place.ts';
import { readTable } from '../builders/read-table.ts';
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
  const { rows, notices } = await readTable(join(folder, name));
  return { rows: rows.slice(name.startsWith('tiny') ? 0 : 1).map(({ values }) => values.map(seen)), notices };
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
    ['utf16le-nobom-wide.deals.csv', [['50000', 'Café Āll 一', 'Ada', 'Moreno']]],
  ])('is read as what it shows: %s', async (name, expected) => {
    expect((await read(name)).rows).toEqual(expected);
  });

  it('is named where a spreadsheet program keeps it while another is open', async () => {
    writeFileSync(path('~$deals.xlsx'), Buffer.from(`\u0005Maria${' '.repeat(49)}\u0005\u0000M\u0000a`));
    await expect(check('~$deals.xlsx')).rejects.toThrow(/lock file/);
  });

  it.each<readonly [string, string, RegExp]>([
    ['macintosh', 'name\nGarcía\n', /"Garc’a" as windows-1252, or "García" as macintosh/],
    ['macintosh', 'name\nJoe’s Café, Peña\n', /"JoeÕs" as windows-1252, or "Joe’s" as macintosh/],
    ['macintosh', 'name\nMüller\n', /"MŸller" as windows-1252, or "Müller" as macintosh/],
    ['macintosh', 'name\nGARCÍA\n', /"GARCêA" as windows-1252, or "GARCÍA" as macintosh/],
    ['macintosh', 'name\nLópez\n', /"L—pez" as windows-1252, or "López" as macintosh/],
    ['macintosh', 'name\nPat O’Brien\n', /"OÕBrien" as windows-1252, or "O’Brien" as macintosh/],
    ...['D’ANGELO', 'MARIA’S', 'Über', 'ávila', '5 §'].map((name) => ['macintosh', name, /in several ways/] as const),
    ['iso-8859-15', 'amount\n€5\n', /"¤5" as windows-1252/],
    ['cp850', 'name\nCafé\n', /"Caf‚" as windows-1252/],
    ...Object.entries({
      'windows-1250': ['Łódź Gęślą', 'Żabka'],
      'windows-1254': ['Beşiktaş', 'Yıldız'],
      shift_jis: ['東京商事株式会社'],
      gb18030: ['北京海淀科技有限公司', '北京'],
      'euc-kr': ['삼성'],
    }).flatMap(([set, names]) => names.map((name) => [set, name, /in several ways/] as const)),
  ])('is refused where its character set cannot be told: %s', async (set, text, said) => {
    writeFileSync(path('rows.csv'), iconv.encode(text, set));
    await expect(check('rows.csv')).rejects.toThrow(said);
  });

  it.each([
    [
      'windows-1252',
      'name\nJoe’s Diner, D’Angelo\n“Best” café – naïve…\nAcme® Inc™, 90°, €5, SEÑOR ÉCOLE, JOE’S, Joe’s, AÇÕES LEÕES, Põe PÕE',
    ],
    ['utf-16le', 'имя\r\nКиев\r\n'],
    ['utf-16be', '公司名称\n北京海淀科技有限公司\n'],
  ])('is read in the character set that it has: %s', async (set, text) => {
    writeFileSync(path('rows.csv'), iconv.encode(`${'x\n'.repeat(200_000)}${text}`, set, { addBOM: false }));
    const { rows } = await readTable(path('rows.csv'), { delimiter: '|' });
    const last = rows.flatMap(({ number, values }) => (number > 200_000 ? values : []));
    expect(last.join('\n')).toBe(text.replaceAll('\r', '').trimEnd());
  });

  it('has sheets that are no tables left out, with a notice', async () => {
    const { notices } = await read('vba-module-sheet-without-relation.xlsx');
    expect(notices).toEqual([{ code: 'sheet-no-table', params: { name: 'Module1' } }]);
  });

  it('is refused with its character set to name, and read once that is named: mac-roman.companies.csv', async () => {
    copyFileSync(join(folder, 'mac-roman.companies.csv'), path('mac.csv'));
    await expect(check('mac.csv')).rejects.toThrow(/as macintosh/);
    const { rows } = await readTable(path('mac.csv'), { encoding: 'macintosh' });
    expect(rows.flatMap(({ values }) => values)).toEqual(expect.arrayContaining(['Joe’s Café', 'Peña', 'Tide Cafe']));
  });

  it.each([
    ['hyperlink-other-text.xlsx', 2, 2, /Website .*https:\/\/harborbakery\.example\//],
    ['value-under-vertical-merge.xlsx', 3, 0, /Company name .*merged/],
  ])('is warned of where nobody sees what is sent: %s', async (name, row, column, said) => {
    copyFileSync(join(folder, name), path(name));
    const { problemRows } = await check(name);
    const warnings = problemRows.flatMap((one) =>
      one.problems.filter((problem) => said.test(findingText(problem))).map((problem) => [one.row, problem.column]),
    );
    expect(warnings).toEqual([[row, column]]);
  });
});

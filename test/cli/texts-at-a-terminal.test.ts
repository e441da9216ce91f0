import { describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { oneRow, writeCsv } from '../builders/tables.ts';
import { partsOf, writeParts } from '../tables/xlsx/workbook-parts.ts';

/** Each would do something to a terminal: clear it, name its window, put a word in front of another. */
const clearing = '\u001b[2J';
const naming = '\u009d0;named\u0007';
const turning = '\u202E';
const mark = '\uFFFD';
const obeyed = [clearing, '\u001b]0;', '\u009d', '\u0007', turning];

describe('a text that comes from elsewhere', () => {
  const place = ownWorkplaceForEachTest();

  it('reaches standard error without a character that a terminal obeys: headers and names of files', async () => {
    const [file, mapping] = [`deals${clearing}.csv`, `deals${turning}.json`];
    writeCsv(place.path(file), [
      ['Amount requested', 'Company name', `Rate${clearing}${naming}${turning}`],
      [100, 'Harbor Bakery', 'x'],
    ]);
    const { stderr } = await place.run(['map', file, '--as', 'deals', '-o', mapping]);
    expect(stderr).toContain(`Rate${mark}[2J${mark}0;named${mark}${mark}`);
    expect(stderr).toContain(`deals${mark}[2J.csv`);
    for (const text of obeyed) expect(stderr).not.toContain(text);
  });

  it('breaks no line of a message: a file whose name has a line break is to be renamed', async () => {
    const name = 'deals\nRun 2026-01-01-01: 5 rows.csv';
    writeCsv(place.path(name), oneRow({ 'Amount requested': 100, 'Company name': 'Harbor Bakery' }));
    for (const words of [
      ['check', name],
      ['map', name, '--as', 'deals'],
      ['check', `none${name}`],
    ]) {
      const { stderr, exitCode } = await place.run(words);
      expect(exitCode).toBe(2);
      expect(stderr.split('\n')).toEqual([
        expect.stringContaining(`deals${mark}Run 2026-01-01-01: 5 rows.csv has a line break in its name`),
        'Rename it, or the folder that it is in, and try again.',
      ]);
    }
  });

  it('breaks no line of a message: a line break in the name of a sheet is a blank', async () => {
    const sheets = { 'Deals&#10;of June': '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>' };
    const sharedStrings = '<si><t>Amount requested</t></si><si><t>much</t></si>';
    await writeParts(place.path('june.xlsx'), partsOf({ sheets, sharedStrings }));
    const { stderr } = await place.run(['check', 'june.xlsx', '--as', 'deals']);
    expect(stderr).toContain("'Deals of June'!A2  error  ");
  });
});

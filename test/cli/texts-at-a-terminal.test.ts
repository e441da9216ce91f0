import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, hasTerminal } from '../builders/pseudo-terminal.ts';
import { writeCsv, writeWorkbook } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';

/** Each would do something to a terminal: clear it, name its window, put a word in front of another. */
const clearing = '\u001b[2J';
const naming = '\u009d0;named\u0007';
const turning = '\u202E';
const mark = '\uFFFD';
const obeyed = [clearing, '\u001b]0;', '\u009d', '\u0007', turning];
const ctrlD = '\u0004';

describe('a text that comes from elsewhere', () => {
  let place: Workplace;
  beforeEach(() => {
    place = newWorkplace();
  });
  afterEach(() => place.remove());

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

  it('reaches standard error so when the command fails', async () => {
    const { stderr } = await place.run(['check', `none${clearing}.csv`]);
    expect(stderr).toContain(`none${mark}[2J.csv`);
    expect(stderr).not.toContain(clearing);
  });

  it('stays as it is in a result that goes into a file', async () => {
    const header = `Rate${turning}\u009d`;
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', header],
      [100, 'Harbor Bakery', 'x'],
    ]);
    const { stdout } = await place.run(['map', 'deals.csv', '--as', 'deals']);
    expect(Object.keys(JSON.parse(stdout).sheets[0].columns)).toContain(header);
  });

  it.skipIf(!hasTerminal)('is shown so in the questions too', async () => {
    await writeWorkbook(place.path('broker.xlsx'), {
      Deals: [
        ['Amount requested', 'Company name'],
        [100, 'Harbor Bakery'],
      ],
      [`Rates${turning}`]: [
        ['Kind', `Rate${naming}`],
        ['x', 1],
      ],
    });
    const said = await answer(place, ['map', 'broker.xlsx', '-o', 'broker.json'], [['What are its rows', ctrlD]]);
    expect(said).toContain(`The sheet "Rates${mark}" has the headers Kind, Rate${mark}0;named.`);
    for (const text of obeyed) expect(said).not.toContain(text);
  });
});

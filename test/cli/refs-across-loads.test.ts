import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, refusal } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import { endedAtTerminal, hasTerminal } from '../builders/pseudo-terminal.ts';
import { oneRow, readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();

const deal = (name: string) =>
  oneRow({ Ref: 'D-1', 'Amount requested': 100, 'Company name': name, 'Owner last name': 'Moreno' });
const twoDeals = (...names: readonly [string, string]): Table => [
  deal('')[0] ?? [],
  ...names.map((name, at) => (deal(name)[1] ?? []).with(0, `D-${at}`)),
];
const note = oneRow({ 'Deal ref': 'D-1', 'Deal status': 'Open', Note: 'for July' });

it('P9: letters whose accents are written apart, as other programs do, are the same: no record is made anew', async () => {
  const rows = [deal('Peña')[0] ?? [], (deal('Peña')[1] ?? []).with(0, 'Ñ-1')];
  const apart = (table: Table) => table.map((cells) => cells.map((cell) => String(cell).normalize('NFD')));
  desk.write('june.csv', rows);
  await desk.load('june.csv');
  desk.write('july.csv', apart(rows));
  await expectCounts(desk.load('july.csv'), { alreadyLoaded: 1 });
  desk.write('notes.csv', apart(note.map((cells) => cells.map((cell) => (cell === 'D-1' ? 'Ñ-1' : cell)))));
  await expectCounts(desk.load('notes.csv', '--as', 'notes'), { created: 1 });
});

describe('a Ref that is given again in the next month', () => {
  const july = async (...further: readonly string[]) => {
    desk.write('june.csv', deal('June'));
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.write('july.csv', deal('July'));
    return desk.load('july.csv', '--results', 'july.results.csv', ...further);
  };

  it('is that of the same record: nothing is sent, and the change is told', async () => {
    await expectCounts(july(), { changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['June']);
  });

  it('is told with the line that settles it where most rows of the file have one', async () => {
    desk.write('june.csv', twoDeals('June', 'Juno'));
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.write('july.csv', twoDeals('July', 'Julia'));
    const ended = await desk.load('july.csv', '--results', 'july.results.csv');
    expect(ended.stderr).toMatch(
      /^july: 2 of 2 rows have the Ref of a record of an earlier load, but other values\. .*"refScope": "file"/m,
    );
  });

  it.skipIf(!hasTerminal)('is asked about once at a terminal, and the answer is remembered', async () => {
    desk.write('june.csv', twoDeals('June', 'Juno'));
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.write('july.csv', twoDeals('July', 'Julia'));
    const words = ['import', 'july.csv', '--as', 'deals', '--url', desk.service.url];
    const token = { DEALSHEET_TOKEN: 'token' };
    const question = 'Do Refs start over in each file';
    const asked = await endedAtTerminal(desk.place, words, [[question, 'y\n']], token);
    expect(asked.said).toMatch(/Run the same command again/);
    expect(desk.sent).toEqual(['June', 'Juno']);
    const again = await endedAtTerminal(desk.place, words, [['Send 2 rows', 'y\n']], token);
    expect([again.exitCode, again.said.includes(question)], again.said).toEqual([0, false]);
    expect(desk.sent.toSorted()).toEqual(['Julia', 'July', 'June', 'Juno']);
  });
});

describe('a Ref that starts over in a file', () => {
  const mapping = {
    refScope: 'file',
    sheets: [{ kind: 'deals', columns: Object.fromEntries((deal('')[0] ?? []).map((header) => [header, header])) }],
  };
  const loadNote = async () => {
    desk.write('notes.csv', note);
    return desk.load('notes.csv', '--as', 'notes', '--results', 'notes.results.csv');
  };
  const loadJuly = () => {
    desk.place.write('july.json', mapping);
    desk.write('july.csv', deal('July'));
    return desk.load('july.csv', '--mapping', 'july.json');
  };

  it('names nothing beyond that file, and leaves no other record that is meant for certain', async () => {
    await loadJuly();
    await loadNote();
    expect(desk.problemsOf('notes.results.csv', 0)).toMatch(/^"D-1" was not found/);
    desk.write('june.csv', deal('June'));
    await desk.load('june.csv');
    expect(desk.sent).toEqual(['July', 'June']);
    await loadNote();
    expect(desk.problemsOf('notes.results.csv', 0)).toMatch(/of several records: rec_2, rec_1\. Enter the id/);
  });

  describe('and counts in every file again', () => {
    const loadBoth = async (deals: Table, ...notes: readonly string[]) => {
      const rows = notes.map((text) => (note[1] ?? []).with(2, text));
      await writeWorkbook(desk.place.path('july.xlsx'), { Deals: deals, Notes: [note[0] ?? [], ...rows] });
      return (...further: readonly string[]) => desk.loadWorkbook('july.xlsx', '--skip-loaded', ...further);
    };

    beforeEach(async () => {
      desk.write('june.csv', deal('June'));
      await desk.load('june.csv');
      const profiles = { brokers: { url: desk.service.url, contract: { refScope: 'file' } } };
      desk.place.write('scope.json', { profiles });
      const load = await loadBoth(deal('July'), 'for July');
      await expectCounts(load('--profile', 'brokers', '--config', 'scope.json'), { created: 2 });
    });

    it('is that of the record with the same values, with what belongs to it', async () => {
      const load = await loadBoth(deal('July'), 'for July', 'for August');
      await expectCounts(load(), { alreadyLoaded: 2, created: 1 });
      expect(JSON.parse(desk.service.requests.at(-1)?.body ?? '')).toMatchObject({ dealId: 'rec_2' });
    });

    it('is that of neither where the row has other values than both', async () => {
      const load = await loadBoth(deal('Juno'), 'for July', 'for August');
      await expectCounts(load('--allow', 'same-ref'), { notSent: 1, waiting: 2 });
      expect(desk.service.requests).toHaveLength(3);
    });
  });
});

it('a Ref of a record of an earlier load is told to the rows that wait for a row of this file with that Ref, which has errors: it may be that record', async () => {
  desk.write('june.csv', deal('June'));
  await desk.load('june.csv', '--results', 'june.results.csv');
  const faulty = deal('June').map((row) => row.map((cell) => (cell === 100 ? 'abc' : cell)));
  await writeWorkbook(desk.place.path('july.xlsx'), { Deals: faulty, Notes: note });
  await desk.loadWorkbook('july.xlsx', '--results', 'july.results.xlsx');
  const [waiting] = await readWorkbook(desk.place.path('july.results.xlsx'), 'Notes');
  expect(waiting?.Problems).toContain(
    'Waiting for the deal with the Ref "D-1" (Deals row 2): it went in with other values',
  );
});

it('a Ref of a row that never went in is told with that row', async () => {
  desk.said.set(1, refusal);
  desk.write('june.csv', deal('June'));
  await desk.load('june.csv', '--results', 'june.results.csv');
  desk.write('notes.csv', note);
  await desk.load('notes.csv', '--as', 'notes', '--results', 'notes.results.csv');
  expect(desk.problemsOf('notes.results.csv', 0)).toMatch(
    /"D-1" is the Ref of june.csv, june row 2 .* Load that row with this Ref first/,
  );
});

describe('a Ref that was corrected before its row went in', () => {
  const corrected = (from: string, to: string) => (row: readonly string[]) =>
    row.map((cell) => (cell === from ? to : cell === 'lots' ? '100' : cell));
  const loadNote = async () => {
    desk.write('notes.csv', note);
    await desk.load('notes.csv', '--as', 'notes', '--results', 'notes.results.csv');
    const last = desk.service.requests.findLast(({ method }) => method === 'POST');
    return `${last?.path} ${last?.body}`;
  };

  it('names nothing any more', async () => {
    desk.write('june.csv', deal('June').with(1, ['D-1', 'lots', 'June', 'Moreno']));
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.changeRows('june.results.csv', (rows) => rows.map(corrected('D-1', 'D-2')));
    await expectCounts(desk.load('june.results.csv'), { created: 1 });
    expect(await loadNote()).toMatch(/^\/v1\/deal /);
    expect(desk.problemsOf('notes.results.csv', 0)).toMatch(/^"D-1" was not found/);
    // It may still be the same line: the file as it was corrected elsewhere is held.
    desk.write('other.csv', deal('Juno'));
    await expectCounts(desk.load('other.csv'), { changedSinceLoaded: 1 });
  });

  it('names the row alone that has it still', async () => {
    desk.write('june.csv', [...deal('June'), ['D-1', 100, 'Juno', 'Moreno']]);
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.changeRows('june.results.csv', ([one = [], two = []]) => [one, corrected('D-1', 'D-2')(two)]);
    await expectCounts(desk.load('june.results.csv', '--results', 'both.csv'), { created: 2 });
    expect(await loadNote()).toContain(`"${desk.rowsOf('both.csv')[0]?.[2]}"`);
    desk.write('july.csv', deal('July'));
    await expectCounts(desk.load('july.csv'), { changedSinceLoaded: 1 });
  });
});

it.each([
  ['first', (rows: Table) => rows],
  ['last', ([header = [], ...rows]: Table) => [header, ...rows.reverse()]],
])(
  'a Ref is that of the row that has it still, which comes %s, before that of the one that had it',
  async (_, order) => {
    desk.write('june.csv', [
      ...deal('June').with(1, ['D-1', 'lots', 'June', 'Moreno']),
      ['D-1', 100, 'Juno', 'Moreno'],
    ]);
    await desk.load('june.csv', '--results', 'one.csv');
    desk.changeRows('one.csv', ([one = [], two = []]) => [one, two.map((cell) => (cell === 'D-1' ? 'D-2' : cell))]);
    expect((await desk.load('one.csv', '--results', 'two.csv')).printed?.counts).toMatchObject({
      created: 1,
      invalid: 1,
    });
    const corrected = [...deal('June'), ['D-2', 150, 'Juno', 'Moreno']];
    desk.write('july.csv', order(corrected));
    await expectCounts(desk.load('july.csv', '--results', 'three.csv'), { created: 1, changedSinceLoaded: 1 });
  },
);

it.each([
  ['blanks', 'Harbor 1', 'Harbor\u00a0 1'],
  ['dashes', 'D-1', 'D\u20131'],
  ['zeros', '001', '1'],
])('a Ref is the same with other %s, in the same file and in a later one', async (_, ref, looksSame) => {
  const withRef = (table: Table, name: string) => table.map((row) => row.map((cell) => (cell === 'D-1' ? name : cell)));
  const deals = withRef(deal('June'), ref);
  await writeWorkbook(desk.place.path('june.xlsx'), { Deals: deals, Notes: withRef(note, looksSame) });
  await expectCounts(desk.loadWorkbook('june.xlsx'), { created: 2 });
  desk.write('july.csv', withRef(deal('June'), looksSame));
  await expectCounts(desk.load('july.csv'), { alreadyLoaded: 1 });
});

const month = (deals: readonly (string | number)[][], notes: readonly string[][]) =>
  writeWorkbook(desk.place.path('july.xlsx'), { Deals: [...deal('July'), ...deals], Notes: [...note, ...notes] });
const wharf = ['D-2', 100, 'Wharf', 'Moreno'];

/** Corrects the deal, and gives the note that waits for it a text. */
const correctBoth = async (text: string) => {
  desk.said.set(1, refusal);
  await month([], []);
  await desk.loadWorkbook('july.xlsx', '--skip-loaded', '--results', 'one.xlsx');
  const tableOf = async (sheet: string) => {
    const rows = await readWorkbook(desk.place.path('one.xlsx'), sheet);
    const cells = rows.map((row) => Object.values(row).map((cell) => (cell === null ? '' : String(cell))));
    const corrected = cells.map((row) =>
      row.map((cell) => (cell === 'for July' ? text : cell === '100' ? '150' : cell)),
    );
    return [Object.keys(rows[0] ?? {}), ...corrected];
  };
  await writeWorkbook(desk.place.path('two.xlsx'), { Deals: await tableOf('Deals'), Notes: await tableOf('Notes') });
  await expectCounts(desk.loadWorkbook('two.xlsx', '--skip-loaded', '--results', 'three.xlsx'), { created: 2 });
};

it('a row that waited for its parent, and went in once that was corrected is not sent as it was, where it was corrected too and its source comes back with more rows', async () => {
  await correctBoth('for all of July');
  await month([wharf], []);
  const extended = await desk.loadWorkbook('july.xlsx', '--skip-loaded', '--results', 'four.xlsx');
  expect(extended.printed?.counts, extended.stderr).toMatchObject({ created: 1, alreadyLoaded: 2 });
  const [told] = await readWorkbook(desk.place.path('four.xlsx'), 'Notes');
  expect(told?.Problems).toMatch(/^Loaded from two\.xlsx, .* it went in with other values than it has here\./);
});

describe('a row that says what a row of an earlier file said before it was corrected', () => {
  const rowWith = (ref: string) => deal('June').map((row) => row.map((cell) => (cell === 'D-1' ? ref : cell)));
  const noteOf = (ref: string) => note.map((row) => row.map((cell) => (cell === 'D-1' ? ref : cell)));
  const loadJuly = async (ref: string, results: string) => {
    await writeWorkbook(desk.place.path('july.xlsx'), { Deals: rowWith(ref), Notes: noteOf(ref) });
    const ended = await desk.loadWorkbook('july.xlsx', '--skip-loaded', '--results', results);
    const [told] = await readWorkbook(desk.place.path(results), 'Notes');
    return { ended, told };
  };
  const dealOfNote = () => {
    const sent = desk.service.requests.filter(({ path }) => path.endsWith('/note')).map(({ body }) => JSON.parse(body));
    return sent.map(({ dealId }: { dealId: string }) => dealId);
  };
  beforeEach(async () => {
    desk.said.set(1, refusal);
    desk.write('june.csv', rowWith('D-1'));
    await desk.load('june.csv', '--results', 'june.results.csv');
    desk.correct('june.results.csv', '100', '150');
    await desk.load('june.results.csv', '--results', 'june.2.csv');
  });

  it('is no record with another Ref, whatever it says: it is held, and what names it waits until a person has said', async () => {
    const { ended, told } = await loadJuly('E-1', 'july.results.xlsx');
    expect(ended.printed?.counts, ended.stderr).toMatchObject({ alreadyLoaded: 0, notSent: 1, waiting: 1 });
    expect(told?.Problems).toContain('Waiting until the deal with the Ref "E-1"');
    expect(dealOfNote()).toEqual([]);
  });

  it('is the parent of what names it by the Ref of that row', async () => {
    const { ended, told } = await loadJuly('D-1', 'july.results.xlsx');
    expect(told?.Status, ended.stderr).toBe('Created');
    expect(dealOfNote()).toEqual(['rec_2']);
  });
});

describe('results sheets that are put together into one workbook', () => {
  /** The rows of a results sheet of deals, and a note for each of their Refs. */
  const workbook = (dealRows: string[][], refs: readonly string[]) =>
    writeWorkbook(desk.place.path('all.xlsx'), {
      Deals: dealRows,
      Notes: [['Deal ref', 'Deal status', 'Note'], ...refs.map((ref) => [ref, 'Open', `for ${ref}`])],
    });
  const load = (file: string, results: string) => desk.loadWorkbook(file, '--results', results);
  const loadDeals = async (month: string, table: Table) => {
    await writeWorkbook(desk.place.path(`${month}.xlsx`), { Deals: table });
    await load(`${month}.xlsx`, `${month}.csv`);
    return desk.tableOf(`${month}.csv`);
  };

  it('leave it to the person to which deal a Ref belongs that two of them have', async () => {
    const june = await loadDeals('june', deal('June'));
    const july = await loadDeals('july', deal('July'));
    await workbook([...june, ...july.slice(1)], ['D-1']);
    const ended = await load('all.xlsx', 'all.results.xlsx');
    expect(ended.printed?.counts, ended.stderr).toMatchObject({ alreadyLoaded: 1, changedSinceLoaded: 1, invalid: 1 });
    expect(ended.stderr).toMatch(/"D-1" is the Ref of several records: Deals row 2, Deals row 3/);
    expect(desk.posted).toHaveLength(1);
  });

  it('make no deal a parent by a Ref with which another one went in: its cells were moved', async () => {
    const [header = [], one = [], two = []] = await loadDeals('june', [...deal('One'), ['D-2', 200, 'Two', 'Moreno']]);
    const moved = [header, [...one.slice(0, 6), ...two.slice(6)], [...two.slice(0, 6), ...one.slice(6)]];
    await workbook(moved, ['D-1', 'D-2']);
    await expectCounts(load('all.xlsx', 'all.results.xlsx'), { changedSinceLoaded: 2, waiting: 2 });
    const notes = await readWorkbook(desk.place.path('all.results.xlsx'), 'Notes');
    expect(notes[0]?.Problems).toMatch(/it went in with other values or another Ref than it has now/);
  });
});

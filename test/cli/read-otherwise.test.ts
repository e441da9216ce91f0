import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DealsDesk, serverError } from '../builders/deals-desk.ts';
import { answer, hasTerminal } from '../builders/pseudo-terminal.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name', 'Company start date'];

describe('a file that went in before and is read otherwise', () => {
  let desk: DealsDesk;

  beforeEach(async () => {
    desk = await DealsDesk.open();
    desk.write('june.csv', [
      headers,
      [100, 'Harbor', 'Moreno', '03/04/2016'],
      [200, 'Kite', 'Moreno', '05/06/2016'],
      [300, 'Mill', 'Moreno', '2016-05-30'],
    ]);
    const loaded = await desk.load('june.csv', '--date-order', 'mdy');
    expect(loaded.exitCode, loaded.stderr).toBe(0);
  });
  afterEach(() => desk.close());

  const warning =
    /This very file was loaded on \d{4}-\d\d-\d\d \(run \S+\), with --date-order mdy; now it is read with --date-order dmy\. By that, 2 rows that are in by that run, or may be, would be sent a second time, from june row 2 on\./;

  it('is not sent on a yes that was given beforehand, and what to do is said', async () => {
    const again = await desk.load('june.csv', '--date-order', 'dmy');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(warning);
    expect(again.stderr).toMatch(/Read it as it was read then, with --date-order mdy.*--plan.*--apply.*--again/);
    expect(desk.sent).toHaveLength(3);
  });

  it('is said to be so also where a choice is left out', async () => {
    writeFileSync(
      desk.place.path('mapping.json'),
      JSON.stringify({ sheets: [{ kind: 'deals', columns: Object.fromEntries(headers.map((name) => [name, name])) }] }),
    );
    const again = await desk.load('june.csv', '--mapping', 'mapping.json', '--date-order', 'dmy');
    expect(again.stderr).toContain(
      'with --date-order mdy, without --mapping; now it is read with --date-order dmy, with',
    );
  });

  it('is not said to be in where its updates give other values by another mapping', async () => {
    desk.write('updates.csv', [
      ['Id', 'Trading as', 'Web'],
      ['cmp_1', 'Old Mill', 'mill.example'],
      ['cmp_2', '', 'kite.example'],
    ]);
    const mappingWith = (name: string, trading: string | null) => {
      const columns = { Id: 'Company to update', 'Trading as': trading, Web: 'Website' };
      writeFileSync(desk.place.path(name), JSON.stringify({ sheets: [{ kind: 'company-updates', columns }] }));
    };
    mappingWith('short.json', null);
    mappingWith('long.json', 'DBA');
    const loadBy = (mapping: string, ...further: string[]) =>
      desk.loadWorkbook('updates.csv', '--mapping', mapping, '--results', 'r.csv', ...further);
    expect((await loadBy('short.json')).printed?.counts).toMatchObject({ updated: 2 });
    const refused = await loadBy('long.json');
    expect(refused.stderr).toMatch(/By that, 1 row that is in by that run, .* from updates row 2 on\./);
    expect(refused.exitCode).toBe(2);

    const planned = ['--mapping', 'long.json', '--plan', 'plan.json'];
    await desk.command(['import', 'updates.csv', '--url', desk.service.url, ...planned]);
    const applied = await loadBy('long.json', '--apply', 'plan.json');
    expect(applied.printed?.counts, applied.stderr).toMatchObject({ updated: 1, alreadyLoaded: 1 });
    expect(desk.service.requests.at(-1)?.body).toContain('Old Mill');
    expect((await loadBy('long.json')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
  });

  it('goes in without a word where the same rows are sent again by nothing else', async () => {
    const same = await desk.load('june.csv', '--date-order', 'mdy');
    expect(same.printed?.counts).toMatchObject({ alreadyLoaded: 3 });
    const other = await desk.load('june.csv', '--date-order', 'mdy', '--encoding', 'utf-8');
    expect(other.exitCode, other.stderr).toBe(0);
    expect(other.printed?.counts).toMatchObject({ alreadyLoaded: 3 });
  });

  it('goes in by a plan that a person has looked at, and by --again', async () => {
    const planned = await desk.command([
      ...['import', 'june.csv', '--as', 'deals', '--url', desk.service.url],
      ...['--date-order', 'dmy', '--plan', 'plan.json'],
    ]);
    expect(planned.stderr).toMatch(warning);
    const applied = await desk.load('june.csv', '--date-order', 'dmy', '--apply', 'plan.json');
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(applied.printed?.counts).toMatchObject({ created: 2, alreadyLoaded: 1 });
    const again = await desk.load('june.csv', '--date-order', 'ymd', '--again');
    expect(again.stderr).not.toContain('This very file');
  });

  it('sends rows that are not in without a word', async () => {
    desk.write('july.csv', [headers, [1, 'Oak', 'Moreno', '2016-05-30'], [2, 'Elm', 'Moreno', '03/04/2016']]);
    const first = await desk.load('july.csv');
    expect(first.printed?.counts).toMatchObject({ created: 1, invalid: 1 });
    const second = await desk.load('july.csv', '--date-order', 'dmy');
    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.printed?.counts).toMatchObject({ created: 1, alreadyLoaded: 1 });
  });

  it('is asked about also where a load before that was refused its rows', async () => {
    desk.write('july.csv', [headers, [1, 'Oak', 'Moreno', '03/04/2016'], [2, 'Elm', 'Moreno', '05/06/2016']]);
    expect((await desk.load('july.csv')).printed?.counts).toMatchObject({ invalid: 2 });
    expect((await desk.load('july.csv', '--date-order', 'mdy')).printed?.counts).toMatchObject({ created: 2 });
    const again = await desk.load('july.csv', '--date-order', 'dmy');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(/with --date-order mdy; now it is read with --date-order dmy\. By that, 2 rows/);
    const same = await desk.load('july.csv', '--date-order', 'mdy');
    expect(same.printed?.counts, same.stderr).toMatchObject({ alreadyLoaded: 2 });
    expect(desk.sent).toHaveLength(5);
  });

  it('does not tell how cells are read as if that were in, where a results sheet brought the row in', async () => {
    desk.write('july.csv', [headers, [1, 'Oak', 'Moreno', '03/04/2016'], [2, 'Elm', 'Moreno', '05/06/2016']]);
    await desk.load('july.csv', '--results', 'july.results.csv');
    desk.changeRows('july.results.csv', (rows) => rows.map((cells) => cells.with(-1, '2016-03-04')));
    await desk.load('july.results.csv', '--results', 'two.csv');
    const again = await desk.load('july.csv', '--date-order', 'dmy', '--results', 'three.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ alreadyLoaded: 2 });
    expect(desk.problemsOf('three.csv', 0)).toMatch(
      /^Loaded before from july\.results\.csv, .* It went in with other values than it has here\.\nNote: .* is read as 2016-04-03\./,
    );
    expect(again.exitCode, again.stderr).toBe(0);
  });

  it('counts rows in doubt, which may be in', async () => {
    desk.write('july.csv', [headers, [1, 'Oak', 'Moreno', '03/04/2016']]);
    desk.said.set(4, serverError);
    expect((await desk.load('july.csv', '--date-order', 'mdy')).exitCode).toBe(6);
    const again = await desk.load('july.csv', '--date-order', 'dmy');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('1 row that is in by that run, or may be, would be sent');
  });

  it('does not keep its results sheet from being corrected and imported', async () => {
    desk.write('july.csv', [headers, [1, 'Oak', 'Moreno', '03/04/2016'], ['bad', 'Elm', 'Moreno', '05/06/2016']]);
    await desk.load('july.csv', '--date-order', 'mdy', '--results', 'july.results.csv');
    desk.correct('july.results.csv', 'bad', '2');
    const corrected = await desk.load('july.results.csv', '--date-order', 'dmy');
    expect(corrected.printed?.counts, corrected.stderr).toMatchObject({ created: 1, changedSinceLoaded: 1 });
    expect(corrected.stderr).toMatch(/1 row is in, and says something else now/);
  });

  it.runIf(hasTerminal)('is a question at a terminal, whatever was said beforehand', async () => {
    writeFileSync(desk.place.path('token'), 'token', { mode: 0o600 });
    const words = ['import', 'june.csv', '--as', 'deals', '--url', desk.service.url, '--token-file', 'token'];
    const refused = await answer(desk.place, [...words, '--date-order', 'dmy', '--yes'], [['Send them', 'n\n']]);
    expect(refused).toMatch(/Send them\? \[y\/N\]/);
    expect(refused).toContain('Nothing was sent.');
    const asked = await answer(desk.place, [...words, '--date-order', 'dmy'], [['(amounts: ', 'y\n']]);
    expect(asked).toMatch(warning);
    expect(desk.sent).toHaveLength(5);
  });
});

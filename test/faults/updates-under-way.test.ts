import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { oneRow } from '../builders/tables.ts';

const tries = 5;
const desk = deskForEachTest();

describe('an update that may have been applied when its load was killed', () => {
  beforeEach(async () => {
    desk.write('june.csv', oneRow({ 'Company to update': 'cmp_1', DBA: 'New' }));
  });

  const load = (...further: readonly string[]) => desk.load('june.csv', '--as', 'company-updates', ...further);

  const killed = async () => {
    const where = ['--as', 'company-updates', '--url', desk.service.url, '--yes', '--concurrency', '1'];
    const env = { DEALSHEET_TOKEN: 'token', DEALSHEET_STOP_AT: 'settle-before-commit:1' };
    await expectExit(desk.place.run(['import', 'june.csv', ...where], { env }), -1);
    expect(desk.service.requests).toHaveLength(1);
  };

  const inDoubt =
    /^The load stopped before the answer came\. It was sent again and then refused: Not now\. The row may or may not be in: look in the service for the new values of the update, then/;

  it.each([
    ['the resume', (results: string) => desk.resume('--results', results)],
    ['a load of the same file', (results: string) => load('--results', results)],
    [
      'a load of the results that were written for it',
      async (results: string) => {
        await desk.command(['results', await newestRun(), '-o', 'one.csv']);
        return desk.load('one.csv', '--as', 'company-updates', '--results', results);
      },
    ],
  ])('is in doubt when the service refuses it to %s', async (_what, again) => {
    await killed();
    desk.said.set(2, refusal);
    await expectExit(again('two.csv'), 6);
    expect(desk.statuses('two.csv')).toEqual(['In doubt']);
    expect(desk.problemsOf('two.csv', 0)).toMatch(inDoubt);
  });

  it.each([
    ['refuses', refusal],
    ['takes no token for', tokenRefused],
  ])('is in doubt when the service %s the row that was edited in its results', async (_what, answer) => {
    await killed();
    desk.said.set(2, answer).set(3, answer);
    await desk.command(['results', await newestRun(), '-o', 'one.csv']);
    desk.changeRows('one.csv', (rows) => rows.map((cells) => cells.map((cell) => (cell === 'New' ? 'Newer' : cell))));
    const ended = await desk.load('one.csv', '--as', 'company-updates', '--results', 'two.csv');
    expect(desk.statuses('two.csv'), ended.stderr).toEqual(['In doubt']);
  });

  it('is in doubt, and not lost from sight, where a later update of the company went out since', async () => {
    await killed();
    desk.write('july.csv', oneRow({ 'Company to update': 'cmp_1', DBA: 'Newer' }));
    await desk.load('july.csv', '--as', 'company-updates');
    const again = await expectExit(load('--results', 'two.csv'), 6);
    expect(desk.statuses('two.csv'), again.stderr).toEqual(['In doubt']);
    desk.typeId('two.csv', 0, 'not created');
    await desk.load('two.csv', '--as', 'company-updates', '--results', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Not sent']);
    expect(desk.problemsOf('three.csv', 0)).toMatch(/^A later update of the same company went out/);
    expect(desk.service.requests).toHaveLength(2);
  });

  it('is refused for good once a person has typed that it was not applied', async () => {
    await killed();
    desk.said.set(2, refusal).set(3, refusal);
    await desk.resume('--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['In doubt']);
    desk.typeId('two.csv', 0, 'not created');
    const again = await desk.load('two.csv', '--as', 'company-updates', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), again.stderr).toEqual(['Rejected']);
    expect(desk.problemsOf('three.csv', 0)).toBe('Not now.');
  });

  it('is no longer one that is sent again once it is in doubt, and is still one after a resume that could not send it', async () => {
    await killed();
    desk.said.set(2, tokenRefused).set(3, refusal);
    await desk.resume('--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['In doubt']);
    await desk.resume('--results', 'three.csv');
    expect(desk.problemsOf('three.csv', 0)).toMatch(inDoubt);
    const last = await desk.resume(await newestRun(), '--results', 'four.csv');
    expect(desk.statuses('four.csv'), last.stderr).toEqual(['In doubt']);
    expect(desk.service.requests).toHaveLength(3);
  });

  async function newestRun(): Promise<string> {
    const { stdout } = await desk.place.run(['runs', '--json']);
    return (JSON.parse(stdout) as { runs: { run: string }[] }).runs[0]?.run ?? '';
  }
});

it('an update that is in doubt stays in doubt when the service refuses it to a later load of its file', async () => {
  desk.write('june.csv', oneRow({ 'Company to update': 'cmp_1', DBA: 'New' }));
  for (let n = 1; n <= tries; n += 1) desk.said.set(n, serverError);
  const load = (...further: readonly string[]) => desk.load('june.csv', '--as', 'company-updates', ...further);
  expect((await load('--results', 'one.csv')).exitCode).toBe(6);
  desk.said.set(tries + 1, refusal);
  const again = await load('--results', 'two.csv');
  expect(desk.statuses('two.csv'), again.stderr).toEqual(['In doubt']);
});

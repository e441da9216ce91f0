import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../../builders/command-here.ts';
import { deals } from '../../builders/deals-desk.ts';
import { expectExit } from '../../builders/expected.ts';
import { writeCsv } from '../../builders/tables.ts';
import type { Ended } from '../../builders/workplace.ts';
import { sandboxForEachTest } from '../../sandbox/running.ts';

const token = 'sandbox-token';
const noRows = {
  rows: 0,
  created: 0,
  updated: 0,
  accepted: 0,
  invalid: 0,
  rejected: 0,
  failed: 0,
  inDoubt: 0,
  alreadyLoaded: 0,
  changedSinceLoaded: 0,
  unchanged: 0,
  waiting: 0,
  leftOut: 0,
  ready: 0,
  notSent: 0,
};

describe('with --json, standard output', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), deals('Harbor Bakery'));
  });

  const run = (words: readonly string[], said = token) =>
    place.run([...words, '--json'], { env: { DEALSHEET_TOKEN: said } });
  const load = (said = token) => run(['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes'], said);
  /** The one object; a second one behind it cannot be parsed. */
  const objectOf = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;

  it('has the object of a load, with the error, when nobody said which service', async () => {
    const ended = await expectExit(run(['import', 'deals.csv', '--yes']), 2);
    expect(objectOf(ended)).toEqual({
      run: null,
      service: null,
      file: place.path('deals.csv'),
      results: null,
      seconds: expect.any(Number),
      counts: noRows,
      totals: [],
      findings: [],
      error: {
        ...{ code: 'usage', reason: 'service-not-chosen' },
        ...{ message: expect.stringMatching(/service/), remedy: expect.stringMatching(/--sandbox/) },
      },
    });
    expect(ended.stderr).not.toBe('');
  });

  it('names the service that refused the token, and that cannot be reached', async () => {
    const refused = await expectExit(load('another'), 4);
    expect(objectOf(refused)).toMatchObject({
      run: null,
      service: `${service.url}/`,
      counts: noRows,
      error: { code: 'token-refused', remedy: expect.stringMatching(/Replace it with a new one/) },
    });
    await service.stop();
    const unreachable = await expectExit(load(), 5);
    expect(objectOf(unreachable)).toMatchObject({ run: null, counts: noRows, error: { code: 'service-unusable' } });
  });

  it.each([
    ['import', ['import', 'deals.csv', '--nonsense']],
    ['check', ['check', 'nothing.csv']],
    ['resume', ['resume', '--yes']],
  ])('has the object of a load for %s, whatever was wrong', async (_name, words) => {
    const ended = await expectExit(run(words), 2);
    expect(objectOf(ended)).toMatchObject({ run: null, results: null, counts: noRows, error: expect.anything() });
  });

  it('has the error alone for a command that loads nothing', async () => {
    for (const [reason, ...words] of [
      ['service-not-chosen', 'export', 'balances', '-o', 'b.xlsx'],
      ['run-not-found', 'runs', '2020-01-01-01'],
      ['unknown-profile', 'health', '--profile', 'nobody'],
      ['command-line', 'config', '--nonsense'],
    ]) {
      const ended = await expectExit(run(words), 2);
      expect(objectOf(ended)).toEqual({
        error: { code: 'usage', reason, message: expect.any(String), remedy: expect.any(String) },
      });
    }
  });

  it('has the counts of a plan, of which no row was sent', async () => {
    const where = ['--url', service.url, '--as', 'deals'];
    const planned = objectOf(await run(['import', 'deals.csv', ...where, '--plan', 'month.plan.json']));
    expect(planned).toMatchObject({ run: null, results: null, counts: { ...noRows, rows: 1, ready: 1 } });
    expect(planned).not.toHaveProperty('error');
  });

  it('has nothing of an error when all went well', async () => {
    const loaded = objectOf(await load());
    expect(loaded).toMatchObject({ counts: { rows: 1, created: 1 } });
    expect(loaded).not.toHaveProperty('error');
  });

  it('says of a resume that there is nothing to resume, before it asks for a yes', async () => {
    const ended = await expectExit(run(['resume']), 2);
    expect(objectOf(ended)).toMatchObject({ error: { message: expect.stringMatching(/nothing to resume/) } });
  });

  it('is empty without it', async () => {
    const { stdout } = await place.run(['import', 'deals.csv', '--yes']);
    expect(stdout).toBe('');
  });
});

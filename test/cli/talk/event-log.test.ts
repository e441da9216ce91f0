import { statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../../builders/command-here.ts';
import { expectExit } from '../../builders/expected.ts';
import { created, serviceForEachTest } from '../../builders/recording-service.ts';
import { writeCsv } from '../../builders/tables.ts';

const secrets = ['Harbor Bakery', 'Moreno', '219-09-4320', '1980-04-17', 'secret-token', 'Harbor says no'];

describe('the log of a load', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => {
    if (number === 1) return { status: 429, body: '', headers: { 'retry-after': '0' } };
    return number === 2 ? { status: 422, body: '{"message":"Harbor says no to Harbor Bakery"}' } : created(number);
  });

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name', 'Owner SSN', 'Owner date of birth'],
      [100, 'Harbor Bakery', 'Moreno', '219-09-4320', '1980-04-17'],
      [200, 'Harbor Bakery 2', 'Moreno', '219-09-4320', '1980-04-17'],
    ]);
  });

  const load = (...further: string[]) =>
    place.run(
      ['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', '1', '--log', 'load.ndjson', ...further],
      { env: { DEALSHEET_TOKEN: 'secret-token' } },
    );
  const events = () =>
    place
      .read('load.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string } & Record<string, unknown>);

  it('tells what happened in its order, and nothing of what the rows say', async () => {
    await expectExit(load(), 1);
    expect(events().map(({ event }) => event)).toEqual(['health', 'begin', 'row', 'row', 'report', 'end']);
    expect(events().at(-1)).toMatchObject({ exitCode: 1, counts: { rows: 2, created: 1, rejected: 1 } });
    expect(String(events().at(-1)?.seconds)).toMatch(/^\d+(\.\d{1,3})?$/);
    expect(events()[2]).toMatchObject({ sheet: 'deals', row: 2, state: 'rejected', code: 'refused' });
    const text = place.read('load.ndjson');
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(statSync(place.path('load.ndjson')).mode & 0o777).toBe(0o600);
  });

  it('is added to by the next load', async () => {
    await load();
    const first = events().length;
    await load();
    expect(events().length).toBeGreaterThan(first);
  });

  it('ends with the exit code also where the load comes to nothing', async () => {
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Moreno'],
      [100, 'Harbor Bakery', 'x'],
    ]);
    await expectExit(load(), 2);
    expect(events().at(-1)).toMatchObject({
      event: 'end',
      run: null,
      exitCode: 2,
      counts: null,
      ...{ error: 'unmatched-columns', reason: 'nothing-matches' },
    });
    expect(place.read('load.ndjson')).not.toContain('Moreno');
  });

  it.each([
    ['no service is named', []],
    ['the records of the sandbox are none', ['--sandbox', '--sandbox-data', 'deals.csv']],
    ['the ledger is none', ['--sandbox', '--ledger', 'deals.csv']],
  ])('ends with the exit code also where %s', async (_, flags) => {
    const { exitCode } = await place.run(['import', 'deals.csv', '--yes', '--log', 'load.ndjson', ...flags]);
    expect(exitCode).toBe(2);
    expect(events()).toEqual([expect.objectContaining({ event: 'end', run: null, exitCode: 2 })]);
  });

  it('that cannot be written stops the load before it begins', async () => {
    const { exitCode, stderr } = await place.run(
      ['import', 'deals.csv', '--url', service.url, '--yes', '--log', 'nowhere/load.ndjson'],
      { env: { DEALSHEET_TOKEN: 'secret-token' } },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/nowhere\S+ cannot be used: its folder does not exist \(ENOENT\)\./);
    expect(service.requests).toEqual([]);
  });
});

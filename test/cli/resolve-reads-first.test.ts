import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

describe('an id that settles a doubt', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest(({ method, path }) => {
    if (method === 'POST') return { status: 500, body: '{}' };
    return { status: absent !== '' && path.endsWith(absent) ? 404 : status, body: record };
  });
  let record = '';
  let status = 200;
  let absent = '';

  beforeEach(async () => {
    status = 200;
    absent = '';
    writeCsv(place.path('deals.csv'), deals('Harbor'));
    await expectExit(run('import', 'deals.csv', '--url', service.url, '--yes'), 6);
  });

  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const newestRun = async () =>
    (JSON.parse((await run('runs', '--json')).stdout) as { runs: { run: string }[] }).runs[0]?.run ?? '';
  const settle = async () => run('resolve', await newestRun(), '--row', 'deals!2', '--created', 'deal_9');

  it('is taken when the service has its record', async () => {
    record = '{"id":"deal_9"}';
    await expectExit(settle(), 0);
  });

  it.each([
    ['null', 'The answer of the service holds no record: null'],
    ['{"error":"not found"}', 'The service said no: Not found.'],
    ['{"success":false,"message":"There is no such deal."}', 'The service said no: There is no such deal.'],
    [
      '{"id":"deal_8","amountRequested":100,"company":{"name":"Harbor"}}',
      'The service answered with another record: deal_8.',
    ],
  ])('is refused when the service answers %s, and nothing is settled', async (body, why) => {
    record = body;
    await expectExit(settle(), 2, `The service has no record deal_9. ${why}`);
    expect((await run('runs')).stdout).toContain('1 in doubt');
  });

  it.each([
    ['result', { result: { id: 'deal_9', company: { name: 'Kite' } } }],
    ['data.attributes', { data: { id: 'deal_9', type: 'deal', attributes: { company: { name: 'Kite' } } } }],
  ])('is refused where the record is of another name, in %s', async (_, body) => {
    record = JSON.stringify(body);
    await expectExit(settle(), 2, '"Kite" there and "Harbor" in the row');
    record = record.replace('Kite', 'Harbor');
    expect((await settle()).exitCode).toBe(0);
  });

  it('settles nothing while the service cannot be asked', async () => {
    status = 500;
    const settled = await expectExit(settle(), 5, 'deals!2: deal_9 could not be looked up: ');
    expect(settled.stderr).toContain('Try again when the service answers. No row was settled.');
    await service.stop();
    expect((await settle()).exitCode).toBe(5);
    expect((await run('runs')).stdout).toContain('1 in doubt');
  });

  it('is to be tried again where the service could not be asked for it, also beside one that is wrong', async () => {
    writeCsv(place.path('two.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [200, 'Kite', 'Ito'],
      [300, 'Elm', 'Roe'],
    ]);
    writeCsv(place.path('found.csv'), [
      ['Row', 'ID'],
      ['two!2', 'deal_1'],
      ['two!3', 'deal_2'],
    ]);
    await run('import', 'two.csv', '--url', service.url, '--as', 'deals', '--yes');
    status = 500;
    absent = 'deal_1';
    const settled = await expectExit(run('resolve', await newestRun(), '--from', 'found.csv'), 2);
    expect(settled.stderr).toContain('two!2: The service has no record deal_1.');
    expect(settled.stderr).toContain('two!3: deal_2 could not be looked up: ');
    expect(settled.stderr).toContain('Run the same command again to retry the ids that could not be looked up.');
  });

  it('is taken, and said to be, where the token may not read records', async () => {
    status = 403;
    await expectExit(settle(), 0, 'The service does not allow reading the record deal_9, so the id is taken as it is');
  });
});

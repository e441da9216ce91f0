import { chmodSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { type CannedAnswer, created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name', 'Owner SSN'];
const secrets = ['Harbor', 'Moreno', '219-09-4320', 'secret-token', 'hook-secret'];

describe('a notification', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => answer(number));
  const hook = serviceForEachTest(() => ({ status: 204, body: '' }));
  let answer: (number: number) => CannedAnswer;

  beforeEach(() => {
    answer = created;
  });

  const deals = (file: string, amounts: readonly (number | string)[]) =>
    writeCsv(place.path(file), [
      headers,
      ...amounts.map((amount, row) => [amount, `Harbor ${file} ${row}`, 'Moreno', '219-09-4320']),
    ]);
  const profile = (notify: object) => {
    const live = { url: service.url, tokenFile: 'live.token', notify };
    place.write('dealsheet.config.json', { profiles: { live } });
    place.write('live.token', 'secret-token', { mode: 0o600 });
    return (file: string, ...further: string[]) =>
      place.run(['import', file, '--profile', 'live', '--config', 'dealsheet.config.json', '--yes', ...further]);
  };
  const told = () =>
    hook.requests.map(({ body }) => JSON.parse(body) as { events: string[]; text: string; exitCode: number });

  it('tells of a load that failed, of wrong rows and of doubts, then once that all is well, and nothing of the rows', async () => {
    const load = profile({ url: `${hook.url}/hook-secret` });
    expect((await load('deals-1.csv')).stderr).toContain('There is no file');
    deals('deals-2.csv', [100, 'TBD']);
    await load('deals-2.csv');
    answer = () => ({ status: 500, body: '' });
    deals('deals-3.csv', [100]);
    expect((await load('deals-3.csv')).exitCode).toBe(6);
    answer = created;
    deals('others.csv', [100]);
    await load('others.csv');
    expect(told().map(({ events }) => events)).toEqual([['failed'], ['wrong-rows'], ['in-doubt']]);
    for (const good of ['deals-4.csv', 'deals-5.csv']) {
      deals(good, [400]);
      expect((await load(good)).exitCode).toBe(0);
    }
    const recovered = { events: ['recovered'], exitCode: 0, file: 'deals-4.csv', counts: { rows: 1 } };
    expect(told().at(-1)).toMatchObject(recovered);
    expect(told()).toHaveLength(4);
    expect(told()[1]?.text).toMatch(
      /^deals-2\.csv into http\S+: Rows are wrong\. 2 rows, 1 wrong, 0 in doubt\.\nRun \S+, exit code 1\.$/,
    );
    for (const { body, headers: sent } of hook.requests)
      for (const secret of secrets) expect(body + JSON.stringify(sent)).not.toContain(secret);
  });

  it('comes only above the share of wrong rows that the profile names, and when the file is far from the last', async () => {
    const load = profile({ url: hook.url, wrongAbove: '40%', unlikeLast: '20%' });
    deals('deals-1.csv', [100, 100, 'TBD']);
    await load('deals-1.csv');
    expect(told()).toEqual([]);
    deals('deals-2.csv', [100]);
    await load('deals-2.csv');
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatchObject({ events: ['unlike-last'], exitCode: 0 });
    expect(told()[0]?.text).toContain('deals: 1 rows, and 3 in deals-1.csv of ');
  });

  it('goes to a program by its standard input, without the token in its environment, and from a flag', async () => {
    place.write(
      'told.sh',
      '#!/bin/sh\ncat > told.json\nenv > told.env\n(sleep 1; head -c 2000000 /dev/zero; echo > late; sleep 16) &\n',
    );
    place.write('data/dealsheet/notified', 'in the way of the marks');
    chmodSync(place.path('told.sh'), 0o700);
    deals('june.csv', ['TBD']);
    const words = ['import', 'june.csv', '--url', service.url, '--yes', '--notify', './told.sh'];
    const { stderr } = await expectExit(place.run(words, { env: { DEALSHEET_TOKEN: 'secret-token' } }), 1);
    expect(stderr).not.toContain('notification');
    expect(JSON.parse(place.read('told.json'))).toMatchObject({ events: ['wrong-rows'] });
    expect(place.read('told.env')).not.toContain('secret-token');
    await vi.waitFor(() => expect(place.read('late')).toBe('\n'), 9_000);
  });

  it('that cannot be delivered is told, and changes no exit code', async () => {
    const load = profile({ url: `${hook.url}/hook-secret` });
    await hook.stop();
    deals('june.csv', [100, 'TBD']);
    const { stderr } = await expectExit(load('june.csv'), 1);
    expect(stderr).toMatch(/The notification could not be delivered: 127\.0\.0\.1:\d+ cannot be reached\./);
    expect(stderr).not.toContain('hook-secret');
  });

  it('is sent to no address that others could read along', async () => {
    deals('june.csv', ['TBD']);
    const load = profile({ command: ['touch', 'told'] });
    const { stderr } = await expectExit(load('june.csv', '--notify', 'http://hooks.example/hook-secret'), 2);
    expect(stderr).toContain('must begin with https://');
    expect(stderr).not.toContain('hook-secret');
    expect(service.requests).toEqual([]);
  });
});

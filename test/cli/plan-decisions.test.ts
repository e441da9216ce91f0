import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, serverError } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { oneRow, writeWorkbook } from '../builders/tables.ts';

describe('P30: a plan that is applied', () => {
  const desk = deskForEachTest();
  const { place, service } = desk;
  const command = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const load = (file: string, ...further: string[]) =>
    command('import', file, '--url', service.url, '--yes', '--concurrency', '1', ...further);
  const plan = (file: string, ...further: string[]) =>
    command('import', file, '--url', service.url, '--plan', 'plan.json', ...further);
  const apply = (file: string, ...further: string[]) => load(file, '--apply', 'plan.json', ...further);
  const sheets = () => (JSON.parse(place.read('plan.json')) as { sheets: Record<string, unknown>[] }).sheets;

  it('lets rows that are in go out once more, and once alone', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await load('deals.csv');
    const planned = await plan('deals.csv', '--again');
    expect(planned.stderr).toMatch(/2 rows would be sent .*\. 2 of them would be sent again/);
    const first = await expectExit(apply('deals.csv', '--again'), 0);
    expect(first.stderr).toContain('2 rows to add as deals; sent once more, although in: 2 rows');
    const second = await expectExit(apply('deals.csv', '--again'), 2);
    expect(second.stderr).toMatch(/The newest load of the file is 20\S+; when it was planned it was 20/);
    expect(service.requests).toHaveLength(4);
  });

  it('with --again is refused once equal rows have gone in with another file', async () => {
    desk.write('june.csv', deals('Harbor', 'Mill'));
    desk.write('july.csv', deals('Mill'));
    await plan('june.csv', '--as', 'deals', '--again');
    await load('july.csv', '--as', 'deals');
    const applied = await expectExit(apply('june.csv', '--as', 'deals', '--again'), 2);
    expect(applied.stderr).toMatch(/june: other rows would be sent, or with other contents/);
    expect(service.requests).toHaveLength(1);
  });

  it('tells rows in doubt apart, and is refused once one of them is settled', async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await load('deals.csv', '--json');
    const [run = ''] = /20\d\d-\S+/.exec((await command('runs')).stdout) ?? [];
    const planned = await plan('deals.csv');
    expect(planned.stderr).toMatch(/0 rows would be sent/);
    expect(planned.stderr).toMatch(/0 rows to add as deals; not sent: 1 in doubt, 1 already loaded/);
    expect(sheets()).toMatchObject([{ toSend: 0, staying: { 'already-loaded': 1, 'in-doubt': 1 } }]);
    await expectExit(command('resolve', run, '--row', 'deals!2', '--not-created'), 0);
    await expectExit(apply('deals.csv'), 2, /deals: .*rows to send now: 1, when it was planned: 0/);
    expect(service.requests).toHaveLength(2);
  });

  it('is refused once the content of an attachment has changed', async () => {
    place.write('files/a.txt', 'one');
    desk.write('attachments.csv', oneRow({ 'Deal id': 'deal_1', File: 'a.txt' }));
    await plan('attachments.csv', '--attachments', 'files');
    place.write('files/a.txt', 'two');
    await expectExit(apply('attachments.csv', '--attachments', 'files'), 2, /attachments: .* with other contents/);
    expect(service.requests).toEqual([]);
  });

  it('tells rows apart that wait for others which do not go in', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: [
        ['Ref', ...(deals()[0] ?? [])],
        ['D-1', 100, 'Harbor', 'Moreno'],
        ['D-2', -1, 'Mill', 'Moreno'],
      ],
      Notes: [
        ['Deal ref', 'Deal status', 'Note'],
        ['D-1', 'New', 'called'],
        ['D-2', 'New', 'called too'],
      ],
    });
    const planned = await plan('month.xlsx');
    expect(planned.stderr).toMatch(/2 rows would be sent/);
    expect(planned.stderr).toMatch(/1 row to add as notes; not sent: 1 waiting/);
    expect(sheets()).toMatchObject([
      { toSend: 1, staying: { invalid: 1 } },
      { toSend: 1, staying: { waiting: 1 } },
    ]);
    await expectExit(apply('month.xlsx'), 1);
    expect(service.requests).toHaveLength(2);
  });

  it('tells what a limit, or errors in other rows, hold back', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
    const limited = await plan('deals.csv', '--limit', '1');
    expect(limited.stderr).toMatch(/1 row to add as deals; not sent: 2 ready/);
    expect((await apply('deals.csv', '--limit', '1')).exitCode).toBe(1);
    expect(service.requests).toHaveLength(1);
    desk.write('bad.csv', deals('Pine', 'Oak', ['Elm', -1]));
    const held = await plan('bad.csv', '--as', 'deals', '--all-or-nothing');
    expect(held.stderr).toMatch(/0 rows to add as deals; not sent: 1 invalid, 2 ready/);
  });

  it('is refused with another ledger', async () => {
    desk.write('deals.csv', deals('Harbor'));
    await plan('deals.csv', '--ledger', 'one.db');
    await expectExit(apply('deals.csv', '--ledger', 'two.db'), 2, /It was planned with another ledger/);
    expect(service.requests).toEqual([]);
  });

  it('is refused once what the profile says of the service has changed', async () => {
    const writeProfile = (contract: object) =>
      place.write('config/dealsheet/dealsheet.config.json', { profiles: { live: { url: service.url, contract } } });
    desk.write('deals.csv', [
      [...(deals()[0] ?? []), 'Owner date of birth'],
      [100, 'Harbor', 'Moreno', '1980-04-03'],
    ]);
    writeProfile({});
    await command('import', 'deals.csv', '--profile', 'live', '--plan', 'plan.json');
    writeProfile({ wire: { date: 'DD/MM/YYYY' } });
    const words = ['import', 'deals.csv', '--profile', 'live', '--apply', 'plan.json', '--yes'];
    await expectExit(command(...words), 2, /not as it was planned: contract/);
    writeProfile({ wire: { date: 'YYYY-MM-DD' } });
    expect((await command(...words)).exitCode).toBe(0);
    expect(service.requests).toHaveLength(1);
  });
});

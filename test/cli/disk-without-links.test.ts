import { readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { deals, deskForEachTest, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import { withCalls } from '../builders/workplace.ts';

const desk = deskForEachTest();

it('a ledger on a disk without links keeps the source of a load that stopped all the same: it goes on after the file was changed', async () => {
  desk.said.set(2, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Marina'));
  const words = ['import', 'deals.csv', '--as', 'deals', '--url', desk.service.url, '--yes', '--concurrency', '1'];
  const env = { DEALSHEET_TOKEN: 'token', ...withCalls(`fs.promises.link = async () => fail('EPERM')`) };
  const stopped = await desk.place.run(words, { env });
  expect(stopped.stderr).not.toMatch(/went wrong/);
  desk.write('deals.csv', deals('Wharf'));
  await expectCounts(desk.resume(), { created: 2 });
  expect(desk.sent).toEqual(['Harbor', 'Marina', 'Marina']);
});

it('a load that goes on without its kept copy reads the file as it was when it was found unchanged', async () => {
  desk.said.set(2, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Marina'));
  const { printed } = await desk.load('deals.csv');
  rmSync(desk.place.path(`data/dealsheet/ledger.db.sources/${printed?.run}.source`));
  await expectCounts(desk.resume(), { created: 2 });
});

it('a disk that deletes no open file keeps no lock of a command that has ended', async () => {
  desk.write('deals.csv', deals('Harbor'));
  const env = withCalls(`const { rmSync } = fs; fs.rmSync = (path, how) => {
    const open = fs.readdirSync('/proc/self/fd').map((one) => '/proc/self/fd/' + one).filter(fs.existsSync);
    return open.some((one) => fs.readlinkSync(one) === path) ? fail('EBUSY') : rmSync(path, how); }`);
  for (let loads = 0; loads < 3; loads += 1) await desk.place.run(['check', 'deals.csv', '--as', 'deals'], { env });
  const left = readdirSync(desk.place.path('data/dealsheet/ledger.db.sources'));
  // What has rows is closed with its process, and deleted by the next command.
  expect(left.filter((name) => name.endsWith('.lock')).length).toBeLessThanOrEqual(1);
});

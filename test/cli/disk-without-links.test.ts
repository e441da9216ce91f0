import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { deals, deskForEachTest, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';

const desk = deskForEachTest();

/** Makes the disk of a process one on which a file has one name alone, as on shares and sticks. */
const withoutLinks = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
fs.promises.link = async () => { throw Object.assign(new Error('no links here'), { code: 'EPERM' }); };
syncBuiltinESMExports();
`;

it('a ledger on a disk without links keeps the source of a load that stopped all the same: it goes on after the file was changed', async () => {
  desk.said.set(2, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Marina'));
  const module = desk.place.path('without-links.mjs');
  writeFileSync(module, withoutLinks);
  const words = ['import', 'deals.csv', '--as', 'deals', '--url', desk.service.url, '--yes', '--concurrency', '1'];
  const env = { DEALSHEET_TOKEN: 'token', NODE_OPTIONS: `--import=${pathToFileURL(module)}` };
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

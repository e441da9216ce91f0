import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../service/scripted-service.ts';

const place = workplaceForEachTest();
let service: ScriptedService;
/** The companies whose updates are under way, and what was so when another one of the same came in. */
let underWay: string[];
let overlaps: string[];
let mostAtOnce: number;

/** Each answer is slower than the next: without turns, a later update would be answered before an earlier one. */
beforeEach(async () => {
  [underWay, overlaps, mostAtOnce] = [[], [], 0];
  service = await scriptedService(async (socket, { path, number }) => {
    if (underWay.includes(path)) overlaps.push(path);
    underWay.push(path);
    mostAtOnce = Math.max(mostAtOnce, underWay.length);
    await delay(Math.max(5, 60 - 5 * number));
    underWay.splice(underWay.indexOf(path), 1);
    socket.write(answerBytes({ status: 200, body: { success: true } }));
  });
});

it('sends the updates of one company one after another, in the order of the source, and those of others beside them', async () => {
  const companies = ['cmp_1', 'cmp_1', 'cmp_2', 'cmp_1', 'cmp_2', 'cmp_3', 'cmp_1', 'cmp_3'];
  const rows = companies.map((id, index) => [id, `Name ${index}`]);
  writeCsv(place.path('june.csv'), [['Company to update', 'DBA'], ...rows]);
  const where = ['--url', service.url.href, '--concurrency', '8', '--yes', '--json'];
  const ended = await place.run(['import', 'june.csv', '--as', 'company-updates', ...where], {
    env: { DEALSHEET_TOKEN: 'token' },
  });
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(overlaps).toEqual([]);
  expect(mostAtOnce).toBeGreaterThan(1);
  for (const id of new Set(companies)) {
    const sent = service.requests.filter(({ path }) => path.endsWith(`/${id}`));
    const names = sent.map(({ body }) => (JSON.parse(body.toString('utf8')) as { dba: string }).dba);
    expect(names).toEqual(rows.filter(([one]) => one === id).map(([, name]) => name));
  }
});

/** Results that a person has worked on get a number at the end of the next load: stopped at any instant, both are there or can be made again. */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';
import { withCalls } from '../builders/workplace.ts';

const desk = deskForEachTest();
let corrected: string;
const lastMonth = new Date('2026-05-31T12:00:00');

beforeEach(async () => {
  desk.write('deals.csv', deals('Harbor', ['Kite', 'much']));
  await desk.load('deals.csv', '--results', 'r.csv');
  desk.correct('r.csv', 'much', '300');
  utimesSync(desk.place.path('r.csv'), lastMonth, lastMonth);
  corrected = desk.place.read('r.csv');
});

/** Loads in a process of its own, in which the calls of the disk do as they are told. */
function loadWith(calls: string) {
  const words = ['import', 'deals.csv', '--as', 'deals', '--url', desk.service.url, '--yes', '--results', 'r.csv'];
  const told = `const die = () => process.kill(process.pid, 'SIGKILL');
    const isOurs = (path) => String(path).endsWith('r.csv');
    ${calls}`;
  return desk.place.run(words, { env: { DEALSHEET_TOKEN: 'token', ...withCalls(told) } });
}

const textsOf = () =>
  readdirSync(desk.place.folder)
    .filter((name) => /^r(-\d)?\.csv$/.test(name))
    .map((name) => desk.place.read(name));

describe('P3: older results lose nothing to the new ones', () => {
  it.each([
    ['before they have a number', 'fs.promises.link = (from, to) => isOurs(from) ? die() : link(from, to);'],
    [
      'when they have both names',
      'fs.promises.rename = (...ends) => ends.every(isOurs) || !isOurs(ends[1]) ? rename(...ends) : die();',
    ],
    [
      'when the new ones stand there',
      'fs.promises.rename = async (from, to) => { await rename(from, to); if (isOurs(to)) die(); };',
    ],
    [
      'in between, on a disk without second names',
      `fs.promises.link = async () => fail('EPERM');
      fs.promises.rename = async (from, to) => { await rename(from, to); if (isOurs(from)) die(); };`,
    ],
  ])('when the load is killed %s', async (_when, calls) => {
    await loadWith(calls);
    expect(textsOf()).toContain(corrected);
    const [{ run: id }] = JSON.parse((await desk.command(['runs', '--json'])).stdout).runs;
    expect((await desk.place.run(['results', id])).exitCode).toBe(0);
    expect(textsOf()).toContain(corrected);
    expect(desk.statuses('r.csv')).toEqual(['Already loaded', 'Invalid']);
  });

  it('when another program has them open: they keep their name, and the new ones have the number', async () => {
    const busy = `fs.promises.rename = async (from, to) => isOurs(to) ? fail('EBUSY') : rename(from, to);
      fs.promises.rm = async (path, how) => /r-\\d/.test(path) ? fail('EBUSY') : rm(path, how);`;
    const loaded = await loadWith(busy);
    expect(loaded.stderr).toMatch(/r\.csv is kept\. The new results are r-\d\.csv\./);
    expect(desk.place.read('r.csv')).toBe(corrected);
    const [, name = ''] = /The new results are (\S+)\.$/m.exec(loaded.stderr) ?? [];
    expect(desk.statuses(name)).toEqual(['Already loaded', 'Invalid']);
    expect(textsOf()).toHaveLength(2);
    expect(existsSync(desk.place.path('r-2.csv'))).toBe(name === 'r-2.csv');
  });

  it('when another program has them open for a moment, in which a person saves them', async () => {
    const calls = `let left = 3; fs.promises.rename = async (...ends) => {
      if (ends.filter(isOurs).length !== 1 || (left -= 1) <= 0) return rename(...ends);
      if (left === 1) fs.writeFileSync('saved', 'mine'), fs.renameSync('saved', ends[1]);
      fail('EPERM'); }`;
    await loadWith(calls);
    expect(textsOf().slice(0, 2)).toEqual([corrected, 'mine']);
    expect(desk.statuses('r.csv')).toEqual(['Already loaded', 'Invalid']);
  });
});

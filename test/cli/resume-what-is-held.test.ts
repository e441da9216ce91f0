/** A run that goes on finds each row at its place, and still sends no row that its load held. */

import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import { writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();
const ownColumns = 6;
const original = (name: string, amount: string) => [...Array<string>(ownColumns).fill(''), amount, name, 'Moreno'];
const withAmount = (cells: string[], amount: string) => cells.map((cell) => (cell === '100' ? amount : cell));

/** Cells that make companies of deals. */
const asCompany: Readonly<Record<string, string>> = {
  'Amount requested': 'Number',
  'Owner last name': 'Contact types',
  Moreno: 'Merchant',
};

/** @param edit  changes the results of a load of Harbor before they are loaded, in a load that is stopped at its first request */
async function expectHeld(says: RegExp, sends: number, edit: () => unknown, as = 'deals'): Promise<void> {
  await edit();
  desk.changeRows('one.csv', (rows) => [...rows, original('Last', '900')]);
  if (as === 'companies') desk.rearrange('one.csv', (cells) => cells.map((cell) => asCompany[cell] ?? cell));
  desk.said.set(desk.service.requests.length + 1, tokenRefused);
  const stopped = await desk.loadWorkbook('one.csv', '--as', as, '--ignore-columns', 'Number', '--results', 'two.csv');
  const held = desk.rowsOf('two.csv').findIndex((_, row) => says.test(desk.problemsOf('two.csv', row)));
  const [status] = desk.rowsOf('two.csv')[held] ?? [];
  expect(held, stopped.stderr + JSON.stringify(desk.tableOf('two.csv'))).toBeGreaterThanOrEqual(0);
  const sent = desk.service.requests.length;
  const resumed = await desk.resume('--results', 'two.csv');
  expect(desk.service.requests.slice(sent), resumed.stderr).toHaveLength(sends);
  expect(desk.statuses('two.csv')[held]).toBe(status);
  expect(desk.problemsOf('two.csv', held)).toMatch(says);
}

async function loadHarbor(): Promise<void> {
  desk.write('deals.csv', deals('Harbor'));
  await desk.load('deals.csv', '--results', 'one.csv');
}

describe('a row that its load holds is not sent when the load goes on', () => {
  it.each([
    ['beside the line with its key, both put right alike', [refusal], '200', 2],
    ['as it was sent, beside the line with its key that says something else', [], '100', 1],
    [
      'as it was sent, beside the line with its key that is in doubt',
      [serverError, serverError, serverError],
      '100',
      1,
    ],
  ])('the original line %s', async (_, answers, amount, sends) => {
    for (const [index, answer] of answers.entries()) desk.said.set(index + 1, answer);
    await loadHarbor();
    await expectHeld(/^The row has the same values as/, sends, () =>
      desk.changeRows('one.csv', ([row = []]) => [withAmount(row, '200'), original('Harbor', amount)]),
    );
  });

  it('a row that is not in, with an id in its ID cell', async () => {
    desk.said.set(1, refusal);
    await loadHarbor();
    await expectHeld(/^The Status or ID cell says .* \(rec_77\)/, 1, () => desk.typeId('one.csv', 0, 'rec_77'));
  });

  it('a row with an id in its ID cell, and a Run cell that the ledger does not know', async () => {
    desk.said.set(1, refusal);
    await loadHarbor();
    await expectHeld(/^The Status or ID cell says .* \(rec_77\)/, 1, () => {
      desk.typeId('one.csv', 0, 'rec_77');
      desk.changeRows('one.csv', ([row = []]) => [
        row.map((cell) => cell.replace(/^2026-\d\d-\d\d-01-\w+/, '2020-01-01-01-abcd')),
      ]);
    });
  });

  it('a row that its Status cell calls in, though it was settled as not created since', async () => {
    desk.said.set(1, serverError);
    await loadHarbor();
    await expectHeld(/^The Status or ID cell says .* \(created\)/, 1, async () => {
      const run = desk.rowsOf('one.csv')[0]?.[5] ?? '';
      await desk.command(['resolve', run.split('#')[0] ?? '', '--row', 'deals!2', '--not-created']);
      desk.correct('one.csv', 'In doubt', 'Created');
    });
  });

  it('a row of another kind than the row of its Run cell', async () => {
    await loadHarbor();
    await expectHeld(/^The Run cell names a row of another kind/, 1, () => {}, 'companies');
  });
});

it('a sheet that is a copy of another one whose rows are in', async () => {
  await writeWorkbook(desk.place.path('june.xlsx'), { June: deals('Harbor') });
  await desk.loadWorkbook('june.xlsx', '--as', 'deals');
  await writeWorkbook(desk.place.path('july.xlsx'), { June: deals('Last', 'Harbor'), Copy: deals('Harbor') });
  desk.said.set(2, tokenRefused);
  await desk.loadWorkbook('july.xlsx', '--as', 'deals');
  const resumed = await expectCounts(desk.resume(), { created: 1, alreadyLoaded: 1, notSent: 1 });
  expect(desk.sent, resumed.stderr).toEqual(['Harbor', 'Last', 'Last']);
});

it('two sheets that say the same and went out in one load are sent to the end', async () => {
  const both = { June: deals('Harbor', 'Inlet'), July: deals('Harbor', 'Inlet') };
  await writeWorkbook(desk.place.path('july.xlsx'), both);
  desk.said.set(3, tokenRefused);
  await desk.loadWorkbook('july.xlsx', '--as', 'deals');
  await expectCounts(desk.resume(), { created: 4, notSent: 0 });
});

it('says of a doubt that trusted results report what it said before', async () => {
  desk.said.set(1, serverError).set(3, tokenRefused);
  desk.write('deals.csv', deals('Harbor', 'Inlet'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.changeRows('one.csv', (rows) => [...rows, original('Last', '900')]);
  const elsewhere = ['--ledger', desk.place.path('other.db')];
  await desk.load('one.csv', '--trust-results', '--results', 'two.csv', ...elsewhere);
  const problems = desk.problemsOf('two.csv', 0);
  await desk.resume('--results', 'two.csv', ...elsewhere);
  expect(desk.statuses('two.csv')).toEqual(['In doubt', 'Already loaded', 'Created']);
  expect(desk.problemsOf('two.csv', 0)).toBe(problems);
});

describe('a load with --again of the same rows in another file', () => {
  const fileOf = { 'the results of the first load': 'one.csv', 'a sorted copy': 'sorted.csv' };

  it.each(Object.entries(fileOf))('%s, holds a row whose repeat is in doubt', async (_, file) => {
    desk.write('deals.csv', deals('Harbor', 'Inlet'));
    desk.write('sorted.csv', deals('Inlet', 'Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.said.set(3, serverError);
    await desk.load('deals.csv', '--again', '--results', 'two.csv');
    await expectCounts(desk.load(file, '--again', '--results', 'three.csv'), { inDoubt: 1, created: 1 });
    const doubt = desk.statuses('three.csv').indexOf('In doubt');
    expect(desk.rowsOf('three.csv')[doubt]).toContain('Harbor');
    desk.typeId('three.csv', doubt, 'not created');
    await expectCounts(desk.load('three.csv', '--results', 'four.csv'), { created: 1, alreadyLoaded: 1 });
  });

  it.each(Object.values(fileOf))('sends nothing before it has gone on: %s', async (file) => {
    desk.write('deals.csv', deals('Harbor', 'Inlet'));
    desk.write('sorted.csv', deals('Inlet', 'Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.said.set(4, tokenRefused);
    const { printed } = await desk.load('deals.csv', '--again', '--results', 'two.csv');
    const refused = await desk.load(file, '--again', '--results', 'three.csv');
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(`resume ${printed?.run}`)]);
    await desk.resume('--results', 'two.csv');
    await expectCounts(desk.load(file, '--again', '--results', 'three.csv'), { created: 2 });
  });
});

describe('a load with --again that goes on sends each row again once', () => {
  it('also when its file has a line of a row twice', async () => {
    desk.write('deals.csv', deals('Harbor', 'Inlet'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.changeRows('one.csv', (rows) => [...rows, rows[0] ?? []]);
    desk.said.set(4, tokenRefused);
    await desk.load('one.csv', '--again', '--results', 'two.csv');
    await desk.resume('--results', 'two.csv');
    expect(desk.sent.filter((name) => name === 'Harbor')).toHaveLength(2);
    expect(desk.statuses('two.csv')).toEqual(['Created', 'Created', 'Already loaded']);
  });

  it('and not one that was in doubt then, and is settled as created since', async () => {
    desk.write('deals.csv', deals('Harbor', 'Inlet'));
    desk.said.set(1, serverError).set(3, tokenRefused);
    await desk.load('deals.csv');
    const { printed } = await desk.load('deals.csv', '--again', '--results', 'two.csv');
    desk.shown.add('rec_77');
    const answer = ['--row', 'deals!2', '--created', 'rec_77', '--url', desk.service.url];
    await desk.command(['resolve', printed?.run ?? '', ...answer]);
    await desk.resume('--results', 'two.csv');
    expect(desk.sent).toEqual(['Harbor', 'Inlet', 'Inlet', 'Inlet']);
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Created']);
  });

  it('although the record that is there has the same EIN', async () => {
    const company = ['Harbor', '12-3456789', 'Merchant'];
    desk.write('companies.csv', [['Company name', 'EIN', 'Contact types'], company]);
    await desk.loadWorkbook('companies.csv', '--as', 'companies');
    desk.said.set(2, tokenRefused);
    await desk.loadWorkbook('companies.csv', '--as', 'companies', '--again', '--results', 'two.csv');
    await desk.resume('--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Created']);
  });
});

it('a row with an id, whose Run cell the ledger does not know, is held as often as its file is loaded', async () => {
  desk.said.set(1, refusal);
  await loadHarbor();
  desk.typeId('one.csv', 0, 'rec_77');
  const elsewhere = ['--ledger', desk.place.path('other.db')];
  for (const results of ['two.csv', 'three.csv']) {
    const sent = desk.service.requests.length;
    const { stderr } = await desk.load('one.csv', '--results', results, ...elsewhere);
    expect(desk.service.requests.slice(sent), stderr).toEqual([]);
    expect(desk.statuses(results)).toEqual(['Invalid']);
  }
});

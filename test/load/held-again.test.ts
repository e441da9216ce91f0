/** What is held stays held, however often the same file or its results are loaded, until the person settles it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { type Loaded, StagedMonth } from './staged-month.ts';

const file = folderForEachTest();
let month: StagedMonth;
beforeEach(async () => {
  month = await StagedMonth.open(file);
});
afterEach(() => month.close());

/** The same file and its results, as often as a person may load them. */
async function expectHeld(name: string, lines: readonly string[], told: readonly string[]): Promise<Loaded> {
  const first = await month.load(name, lines);
  expect(first.told).toEqual(told);
  const sent = month.sent;
  expect((await month.load(name, lines)).told).toEqual(told);
  const again = await month.loadResults('results.csv', first);
  expect(again.told).toEqual(told);
  expect((await month.loadResults('results-2.csv', again)).told).toEqual(told);
  expect(month.sent).toBe(sent);
  return again;
}

describe('a row stays held', () => {
  it('while its record is in with other values', async () => {
    const companies = (phone: string) => ['Ref,Company name,Contact types,Phone', `C-1,Acme,Merchant,${phone}`];
    await month.load('companies.csv', companies('518-555-0142'));
    await expectHeld('companies.csv', companies('518-555-9999'), ['changed-since-loaded']);
  });

  it('while a later update of its company is in', async () => {
    const updates = (...rows: readonly string[]) => ['Company to update,DBA', ...rows];
    await month.load('june.csv', updates('cmp_1,Acme'));
    const lines = updates('cmp_1,Bell', 'cmp_1,Acme');
    await expectHeld('july.csv', lines, ['later-update', 'already-loaded']);
    expect((await month.load('july.csv', lines, ['later-update'])).told).toEqual(['updated', 'already-loaded']);
  });
});

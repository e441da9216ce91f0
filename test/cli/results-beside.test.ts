import { cpSync, renameSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/ledger/ledger.ts';
import { otherLoadNotices } from '../../src/plan/other-loads.ts';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';

const desk = deskForEachTest();

const unknown = /july\.results\.(xlsx|csv) says that rows are in since the run \S+, which this ledger does not know/;

/** The ledger beside its key, in a folder of its own. */
const withLedger = (folder: string, ...further: readonly string[]) =>
  desk.load('july.csv', '--ledger', desk.place.path(`${folder}/ledger.db`), ...further);

describe('a load whose results stand there from a run that the ledger does not know', () => {
  beforeEach(() => {
    desk.write('june.csv', deals('Anchor'));
    desk.write('july.csv', deals('Bell', 'Coral'));
  });

  it('is refused, also a quiet one: the ledger may have been put back from a backup', async () => {
    await desk.load('june.csv', '--ledger', desk.place.path('books/ledger.db'));
    cpSync(desk.place.path('books'), desk.place.path('backup'), { recursive: true });
    await withLedger('books', '--url', `${desk.service.url}/api`);
    rmSync(desk.place.path('books'), { recursive: true });
    cpSync(desk.place.path('backup'), desk.place.path('books'), { recursive: true });
    const refused = await withLedger('books', '--quiet', '--url', `${desk.service.url}/api/`);
    expect([refused.exitCode, desk.sent], refused.stderr).toEqual([2, ['Anchor', 'Bell', 'Coral']]);
    expect(refused.stderr).toMatch(unknown);
  });

  it('is refused beside the results in CSV of somebody who has a ledger of their own, until these are believed or moved away', async () => {
    await withLedger('anns', '--results', 'july.results.csv');
    const refused = await withLedger('bobs', '--results', 'july.results.csv');
    expect([refused.exitCode, desk.sent], refused.stderr).toEqual([2, ['Bell', 'Coral']]);
    expect(refused.stderr).toMatch(unknown);
    const bobs = ['--ledger', desk.place.path('bobs/ledger.db')];
    const believed = await desk.load('july.results.csv', ...bobs, '--trust-results', '--results', 'two.csv');
    expect(believed.printed?.counts, believed.stderr).toMatchObject({ alreadyLoaded: 2 });
    renameSync(desk.place.path('july.results.csv'), desk.place.path('anns.csv'));
    const again = await withLedger('bobs', '--results', 'july.results.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ alreadyLoaded: 2 });
  });

  it('is refused beside the later results of a ledger that believed those of this one', async () => {
    await withLedger('anns');
    const bobs = ['--ledger', desk.place.path('bobs/ledger.db')];
    const doubted = await expectCounts(desk.load('july.results.xlsx', ...bobs), { inDoubt: 2, created: 0 });
    expect([doubted.exitCode, doubted.stderr]).toEqual([6, expect.stringMatching(/does not know .*--trust-results/)]);
    await expectCounts(desk.load('july.results.xlsx', ...bobs, '--trust-results'), { alreadyLoaded: 2, created: 0 });
    desk.write('july.csv', deals('Bell', 'Coral', 'Dune'));
    expect((await withLedger('bobs')).printed?.results).toBe(desk.place.path('july.results.xlsx'));
    expect((await withLedger('anns')).stderr).toMatch(unknown);
    expect(desk.sent).toEqual(['Bell', 'Coral', 'Dune']);
  });

  it('says nothing of those of a run that it knows, or of a service of another address', async () => {
    await withLedger('anns');
    expect((await withLedger('anns')).stderr).not.toMatch(unknown);
    const rehearsal = ['--sandbox', '--sandbox-data', 'rehearsed.db', '--yes', '--ledger', desk.place.path('own.db')];
    await desk.command(['import', 'june.csv', '--as', 'deals', ...rehearsal, '--results', 'july.results-2.xlsx']);
    const real = await withLedger('anns', '--results', 'july.results-2.xlsx');
    expect(real.stderr).not.toMatch(/does not know/);
  });

  it('says nothing where a load that began meanwhile has written them', async () => {
    const { printed } = await withLedger('anns');
    const of = { service: desk.service.url, serviceUrl: '', sourceDigest: '', runs: [] };
    const about = { ...of, runsOfSheet: new Map(), resultsPlaces: [desk.place.path('july.results.xlsx')] };
    const knowing = (runs: readonly unknown[]) => ({ counts: async () => ({}), runs: async () => runs as RunRecord[] });
    await expect(otherLoadNotices({ ...about, ledger: knowing([]) })).rejects.toThrow(unknown);
    expect(await otherLoadNotices({ ...about, ledger: knowing([{ id: printed?.run }]) })).toEqual([]);
  });
});

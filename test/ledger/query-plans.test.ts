/** What a load costs does not depend on how much the ledger remembers: no statement of it reads a table that grows as a whole. */
import { afterEach, expect, it, vi } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { openDealsheet } from '../../src/index.ts';
import { entriesOf } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { deals, deskForEachTest, refusal } from '../builders/deals-desk.ts';

const desk = deskForEachTest();
afterEach(() => vi.restoreAllMocks());

const growing = ['rows', 'digests', 'appearances', 'sheets', 'resolutions'];

/** Of each statement from here on, as SQLite plans it: the tables of a ledger that it reads from end to end. */
function scansFromHereOn(): { readonly statements: Set<string>; readonly scans: string[] } {
  const found = { statements: new Set<string>(), scans: [] as string[] };
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database, sql) {
    const asked = (text: string) => prepare.call(this, text).raw().all() as unknown[][];
    const isLedger = asked("SELECT 1 FROM sqlite_schema WHERE name = 'digests'").length > 0;
    if (isLedger && /^(WITH|SELECT|INSERT|UPDATE|DELETE)/.test(sql)) {
      found.statements.add(sql);
      const plan = asked(`EXPLAIN QUERY PLAN ${sql}`).map((line) => String(line[3]));
      const named = plan.flatMap((line) => /^SCAN (\w+)/.exec(line)?.[1] ?? []);
      const tables = named.map((name) => new RegExp(`(\\w+) (?:AS )?${name}\\b`).exec(sql)?.[1] ?? name);
      for (const table of [...named, ...tables]) if (growing.includes(table)) found.scans.push(`${table} in ${sql}`);
    }
    return prepare.call(this, sql);
  });
  return found;
}

it('is asked by an index alone, by loads, resumes and whoever looks at a run', async () => {
  desk.said.set(1, refusal).set(2, { status: 200, body: 'corrects' });
  desk.write('june.csv', deals('Anchor', 'Bell', 'Coral'));
  const ledgerPath = desk.place.path('ledger.db');
  const place = (name: string) => desk.place.path(name);
  const { statements, scans } = scansFromHereOn();
  const sheet = openDealsheet({ url: desk.service.url, token: 'token', ledger: ledgerPath });
  const load = (file: string, to: string) => sheet.import(place(file), { as: 'deals', results: place(to) });
  const loaded = await load('june.csv', 'one.csv');
  expect(loaded?.counts).toMatchObject({ rejected: 1, inDoubt: 1, created: 1 });
  desk.correct('one.csv', 'Anchor', 'Anchors');
  await load('one.csv', 'two.csv');
  await load('june.csv', 'three.csv');
  await sheet.resume(loaded?.run ?? '');
  await sheet.close();
  const ledger = openLedger(ledgerPath);
  for (const { id } of await ledger.runs()) {
    await Promise.all([ledger.counts(id), ledger.resolutionsOf(id)]);
    for await (const entry of entriesOf(ledger, id)) await ledger.lookupRows([entry.id]);
  }
  await ledger.close();
  expect(statements.size).toBeGreaterThan(20);
  expect(scans).toEqual([]);
});

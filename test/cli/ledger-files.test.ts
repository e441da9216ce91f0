import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

describe('the files of a ledger', () => {
  const place = ownWorkplaceForEachTest();
  const service = serviceForEachTest(({ method, path }, number) =>
    method === 'GET' ? { status: 200, body: JSON.stringify({ id: path.split('/').at(-1) }) } : created(number),
  );

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [
      ['Company name', 'Amount requested', 'Owner 1 SSN'],
      ...['Harbor', 'Summit', 'Ridge'].map((name) => [name, 100, '219-09-9999']),
    ]);
  });

  const load = (ledger: string, env: Record<string, string> = {}) =>
    place.run(['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', '1', '--ledger', ledger], {
      env: { DEALSHEET_TOKEN: 'token', ...env },
    });

  it('P9: copied after a kill without the log let no row be sent again, until a person says so', async () => {
    await load('own.db', { DEALSHEET_STOP_AT: 'intent-after-commit:3' });
    expect(service.requests).toHaveLength(2);
    mkdirSync(place.path('copy'));
    for (const name of ['own.db', 'own.db.key']) copyFileSync(place.path(name), place.path(`copy/${name}`));
    await expectExit(load('copy/own.db'), 2, /lacks its newest entries.*ledger accept --ledger \S*copy\/own\.db/s);
    expect((await place.run(['ledger', 'accept', '--ledger', 'copy/own.db'])).exitCode).toBe(2);
    expect(service.requests).toHaveLength(2);
    copyFileSync(place.path('own.db-wal'), place.path('copy/own.db-wal'));
    expect((await place.run(['runs', '--ledger', 'copy/own.db'])).stdout).toContain('2 created');
    rmSync(place.path('own.db-wal'));
    expect((await place.run(['ledger', 'accept', '--yes', '--ledger', 'own.db'])).exitCode).toBe(0);
    expect((await place.run(['runs', '--ledger', 'own.db'])).exitCode).toBe(0);
  });

  it('P9: of which the key alone is there begin no new ledger unasked', async () => {
    expect(await load('own.db')).toMatchObject({ exitCode: 0 });
    rmSync(place.path('own.db'));
    await expectExit(place.run(['runs', '--ledger', 'own.db']), 2, 'is gone, but its key');
    expect((await load('own.db')).exitCode).toBe(2);
    expect(service.requests).toHaveLength(3);
    const accepted = await place.run(['ledger', 'accept', '--yes', '--json', '--ledger', 'own.db']);
    expect(JSON.parse(accepted.stdout)).toMatchObject({ isNew: true });
    expect((await load('own.db')).exitCode).toBe(2);
    expect(service.requests).toHaveLength(3);
    rmSync(place.path('deals.results.xlsx'));
    expect(await load('own.db')).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(6);
  });

  it('are damaged: a check does not take rows that are in for new', async () => {
    place.write('config/dealsheet/dealsheet.config.json', {
      profiles: { live: { url: service.url } },
      ledger: 'own.db',
    });
    writeFileSync(place.path('config/dealsheet/own.db'), 'cut');
    await expectExit(place.run(['check', 'deals.csv', '--profile', 'live']), 2, 'is damaged');
  });

  it('are copied together, and the copy knows every row', async () => {
    expect(await load('own.db')).toMatchObject({ exitCode: 0 });
    const backup = await expectExit(place.run(['ledger', 'backup', 'kept', '--json', '--ledger', 'own.db']), 0);
    expect(JSON.parse(backup.stdout).backup.ledger).toMatch(/kept\/own\.db$/);
    expect(readdirSync(place.path('kept')).sort()).toEqual(['own.db', 'own.db.key']);
    expect((await load('kept/own.db')).stderr).toContain('lready loaded');
    expect(service.requests).toHaveLength(3);
    const again = await place.run(['ledger', 'backup', 'kept', '--ledger', 'own.db']);
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be made, because a file of that name exists'),
    ]);
  });
});

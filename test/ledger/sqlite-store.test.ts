import { unlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/ledger-database.ts';
import { sqliteStore } from '../../src/ledger/sqlite-store.ts';
import type { Store } from '../../src/ledger/store.ts';
import { placeForEachTest } from './place.ts';

const place = placeForEachTest();
let store: Store;

beforeEach(async () => {
  await place.open().close();
  store = sqliteStore(place.path, openDatabase(place.path, false), () => '');
  return () => store.close();
});

const fails = { sql: 'INSERT INTO services (number, name) VALUES (1, NULL)' };
const adds = (number: number) => ({ sql: `INSERT INTO services (number, name) VALUES (${number}, 's${number}')` });
const failed = { code: 'ledger-failed' };

it('A write of a load that fails leaves nothing of itself, and ends all writing', async () => {
  await expect(store.write(['intent'], [adds(1), fails])).rejects.toMatchObject(failed);
  await expect(store.write(['settle'], [adds(2)])).rejects.toMatchObject(failed);
  expect(await place.read('SELECT * FROM services')).toEqual([]);
});

it('A log that somebody removes is no place for what is to be kept: nothing more is written', async () => {
  await store.write(['intent'], [adds(1)]);
  unlinkSync(`${place.path}-wal`);
  await expect(store.write(['intent'], [adds(2)])).rejects.toMatchObject(failed);
  await expect(store.transaction('prune', function* () {})).rejects.toMatchObject(failed);
});

describe('Many rows', () => {
  const asked = (count: number) => ({
    columns: [['number', 'int']] as const,
    rows: Array.from({ length: count }, (_, at) => [at + 1]),
  });

  it.each([1, 3, 2049, 40_000])('are read by their numbers, however many they are (%d)', async (count) => {
    const read = await store.read({ sql: 'SELECT q.nr, q.number FROM q', q: asked(count) });
    expect(read).toEqual(asked(count).rows.map(([number]) => [number, number]));
  });

  it('of a write are written by one statement, however many they are', async () => {
    const write = (count: number) => ({ sql: `INSERT INTO services (name) SELECT number FROM q`, q: asked(count) });
    await store.write(['intent'], [write(40_000)]);
    expect(await place.read('SELECT count(*) FROM services')).toEqual([[40_000]]);
  });

  it('keep texts, bytes and what is not there, however many they are', async () => {
    const rows = [['00ff', 'Ä "\n', null], ...Array.from({ length: 40_000 }, () => [null, null, 1])];
    const columns = [
      ['bytes', 'blob'],
      ['text', 'text'],
      ['count', 'int'],
    ] as const;
    const [first, second] = await store.read({ sql: 'SELECT bytes, text, count FROM q', q: { columns, rows } });
    expect([first, second]).toEqual([[Buffer.from([0, 255]), 'Ä "\n', null], rows[1]]);
  });
});

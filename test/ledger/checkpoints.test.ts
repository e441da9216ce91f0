import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { startChild } from './child.ts';
import { newPlace, type Place } from './place.ts';

const milliseconds = process.env.DEALSHEET_LONG === '1' ? 60_000 : 3_000;

describe('Two processes that write a ledger and checkpoint its log as fast as they can', () => {
  let place: Place;

  beforeEach(async () => {
    place = newPlace();
    await place.open().close();
  });
  afterEach(() => place.remove());

  it(
    'lose nothing that was committed',
    async () => {
      const children = ['one', 'two'].map((service) =>
        startChild('checkpoint', [place.path, service, String(milliseconds)]),
      );
      const ended = await Promise.all(children.map(({ ended }) => ended));
      expect(ended.map(({ errors }) => errors)).toEqual(['', '']);
      const told = children.map(({ lines }) => JSON.parse(lines[0] ?? '{}') as { run: string; rows: number });
      const ledger = place.open();
      for (const { run, rows } of told) {
        expect(rows).toBeGreaterThan(0);
        expect(await ledger.counts(run)).toEqual({ 'in-doubt': rows });
      }
      const db = new Database(place.path);
      expect(db.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
      db.close();
    },
    milliseconds + 60_000,
  );
});

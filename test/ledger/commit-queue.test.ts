import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommitQueue } from '../../src/ledger/commit-queue.ts';
import { newPlace, type Place } from './place.ts';

let place: Place;
let db: Database.Database;
let rolledBack: number;
let queue: CommitQueue;

beforeEach(() => {
  place = newPlace();
  place.open().close();
  db = new Database(place.path);
  rolledBack = 0;
  queue = new CommitQueue(db, place.path, () => {
    rolledBack += 1;
  });
});
afterEach(() => {
  db.close();
  place.remove();
});

const fails = () => {
  db.exec('INSERT INTO no_such_table VALUES (1)');
  return null;
};

describe('a commit that fails', () => {
  it('says that what was written with it is not there: numbers given in it must not be used', async () => {
    await expect(queue.add('intent', fails)).rejects.toMatchObject({ code: 'ledger-failed' });
    expect(rolledBack).toBe(1);
  });

  it('says so also of a write at once', () => {
    expect(() => queue.writeNow('begin', fails)).toThrow();
    expect(rolledBack).toBe(1);
  });
});

import { unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { CommitQueue } from '../../src/ledger/commit-queue.ts';
import { CommitCount } from '../../src/ledger/ledger-key.ts';
import { WriteAheadLog } from '../../src/ledger/write-ahead-log.ts';
import { placeForEachTest } from './place.ts';

const place = placeForEachTest();
let db: Database;
let log: WriteAheadLog;
let count: CommitCount;
let queue: CommitQueue;

beforeEach(async () => {
  await place.open().close();
  db = new Database(place.path);
  log = new WriteAheadLog(place.path);
  count = new CommitCount(db, place.path);
  queue = new CommitQueue({ db, log, count }, place.path);
});
afterEach(() => {
  log.close();
  count.close();
  db.close();
});

const fails = () => {
  db.exec('INSERT INTO no_such_table VALUES (1)');
  return null;
};

describe('a commit that fails', () => {
  it('ends all writing: those that wait behind it, and those that come later', async () => {
    await Promise.all(
      [fails, () => null].map((write) =>
        expect(queue.add('intent', write)).rejects.toMatchObject({ code: 'ledger-failed' }),
      ),
    );
    await expect(queue.add('settle', () => null)).rejects.toBe(queue.failure);
  });
});

describe('a log that somebody removes', () => {
  it('is no place for what is to be kept: nothing more counts as written', async () => {
    db.exec("INSERT INTO services (number, name) VALUES (1, 's')");
    await queue.add('intent', () => null);
    unlinkSync(`${place.path}-wal`);
    await expect(queue.add('intent', () => null)).rejects.toMatchObject({
      code: 'ledger-failed',
      message: expect.stringContaining('its log was removed') as string,
    });
    expect(() => queue.writeNow('prune', () => null)).toThrow(expect.objectContaining({ code: 'ledger-failed' }));
  });
});

describe('writes that come while the disk keeps a commit', () => {
  const note = (row: number) => () => {
    db.prepare('INSERT INTO digests (digest, id, ordinal) VALUES (?, 1, 0)').run([Buffer.from([row])]);
    return null;
  };

  it('share the next one, and are there when they are reported', async () => {
    const reported: number[] = [];
    const add = (row: number) => queue.add('intent', note(row)).then(() => reported.push(row));
    const first = add(1);
    await new Promise(setImmediate);
    await Promise.all([first, add(2), add(3)]);
    expect(reported).toEqual([1, 2, 3]);
    expect(db.prepare('SELECT count(*) FROM digests').raw().all()).toEqual([[3]]);
  });

  it('are written at once where everything ends', async () => {
    const first = queue.add('intent', note(1));
    await new Promise(setImmediate);
    const second = queue.add('intent', note(2));
    queue.flush();
    log.close();
    expect(db.prepare('SELECT count(*) FROM digests').raw().all()).toEqual([[2]]);
    await Promise.all([first, second]);
  });
});

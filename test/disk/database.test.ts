import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Database, resultCodeOf } from '../../src/disk/database.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

function codeOf(work: () => unknown): number {
  try {
    work();
    return 0;
  } catch (error) {
    return resultCodeOf(error);
  }
}

it('The SQLite in use is one that loses nothing when two processes write and checkpoint at once', () => {
  const [version] = new Database(':memory:').prepare('SELECT sqlite_version()').raw().get() as [string];
  expect(Number(version.replace(/\.(\d+)/g, (_, part: string) => part.padStart(3, '0')))).toBeGreaterThanOrEqual(
    3_051_003,
  );
});

describe('A database', () => {
  it('gives Buffers for blobs and takes what was left out as NULL', () => {
    const db = new Database(inFolder('a.db'));
    db.exec('CREATE TABLE t (a BLOB, b TEXT, c INTEGER)');
    const values = [Buffer.from('xy'), undefined as unknown as null, 1_763_712_345_678];
    db.prepare('INSERT INTO t VALUES (?, ?, ?)').run(values);
    const statement = db.prepare('SELECT * FROM t').raw();
    expect([statement.get(), ...statement.all()]).toEqual(
      Array.from({ length: 2 }, () => [Buffer.from('xy'), null, 1_763_712_345_678]),
    );
    db.close();
    expect(db.isOpen).toBe(false);
  });

  it('tells the code of every failure', () => {
    writeFileSync(inFolder('no.db'), 'name,amount\n'.repeat(500));
    const none = new Database(inFolder('no.db'));
    expect(codeOf(() => none.prepare('PRAGMA user_version').raw().all())).toBe(26);
    none.close();
    const db = new Database(inFolder('a.db'));
    db.exec('CREATE TABLE t (a TEXT UNIQUE)');
    expect(codeOf(() => db.prepare("INSERT INTO t VALUES ('a'), ('a')").run())).toBe(2067);
    db.exec('CREATE TABLE u (a TEXT); BEGIN');
    const insert = db.prepare('INSERT INTO u VALUES (?)');
    for (let row = 0; row < 100; row += 1) insert.run([`${row} ${'x'.repeat(1000)}`]);
    db.exec('COMMIT');
    db.close();
    const size = statSync(inFolder('a.db')).size;
    const file = openSync(inFolder('a.db'), 'r+');
    writeSync(file, Buffer.alloc(8192, 0xff), 0, 8192, size - 8192);
    closeSync(file);
    const broken = new Database(inFolder('a.db'));
    expect(broken.prepare('SELECT a FROM u').raw().get()).toEqual([expect.stringMatching(/^0 x/)]);
    expect(codeOf(() => broken.prepare('SELECT a FROM u').raw().all())).toBe(11);
    broken.close();
    expect(codeOf(() => new Database(inFolder('none/a.db')))).toBe(14);
  });
});

import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { type DealsheetError, isDealsheetError } from '../../src/errors.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { aLoad, anIntent, anOutcome, newPlace, onlyOnce, type Place } from './place.ts';

let place: Place;

beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

const permissions = 0o777;

function modeOf(path: string): number {
  return statSync(path).mode & permissions;
}

/** A ledger with a run of some rows in it, closed. */
async function usedLedger(rows = 300): Promise<void> {
  const ledger = place.open();
  const run = ledger.beginRun(aLoad());
  await run.intend(
    Array.from({ length: rows }, (_, row) => anIntent(ledger, row)),
    onlyOnce,
  );
  await run.settle(Array.from({ length: rows }, (_, row) => anOutcome(row, 'created')));
  await run.end('ended');
  ledger.close();
}

/** Opens a ledger that must be refused, and makes sure that this changed nothing in it. */
function refusal(): DealsheetError {
  const before = readFileSync(place.path);
  try {
    place.open();
  } catch (error) {
    expect(readFileSync(place.path).equals(before)).toBe(true);
    if (!isDealsheetError(error)) throw error;
    expect(error.code).toBe('ledger-refused');
    expect(error.remedy).not.toBe('');
    return error;
  }
  throw new Error('The ledger was opened.');
}

describe('A new ledger', () => {
  it('is for its owner alone, with everything beside it, in a folder for its owner alone', () => {
    const ledger = place.open();
    ledger.beginRun(aLoad());
    const names = readdirSync(dirname(place.path));
    expect(names).toEqual(expect.arrayContaining(['ledger.db', 'ledger.db-wal', 'ledger.db.key', 'ledger.db.lock-1']));
    for (const name of names) expect(modeOf(`${dirname(place.path)}/${name}`), name).toBe(0o600);
    expect(modeOf(dirname(place.path))).toBe(0o700);
  });

  it('says that it is new, and only then', () => {
    expect(place.open().isNew).toBe(true);
    expect(place.open().isNew).toBe(false);
  });

  it('has a key of 32 bytes that no other ledger has', () => {
    const other = newPlace();
    place.open();
    other.open();
    const key = readFileSync(`${place.path}.key`);
    expect(key).toHaveLength(32);
    expect(key.equals(readFileSync(`${other.path}.key`))).toBe(false);
    other.remove();
  });

  it('is made in an empty file as well', () => {
    mkdirSync(dirname(place.path));
    writeFileSync(place.path, '');
    expect(place.open().isNew).toBe(true);
  });

  it('takes up the key of a ledger that is gone, once a person says that it is meant', async () => {
    await usedLedger();
    const kept = readFileSync(place.path);
    const key = readFileSync(`${place.path}.key`).subarray(0, 32);
    for (const end of ['', '-wal', '-shm']) rmSync(`${place.path}${end}`, { force: true });
    expect(() => place.open()).toThrow(
      expect.objectContaining({ code: 'ledger-refused', message: expect.stringContaining('is gone, but its key') }),
    );
    expect(readdirSync(dirname(place.path)).sort()).toEqual(['ledger.db.key', 'ledger.db.lock-1']);
    const begun = place.open({ isMeant: true });
    expect(begun.isNew).toBe(true);
    begun.close();
    expect(place.open().isNew).toBe(false);
    expect(readFileSync(`${place.path}.key`).subarray(0, 32).equals(key)).toBe(true);
    place.open().beginRun(aLoad());
    place.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${place.path}${end}`, { force: true });
    writeFileSync(place.path, kept);
    expect(refusal().message).toContain('lacks what was written to it last');
  });

  it('leaves the modes of a folder and a ledger that a person has set', () => {
    mkdirSync(dirname(place.path));
    chmodSync(dirname(place.path), 0o750);
    place.open().close();
    chmodSync(place.path, 0o640);
    place.open();
    expect(modeOf(dirname(place.path))).toBe(0o750);
    expect(modeOf(place.path)).toBe(0o640);
  });
});

describe('A ledger that is closed', () => {
  it('is one file and its key: a copy of both is a backup', async () => {
    await usedLedger();
    const copy = newPlace();
    mkdirSync(dirname(copy.path));
    copyFileSync(place.path, copy.path);
    copyFileSync(`${place.path}.key`, `${copy.path}.key`);
    const ledger = copy.open();
    const [run] = ledger.runs();
    expect(ledger.countsOf(run?.id ?? '')).toEqual({ created: 300 });
    copy.remove();
  });
});

describe('A backup', () => {
  it('has all that was written, also while a load goes on, and writes over nothing', async () => {
    const ledger = place.open();
    const run = ledger.beginRun(aLoad());
    await run.intend([anIntent(ledger, 1), anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(1, 'created')]);
    const folder = `${place.folder}/backups/today`;
    const copy = ledger.backUp(folder);
    expect(readdirSync(folder).sort()).toEqual(['ledger.db', 'ledger.db.key']);
    for (const name of readdirSync(folder)) expect(modeOf(`${folder}/${name}`)).toBe(0o600);
    await run.settle([anOutcome(2, 'created')]);
    expect(() => ledger.backUp(folder)).toThrow(/already in the way/);
    const copied = openLedger(copy);
    expect(copied.countsOf(run.id)).toEqual({ created: 1, 'in-doubt': 1 });
    expect(copied.fingerprint('text').equals(ledger.fingerprint('text'))).toBe(true);
    copied.close();
    expect(ledger.countsOf(run.id)).toEqual({ created: 2 });
  });
});

describe('A ledger that was copied after a kill', () => {
  const copyTo = (other: Place, ends: readonly string[]) => {
    mkdirSync(dirname(other.path));
    for (const end of ends) copyFileSync(`${place.path}${end}`, `${other.path}${end}`);
  };

  it('is whole with its log, and refused without it until a person says that it is meant', async () => {
    const ledger = place.open();
    const run = ledger.beginRun(aLoad());
    await run.intend([anIntent(ledger, 1)], onlyOnce);
    await run.settle([anOutcome(1, 'created')]);
    const [whole, part] = [newPlace(), newPlace()];
    copyTo(whole, ['', '-wal', '.key']);
    copyTo(part, ['', '.key']);
    expect(whole.open().countsOf(run.id)).toEqual({ created: 1 });
    expect(() => part.open()).toThrow(
      expect.objectContaining({
        code: 'ledger-refused',
        message: expect.stringContaining('lacks what was written to it last (3 steps): it was copied without its log'),
        remedy: expect.stringContaining('dealsheet ledger accept'),
      }),
    );
    whole.remove();
    part.remove();
  });

  it('goes on as it is once a person says so, and is known from then on', async () => {
    await usedLedger(3);
    const early = readFileSync(place.path);
    place.open().beginRun(aLoad());
    place.close();
    writeFileSync(place.path, early);
    expect(refusal().message).toContain('an older one was put in its place');
    place.open({ isMeant: true });
    place.close();
    place.open();
  });
});

describe('A ledger of an earlier format', () => {
  const withFormat = (format: number, undo: string) => {
    const db = new Database(place.path);
    db.exec(undo);
    db.exec(`PRAGMA user_version = ${format}`);
    db.close();
  };

  it('is brought to this one, with all that it knows', async () => {
    await usedLedger();
    truncateSync(`${place.path}.key`, 32);
    withFormat(2, 'ALTER TABLE entries DROP COLUMN shown; DROP INDEX predecessors; DROP TABLE commits');
    const ledger = place.open();
    const [run] = ledger.runs();
    expect(ledger.countsOf(run?.id ?? '')).toEqual({ created: 300 });
    expect(ledger.occurrencesOf('https://api.example.com/v1', ledger.fingerprint('Deals!3'))).toBe(1);
  });

  it('is refused when its fingerprints are none that this version can make: its rows would be sent again', async () => {
    await usedLedger();
    withFormat(1, 'DROP TABLE repeats; DROP TABLE successors');
    expect(() => place.open()).toThrow(/would be sent a second time/);
  });
});

describe('Fingerprints', () => {
  it('are the same for the same text in the same ledger, and in no other', () => {
    const first = place.open().fingerprint('text');
    expect(place.open().fingerprint('text').equals(first)).toBe(true);
    expect(place.open().fingerprint('Text').equals(first)).toBe(false);
    const other = newPlace();
    expect(other.open().fingerprint('text').equals(first)).toBe(false);
    other.remove();
  });

  it('leave nothing of their text in the files of the ledger', async () => {
    const ledger = place.open();
    const run = ledger.beginRun(aLoad());
    const secret = '078-05-1120';
    const digests = { fingerprint: ledger.fingerprint(secret), ref: ledger.fingerprint(`ref ${secret}`) };
    await run.intend([anIntent(ledger, 2, digests)], onlyOnce);
    for (const name of readdirSync(dirname(place.path)))
      expect(readFileSync(`${dirname(place.path)}/${name}`).includes(secret), name).toBe(false);
  });
});

describe('A ledger is refused, and left as it is,', () => {
  it('while its file has another name besides: SQLite would keep a log beside each', async () => {
    await usedLedger();
    const other = `${place.path}.backup`;
    linkSync(place.path, other);
    expect(refusal().message).toContain(`${place.path} is one file with another name besides`);
    unlinkSync(other);
    place.open();
  });

  it('when it is not a database', () => {
    mkdirSync(dirname(place.path));
    writeFileSync(place.path, 'name,amount\nAcme,12\n'.repeat(500));
    expect(refusal().message).toContain('damaged');
    expect(existsSync(`${place.path}.key`)).toBe(false);
  });

  it('when it is the database of another program', () => {
    mkdirSync(dirname(place.path));
    const other = new Database(place.path);
    other.exec('CREATE TABLE songs (title TEXT)');
    other.close();
    expect(refusal().message).toContain('not a ledger');
    expect(existsSync(`${place.path}.key`)).toBe(false);
  });

  it('when it was cut short', async () => {
    await usedLedger();
    truncateSync(place.path, Math.floor(statSync(place.path).size / 2));
    expect(refusal().message).toContain('damaged');
  });

  it('when it was emptied', async () => {
    await usedLedger();
    truncateSync(place.path, 0);
    expect(refusal().message).toContain('what it remembered is gone');
  });

  it('when pages in the middle were overwritten', async () => {
    await usedLedger();
    const file = openSync(place.path, 'r+');
    const page = 4096;
    const pages = statSync(place.path).size / page;
    for (let number = 2; number < pages; number += 1) writeSync(file, Buffer.alloc(page, 0xa5), 0, page, number * page);
    expect(refusal().message).toContain('damaged');
  });

  it('when a table of it is gone', () => {
    place.open().close();
    const db = new Database(place.path);
    db.exec('DROP TABLE entries');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    expect(refusal().message).toContain('tables are missing');
  });

  it('when it was written by a newer version', async () => {
    await usedLedger();
    const db = new Database(place.path);
    db.exec('PRAGMA user_version = 99');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const error = refusal();
    expect(error.message).toContain('newer version');
    expect(error.remedy).toContain('newest version');
  });

  it('when its key is missing, and no key is made', async () => {
    await usedLedger();
    renameSync(`${place.path}.key`, `${place.path}.elsewhere`);
    expect(refusal().message).toContain('is missing');
    expect(existsSync(`${place.path}.key`)).toBe(false);
    expect(existsSync(`${place.path}.key.new`)).toBe(false);
  });

  it('when its key is that of another ledger, or no key at all', async () => {
    await usedLedger();
    writeFileSync(`${place.path}.key`, Buffer.alloc(32, 7));
    expect(refusal().message).toContain('is not the key of');
    writeFileSync(`${place.path}.key`, 'short');
    expect(refusal().message).toContain('is not the key of');
  });

  it('when it is a folder', () => {
    mkdirSync(place.path, { recursive: true });
    const message = `The ledger ${place.path} cannot be opened: it is a folder.`;
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'ledger-refused', message }));
  });

  it('when its place lies below a file, which is named', () => {
    writeFileSync(dirname(place.path), '');
    const message = `The ledger ${place.path} cannot be opened: its folder ${dirname(place.path)} cannot be made (EEXIST).`;
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'ledger-refused', message }));
  });
});

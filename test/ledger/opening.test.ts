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
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { type DealsheetError, isDealsheetError } from '../../src/errors.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { aLoad, anOutcome, Desk, newPlace, type Place, placeForEachTest } from './place.ts';

const place = placeForEachTest();

const permissions = 0o777;

function modeOf(path: string): number {
  return statSync(path).mode & permissions;
}

/** A ledger with a run of some rows in it, closed. */
async function usedLedger(rows = 300): Promise<string> {
  const desk = await Desk.open(place.open());
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);
  await desk.send(...numbers.map((row) => ({ row })));
  await desk.run.record(numbers.map((row) => anOutcome(desk.id(row), 'created')));
  await desk.run.end('ended');
  await desk.ledger.close();
  return desk.run.id;
}

/** Changes a closed ledger behind its back. */
function inDatabase(sql: string): void {
  const db = new Database(place.path);
  db.exec(sql);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
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
  it('is for its owner alone, with everything beside it, in a folder for its owner alone', async () => {
    await place.open().begin(aLoad());
    const names = readdirSync(dirname(place.path));
    expect(names).toEqual(expect.arrayContaining(['ledger.db', 'ledger.db-wal', 'ledger.db.key', 'ledger.db.lock-1']));
    for (const name of names) expect(modeOf(`${dirname(place.path)}/${name}`), name).toBe(0o600);
    expect(modeOf(dirname(place.path))).toBe(0o700);
  });

  it('begins also where an empty file is in its place', async () => {
    mkdirSync(dirname(place.path));
    writeFileSync(place.path, '');
    expect(await place.open().runs()).toEqual([]);
  });

  it('is not begun where a link leads nowhere: SQLite would make a file that all can read', () => {
    mkdirSync(dirname(place.path));
    symlinkSync('away.db', place.path);
    expect(() => place.open()).toThrow('ENOENT');
  });

  it('has a key of 32 bytes that no other ledger has', async () => {
    const other = newPlace();
    place.open();
    other.open();
    const key = readFileSync(`${place.path}.key`);
    expect(key).toHaveLength(32);
    expect(key.equals(readFileSync(`${other.path}.key`))).toBe(false);
    await other.remove();
  });

  it('leaves the modes of a folder and a ledger that a person has set', async () => {
    mkdirSync(dirname(place.path));
    chmodSync(dirname(place.path), 0o750);
    await place.open().close();
    chmodSync(place.path, 0o640);
    place.open();
    expect(modeOf(dirname(place.path))).toBe(0o750);
    expect(modeOf(place.path)).toBe(0o640);
  });
});

describe('A ledger that is gone while its key is there', () => {
  const removeLedger = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${place.path}${end}`, { force: true });
  };
  const key = () => readFileSync(`${place.path}.key`).subarray(0, 32);

  it('is refused, and nothing is made in its place', async () => {
    await usedLedger();
    removeLedger();
    const message = expect.stringContaining('is gone, but its key') as string;
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'ledger-refused', message }));
    // A key that could not be written has counted nothing.
    writeFileSync(`${place.path}.key`, key());
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'ledger-refused', message }));
    expect(readdirSync(dirname(place.path)).sort()).toEqual(['ledger.db.key', 'ledger.db.lock-1']);
  });

  it('begins once a person says that it is meant, with its key, and the old one is refused from then on', async () => {
    await usedLedger();
    const [kept, before] = [readFileSync(place.path), key()];
    removeLedger();
    const begun = place.open({ isMeant: true });
    expect(await begun.runs()).toEqual([]);
    await begun.close();
    const again = place.open();
    await again.begin(aLoad());
    expect(key().equals(before)).toBe(true);
    await place.close();
    removeLedger();
    writeFileSync(place.path, kept);
    expect(refusal().message).toContain('lacks its newest entries');
  });
});

describe('A ledger that is copied', () => {
  const copyTo = (other: Place, ends: readonly string[]) => {
    mkdirSync(dirname(other.path));
    for (const end of ends) copyFileSync(`${place.path}${end}`, `${other.path}${end}`);
  };

  it('is one file and its key once it is closed', async () => {
    const run = await usedLedger();
    const copy = newPlace();
    copyTo(copy, ['', '.key']);
    expect(await copy.open().counts(run)).toEqual({ created: 300 });
    await copy.remove();
  });

  it('while it is open is whole with its log, and refused without it', async () => {
    const desk = await Desk.open(place.open());
    await desk.send({ row: 1 });
    await desk.record(1, 'created');
    const [whole, part] = [newPlace(), newPlace()];
    copyTo(whole, ['', '-wal', '.key']);
    copyTo(part, ['', '.key']);
    expect(await whole.open().counts(desk.run.id)).toEqual({ created: 1 });
    expect(() => part.open()).toThrow(
      expect.objectContaining({
        code: 'ledger-refused',
        message: expect.stringContaining('lacks its newest entries (5 steps). It was copied without its log'),
        remedy: expect.stringContaining('dealsheet ledger accept'),
      }),
    );
    // Its log is looked for anew, in the same process too.
    copyFileSync(`${place.path}-wal`, `${part.path}-wal`);
    expect(await part.open().counts(desk.run.id)).toEqual({ created: 1 });
    await whole.remove();
    await part.remove();
  });

  it('and put in place of a later one goes on once a person says that it is meant, and is known from then on', async () => {
    await usedLedger(3);
    const early = readFileSync(place.path);
    await place.open().begin(aLoad());
    await place.close();
    writeFileSync(place.path, early);
    expect(refusal().message).toContain('replaced by an older copy');
    await place.open({ isMeant: true }).close();
    expect(await place.open().runs()).toHaveLength(1);
  });
});

it('A backup has all that was written, also while a load goes on, and writes over nothing', async () => {
  const desk = await Desk.open(place.open());
  const { ledger, run } = desk;
  await desk.send({ row: 1 }, { row: 2 });
  await desk.record(1, 'created');
  const folder = `${place.folder}/backups/today`;
  const copied = openLedger(await ledger.backUp(folder));
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ledger.db', 'ledger.db.key']));
  for (const name of readdirSync(folder)) expect(modeOf(`${folder}/${name}`), name).toBe(0o600);
  await desk.record(2, 'created');
  await expect(ledger.backUp(folder)).rejects.toThrow(/cannot be made, because a file of that name exists/);
  await expect(ledger.backUp(ledger.path)).rejects.toThrow(/cannot be copied to .*ledger\.db: it already exists/);
  expect(await copied.counts(run.id)).toEqual({ created: 1, 'in-doubt': 1 });
  expect(copied.digest('text')).toBe(ledger.digest('text'));
  await copied.close();
  expect(await ledger.counts(run.id)).toEqual({ created: 2 });
});

describe('Digests', () => {
  it('are the same for the same text in the same ledger, and in no other', async () => {
    const first = place.open().digest('text');
    expect(place.open().digest('text')).toBe(first);
    expect(place.open().digest('Text')).not.toBe(first);
    const other = newPlace();
    expect(other.open().digest('text')).not.toBe(first);
    await other.remove();
  });

  it('leave nothing of their text in the files of the ledger', async () => {
    const secret = '078-05-1120';
    const desk = await Desk.open(place.open());
    await desk.send({ row: 2, says: secret, digests: [desk.ledger.digest(`ref ${secret}`)] });
    for (const name of readdirSync(dirname(place.path)))
      expect(readFileSync(`${dirname(place.path)}/${name}`).includes(secret), name).toBe(false);
  });
});

/** What befalls a ledger that was used, and what is said of it. */
const mishaps: readonly (readonly [name: string, befall: () => void, said: RegExp])[] = [
  ['was cut short', () => truncateSync(place.path, Math.floor(statSync(place.path).size / 2)), /damaged/],
  ['was emptied', () => truncateSync(place.path, 0), /the record of earlier loads is missing/],
  ['had its pages overwritten', () => overwritePages(), /damaged/],
  ['is of a newer version', () => inDatabase('PRAGMA user_version = 99'), /newer version.*Install the newest version/],
  ...[1, 2, 19].map(
    (format) =>
      [
        `is of 0.1 in format ${format}`,
        () => inDatabase(`DROP TABLE appearances; DROP TABLE commits; PRAGMA user_version = ${format}`),
        new RegExp(`its format is ${format}.*would be sent a second time.*Begin another ledger`),
      ] as const,
  ),
  ['has the key of another', () => writeFileSync(`${place.path}.key`, Buffer.alloc(32, 7)), /is not the key of/],
  ['has no key in its key file', () => writeFileSync(`${place.path}.key`, 'short'), /is not the key of/],
];

function overwritePages(): void {
  const file = openSync(place.path, 'r+');
  const page = 4096;
  const pages = statSync(place.path).size / page;
  for (let number = 2; number < pages; number += 1) writeSync(file, Buffer.alloc(page, 0xa5), 0, page, number * page);
}

describe('A ledger is refused, and left as it is,', () => {
  it.each(mishaps)('that %s', async (_name, befall, said) => {
    await usedLedger();
    befall();
    const { message, remedy } = refusal();
    expect(`${message} ${remedy}`).toMatch(said);
  });

  it.each([
    ['no database', () => writeFileSync(place.path, 'name,amount\nAcme,12\n'.repeat(500)), 'damaged'],
    ['the database of another program', () => inDatabase('CREATE TABLE songs (title TEXT)'), 'not a ledger'],
  ])('that is %s, and gets no key', (_name, make, said) => {
    mkdirSync(dirname(place.path));
    make();
    expect(refusal().message).toContain(said);
    expect(existsSync(`${place.path}.key`)).toBe(false);
  });

  it('whose key is missing, and no key is made', async () => {
    await usedLedger();
    renameSync(`${place.path}.key`, `${place.path}.elsewhere`);
    expect(refusal().message).toContain('is missing');
    expect(readdirSync(dirname(place.path)).filter((name) => name.includes('.key'))).toEqual([]);
  });

  it('that has another name besides, until that is deleted', async () => {
    await usedLedger();
    linkSync(place.path, `${place.path}.backup`);
    expect(refusal().message).toContain(`${place.path} has a second name (a hard link)`);
    unlinkSync(`${place.path}.backup`);
    place.open();
  });

  it.each([
    ['that is a folder', () => mkdirSync(place.path, { recursive: true }), 'Failed to open database'],
    ['below a file', () => writeFileSync(dirname(place.path), ''), 'EEXIST: file already exists'],
  ])('%s', (_name, make, why) => {
    make();
    const message = expect.stringContaining(`The ledger ${place.path} cannot be opened: ${why}`) as string;
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'ledger-refused', message }));
  });
});

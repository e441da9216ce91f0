/** A load reads its source once, and what it has staged of a row a few times, however many rows there are. */
import { statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { Database, Statement } from '../../src/disk/database.ts';
import { openDealsheet } from '../../src/index.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { useSandbox } from '../sandbox/running.ts';

const read = vi.hoisted(() => {
  vi.resetModules();
  return new Map<string, number>();
});
afterAll(() => void vi.resetModules());

vi.mock('../../src/disk/file-pieces.ts', async (original) => {
  const actual = await original<typeof import('../../src/disk/file-pieces.ts')>();
  async function* counted(path: string, ...more: readonly number[]) {
    for await (const piece of actual.filePieces(path, ...more)) {
      read.set(path, (read.get(path) ?? 0) + piece.length);
      yield piece;
    }
  }
  return { ...actual, filePieces: counted };
});

const inFolder = folderForEachTest();
const sandbox = useSandbox();
const rows = 300;
const headers = 'Ref,Amount requested,Company name,Owner last name';

/** In characters: what was written into the staging, decisions and digests too, and what was read from it. */
const staged = { written: 0, read: 0 };
/** How many rows a ledger has answered with. */
let answered = 0;
const { exec, prepare } = Database.prototype;
beforeEach(() => {
  const stagings = new WeakSet<Database>();
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database, sql) {
    if (sql.includes('CREATE TABLE stored')) stagings.add(this);
    exec.call(this, sql);
  });
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database, sql) {
    const statement = prepare.call(this, sql);
    if (stagings.has(this)) return counted(statement, /^(?:INSERT|UPDATE)/.test(sql));
    const { all } = Statement.prototype;
    const counting = (...given: Parameters<typeof all>) => {
      const found = all.apply(statement, given);
      answered += found.length;
      return found;
    };
    return Object.assign(statement, { all: counting });
  });
});

function counted(statement: Statement, isWritten: boolean): Statement {
  const { run, get, all } = Statement.prototype;
  const counting = <Told>(to: keyof typeof staged, told: Told): Told => {
    staged[to] += JSON.stringify(told ?? '').length;
    return told;
  };
  return Object.assign(statement, {
    run: (...given: Parameters<typeof run>) => run.apply(statement, isWritten ? counting('written', given) : given),
    get: (...given: Parameters<typeof get>) => counting('read', get.apply(statement, given)),
    all: (...given: Parameters<typeof all>) => counting('read', all.apply(statement, given)),
  });
}

it('reads a source once, and each staged row a few times, even if all rows are like each other', async () => {
  const lines = Array.from({ length: rows }, (_, row) => `D-${row},5000,Harbor,Moreno ${row}`);
  const file = inFolder('deals.csv');
  writeFileSync(file, [headers, ...lines].join('\n'));
  const sheet = openDealsheet({ url: sandbox().url, token: sandbox().token, ledger: inFolder('ledger.db') });
  const done = await sheet.import(file);
  expect(done?.counts).toMatchObject({ created: rows });
  expect(read.get(file)).toBe(statSync(file).size);
  const times = staged.read / staged.written;
  expect(times).toBeGreaterThan(1);
  expect(times).toBeLessThan(3);
  Object.assign(staged, { written: 0, read: 0 });
  expect((await sheet.import(file))?.counts).toMatchObject({ alreadyLoaded: rows });
  await sheet.close();
  expect(staged.read / staged.written).toBeLessThan(6);
});

it('asks the ledger for few rows for each row, even if all share a value and many were never sent', async () => {
  const lines = Array.from({ length: rows }, (_, row) => `Firm ${row},${row % 2 ? '' : 'Merchant'},ann@harbor.example`);
  const file = inFolder('companies.csv');
  const sheet = openDealsheet({ url: sandbox().url, token: sandbox().token, ledger: inFolder('ledger.db') });
  for (const step of [2, 1, 1]) {
    answered = 0;
    writeFileSync(file, ['Company name,Contact types,E-mail', ...lines.slice(0, rows / step)].join('\n'));
    expect((await sheet.import(file))?.counts).toMatchObject({ rows: rows / step, invalid: rows / step / 2 });
  }
  await sheet.close();
  expect(answered).toBeLessThan(30 * rows);
});

/** A load reads its source once, and each staged row a few times, however many rows there are. */
import { statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { openDealsheet } from '../../src/index.ts';
import { Staging } from '../../src/staging/staging.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { useSandbox } from '../sandbox/running.ts';

const read = vi.hoisted(() => {
  vi.resetModules();
  return new Map<string, number>();
});
afterAll(() => void vi.resetModules());

vi.mock('../../src/disk/file-pieces.ts', async (original) => {
  const { filePieces } = await original<typeof import('../../src/disk/file-pieces.ts')>();
  async function* counted(path: string, ...more: readonly number[]) {
    for await (const piece of filePieces(path, ...more)) {
      read.set(path, (read.get(path) ?? 0) + piece.length);
      yield piece;
    }
  }
  return { filePieces: counted };
});

const inFolder = folderForEachTest();
const sandbox = useSandbox();
const rows = 300;

/** How often rows were read from the staging: what they are known by, and what they hold. */
const staged = { known: 0, bodies: 0, cells: 0 };
beforeEach(() => {
  const { batches, judged, cellsOf } = Staging.prototype;
  vi.spyOn(Staging.prototype, 'batches').mockImplementation(async function* (this: Staging, ...given) {
    for await (const batch of batches.apply(this, given)) {
      staged.known += batch.length;
      yield batch;
    }
  });
  vi.spyOn(Staging.prototype, 'judged').mockImplementation(function (this: Staging, row) {
    staged.bodies += 1;
    return judged.call(this, row);
  });
  vi.spyOn(Staging.prototype, 'cellsOf').mockImplementation(function (this: Staging, row) {
    staged.cells += 1;
    return cellsOf.call(this, row);
  });
});

it('reads a source once, and what a staged row holds at most three times', async () => {
  const lines = Array.from({ length: rows }, (_, row) => `D-${row},${row + 1},Harbor ${row},Moreno`);
  const file = inFolder('deals.csv');
  writeFileSync(file, ['Ref,Amount requested,Company name,Owner last name', ...lines].join('\n'));
  const sheet = openDealsheet({ url: sandbox().url, token: sandbox().token, ledger: inFolder('ledger.db') });
  const done = await sheet.import(file);
  await sheet.close();
  expect(done?.counts).toMatchObject({ created: rows });
  expect(read.get(file)).toBe(statSync(file).size);
  // There is something to tell of each: where nothing was found in a row, its body is read only to be sent.
  expect(staged).toEqual({ known: 5 * rows, bodies: 3 * rows, cells: rows });
});

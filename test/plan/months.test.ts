/** The plan and the ledger alone, over made-up months: nothing lost, nothing twice, and the truth. Each way of knowing a row is needed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Desk, type Mutant, months } from './month-model.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'months-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const held = (mutant: Mutant, numRuns: number) =>
  fc.check(
    fc.asyncProperty(months, (month) => new Desk(month, folder, mutant).work()),
    { numRuns, seed: Number(process.env.SEED ?? 7), endOnFailure: process.env.SHRINK !== '1' },
  );

it('loses nothing, makes nothing twice and tells the truth', async () => {
  const { failed, errorInstance, counterexample } = await held(null, Number(process.env.N ?? 100));
  expect(failed, `${String(errorInstance)} ${JSON.stringify(counterexample)}`).toBe(false);
}, 600_000);

it.each<Mutant>(['key', 'place', 'ref', 'content', 'identifies', 'stale answers', 'hold everything'])(
  'fails without %s',
  async (mutant) => {
    expect((await held(mutant, 400)).failed).toBe(true);
  },
  600_000,
);

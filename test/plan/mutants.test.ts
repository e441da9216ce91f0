/** Each way of knowing a row, and each order of steps, is needed: without it, a made-up month fails that does not fail with it. */
import { expect, it } from 'vitest';
import { held, type Mutant } from './month-model.ts';

/** The seed by which a month that needs it comes soon, and how soon. */
const seeds: readonly (readonly [mutant: Exclude<Mutant, null>, seed: number, months: number])[] = [
  ['key', 2, 2],
  ['place', 82, 1],
  ['ref', 228, 3],
  ['content', 25, 3],
  ['identifying values', 9, 3],
  ['origin', 58, 2],
  ['zeros of Refs', 112, 2],
  ['any service', 1, 1],
  ['any kind', 1, 3],
  ['answer to another attempt', 7, 1],
  ['intent not awaited', 9, 3],
  ['hold everything', 1, 1],
];

it.each(seeds)('a month fails by the mutant "%s" alone', async (mutant, seed, months) => {
  expect((await held(mutant, seed, months)).failed).toBe(true);
});

const monthsOfSeeds = new Map<number, number>();
for (const [, seed, months] of seeds) monthsOfSeeds.set(seed, Math.max(months, monthsOfSeeds.get(seed) ?? 0));

it.each([...monthsOfSeeds])('no month of the seed %i fails without a mutant', async (seed, months) => {
  expect((await held(null, seed, months)).failed).toBe(false);
});

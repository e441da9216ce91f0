/** Each way of knowing a row, and each order of steps, is needed: without it, a made-up month fails that does not fail with it. */
import { expect, it } from 'vitest';
import { held, type Mutant } from './month-model.ts';

/** The seed by which the first month needs it. */
const seeds: readonly (readonly [mutant: Exclude<Mutant, null>, seed: number])[] = [
  ['key', 24],
  ['place', 811],
  ['ref', 1],
  ['content', 61],
  ['identifying values', 1],
  ['origin', 87],
  ['zeros of Refs', 632],
  ['any service', 1],
  ['any kind', 22],
  ['answer to another attempt', 98],
  ['intent not awaited', 1],
  ['hold everything', 1],
];

it.each(seeds)('a month fails by the mutant "%s" alone', async (mutant, seed) => {
  expect((await held(mutant, seed, 1)).failed).toBe(true);
});

it.each([...new Set(seeds.map(([, seed]) => seed))])('that of the seed %i does not without it', async (seed) => {
  expect((await held(null, seed, 1)).failed).toBe(false);
});

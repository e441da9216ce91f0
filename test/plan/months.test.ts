/** The plan and the ledger alone, over made-up months: nothing lost, nothing twice, and the truth. `N=100000` is the long form. */
import { expect, it } from 'vitest';
import { held, toldMonths } from './month-model.ts';

const { N: howMany = '60', SEED: seed = '7' } = process.env;

it('P9: loses nothing, makes nothing twice and tells the truth', async () => {
  const { failed, errorInstance, counterexample } = await held(null, Number(seed), Number(howMany));
  expect(failed, `${String(errorInstance)} ${JSON.stringify(counterexample)}`).toBe(false);
}, 86_400_000);

it.each(toldMonths)('%s', async (_, month) => {
  const { failed, errorInstance } = await held(null, 1, 1, [month]);
  expect(failed, String(errorInstance)).toBe(false);
});

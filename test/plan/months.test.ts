/** The plan and the ledger alone, over made-up months: nothing lost, nothing twice, and the truth. */
import { expect, it } from 'vitest';
import { held } from './month-model.ts';

it('loses nothing, makes nothing twice and tells the truth', async () => {
  const { failed, errorInstance, counterexample } = await held(
    null,
    Number(process.env.SEED ?? 7),
    Number(process.env.N ?? 100),
  );
  expect(failed, `${String(errorInstance)} ${JSON.stringify(counterexample)}`).toBe(false);
}, 600_000);

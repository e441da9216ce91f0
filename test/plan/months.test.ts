/** The plan and the ledger alone, over made-up months: nothing lost, nothing twice, and the truth. `N=100000` is the long form. */
import { expect, it } from 'vitest';
import {
  asAtFirst,
  backAsItWas,
  besideChangedDeal,
  copiedTwice,
  correctedElsewhere,
  held,
  heldTwice,
  killedElsewhere,
  partlyLoaded,
} from './month-model.ts';

const { N: howMany = '60', SEED: seed = '7' } = process.env;

it('P9: loses nothing, makes nothing twice and tells the truth', async () => {
  const { failed, errorInstance, counterexample } = await held(null, Number(seed), Number(howMany));
  expect(failed, `${String(errorInstance)} ${JSON.stringify(counterexample)}`).toBe(false);
}, 86_400_000);

it.each([
  ['P2: does not send a row of old results that another file of the source has corrected', partlyLoaded],
  ['P2: holds a second line of a row that is held with that row', heldTwice],
  ['P2: sends no second line of a row, whatever else it waited for', besideChangedDeal],
  ['P2: holds it while that one waits', { ...besideChangedDeal, steps: besideChangedDeal.steps.slice(0, -1) }],
  ['P2: holds payments of a deal that another load has sent one of', correctedElsewhere],
  ['P2: holds them also when that load was killed', killedElsewhere],
  ['P2: holds a corrected row that was corrected in the source before', backAsItWas],
  ['P2: knows a changed copy by its name', copiedTwice],
  ['P10: sends an equal row that says again what it said at first', asAtFirst],
] as const)('%s', async (_, month) => {
  const { failed, errorInstance } = await held(null, 1, 1, [month]);
  expect(failed, String(errorInstance)).toBe(false);
});

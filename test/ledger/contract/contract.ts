/** What every ledger does, whatever keeps it. */
import { describe } from 'vitest';
import { type Place, placeForEachTest } from '../place.ts';
import { doubts } from './doubts.ts';
import { entries } from './entries.ts';
import { intents } from './intents.ts';
import { model } from './model.ts';
import { outcomes } from './outcomes.ts';
import { pruning } from './pruning.ts';
import { runs } from './runs.ts';

export function contract(newPlace: () => Place | Promise<Place>, histories: number): void {
  for (const part of [runs, intents, outcomes, entries, doubts, pruning])
    describe(part.name, () => part(placeForEachTest(newPlace)));
  describe('through whatever history, does what its model does', () => {
    model(newPlace, process.env.DEALSHEET_LONG === '1' ? 20 * histories : histories);
  });
}

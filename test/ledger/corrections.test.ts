import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLoad, anIntent, anOutcome, correctByHand, newPlace, resolveDoubt } from './place.ts';

const histories = process.env.DEALSHEET_LONG === '1' ? 500 : 40;
const fewRows = 3;
const freshRow = 99;

const row = fc.integer({ min: 1, max: fewRows });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), row, again: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      row,
      state: fc.constantFrom('created' as const, 'in-doubt' as const, 'rejected' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), row, created: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('correct' as const), row, created: fc.boolean() }) },
);

/** What cannot be done in the state that the ledger is in is refused; that is no matter here. */
async function tried(attempt: () => unknown): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch {
    return false;
  }
}

describe('Equal rows that people settle and settle anew', () => {
  it('guard as long as one of them is in, under way or in doubt, whatever was said of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const place = newPlace();
        try {
          const ledger = place.open();
          const fingerprint = ledger.fingerprint('the same');
          const run = ledger.beginRun(aLoad());
          const intent = (number: number) => anIntent(ledger, number, { fingerprint });
          for (const one of steps) {
            const position = { sheet: 'Deals', row: one.row };
            const resolution = 'created' in one && one.created ? { created: `by hand ${one.row}` } : 'not-created';
            await tried(() => {
              if (one.do === 'send') return run.intend([intent(one.row)], { again: one.again });
              if (one.do === 'settle') return run.settle([anOutcome(one.row, one.state)]);
              if (one.do === 'resolve') return resolveDoubt(ledger, run.id, position, resolution);
              return correctByHand(ledger, run.id, position, resolution);
            });
          }
          const states = [...ledger.entriesOfRun(run.id)].map(({ state }) => state);
          const guards = states.some((state) => ['created', 'sending', 'in-doubt'].includes(state));
          expect(ledger.liveEntry(aLoad().service, fingerprint) !== null).toBe(guards);
          expect(await tried(() => run.intend([intent(freshRow)], { again: false }))).toBe(!guards);
        } finally {
          place.remove();
        }
      }),
      { numRuns: histories },
    );
  });
});

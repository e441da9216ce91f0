import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import type { Ledger, Run, Settlement } from '../../src/ledger/ledger.ts';
import { LedgerModel } from './ledger-model.ts';
import { aLoad, anIntent, anOutcome, newPlace, type Place, resolveDoubt, service } from './place.ts';

const histories = process.env.DEALSHEET_LONG === '1' ? 1000 : 60;
const fewRows = 4;

const row = fc.integer({ min: 1, max: fewRows });
const kind = fc.constantFrom<RecordKindName>('deals', 'deals', 'company-updates');
const said = fc.constantFrom('a', 'b', 'c');
const outcome = fc.constantFrom<Settlement['state']>(
  'created',
  'created',
  'updated',
  'accepted',
  'rejected',
  'failed',
  'in-doubt',
  'not-sent',
);
const noted = fc.constantFrom<Settlement['state']>('waiting', 'not-sent', 'already-loaded', 'in-doubt');

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('intend' as const), row, kind, said, again: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), row, state: outcome, attempts: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('record' as const), row, kind, said, state: noted }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('resolve' as const), row, run: fc.nat(5), created: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('next' as const), how: fc.constantFrom('end', 'crash') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('resume' as const), run: fc.nat(5), how: fc.constantFrom('end', 'crash') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A ledger and its model, made to do the same. */
class Pair {
  readonly #place: Place;
  readonly #model = new LedgerModel();
  readonly #runs: string[] = [];
  #ledger: Ledger;
  #run: Run;

  constructor(place: Place) {
    this.#place = place;
    this.#ledger = place.open();
    this.#run = this.#begin();
  }

  async take(step: Step): Promise<void> {
    const { id } = this.#run;
    if (step.do === 'intend') {
      const allowed = this.#model.intend(id, step.row, step.kind, textOf(step), step.again);
      expect(await succeeds(this.#run.intend([this.#intent(step)], { again: step.again }))).toBe(allowed);
    } else if (step.do === 'settle') {
      const due = this.#model.settle(id, step.row, step.state, step.attempts);
      expect(await succeeds(this.#run.settle([anOutcome(step.row, step.state, { attempts: step.attempts })]))).toBe(
        due,
      );
    } else if (step.do === 'record') {
      const allowed = this.#model.record(id, step.row, step.kind, textOf(step), step.state);
      const entry = { ...this.#intent(step), ...anOutcome(step.row, step.state, { attempts: 0 }) };
      expect(await succeeds(this.#run.record([entry]))).toBe(allowed);
    } else if (step.do === 'resolve') {
      const run = this.#runs[step.run % this.#runs.length] ?? id;
      const inDoubt = this.#model.resolve(run, step.row, step.created);
      const resolution = step.created ? { created: 'by hand' } : 'not-created';
      const resolved = async () => resolveDoubt(this.#ledger, run, { sheet: 'Deals', row: step.row }, resolution);
      expect(await succeeds(resolved())).toBe(inDoubt);
    } else {
      await this.#stop(step.how === 'crash');
      this.#run =
        step.do === 'next' ? this.#begin() : this.#ledger.resumeRun(this.#runs[step.run % this.#runs.length] ?? id);
    }
  }

  expectSame(): void {
    for (const run of this.#runs) {
      const entries = [...this.#ledger.entriesOfRun(run)].map(({ row, kind, state, attempts }) => ({
        row,
        kind,
        state,
        attempts,
      }));
      const modelled = this.#model.ofRun(run).map(({ row, kind, state, attempts }) => ({ row, kind, state, attempts }));
      expect(entries).toEqual(modelled);
    }
    for (const text of ['deals a', 'deals b', 'deals c', 'company-updates a']) {
      const live = this.#ledger.liveEntry(service, this.#ledger.fingerprint(text));
      const guarding = this.#model.guarding(text);
      expect(live !== null).toBe(guarding.length > 0);
      const unsettled = guarding.find(({ state }) => state === 'sending' || state === 'in-doubt');
      if (unsettled !== undefined) expect(live).toMatchObject({ run: unsettled.run, row: unsettled.row });
    }
  }

  #begin(): Run {
    const run = this.#ledger.beginRun(aLoad());
    this.#runs.push(run.id);
    return run;
  }

  async #stop(isCrash: boolean): Promise<void> {
    this.#model.stop(this.#run.id);
    if (!isCrash) return this.#run.end('ended');
    this.#ledger.close();
    this.#ledger = this.#place.open();
  }

  #intent({ row, kind, said }: { row: number; kind: RecordKindName; said: string }) {
    return anIntent(this.#ledger, row, { kind, fingerprint: this.#ledger.fingerprint(textOf({ kind, said })) });
  }
}

function textOf({ kind, said }: { kind: RecordKindName; said: string }): string {
  return `${kind} ${said}`;
}

async function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

describe('The ledger', () => {
  it('does what a map from rows to outcomes would do, through whatever history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        const place = newPlace();
        try {
          const pair = new Pair(place);
          for (const step of steps) {
            await pair.take(step);
            pair.expectSame();
          }
        } finally {
          place.remove();
        }
      }),
      { numRuns: histories },
    );
  });
});

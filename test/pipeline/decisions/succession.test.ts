import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { EarlierRun } from '../../../src/pipeline/decisions/earlier-runs.ts';
import { Succession } from '../../../src/pipeline/decisions/succession.ts';
import type { JudgedRow } from '../../../src/staging/staged-data.ts';
import { aLoad, anIntent, anOutcome, newPlace, onlyOnce, type Place } from '../../ledger/place.ts';

const row: JudgedRow = {
  kind: recordKind('deals'),
  sheet: 'Deals',
  row: 2,
  body: {},
  ref: null,
  references: [],
  pathId: null,
  problems: [],
  isValid: true,
  reading: 'whole',
  clears: 0,
  standing: { kind: 'free', earlier: null },
  isLeftOut: false,
  twin: null,
};

describe('a row of a file that was loaded many times', () => {
  let place: Place;
  let ledger: Ledger;

  beforeEach(() => {
    place = newPlace();
    ledger = place.open();
  });
  afterEach(() => place.remove());

  /** Loads a file of one row that goes in at once, and then again and again. */
  async function loadOften(times: number): Promise<readonly EarlierRun[]> {
    for (let time = 1; time <= times; time += 1) {
      const run = ledger.beginRun(aLoad());
      const intent = anIntent(ledger, row.row);
      if (time === 1) {
        await run.intend([intent], onlyOnce);
        await run.settle([anOutcome(row.row, 'created')]);
      } else await run.record([{ ...intent, ...anOutcome(row.row, 'already-loaded', { attempts: 0 }) }]);
      await run.end('ended');
    }
    const inPlace = { positionThen: (position: object) => position, positionNow: (position: object) => position };
    return ledger.runs().map((run) => ({ ...run, ...inPlace }) as EarlierRun);
  }

  /** How often the ledger is asked of the places of a row. */
  function countedAsking(earlierRuns: readonly EarlierRun[]): number {
    let asked = 0;
    const counting = new Proxy(ledger, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: readonly unknown[]) => {
          if (['latest', 'entry', 'wasTaken'].includes(String(name))) asked += 1;
          return Reflect.apply(member, target, given);
        };
      },
    });
    const options = { again: false, resumed: false, earlierRuns, howRead: null };
    const succession = new Succession(counting, ledger.beginRun(aLoad()).id, options);
    expect(succession.goneOn(row)).toBeNull();
    expect(succession.supersededBy(row)).toBeNull();
    return asked;
  }

  it('is looked up as often as one that was loaded twice', async () => {
    const few = countedAsking(await loadOften(2));
    place.remove();
    place = newPlace();
    ledger = place.open();
    expect(countedAsking(await loadOften(40))).toBe(few);
  });
});

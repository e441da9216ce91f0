import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { aLoad, newPlace, type Place } from './place.ts';

let place: Place;

beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

describe('a ledger that was closed too early', () => {
  it.each([
    { name: 'a run to begin', ask: (ledger: Ledger) => ledger.beginRun(aLoad()) },
    { name: 'its runs', ask: (ledger: Ledger) => ledger.runs() },
    { name: 'the entries of a run', ask: (ledger: Ledger) => [...ledger.entriesOfRun('2026-06-01-01-abcd')] },
    { name: 'what is to be forgotten', ask: (ledger: Ledger) => ledger.prune('2026-06-01T00:00:00.000Z') },
  ])('says so in place of ending the process, asked for $name', ({ ask }) => {
    const ledger = place.open();
    ledger.close();
    expect(() => ask(ledger)).toThrow(
      expect.objectContaining({ code: 'usage', message: `The ledger ${place.path} was closed, and is needed still.` }),
    );
  });
});

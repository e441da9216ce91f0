import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { Catalogue } from '../../src/ledger/catalogue.ts';
import { EntryReads } from '../../src/ledger/entry-reads.ts';
import { EntryWrites } from '../../src/ledger/entry-writes.ts';
import type { Intent, Ledger, Run } from '../../src/ledger/ledger.ts';
import { aLoad, anIntent, newPlace, onlyOnce, type Place } from './place.ts';

let place: Place;
let ledger: Ledger;
let run: Run;
beforeEach(() => {
  place = newPlace();
  ledger = place.open();
  run = ledger.beginRun(aLoad());
});
afterEach(() => place.remove());

/** As after a commit that the disk did not keep. */
function takeBack(intent: Intent): void {
  const db = new Database(place.path);
  const catalogue = new Catalogue(db);
  const numbers = catalogue.run(run.id);
  if (numbers === null) throw new Error('The run is not there.');
  new EntryWrites(db, catalogue, new EntryReads(db, catalogue)).takeBack(numbers, [intent]);
  db.close();
}

describe('An intent that is taken back', () => {
  it('leaves a row not sent, which may go out again', async () => {
    const intent = anIntent(ledger, 2);
    await run.intend([intent], onlyOnce);
    takeBack(intent);
    expect(ledger.entry(run.id, intent)?.state).toBe('not-sent');
    await expect(run.intend([intent], onlyOnce)).resolves.toBeUndefined();
  });

  it('leaves an update under way: a sending before may have been applied, and a resume repeats it', async () => {
    const update = anIntent(ledger, 2, { kind: 'company-updates' });
    await run.intend([update], onlyOnce);
    takeBack(update);
    expect(ledger.entry(run.id, update)?.state).toBe('sending');
  });
});

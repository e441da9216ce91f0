import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { checkIds } from '../../src/load/typed-answers.ts';
import { newPlace, type Place, service } from '../ledger/place.ts';

describe('ids that were typed for rows in doubt', () => {
  let place: Place;

  beforeEach(() => {
    place = newPlace();
  });
  afterEach(() => place.remove());

  /** By a ledger that knows nothing of the service yet. */
  const judged = (kind: RecordKindName, ...ids: readonly string[]) =>
    checkIds(
      ids.map((id, index) => ({ place: `Rows!${index + 2}`, kind, id, row: null })),
      {
        ledger: place.open(),
        service,
        client: () => Promise.reject(new Error('Nobody was to be asked.')),
        changedSince: false,
        losesId: () => false,
      },
    );

  it('of updates are those of companies, which may be updated any number of times', async () => {
    const verdicts = await judged('company-updates', 'company_1', 'company_1');
    expect(verdicts.map(({ is }) => is)).toEqual(['unsure', 'unsure']);
  });

  it('are each of one row alone, also in a ledger that is new', async () => {
    const verdicts = await judged('notes', 'note_1', 'note_2', 'note_1');
    expect(verdicts.filter(({ is }) => is === 'wrong')).toEqual([
      { is: 'wrong', said: { code: 'id-of-two-rows', params: { place: 'Rows!4', twin: 'Rows!2', id: 'note_1' } } },
    ]);
  });
});

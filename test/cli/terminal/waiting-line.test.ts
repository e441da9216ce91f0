import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../../builders/command-here.ts';
import { answer, hasTerminal } from '../../builders/pseudo-terminal.ts';
import { writeManyDeals } from '../../builders/tables.ts';

/** So many take longer than a person waits without a word. */
const rows = 10_000;
const clearedLine = '\u001b[K';

describe('a check that takes a while', () => {
  const place = ownWorkplaceForEachTest();
  beforeEach(() => {
    writeManyDeals(place.path('deals.csv'), rows);
  });

  it.skipIf(!hasTerminal)(
    'tells a terminal how far it is, on a line that is gone before the next message',
    async () => {
      const said = await answer(place, ['check', 'deals.csv'], []);
      expect(said).toMatch(/Checking: [1-9]\d* rows so far\./);
      expect(said.slice(0, said.indexOf('deals rows 2')).endsWith(clearedLine)).toBe(true);
    },
  );

  it.skipIf(!hasTerminal)('says nothing of it where it is to be quiet', async () => {
    expect(await answer(place, ['check', 'deals.csv', '--quiet'], [])).toBe('');
  });
});

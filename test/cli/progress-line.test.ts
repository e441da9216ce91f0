import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { endedInShell, hasShell, withSmallFiles } from '../builders/pseudo-terminal.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeManyDeals } from '../builders/tables.ts';

const rows = 2000;
/** In KiB: the rows find room, what the ledger is to remember of them does not. */
const roomForFewRows = 12_000;
const token = { DEALSHEET_TOKEN: 'token' };

describe.skipIf(!hasShell)('the line that tells how far a load is', () => {
  const place = ownWorkplaceForEachTest();
  const service = serviceForEachTest(({ path }, number) => {
    const answered = created(number);
    return path.startsWith('/v1/deal/') ? { ...answered, status: 200, body: `{"id":"${path.slice(9)}"}` } : answered;
  });
  let words: readonly string[];
  beforeEach(() => {
    words = ['import', 'deals.csv', '--url', service.url, '--concurrency', '2', '--yes', '--results', 'results.csv'];
    writeManyDeals(place.path('deals.csv'), rows);
  });

  it('is gone when the load ends for a ledger that cannot be written: what is said of it is read whole', async () => {
    const { said, exitCode } = await endedInShell(withSmallFiles(roomForFewRows), place, words, [], token);
    const at = said.indexOf('The ledger ');
    expect(at).toBeGreaterThan(-1);
    expect(said).toMatch(/\d+ of 2000 rows/);
    expect(said.slice(0, at).split('\n').at(-1)).toMatch(/(^|\u001b\[K)$/);
    expect(said.slice(at)).toMatch(/Then continue with: dealsheet resume \S+\n$/);
    expect(exitCode).toBe(5);
  });
});

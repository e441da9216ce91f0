import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endedByKey, endedInShell, goingOn, hasShell, withSmallFiles } from '../builders/pseudo-terminal.ts';
import { created, type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { writeCsv, writeManyDeals } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';

const rows = 2000;
/** In KiB: the rows find room, what the ledger is to remember of them does not. */
const roomForFewRows = 6000;
const ctrlZ = '\u001a';
const token = { DEALSHEET_TOKEN: 'token' };
const hiddenCursor = '\u001b[?25l';
const shownCursor = '\u001b[?25h';
const cutLines = '\u001b[?7l';
const wholeLines = '\u001b[?7h';

describe.skipIf(!hasShell)('the bar of a load', () => {
  let place: Workplace;
  let service: RecordingService;
  let words: readonly string[];
  beforeEach(async () => {
    place = newWorkplace();
    service = await startRecordingService(({ path }, number) => {
      const answered = created(number);
      return path.startsWith('/v1/deal/') ? { ...answered, status: 200, body: `{"id":"${path.slice(9)}"}` } : answered;
    });
    words = ['import', 'deals.csv', '--url', service.url, '--concurrency', '2', '--yes', '--results', 'results.csv'];
    writeManyDeals(place.path('deals.csv'), rows);
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

  it('of an export gives the terminal back in the same way', async () => {
    const ids = Array.from({ length: rows }, (_, index) => `deal_${index + 1}`);
    writeCsv(place.path('ids.csv'), [['Deal id'], ...ids.map((id) => [id])]);
    const words = [
      'export',
      'deals',
      '--ids',
      'ids.csv',
      '-o',
      'found.csv',
      '--url',
      service.url,
      '--concurrency',
      '2',
    ];
    const { said, exitCode } = await endedByKey(place, words, ['records read', ctrlZ], token, goingOn);
    const at = said.indexOf('Stopped');
    expect(at).toBeGreaterThan(-1);
    expectGivenBack(said.slice(0, at));
    expectGivenBack(said);
    expect(exitCode).toBe(0);
  });

  /** With the cursor seen and long lines going on in the next one. */
  function expectGivenBack(said: string): void {
    expect(said.lastIndexOf(hiddenCursor)).toBeGreaterThan(-1);
    expect(said.lastIndexOf(shownCursor)).toBeGreaterThan(said.lastIndexOf(hiddenCursor));
    expect(said.lastIndexOf(wholeLines)).toBeGreaterThan(said.lastIndexOf(cutLines));
  }

  it('is gone when the load ends for a ledger that cannot be written: what is said of it is read whole', async () => {
    const { said, exitCode } = await endedInShell(withSmallFiles(roomForFewRows), place, words, [], token);
    const at = said.indexOf('The ledger ');
    expect(at).toBeGreaterThan(-1);
    expectGivenBack(said.slice(0, at));
    expect(said.slice(at)).toMatch(/Then go on with: dealsheet resume \S+\n$/);
    expect(exitCode).toBe(5);
  });

  it('gives the terminal back while the load is stopped with Ctrl-Z, and comes again with it', async () => {
    const { said, exitCode } = await endedByKey(place, words, [' created', ctrlZ], token, goingOn);
    const at = said.indexOf('Stopped');
    expect(at).toBeGreaterThan(-1);
    expectGivenBack(said.slice(0, at));
    expect(said.slice(at)).toContain(hiddenCursor);
    expectGivenBack(said);
    expect(said).toContain(`${rows}  Created`);
    expect(exitCode).toBe(0);
    expect(service.requests).toHaveLength(rows);
  });
});

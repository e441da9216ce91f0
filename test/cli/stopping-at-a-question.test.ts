import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import {
  closedTerminal,
  endedAtTerminal,
  endedByKey,
  endedInShell,
  goingOn,
  hasShell,
  hasTerminal,
} from '../builders/pseudo-terminal.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, writeCsv, writeManyDeals } from '../builders/tables.ts';

const ctrlC = '\u0003';
const ctrlD = '\u0004';
const ctrlZ = '\u001a';
const token = { DEALSHEET_TOKEN: 'token' };
const place = ownWorkplaceForEachTest();

describe.skipIf(!hasTerminal)('the question whether to send', () => {
  const service = serviceForEachTest();
  let words: readonly string[];
  beforeEach(() => {
    words = ['import', 'deals.csv', '--url', service.url, '--results', 'results.xlsx'];
    writeCsv(place.path('deals.csv'), deals('Harbor Bakery'));
  });

  it('is the only one where all that it would be asked about before is in, and nothing else is to be sent', async () => {
    writeCsv(place.path('notes.csv'), oneRow({ 'Deal id': 'deal_1', 'Deal status': 'Open', Note: 'call again' }));
    const load = ['import', 'notes.csv', '--as', 'notes', '--url', service.url, '--results', 'results.xlsx'];
    await place.run([...load, '--yes'], { env: token });
    await place.run(['import', 'deals.csv', '--url', service.url, '--yes'], { env: token });
    writeCsv(
      place.path('notes.csv'),
      oneRow({ 'Deal id': 'deal_1', 'Deal status': 'Open', Note: 'call again', '(Read by)': 'Ada' }),
    );
    const { said, exitCode } = await endedAtTerminal(place, load, [['no row to send', 'y\r']], token);
    expect(said.match(/\[y\/N\]/g)?.length).toBe(said.match(/Write the results\?/g)?.length);
    expect(said).not.toContain('Pass over');
    expect(said).toContain('notes row 2: Loaded from notes.csv');
    expect(exitCode).toBe(0);
    // Off a terminal too, where nobody has to say yes to nothing.
    expect((await place.run(words, { env: token })).exitCode).toBe(0);
  });

  it('is left with Ctrl-C: nothing is sent, nothing stays behind, and the exit code is that of an interruption', async () => {
    const { said, exitCode } = await endedAtTerminal(place, words, [['Send 1 row', ctrlC]], token);
    expect(said).toContain('Nothing was sent.');
    expect(said).not.toContain('Something went wrong');
    expect(said).not.toContain('under way');
    expect(exitCode).toBe(130);
    expect(service.requests).toEqual([]);
    expect(readdirSync(place.folder).filter((name) => name.includes('results'))).toEqual([]);
  });

  it('comes before a mapping is remembered', async () => {
    const columns = { Merchant: 'Company name', Ask: 'Amount requested', Owner: 'Owner 1 last name' };
    place.write('mapping.json', { sheets: [{ kind: 'deals', columns }] });
    writeCsv(place.path('deals.csv'), oneRow({ Merchant: 'Harbor', Ask: 100, Owner: 'Moreno' }));
    const load = [...words, '--mapping', 'mapping.json', '--remember'];
    const refused = await endedAtTerminal(place, load, [['Send 1 row', 'n\r']], token);
    expect(refused.said).toContain('Nothing was sent.');
    expect(refused.said).not.toContain('Remembered');
    const agreed = await endedAtTerminal(place, load, [['Send 1 row', 'y\r']], token);
    expect(agreed.said).toContain('Remembered: files with exactly these headers');
  });

  it('is answered with no by the end of the input', async () => {
    const { said, exitCode } = await endedAtTerminal(place, words, [['Send 1 row', ctrlD]], token);
    expect(said).toContain('\nNothing was sent.\n');
    expect(said).not.toContain('Something went wrong');
    expect(exitCode).toBe(2);
    expect(service.requests).toEqual([]);
  });

  it.skipIf(!hasShell)('is still to be answered after Ctrl-Z, once the shell goes on with the command', async () => {
    const answers = [
      ['Send 1 row', ctrlZ],
      ['Stopped', 'y\n'],
    ] as const;
    const { said, exitCode } = await endedInShell(goingOn, place, words, answers, token);
    expect(said).toMatch(/1 {2}Created/);
    expect(exitCode).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  it('is not come to after Ctrl-C while the rows are checked: the rest of them is not checked either', async () => {
    writeManyDeals(place.path('deals.csv'), 20_000);
    const { said, exitCode } = await endedByKey(place, words, ['Checking: ', ctrlC], token);
    expect(said).not.toContain('Checking: 20000');
    expect(said).toContain('Nothing was sent.');
    expect(said).not.toContain('[y/N]');
    expect(exitCode).toBe(130);
  });

  it('goes away with its terminal, and leaves nothing behind', async () => {
    await closedTerminal(place, words, '[y/N]', token);
    const leftOver = () => readdirSync(place.folder).filter((name) => name.includes('results'));
    await expect.poll(leftOver, { timeout: 30_000 }).toEqual([]);
    expect(service.requests).toEqual([]);
  });
});

describe.skipIf(!hasTerminal)('the question for the token', () => {
  const words = ['setup', '--profile', 'live', '--url', 'http://127.0.0.1:9'];

  it.skipIf(!hasShell)('is asked again after Ctrl-Z, and what is typed is not shown then either', async () => {
    const answers = [
      ['Token (not shown', ctrlZ],
      ['Stopped', 'unseen-token\n'],
    ] as const;
    const { said } = await endedInShell(goingOn, place, words, answers);
    expect(said).toContain('Stored: the profile "live"');
    expect(said).not.toContain('unseen-token');
  });
});

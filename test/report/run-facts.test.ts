import { afterEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/ledger/ledger.ts';
import { tellCommandsWith } from '../../src/messages/commands.ts';
import { runFacts } from '../../src/report/run-facts.ts';

const run: RunRecord = {
  id: '2026-11-20-01-kqtm',
  number: 1,
  person: 'ana',
  host: 'desk',
  service: 'service',
  serviceUrl: 'https://service.example/',
  sourcePath: '/month/deals.csv',
  sourceName: 'deals.csv',
  origin: 'month.csv',
  sourceDigest: '',
  resultsPath: '/month/deals.results.xlsx',
  options: '{}',
  state: 'ended',
  startedAt: '2026-11-20T10:00:00.000Z',
  endedAt: '2026-11-20T10:05:00.000Z',
};
afterEach(() => tellCommandsWith(() => []));

describe('the Summary of a load', () => {
  it('says of one that was stopped how it goes on, with its ledger', () => {
    tellCommandsWith(() => [{ flag: '--ledger', path: 'own.db' }]);
    expect(runFacts({ ...run, state: 'stopped' })).toContainEqual([
      'Stopped',
      'before its end. Continue with: dealsheet resume 2026-11-20-01-kqtm --ledger own.db',
    ]);
  });

  it('says of one into the sandbox that it was a rehearsal', () => {
    expect(runFacts({ ...run, service: 'sandbox:/month/sandbox.db' }).map(([name]) => name)).toContain('Rehearsal');
  });

  it('says nothing of the kind where the load came to its end', () => {
    expect(runFacts(run).map(([name]) => name)).toEqual(['Run', 'Service', 'File', 'Began', 'Ended']);
  });
});

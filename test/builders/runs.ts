/** A run as the ledger gives it, where its facts do not matter. */
import type { RunRecord } from '../../src/ledger/ledger.ts';

export const aRun: RunRecord = {
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

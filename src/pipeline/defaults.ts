/** What a script need not say: the defaults of the command line, and events that nobody listens to. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assumedContract } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import type { Foresight } from './foresight/foresight.ts';
import type { ImportOptions } from './import-options.ts';
import type { SendingEvents } from './load/sending.ts';
import type { ReadingOptions } from './survey/reading.ts';

/** Transactions in one request. */
export const defaultBatch = 100;

/** Its folder is for one user alone: where others of this computer have theirs in the same place, it goes by whose it is. */
const owner = process.getuid?.() ?? 'user';

export const readingDefaults: Omit<ReadingOptions, 'file'> = {
  kind: null,
  sheet: null,
  ignoredColumns: [],
  ignoredSheets: [],
  encoding: null,
  delimiter: null,
  mapping: null,
  mappingsFolder: null,
  dateOrder: null,
  hiddenOrders: {},
  contract: assumedContract,
  checks: {},
  attachmentsFolder: null,
  privatePaths: [],
  resultsPath: null,
  mask: 'rows that are in',
  snapshotFolder: join(tmpdir(), `dealsheet-${owner}`),
  standardInput: process.stdin,
};

export const importDefaults: Omit<ImportOptions, 'file' | 'service' | 'serviceUrl'> = {
  ...readingDefaults,
  again: false,
  allOrNothing: false,
  trustResults: false,
  expectations: [],
  plan: null,
  idempotencyKeys: false,
  limit: null,
  batch: defaultBatch,
  serviceName: {},
  signal: new AbortController().signal,
};

/**
 * Listens to nothing, and says yes to a load. Notes and transactions that went in before are passed over.
 *
 * @throws DealsheetError `usage`, by `confirm`, when rows that are in would be sent again because their file is read otherwise now
 */
export const silentImport: SendingEvents = {
  onProgress: () => {},
  confirm: async (_survey, foresight) => {
    refuseOtherReading(foresight);
    return true;
  },
  onHealth: () => {},
  onBegin: () => {},
  onRow: () => {},
  onReport: () => {},
};

function refuseOtherReading({ readOtherwise: [newest] }: Foresight): void {
  if (newest === undefined) return;
  const { run, before, now, rows } = newest;
  const are = rows === 1 ? '1 row that is' : `${rows} rows that are`;
  throw new DealsheetError(
    'usage',
    `This very file went in before, ${before}, and is read ${now} now: ${are} in (run ${run}), or may be, would be sent a second time.`,
    `Read it as it was read then, ${before}, or decide by a confirm of your own. Nothing was sent.`,
  );
}

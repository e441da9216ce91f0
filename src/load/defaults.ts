/** What a script need not say: the defaults of the command line, and events that nobody listens to. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assumedContract } from '../contract/contract-settings.ts';
import type { ImportOptions } from '../plan/options.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import type { SendingEvents } from './sending.ts';

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

/** Listens to nothing, and says yes to a load. */
export const silentImport: SendingEvents = {
  onProgress: () => {},
  confirm: async () => true,
  onHealth: () => {},
  onBegin: () => {},
  onRow: () => {},
  onReport: () => {},
};

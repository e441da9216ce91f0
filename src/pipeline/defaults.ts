/** What a script need not say: the defaults of the command line, and events that nobody listens to. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assumedContract } from '../contract/contract-settings.ts';
import type { ImportOptions } from './import-options.ts';
import type { SendingEvents } from './load/sending.ts';
import type { ReadingOptions } from './survey/reading.ts';

/** Transactions in one request. */
export const defaultBatch = 100;

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
  attachmentsFolder: null,
  resultsPath: null,
  mask: 'rows that are in',
  snapshotFolder: join(tmpdir(), 'dealsheet'),
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

/** Says yes to every load, and listens to nothing. */
export const silentImport: SendingEvents = {
  onProgress: () => {},
  confirm: async () => true,
  onHealth: () => {},
  onBegin: () => {},
  onRow: () => {},
  onReport: () => {},
};

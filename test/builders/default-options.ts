/** The options of a load, as the command line has them where nothing is said. */
import { tmpdir } from 'node:os';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { defaultBatch } from '../../src/load/defaults.ts';
import type { ImportOptions } from '../../src/plan/options.ts';
import type { ReadingOptions } from '../../src/staging/reading.ts';

export const readingDefaults: Omit<ReadingOptions, 'file'> = {
  kind: null,
  sheet: null,
  ignoredColumns: [],
  ignoredSheets: [],
  encoding: null,
  delimiter: null,
  mapping: null,
  corrections: null,
  mappingsFolder: null,
  dateOrder: null,
  contract: assumedContract,
  checks: {},
  attachmentsFolder: null,
  privatePaths: [],
  resultsPath: null,
  mask: 'rows that are in',
  snapshotFolder: tmpdir(),
  standardInput: process.stdin,
};

export const importDefaults: Omit<ImportOptions, 'file' | 'service' | 'serviceUrl'> = {
  ...readingDefaults,
  again: false,
  allOrNothing: false,
  trustResults: false,
  expectations: [],
  likeLast: null,
  plan: null,
  idempotencyKeys: false,
  limit: null,
  batch: defaultBatch,
  serviceName: {},
  signal: new AbortController().signal,
};

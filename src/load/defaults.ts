/** Defaults of the command line and the library. */
import type { ImportOptions } from '../plan/options.ts';
import type { SendingEvents } from './sending.ts';

export const defaultConcurrency = 32;
export const defaultTimeoutSeconds = 60;
export const defaultBatch = 100;

/** No-op listeners, which agree to every load. */
export const silentImport: SendingEvents = {
  onProgress: () => {},
  confirm: async () => true,
  onHealth: () => {},
  onBegin: () => {},
  onRow: () => {},
  onReport: () => {},
};

export const plainImport = {
  kind: null,
  sheet: null,
  ignoredColumns: [],
  ignoredSheets: [],
  encoding: null,
  delimiter: null,
  mapping: null,
  corrections: null,
  dateOrder: null,
  clues: [],
  checks: {},
  attachmentsFolder: null,
  resultsPath: null,
  mask: 'rows that are in',
  standardInput: process.stdin,
  again: false,
  allOrNothing: false,
  trustResults: false,
  expectations: [],
  likeLast: null,
  plan: null,
  limit: null,
} as const satisfies Partial<ImportOptions>;

/** The options of a load, as the command line has them where nothing is said. */
import { tmpdir } from 'node:os';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { defaultBatch, plainImport } from '../../src/load/defaults.ts';
import type { ImportOptions } from '../../src/plan/options.ts';
import type { ReadingOptions } from '../../src/staging/reading.ts';

export const readingDefaults: Omit<ReadingOptions, 'file'> = {
  ...plainImport,
  mappingsFolder: null,
  contract: assumedContract,
  privatePaths: [],
  sourcesFolder: tmpdir(),
};

export const importDefaults: Omit<ImportOptions, 'file' | 'service' | 'serviceUrl'> = {
  ...plainImport,
  ...readingDefaults,
  idempotencyKeys: false,
  batch: defaultBatch,
  serviceName: {},
  signal: new AbortController().signal,
};

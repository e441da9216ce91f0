import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CheckEvents, type CheckOptions, checkFile, readingDefaults, readMapping } from '../../src/index.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

it("reads somebody else's file by a mapping in a script too", async () => {
  const mapping = { sheets: [{ kind: 'notes', columns: { Deal: 'Deal ID', State: 'Deal status', Said: 'Note' } }] };
  writeFileSync(inFolder('mapping.json'), JSON.stringify(mapping));
  writeFileSync(inFolder('log.csv'), 'Deal,State,Said\nD1,Open,Called\n');
  const files = { file: inFolder('log.csv'), snapshotFolder: inFolder('sources') };
  const options: CheckOptions = { ...readingDefaults, ...files, mapping: readMapping(inFolder('mapping.json')) };
  const silent: CheckEvents = { onProgress: () => {}, onProblemRow: () => {} };
  expect((await checkFile(options, silent)).counts).toMatchObject({ rows: 1, invalid: 0, ready: 1 });
});

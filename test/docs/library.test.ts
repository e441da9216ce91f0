import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CheckEvents, type CheckOptions, checkFile, readingDefaults, readMapping } from '../../src/index.ts';

it("reads somebody else's file by a mapping in a script too", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-library-'));
  try {
    const mapping = { sheets: [{ kind: 'notes', columns: { Deal: 'Deal ID', State: 'Deal status', Said: 'Note' } }] };
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
    writeFileSync(join(folder, 'log.csv'), 'Deal,State,Said\nD1,Open,Called\n');
    const files = { file: join(folder, 'log.csv'), snapshotFolder: join(folder, 'sources') };
    const options: CheckOptions = { ...readingDefaults, ...files, mapping: readMapping(join(folder, 'mapping.json')) };
    const silent: CheckEvents = { onProgress: () => {}, onProblemRow: () => {} };
    expect((await checkFile(options, silent)).counts).toMatchObject({ rows: 1, invalid: 0, notSent: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

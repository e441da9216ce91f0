import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { checkFile } from '../../../src/pipeline/check-file.ts';
import { readingDefaults } from '../../../src/pipeline/defaults.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealsheet-delimiters-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(content: string) {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, content);
  const options = { ...readingDefaults, file, snapshotFolder: join(folder, 'sources'), kind: recordKind('deals') };
  return checkFile(options, { onProgress: () => {}, onProblemRow: () => {} });
}

describe('a table of semicolons below a title', () => {
  it('is read like one of commas', async () => {
    const { counts } = await check(
      'Deals, June 2026\n\nRef;Company name;Owner 1 last name;Amount requested\nD1;Foo, Inc;Lee;1250,50\n',
    );
    expect(counts).toMatchObject({ rows: 1, invalid: 0 });
  });
});

describe('a CSV file that was read as one column', () => {
  it('is refused with the flag that names another mark between its cells, where it holds one', async () => {
    await expect(check('Deals\nA;b\nNo more\nOf these\nAt all\n')).rejects.toThrow(
      /rows: the file was read as one column\. If semicolons stand between its cells, say so with --delimiter ";"\./,
    );
    await expect(check('Deals\nA|b\nC\td\nOf these\nAt all\n')).rejects.toThrow(
      /If tabs or bars stand between its cells, say so with --delimiter tab or --delimiter "\|"\./,
    );
  });

  it('is refused without it where it holds none', async () => {
    await expect(check('Deals\nA\nB\n')).rejects.toThrow(/^(?!.*--delimiter).*is no field of a deal/s);
  });
});

/**
 * What becomes of files as people, banks and brokers make them: one line a file in `expected.txt`, to be read in review.
 * `npx vitest run test/golden -u` writes it again.
 */
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { type Counts, rowStates } from '../../src/contract/row-state.ts';
import { DealsheetError } from '../../src/errors.ts';
import { type CheckChoices, openDealsheet } from '../../src/index.ts';
import type { FindingCount } from '../../src/plan/finding-groups.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';
import { useSandbox } from '../sandbox/running.ts';

const inFolder = folderForEachTest();
const sandbox = useSandbox();

const folders = ['fixtures', 'test/fixtures/findings', 'test/fixtures/tables', 'test/golden/files'];
const sources = folders.flatMap((folder) => {
  const names = readdirSync(join(root, folder)).filter((name) => /\.(?:csv|xlsx)$/.test(name));
  return names.map((name) => join(root, folder, name));
});

/** What a person gives beside the file. */
const choices: Readonly<Record<string, CheckChoices>> = {
  'october.xlsx': { ignoreColumns: 'all' },
  'october-corrected-in-the-original.xlsx': { ignoreColumns: 'all' },
};

/** `2 created, 1 invalid` */
function inWords(counts: Counts | undefined): string {
  const told = Object.values(rowStates).filter(({ count }) => (counts?.[count] ?? 0) > 0);
  return told.map(({ count, status }) => `${counts?.[count]} ${status.toLowerCase()}`).join(', ');
}

/** `3 not-a-number!`: an error has the mark. */
function foundInWords(findings: readonly FindingCount[]): string {
  const told = findings.map(({ code, severity, count }) => `${count} ${code}${severity === 'error' ? '!' : ''}`);
  return told.length === 0 ? '' : ` (${told.sort().join(', ')})`;
}

/** What is checked, what a load into the sandbox makes of it, and what a load of its results finds left to do. */
async function fateOf(source: string): Promise<readonly string[]> {
  const place = (path: string) => inFolder(`${basename(source)}.${basename(path)}`);
  const [file, written] = [place(source), source.replace(/\.\w+$/, '.mapping.json')];
  copyFileSync(source, file);
  const choice = { ...choices[basename(source)], ...(existsSync(written) ? { mapping: written } : {}) };
  const { url, token } = sandbox();
  const sheet = openDealsheet({ url, token, ledger: place('ledger.db') });
  try {
    const checked = await sheet.check(file, choice);
    const loaded = await sheet.import(file, choice);
    const again = loaded?.results == null ? null : await sheet.import(loaded.results, choice);
    const told = `${inWords(checked.counts)}${foundInWords(checked.findings)}`;
    return [told, inWords(loaded?.counts), inWords(again?.counts)];
  } catch (error) {
    if (!(error instanceof DealsheetError)) throw error;
    return [`refused: ${error.code}`];
  } finally {
    await sheet.close();
  }
}

/** A load waits for its disk more than for its processor. */
const filesAtOnce = 8;
const longestMs = 300_000;

it('reads, loads and reads again each file as it did', { timeout: longestMs }, async () => {
  expect(sources.length).toBeGreaterThanOrEqual(60);
  const fates = await pLimit(filesAtOnce).map(sources, fateOf);
  const lines = sources.map((source, at) => [basename(source), ...(fates[at] ?? [])].join(' | '));
  const told = ['file | check | load | load of its results', ...lines, ''].join('\n');
  await expect(told).toMatchFileSnapshot('expected.txt');
});

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';
import { bombs } from './fault-files/bombs.ts';
import { brokenArchives } from './fault-files/broken-archives.ts';
import { csvFiles } from './fault-files/csv-files.ts';
import { extremeSheets } from './fault-files/extreme-sheets.ts';
import type { FaultFile } from './fault-files/fault-file.ts';
import { otherFormats } from './fault-files/other-formats.ts';

const mostMegabytes = 150;
/** No promise about time: what hangs is ended. */
const hangMilliseconds = 60_000;
const script = join(root, 'test', 'sheets', 'children', 'read.mjs');
/** How much garbage V8 holds differs by version and machine: the child is started so that its memory is that of the work. */
const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

interface Told {
  readonly read?: Readonly<Record<string, unknown>>;
  readonly refused?: {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly remedy: string;
  };
  readonly peak: number;
  readonly milliseconds: number;
}

const inFolder = folderForAllTests();
const figures: string[] = [];
afterAll(() => {
  if (process.env.DEALSHEET_LONG === '1') process.stdout.write(`${figures.join('\n')}\n`);
});

/** Reads the file in a process of its own, so that its memory is its own. */
function readAlone(file: FaultFile, name: string): Told {
  const path = inFolder(name);
  writeFileSync(path, file.bytes());
  const said = execFileSync(process.execPath, [...heapFlags, script, path], {
    encoding: 'utf8',
    timeout: hangMilliseconds,
  });
  const told = JSON.parse(said) as Told;
  figures.push(
    `${String(Math.round(told.milliseconds)).padStart(6)} ms ${String(told.peak).padStart(4)} MB  ${file.name}: ${told.refused?.message ?? 'read'}`,
  );
  return told;
}

function judge(file: FaultFile, name: string): void {
  const told = readAlone(file, name);
  if (file.expected instanceof RegExp) {
    expect(told.refused, JSON.stringify(told.read)?.slice(0, 500)).toMatchObject({
      name: 'DealsheetError',
      code: 'unreadable-source',
    });
    expect(`${told.refused?.message} ${told.refused?.remedy}`).toMatch(file.expected);
    expect(told.refused?.remedy).toMatch(/\w+ .*\.$/);
    expect(told.refused?.message.length).toBeLessThan(500);
  } else {
    expect(told.refused).toBeUndefined();
    expect(told.read).toMatchObject(file.expected);
  }
  expect(told.peak, 'megabytes').toBeLessThan(file.mostMegabytes ?? mostMegabytes);
}

describe('a workbook is read exactly or refused clearly, in little memory', () => {
  it.each(brokenArchives)('when it is an archive $name', (file) => judge(file, 'file.xlsx'));
  it.each(bombs)('when it holds $name', (file) => judge(file, 'file.xlsx'));
  it.each(extremeSheets)('when it has $name', (file) => judge(file, 'file.xlsx'));
  it.each(otherFormats)('when it is $name', (file) => judge(file, 'file.xlsx'));
});

describe('a CSV file is read exactly or refused clearly, in little memory', () => {
  it.each(csvFiles)('$name', (file) => judge(file, 'file.csv'));
});

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, describe, expect, it, onTestFailed } from 'vitest';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { root } from '../builders/workplace.ts';
import { bombs } from './fault-files/bombs.ts';
import { brokenArchives } from './fault-files/broken-archives.ts';
import { csvFiles } from './fault-files/csv-files.ts';
import { extremeSheets } from './fault-files/extreme-sheets.ts';
import type { FaultFiles } from './fault-files/fault-file.ts';
import { otherFormats } from './fault-files/other-formats.ts';

/** From 24 on, Node itself takes some 20 MB more. */
const mostMegabytes = Number.parseInt(process.versions.node, 10) < 24 ? 150 : 175;
/** With more than this a reader reads no other file. */
const mostHeldMegabytes = 80;
const script = join(root, 'test', 'tables', 'children', 'read.mjs');
/** How much garbage V8 holds differs by version and machine: the child is started so that its memory is that of the work. */
const heapFlags = ['--max-semi-space-size=16', '--no-parallel-scavenge', '--heap-growing-percent=40', '--expose-gc'];

interface Told {
  readonly read?: Readonly<Record<string, unknown>>;
  readonly refused?: {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly remedy: string;
  };
  /** In megabytes, as what is still held. */
  readonly peak: number;
  readonly held: number;
  readonly milliseconds: number;
}

const filesOf = (files: FaultFiles) =>
  Object.entries(files).map(([name, [bytes, expected, most = mostMegabytes]]) => ({ name, bytes, expected, most }));
type FaultFile = ReturnType<typeof filesOf>[number];

const inFolder = folderForAllTests();
const figures: string[] = [];
let reader: { readonly child: ChildProcessWithoutNullStreams; readonly lines: Interface } | null = null;
afterAll(() => {
  endReader();
  if (process.env.DEALSHEET_LONG === '1') process.stdout.write(`${figures.join('\n')}\n`);
});

function startReader() {
  const child = spawn(process.execPath, [...heapFlags, script]);
  return { child, lines: createInterface({ input: child.stdout }) };
}

function endReader(): void {
  reader?.child.kill('SIGKILL');
  reader = null;
}

/** Reads the file in a process whose memory is that of the reading. One that hangs or fails reads no other file. */
async function readApart(file: FaultFile, name: string): Promise<Told> {
  onTestFailed(endReader);
  const path = inFolder(name);
  writeFileSync(path, file.bytes());
  const isUsed = reader !== null;
  const told = await readBy(path);
  // What is left of earlier files counts as well: a process of its own tells what this one takes.
  if (!isUsed || told.peak < file.most) return noted(told, file);
  endReader();
  return noted(await readBy(path), file);
}

async function readBy(path: string): Promise<Told> {
  reader ??= startReader();
  reader.child.stdin.write(`${path}\n`);
  const [line] = (await once(reader.lines, 'line')) as [string];
  const told = JSON.parse(line) as Told;
  if (told.held > mostHeldMegabytes) endReader();
  return told;
}

function noted(told: Told, file: FaultFile): Told {
  figures.push(
    `${String(Math.round(told.milliseconds)).padStart(6)} ms ${String(told.peak).padStart(4)} MB  ${file.name}: ${told.refused?.message ?? 'read'}`,
  );
  return told;
}

async function judge(file: FaultFile, name: string): Promise<void> {
  const told = await readApart(file, name);
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
  expect(told.peak, 'megabytes').toBeLessThan(file.most);
}

describe('P26: a workbook is read exactly or refused clearly, in little memory', () => {
  it.each(filesOf(brokenArchives))('when it is an archive $name', (file) => judge(file, 'file.xlsx'));
  it.each(filesOf(bombs))('when it holds $name', (file) => judge(file, 'file.xlsx'));
  it.each(filesOf(extremeSheets))('when it has $name', (file) => judge(file, 'file.xlsx'));
  it.each(filesOf(otherFormats))('when it is $name', (file) => judge(file, 'file.xlsx'));
});

describe('a CSV file is read exactly or refused clearly, in little memory', () => {
  it.each(filesOf(csvFiles))('$name', (file) => judge(file, 'file.csv'));
});

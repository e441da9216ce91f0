#!/usr/bin/env node
/** The command `dealsheet`. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import zlib from 'node:zlib';
import { errorOf } from '../messages/text.ts';
import { exitBySignal, JsonAnswer, tellError } from './command-end.ts';

// By default V8 grows its heap to several times the live data: 100,000 rows would take 268 MB instead of 183.
setFlagsFromString('--heap-growing-percent=40');
exitBySignal();
process.exitCode = await exitCodeOfWords(process.argv.slice(2));

async function exitCodeOfWords(words: readonly string[]): Promise<number> {
  try {
    needRuntime();
  } catch (error) {
    const answer = new JsonAnswer(words);
    answer.beginCommand(words[0] ?? '');
    return tellError(error, words, answer);
  }
  const { run } = await import('./command-line.ts');
  return run(words);
}

/** Checked before anything else is loaded, because libraries need it at load time and fail without a message. */
function needRuntime(): void {
  // The newest part of Node that is used: engines in package.json only warn.
  if (zlib.crc32 === undefined) throw errorOf('node-too-old', { version: process.versions.node });
  if (orEmpty(() => process.cwd()) === '') throw errorOf('working-folder-gone');
  const HOME = orEmpty(homedir);
  const { XDG_DATA_HOME, XDG_CONFIG_HOME } = process.env;
  for (const [name, folder = ''] of Object.entries({ HOME, XDG_DATA_HOME, XDG_CONFIG_HOME })) {
    if (!isAbsolute(folder || HOME)) throw errorOf('folder-not-absolute', { name, folder });
  }
}

/** Empty when the system cannot tell. */
function orEmpty(find: () => string): string {
  try {
    return find();
  } catch {
    return '';
  }
}

#!/usr/bin/env node
/** The command `dealsheet`. */
import { setFlagsFromString } from 'node:v8';
import { limitHeapGrowth } from './heap-growth.ts';
import { dieByTheWayOut } from './interruption.ts';
import { needSurroundings } from './surroundings.ts';
import { JsonAnswer } from './talk/json-answer.ts';
import { tellError } from './told-error.ts';

dieByTheWayOut();
process.exitCode = await exitCodeOf(process.argv.slice(2));

async function exitCodeOf(words: readonly string[]): Promise<number> {
  try {
    needSurroundings();
  } catch (error) {
    const answer = new JsonAnswer(words);
    answer.ofCommand(words[0] ?? '');
    return tellError(error, { debug: words.includes('--debug'), answer, whole: (text) => text });
  }
  const { run } = await import('./command-line.ts');
  limitHeapGrowth();
  /** With fewer functions put into one, compiling takes 1.6 s of CPU and not 2.1 s in a load of 10,000 rows, which runs as fast. */
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=150');
  return run(words);
}

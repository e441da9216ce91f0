#!/usr/bin/env node
/** The command `dealsheet`. */
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
    return tellError(error, words, answer);
  }
  const { run } = await import('./command-line.ts');
  return run(words);
}

#!/usr/bin/env node
/** The command `dealsheet`. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { DealsheetError } from '../errors.ts';
import { dieByTheWayOut } from './interruption.ts';
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

/**
 * What a command needs before anything of it is loaded: libraries ask for it as they are loaded, and fail without a word.
 *
 * @throws DealsheetError `usage` when the working folder is gone, or when it is unknown where the settings and the ledger of this
 *   user stand: taken from the working folder, the ledger would be another one with every folder
 */
function needSurroundings(): void {
  if (found(() => process.cwd()) === '')
    throw new DealsheetError(
      'usage',
      'The folder that this command was started in is gone.',
      'Change into a folder that exists (cd), and run it again.',
    );
  const home = found(homedir);
  if (!isAbsolute(home))
    throw new DealsheetError(
      'usage',
      home === '' ? 'This user has no home folder.' : `The home folder of this user, ${home}, is not an absolute path.`,
      'Set HOME to a folder in which the settings and the ledger are to stand, the same one each time.',
    );
  for (const name of ['XDG_DATA_HOME', 'XDG_CONFIG_HOME']) {
    const folder = process.env[name] || home;
    if (!isAbsolute(folder))
      throw new DealsheetError(
        'usage',
        `${name} is ${folder}, which is not an absolute path.`,
        'Set it to one, or unset it.',
      );
  }
}

/** The folder, or nothing where there is none. */
function found(find: () => string): string {
  try {
    return find();
  } catch {
    return '';
  }
}

/** Finds the command that was typed, runs it, and tells with which exit code it ends. */

import { createRequire } from 'node:module';
import yargs, { type Argv } from 'yargs';
import { DealsheetError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { exampleText } from './command.ts';
import { commands, type ListedCommand } from './commands.ts';
import { grouped } from './flags/flag-groups.ts';
import { standardInputWord } from './flags/standard-input-word.ts';
import type { FlagsOfCommand } from './settings/told-flags.ts';
import { JsonAnswer } from './talk/json-answer.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { keepGoingWhereverTheyLead, lossOfResult, putOut } from './terminal/standard-streams.ts';
import { endWaiting } from './terminal/waiting-line.ts';
import { tell, tellError } from './told-error.ts';
import { refuseDashes, refuseEmpties, usageProblem } from './usage-problem.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
const examples = [
  ['dealsheet template all -o month.xlsx', 'a workbook to fill in'],
  ['dealsheet check month.xlsx', 'every problem, at its cell; nothing is sent'],
  ['dealsheet import month.xlsx --sandbox', 'rehearse the load on this computer'],
  ['dealsheet setup', 'name your service, once'],
  ['dealsheet import month.xlsx --profile live', 'load it'],
] as const;
const widestHelp = 110;

/** Runs one command line and gives its exit code. */
export async function run(typed: readonly string[]): Promise<number> {
  const words = typed.length === 0 ? ['--help'] : withoutEndOfFlags(typed);
  keepGoingWhereverTheyLead();
  let exitCode: number = exitCodes.allIn;
  if (isForVersions(words)) {
    const { engineVersion } = await import('../disk/database.ts');
    putOut(`${JSON.stringify({ version, sqlite: engineVersion(), node: process.versions.node })}\n`);
    return exitCode;
  }
  const answer = new JsonAnswer(words);
  const parser = baseParser(words);
  for (const listed of commands) {
    const loaded = isNamed(listed, words) ? await listed.load() : null;
    parser.command(
      listed.command,
      listed.describe,
      (yargs) => {
        answer.ofCommand(nameOf(listed));
        if (loaded === null) return yargs;
        const built = loaded.builder(
          yargs.usage(`${listed.describe}\n\n${exampleText(loaded.examples, columnsOfHelp())}`),
        );
        if (asksForHelp(words)) return grouped(built, flagsOf(built));
        return isCompleted(words) ? built : withoutHelp(built);
      },
      async (flags) => {
        (await import('./settings/told-flags.ts')).tellFlagsOf(flags as FlagsOfCommand);
        refuseEmpties(listed.command, flags);
        refuseDashes(nameOf(listed), flags, loaded?.takesDashAt ?? []);
        (await import('../disk/passing-files.ts')).removeLeftPassing();
        exitCode = (await loaded?.run(flags, answer)) ?? exitCode;
      },
    );
  }
  const told = async (error: unknown) => {
    endWaiting();
    return tellError(error, { debug: words.includes('--debug'), answer });
  };
  const endAtOnce = (error: unknown) => void told(error).then((code) => process.exit(code));
  process.once('uncaughtException', endAtOnce);
  try {
    await parser.parseAsync();
    endWaiting();
    const loss = await lossOfResult();
    return loss === null ? exitCode : afterLoss(loss, exitCode, answer.runUnderWay);
  } catch (error) {
    return await told(error);
  } finally {
    process.off('uncaughtException', endAtOnce);
  }
}

/** Plain `--version` is answered by yargs, with the version of the product alone. */
function isForVersions(words: readonly string[]): boolean {
  return words.length === 2 && words.includes('--version') && words.includes('--json');
}

/** Behind a lone `--` nothing is a flag. Yargs finds no file there: without it, a name with a dash in front is told by its folder. */
function withoutEndOfFlags(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  if (end < 0) return words;
  const names = words.slice(end + 1).map((word) => (/^-./.test(word) ? `./${word}` : word));
  return [...words.slice(0, end), ...names];
}

/** The rows of a load are where they are, whether its result could be put out or not: its exit code stands. */
function afterLoss(loss: NodeJS.ErrnoException, exitCode: number, run: string | null): number {
  const message = `What this command gives could not be written to standard output (${loss.code ?? loss.message}).`;
  if (run === null && exitCode === exitCodes.allIn) {
    throw new DealsheetError('output-failed', message, 'Send it to a place with room, and run the command again.');
  }
  tell(
    run === null
      ? message
      : `${message}\nThe exit code and the results stand. The counts again: ${commandText('runs', run, '--json')}`,
  );
  return exitCode;
}

/** Before yargs has read the line, a word that is a command's name may also be a value: then the command is loaded in vain. */
function isNamed(listed: ListedCommand, words: readonly string[]): boolean {
  return words.includes(nameOf(listed));
}

/** The first word that is a command's name: a file behind it may have the name of another. */
function commandTyped(words: readonly string[]): ListedCommand | null {
  const name = words.find((word) => commands.some((listed) => nameOf(listed) === word));
  return commands.find((listed) => nameOf(listed) === name) ?? null;
}

function nameOf({ command }: ListedCommand): string {
  return command.split(' ')[0] ?? '';
}

function baseParser(words: readonly string[]): Argv {
  const parser = yargs(words.map((word) => (word === '-' ? standardInputWord : word)))
    .scriptName('dealsheet')
    .usage(
      `Loads spreadsheets into a business-financing service and brings spreadsheets back.\n\n${exampleText(examples, columnsOfHelp())}`,
    )
    .option('debug', {
      type: 'boolean',
      default: false,
      describe: 'Show where in the code an error came from',
      global: true,
    })
    .version(version)
    .locale('en')
    .alias('h', 'help')
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': false })
    .demandCommand(1, 1, 'Say what to do: dealsheet COMMAND.')
    .recommendCommands()
    .wrap(asksForHelp(words) ? columnsOfHelp() : null)
    .exitProcess(false);
  return parser.fail((message, error: Error | undefined) => {
    const isAboutFlags = error === undefined || error.name === 'YError';
    const command = commandTyped(words)?.command ?? null;
    throw isAboutFlags ? usageProblem(message ?? error?.message ?? '', command, words, flagsOf(parser)) : error;
  });
}

function columnsOfHelp(): number {
  return Math.min(widestHelp, process.stdout.columns ?? widestHelp);
}

/** `-h` may stand among other letters, as in `-yh`. */
function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => /^(?:--h|-[^-]*h)/.test(word));
}

/** A shell that completes a line asks for the flags, and a hidden one is not told. */
function isCompleted(words: readonly string[]): boolean {
  return words.includes('--get-yargs-completions');
}

/** Yargs lays out the help behind every command. Nobody sees it then, and its lines take a twentieth of a small load. */
function withoutHelp(yargs: Argv): Argv {
  for (const flag of flagsOf(yargs)) yargs.hide(flag);
  return yargs;
}

function flagsOf(yargs: Argv): readonly string[] {
  const { key } = (yargs as Argv & { getOptions(): { readonly key: Readonly<Record<string, unknown>> } }).getOptions();
  return Object.keys(key);
}

/** All commands: finds the one that was typed, runs it, and returns its exit code. */
import { createRequire } from 'node:module';
import yargs, { type Argv } from 'yargs';
import { commandText } from '../messages/commands.ts';
import { errorOf } from '../messages/text.ts';
import type { Flags } from '../settings/flags.ts';
import { type Command, flagsOf, optionsOf, standardInputWord } from './command.ts';
import { exitCodes, JsonAnswer, tellError } from './command-end.ts';
import { clearProgress, ignoreStreamErrors, lossOfResult, openTerminal, tell } from './terminal.ts';

/** In the order of the help. A command's file is loaded only when the command is typed. */
export const commands = {
  import: async () => (await import('./commands/import.ts')).importCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  template: async () => (await import('./commands/template.ts')).templateCommand,
  map: async () => (await import('./commands/map.ts')).mapCommand,
  probe: async () => (await import('./commands/probe.ts')).probeCommand,
  watch: async () => (await import('./commands/watch.ts')).watchCommand,
  resume: async () => (await import('./commands/resume.ts')).resumeCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  resolve: async () => (await import('./commands/resolve.ts')).resolveCommand,
  results: async () => (await import('./commands/results.ts')).resultsCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  setup: async () => (await import('./commands/setup.ts')).setupCommand,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  open: async () => (await import('./commands/open.ts')).openCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
} satisfies Readonly<Record<string, () => Promise<Command>>>;

/** The syntax and description of each command in the list of commands. */
const listed: Readonly<Record<keyof typeof commands, readonly [command: string, describe: string]>> = {
  import: ['import <file>', 'Load a file into the service and write what became of every row'],
  check: ['check <file>', 'Check a file: the same checks as import, and nothing is sent'],
  template: ['template <kind..>', 'Make a blank template to fill in'],
  map: ['map <file>', "Draft a mapping: how to read somebody else's file"],
  probe: ['probe <file> [id]', 'Send one row, or read one record, and see what the answer means'],
  watch: ['watch <folder>', 'Load each file that arrives in a folder, by its remembered mapping'],
  resume: ['resume [run]', 'Continue a run that was stopped'],
  runs: ['runs [run]', 'List runs; show one, with its rows in doubt'],
  resolve: ['resolve <run>', 'Settle rows in doubt: they were created, or they were not'],
  results: ['results <run>', 'Write the results of a run again'],
  export: ['export <what>', 'Bring balances, deals or companies back as a workbook'],
  setup: ['setup', 'Name your service once: its address and its token are stored for you'],
  health: ['health', 'Check that the service answers and accepts the token'],
  config: ['config', 'Show which settings are in force, and where each comes from'],
  ledger: ['ledger <action> [file]', 'Back up the ledger, accept one with missing entries, or share one with a team'],
  open: ['open [file]', 'Open the page: check, correct and load a file in your browser'],
  sandbox: ['sandbox', 'Run the sandbox: a small, complete copy of the service, with pages to look at'],
  completion: ['completion [shell]', 'Print the script that lets your shell complete commands and flags'],
};

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
const examples = [
  ['dealsheet template all -o month.xlsx', 'a workbook to fill in'],
  ['dealsheet check month.xlsx', 'every problem, at its cell; nothing is sent'],
  ['dealsheet import month.xlsx --sandbox', 'rehearse the load on this computer'],
  ['dealsheet setup', 'name your service, once'],
  ['dealsheet import month.xlsx --profile live', 'load it'],
] as const;
const widestHelp = 110;

const always = (text: string) => ({ one: text, other: text });
/** Replaces yargs' texts. yargs takes singular and plural, unlike its types; %c prints nothing. */
const plainStrings = {
  string: 'text',
  array: 'may be repeated',
  boolean: 'switch',
  'Not enough non-option arguments: got %s, need at least %s': always('Something is missing after the command.%c%c'),
  'Positionals:': 'Arguments:',
  'Unknown argument: %s': always('This command does not take: %s'),
  'Invalid values:': 'A flag has a value that this command does not take:',
  'Argument: %s, Given: %s, Choices: %s': '%s is %s, and may be one of %s',
  'Not enough arguments following: %s': 'A value is missing after: %s',
  'Implications failed:': 'A flag needs another flag with it:',
  'Arguments %s and %s are mutually exclusive': 'Give only one of these: %s, %s',
} as unknown as Record<string, string>;

export async function run(typed: readonly string[]): Promise<number> {
  const words = typed.length === 0 ? ['--help'] : typed;
  ignoreStreamErrors();
  const answer = new JsonAnswer(words);
  const endAtOnce = (error: unknown) => process.exit(tellError(error, words, answer));
  process.once('uncaughtException', endAtOnce);
  try {
    const exitCode = await parsed(words, answer);
    clearProgress();
    const loss = await lossOfResult();
    return loss === null ? exitCode : afterLoss(loss, exitCode, answer.runUnderWay);
  } catch (error) {
    return tellError(error, words, answer);
  } finally {
    process.off('uncaughtException', endAtOnce);
  }
}

function exampleText(examples: Command['examples']): string {
  return ['Examples:', ...examples.map(([line, what]) => `# ${what}\n${line}`)].join('\n');
}

async function parsed(words: readonly string[], answer: JsonAnswer): Promise<number> {
  let exitCode: number = exitCodes.allIn;
  const parser = baseParser(words);
  const all = Object.entries(commands) as [keyof typeof commands, () => Promise<Command>][];
  // A word that is a command's name may be a value. Loading that command is then harmless.
  const named = all.filter(([name]) => words.includes(name));
  const use = asksForHelp(words) ? 'help' : words.includes('--get-yargs-completions') ? 'completion' : 'run';
  for (const [name] of named.length > 0 ? [] : all) parser.command(...listed[name]);
  for (const [name, load] of named) {
    const loaded: Command = await load();
    const [command, describe] = listed[name];
    const { examples, positionals = {}, takesDashAt = [] } = loaded;
    const options = optionsOf(loaded, use);
    parser.command(
      command,
      describe,
      (yargs) => {
        answer.beginCommand(name);
        for (const [name, what] of Object.entries(positionals)) yargs.positional(name, what);
        yargs.usage(`${describe}\n\n${exampleText(examples)}`).options(options);
        return yargs.group(['debug', 'version', 'help'], 'Output:');
      },
      async (given) => {
        const flags = flagsOf(given, options) as Flags;
        const { passFlagsOn } = await import('../settings/ledger-choice.ts');
        passFlagsOn(flags);
        refuseNoNames(name, given, takesDashAt);
        (await import('../disk/tracked-files.ts')).removeOrphans();
        const ended = await loaded.run(flags, openTerminal({ quiet: flags.quiet === true }), answer);
        exitCode = ended ?? exitCodes.allIn;
      },
    );
  }
  await parser.parseAsync();
  return exitCode;
}

/** Removes a lone `--`, because yargs finds no file behind it. A later name with a leading dash gets its folder in front. */
function namedPlainly(words: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.flatMap((word, at) => {
    if (word === '-') return [standardInputWord];
    if (at === end) return [];
    return [at > end && word.startsWith('-') ? `./${word}` : word];
  });
}

function baseParser(words: readonly string[]): Argv {
  return yargs(namedPlainly(words))
    .scriptName('dealsheet')
    .usage(
      `Loads spreadsheets into a business-financing service and brings spreadsheets back.\n\n${exampleText(examples)}`,
    )
    .option('debug', {
      type: 'boolean',
      describe: 'Show where in the code an error came from',
      global: true,
    })
    .version(version)
    .locale('en')
    .updateStrings(plainStrings)
    .alias('h', 'help')
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': true, 'greedy-arrays': false, 'camel-case-expansion': false })
    .demandCommand(1, 1, 'Name a command: dealsheet COMMAND.')
    .wrap(asksForHelp(words) ? Math.min(widestHelp, process.stdout.columns ?? widestHelp) : null)
    .exitProcess(false)
    .fail((message, error: Error | undefined) => {
      if (error !== undefined && error.name !== 'YError') throw error;
      const used = words.find((word): word is keyof typeof listed => Object.hasOwn(listed, word));
      const said = message ?? error?.message ?? '';
      if (used !== undefined) throw errorOf('command-line', { said, usage: listed[used][0], command: used });
      const command = words.slice(0, 1).find((word) => !word.startsWith('-'));
      throw command === undefined ? errorOf('no-command', { said }) : errorOf('unknown-command', { command });
    });
}

/** `-h` may be combined with other letters, as in `-yh`. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.slice(0, end).some((word) => /^(?:--h|-[^-]*h)/.test(word));
}

/**
 * Refuses an empty text, which an unset shell variable leaves, and a `-` where the command uses no standard input or output. Either
 * would name a file that the user did not type.
 */
function refuseNoNames(command: string, flags: object, takesDashAt: readonly string[]): void {
  for (const [name, value] of Object.entries(flags)) {
    if (!/^[a-z][a-z-]+$/.test(name)) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.includes('')) throw errorOf('empty-text', { command, name });
    if (values.includes(standardInputWord) && !takesDashAt.includes(name))
      throw errorOf('dash-as-name', { command, name });
  }
}

/** The load is over whether or not its result can be printed, so its exit code stays. */
function afterLoss(loss: NodeJS.ErrnoException, exitCode: number, run: string | null): number {
  const unwritten = errorOf('output-unwritten', { why: loss.code ?? loss.message });
  if (run === null && exitCode === exitCodes.allIn) throw unwritten;
  const counts = `The exit code and the results are still right. See the counts with: ${commandText('runs', run ?? '', '--json')}`;
  tell(run === null ? unwritten.message : `${unwritten.message}\n${counts}`);
  return exitCode;
}

/** The commands in the order of the help. The file of a command is loaded when it is typed: the list alone needs none. */
import type { Command } from './command.ts';

export interface ListedCommand {
  /** The words of the command line, such as `check <file>`. */
  readonly command: string;
  /** One line in the list of commands, and the first of the command's own help. */
  readonly describe: string;
  readonly load: () => Promise<Command>;
}

export const commands: readonly ListedCommand[] = [
  {
    command: 'import <file>',
    describe: 'Load a file into the service and write what became of every row',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    command: 'check <file>',
    describe: 'Check a file: the same checks as import, and nothing is sent',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  {
    command: 'template <kind..>',
    describe: 'Make a blank template to fill in',
    load: async () => (await import('./commands/template.ts')).templateCommand,
  },
  {
    command: 'map <file>',
    describe: "Draft a mapping: how to read somebody else's file",
    load: async () => (await import('./commands/map.ts')).mapCommand,
  },
  {
    command: 'probe <file> [id]',
    describe: 'Send one row, or read one record, and see what the answer means',
    load: async () => (await import('./commands/probe.ts')).probeCommand,
  },
  {
    command: 'resume [run]',
    describe: 'Continue a run that was stopped',
    load: async () => (await import('./commands/resume.ts')).resumeCommand,
  },
  {
    command: 'runs [run]',
    describe: 'List runs; show one, with its rows in doubt',
    load: async () => (await import('./commands/runs.ts')).runsCommand,
  },
  {
    command: 'resolve <run>',
    describe: 'Settle rows in doubt: they were created, or they were not',
    load: async () => (await import('./commands/resolve.ts')).resolveCommand,
  },
  {
    command: 'results <run>',
    describe: 'Write the results of a run again',
    load: async () => (await import('./commands/results.ts')).resultsCommand,
  },
  {
    command: 'export <what>',
    describe: 'Bring balances, deals or companies back as a workbook',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    command: 'setup',
    describe: 'Name your service once: its address and its token are stored for you',
    load: async () => (await import('./commands/setup.ts')).setupCommand,
  },
  {
    command: 'health',
    describe: 'Ask whether the service is there and takes the token',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  {
    command: 'config',
    describe: 'Show which settings are in force, and where each comes from',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  {
    command: 'ledger <action> [folder]',
    describe: 'Back up the ledger while it is in use, or accept one that lacks entries',
    load: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  },
  {
    command: 'sandbox',
    describe: 'Run the sandbox: a small, complete copy of the service, with pages to look at',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  {
    command: 'completion [shell]',
    describe: 'Print what makes a shell complete commands and flags',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];

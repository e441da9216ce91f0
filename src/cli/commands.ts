/** The commands in the order of the help. The file of a command is loaded when it is typed. */
import type { Command } from './command.ts';

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
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
};

/** The command line run within this process: a tenth of the time that a process of its own takes to start. */
import { vi } from 'vitest';
import { type Ended, environmentOf, type Workplace } from './workplace.ts';

/** Runs `dealsheet` with these words, with the settings and records of a workplace alone. */
export type CommandHere = (words: readonly string[]) => Promise<Ended>;

export async function commandHere(home: Workplace, further: Record<string, string>): Promise<CommandHere> {
  for (const [name, value] of Object.entries(environmentOf(home.folder, further))) vi.stubEnv(name, value);
  // Which folders are the user's is settled when it is loaded.
  vi.resetModules();
  const { run } = await import('../../src/cli/command-line.ts');
  return async (words) => {
    const said = { stdout: '', stderr: '' };
    const [stdout, stderr] = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        said[stream] += String(text);
        return true;
      }),
    );
    try {
      return { exitCode: await run(words), ...said };
    } finally {
      stdout?.mockRestore();
      stderr?.mockRestore();
    }
  };
}

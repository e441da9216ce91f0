/** The command line run within this process: a tenth of the time that a process of its own takes to start. */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { forEachTest } from './for-each-test.ts';
import { built, type Ended, environmentOf, newWorkplace, type Workplace } from './workplace.ts';

/** As it is built. */
const commandLine = pathToFileURL(join(built, 'cli', 'command-line.js')).href;
/** What Node, and a library as it is loaded, read in the environment; or what ends the process. */
const readAtStart = /^(NODE_\w+|TZ|HOME|XDG_\w+|DEALSHEET_STOP_AT)$/;
/** One for all tests of a process, since which folders are the user's is settled once; each test finds it empty. */
const folder = join(tmpdir(), `dealsheet-test-${process.pid}`);

const apart = newWorkplace(folder);
const here: Workplace = {
  ...apart,
  run: (words, options = {}) => {
    const { env = {}, cwd = folder, input } = options;
    const isOwn = Object.keys(env).some((name) => readAtStart.test(name));
    if (input !== undefined || isOwn || words.includes('-')) return apart.run(words, options);
    return within(environmentOf(folder, env), cwd, async () => {
      const { run } = (await import(commandLine)) as { run: (words: readonly string[]) => Promise<number> };
      const { exitCode, stdout, stderr } = await heard(() => run(words));
      return { exitCode, stdout: stdout.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, '') };
    });
  },
};

/**
 * A workplace for tests of what loads make of each other, and not of how a command starts and ends. Its commands run in this
 * process, one after another: between them they share nothing but their files, as those of a person do. A process of its own
 * has one that is given input or what is read as it starts, one that is to die, and one that writes to standard output.
 */
export function workplaceHere(): Workplace {
  here.remove();
  mkdirSync(folder);
  return here;
}

/** The same for each test of a file or of a `describe`. To be called at its top. */
export function workplaceForEachTest(): Workplace {
  return forEachTest(workplaceHere, (place) => place.remove());
}

/** One whose commands are processes of their own. */
export function ownWorkplaceForEachTest(): Workplace {
  return forEachTest(newWorkplace, (place) => place.remove());
}

/** Does the work in another folder and with another environment than that of the tests. */
async function within<Result>(
  environment: Record<string, string>,
  cwd: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const [before, cwdBefore] = [process.env, process.cwd()];
  process.env = environment;
  process.chdir(cwd);
  try {
    return await work();
  } finally {
    process.chdir(cwdBefore);
    process.env = before;
  }
}

/** Of the longest wait before a request is sent again, which is a share of it by chance. */
const shareOfWait = 0.01;

/** What a command says, in place of its being said among the words of the tests. It hardly waits before it asks again. */
async function heard(command: () => Promise<number>): Promise<Ended> {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(shareOfWait);
  const said = { stdout: '', stderr: '' };
  const [stdout, stderr] = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, ...further: readonly unknown[]) => {
      said[stream] += String(text);
      const written = further.at(-1);
      if (typeof written === 'function') process.nextTick(written as () => void);
      return true;
    }),
  );
  const help = vi.spyOn(console, 'log').mockImplementation((text) => process.stdout.write(`${text}\n`));
  try {
    return { exitCode: await command(), ...said };
  } finally {
    chance.mockRestore();
    help.mockRestore();
    stdout?.mockRestore();
    stderr?.mockRestore();
  }
}

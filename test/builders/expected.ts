/** What most tests expect of a command, said where it is run; the message tells what the command said instead. */
import { expect } from 'vitest';
import type { Ended } from './workplace.ts';

type Counts = Readonly<Record<string, number>>;

/** @param says  what it says on standard error, each a part of that or a pattern */
export async function expectExit<Result extends Ended>(
  command: Promise<Result>,
  exitCode: number,
  ...says: readonly (string | RegExp)[]
): Promise<Result> {
  const ended = await command;
  expect(ended.exitCode, ended.stderr).toBe(exitCode);
  for (const say of says) expect(ended.stderr).toMatch(say);
  return ended;
}

/** Of its rows, as it printed them. */
export async function expectCounts<Result extends Ended & { readonly printed: { readonly counts: Counts } | null }>(
  command: Promise<Result>,
  counts: Counts,
): Promise<Result> {
  const ended = await command;
  expect(ended.printed?.counts, ended.stderr).toMatchObject(counts);
  return ended;
}

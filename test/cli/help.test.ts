/** The help: shown where nothing is said, and each flag in the group that a person looks into. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/command-line.ts';
import { newWorkplace, root } from '../builders/workplace.ts';

it('comes where nothing is said', async () => {
  const place = newWorkplace();
  try {
    const { stdout, exitCode } = await place.run([]);
    expect(exitCode).toBe(0);
    for (const name of Object.keys(commands)) expect(stdout).toContain(`dealsheet ${name}`);
  } finally {
    await place.remove();
  }
});

it('has every flag of every command in a group', () => {
  expect(readFileSync(join(root, 'docs', 'cli.md'), 'utf8')).not.toContain('Options:');
});

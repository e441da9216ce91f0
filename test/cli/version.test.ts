import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newWorkplace, root } from '../builders/workplace.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

describe('the version', () => {
  it('is that of the product, and as JSON those of SQLite and Node as well', async () => {
    const place = newWorkplace();
    expect((await place.run(['--version'])).stdout.trim()).toBe(version);
    const { exitCode, stdout } = await place.run(['--version', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      version,
      sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
      node: process.versions.node,
    });
    place.remove();
  });
});

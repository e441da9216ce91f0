import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../builders/workplace.ts';

describe('a command that was installed from the checkout', () => {
  it.skipIf(process.platform === 'win32')('may be run after each build', () => {
    expect(statSync(join(root, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);
  });
});

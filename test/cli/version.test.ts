import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newWorkplace, root } from '../builders/workplace.ts';

it('the version is that of the product', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const place = newWorkplace();
  expect((await place.run(['--version'])).stdout.trim()).toBe(version);
  place.remove();
});

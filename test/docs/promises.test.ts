import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../builders/workplace.ts';

const promises = Array.from({ length: 30 }, (_, index) => index + 1);

it('each promise has a test that carries its number', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'test', name), 'utf8'));
  const numbers = new Set(
    tests.flatMap((text) => [...text.matchAll(/['"`]P(\d+): /g)].map(([, number]) => Number(number))),
  );
  expect(promises.filter((number) => !numbers.has(number))).toEqual([]);
});

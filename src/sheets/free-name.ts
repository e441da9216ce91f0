/** Names beside a name that is taken. */
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** `X.results.xlsx` to `X.results-2.xlsx`, and on to the first number that is free. */
export function nextFreeName(path: string): string {
  const ending = extname(path);
  const stem = path.slice(dirname(path) === '.' ? 0 : dirname(path).length + 1, path.length - ending.length);
  for (let number = 2; ; number += 1) {
    const candidate = join(dirname(path), `${stem}-${number}${ending}`);
    if (!existsSync(candidate)) return candidate;
  }
}

/** Names beside a name that is taken. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** `X.results.xlsx` to `X.results-2.xlsx`, and on to the first number that is free; `X.results-2.xlsx` to `X.results-3.xlsx`. */
export function nextFreeName(path: string): string {
  const ending = extname(path);
  const name = basename(path, ending);
  const [, stem = name, counted = '1'] = /^(.*\.results)-(\d+)$/.exec(name) ?? [];
  for (let number = Number(counted) + 1; ; number += 1) {
    const candidate = join(dirname(path), `${stem}-${number}${ending}`);
    if (!existsSync(candidate)) return candidate;
  }
}

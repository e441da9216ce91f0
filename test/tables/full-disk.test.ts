import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { mayMount } from '../builders/tools.ts';
import { root } from '../builders/workplace.ts';

const script = join(root, 'test', 'tables', 'children', 'fill.mjs');

const inFolder = folderForEachTest();

function fill(
  size: string,
  ending: string,
  rows: number,
): { said: string; files: readonly (readonly [string, number])[] } {
  const disk = inFolder('disk');
  mkdirSync(disk);
  const mounted = 'mount -t tmpfs -o size="$1" tmpfs "$2" && exec "$3" "$4" "$2" "$5" "$6"';
  const words = ['-m', 'sh', '-c', mounted, 'sh', size, disk, process.execPath, script, ending, String(rows)];
  return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8' })) as ReturnType<typeof fill>;
}

describe.skipIf(!mayMount())('A table on a disk that runs full', () => {
  /** The last piece of the file is the one that has room for a part of itself: the system writes that part and reports no error. */
  it.each([
    ['csv', 5000],
    ['xlsx', 5000],
  ])('is never left cut off as if it were whole (%s)', (ending, rows) => {
    const whole = fill('10m', ending, rows);
    expect(whole.said).toBe('written');
    const length = whole.files[0]?.[1] ?? 0;
    expect(length).toBeGreaterThan(65_536);
    rmSync(inFolder('disk'), { recursive: true });
    const cut = fill(`${Math.floor(length / 4096) * 4}k`, ending, rows);
    expect(cut).toEqual({ said: 'ENOSPC', files: [] });
  });
});

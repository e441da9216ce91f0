import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { mayMount, mayTrace, tracing } from '../builders/tools.ts';
import { scriptPath } from './child.ts';
import { placeForEachTest } from './place.ts';

const place = placeForEachTest();
let folder: string;

beforeEach(() => {
  folder = join(place.folder, 'disk');
  mkdirSync(folder);
});

/** Fills a ledger on a disk of its own of this size, which goes away with it. */
function fill(size: string, rows: number): Record<string, unknown> {
  const script = 'mount -t tmpfs -o size="$1" tmpfs "$2" && exec "$3" "$4" "$2" "$5"';
  const words = ['-m', 'sh', '-c', script, 'sh', size, folder, process.execPath, scriptPath('fill'), `${rows}`];
  return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8' })) as Record<string, unknown>;
}

/** Fills a ledger while the system does to its calls what is injected, where they are about a file: about that file alone. */
function fillTraced(inject: string, file: string | null) {
  const about = file === null ? [] : ['-P', join(folder, file)];
  const trace = [...about, '-e', `trace=${inject.split(':')[0]}`, '-e', `inject=${inject}`];
  const words = [...tracing, '-qq', '-o', '/dev/null', ...trace, process.execPath, scriptPath('fill'), folder, '2000'];
  return spawnSync('strace', words, { encoding: 'utf8' });
}

describe.skipIf(!mayMount())('A disk that runs full', () => {
  it.each([
    ['700k', 300],
    ['2m', 2000],
  ])(
    'of %s stops the load with a remedy: what was reported as written is there, and its run is seen as stopped',
    (size, rows) => {
      const told = fill(size, rows);
      expect(told).toMatchObject({ code: 'ledger-failed', lost: 0, sameReason: true, seen: 'stopped' });
      expect(told.durable).toBeGreaterThan(0);
      expect(told.failed).toBeGreaterThan(0);
      expect(told.message).toContain('disk is full');
      expect(told.remedy).toContain('Make room on its disk');
    },
  );
});

describe.skipIf(!mayTrace())('A disk that reports an error', () => {
  it.each([
    ['when it is told to keep a commit', 'fsync:error=EIO:when=40', null],
    // What fails to come from the log into the ledger itself is done again later, and harms nothing.
    ['when the log is written', 'pwrite64:error=EIO:when=400', 'ledger.db-wal'],
  ])(
    '%s stops the load with a remedy: what was reported as written is there, what was not is not in doubt',
    (_when, fault, file) => {
      const { stdout, stderr } = fillTraced(fault, file);
      const told = JSON.parse(stdout || JSON.stringify({ stderr })) as Record<string, unknown>;
      expect(told).toMatchObject({ code: 'ledger-failed', lost: 0, doubtedUnsent: 0, sameReason: true });
      expect(told.durable).toBeGreaterThan(0);
      expect(told.message).toContain('disk I/O error');
      expect(told.remedy).toContain('check the disk');
    },
  );
});

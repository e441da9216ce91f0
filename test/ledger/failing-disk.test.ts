import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayTrace } from '../builders/tools.ts';
import { scriptPath } from './child.ts';
import { newPlace, type Place } from './place.ts';

let place: Place;

beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

describe.skipIf(!mayTrace())('A disk that reports an error', () => {
  it.each([
    ['when it is told to keep a commit', 'fsync:error=EIO:when=40'],
    ['when the log is written', 'pwrite64:error=EIO:when=400'],
  ])(
    '%s stops the load with a remedy: what was reported as written is there, what was not is not in doubt',
    (_when, fault) => {
      const folder = join(place.folder, 'disk');
      mkdirSync(folder);
      const [call] = fault.split(':');
      const words = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${fault}`];
      const { stdout, stderr } = spawnSync('strace', [...words, process.execPath, scriptPath('fill'), folder], {
        encoding: 'utf8',
      });
      const told = JSON.parse(stdout || JSON.stringify({ stderr })) as Record<string, unknown>;
      expect(told).toMatchObject({ code: 'ledger-failed', lost: 0, doubtedUnsent: 0, sameReason: true });
      expect(told.durable).toBeGreaterThan(0);
      expect(told.message).toContain('its disk reported an error');
      expect(told.remedy).toContain('Check the disk');
    },
  );
});

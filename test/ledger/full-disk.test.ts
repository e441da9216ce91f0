import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayMount } from '../builders/tools.ts';
import { scriptPath } from './child.ts';
import { newPlace, type Place } from './place.ts';

let place: Place;

beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

/** Runs the child on a disk of its own of this size, which goes away with it. */
function fill(size: string): Record<string, unknown> {
  const folder = join(place.folder, 'disk');
  mkdirSync(folder, { recursive: true });
  const script = 'mount -t tmpfs -o size="$1" tmpfs "$2" && exec "$3" "$4" "$2"';
  const words = ['-m', 'sh', '-c', script, 'sh', size, folder, process.execPath, scriptPath('fill')];
  return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8' })) as Record<string, unknown>;
}

describe.skipIf(!mayMount())('A disk that runs full', () => {
  it.each(['700k', '2m'])('of %s stops the load with a remedy, and what was reported as written is there', (size) => {
    const told = fill(size);
    expect(told).toMatchObject({ code: 'ledger-failed', lost: 0, sameReason: true });
    expect(told.durable).toBeGreaterThan(0);
    expect(told.failed).toBeGreaterThan(0);
    expect(told.message).toContain('its disk is full');
    expect(told.remedy).toContain('Make room on the disk');
  });

  it('leaves a run that is seen as stopped, though no room is left to write that down', () => {
    expect(fill('700k')).toMatchObject({ code: 'ledger-failed', seen: 'stopped' });
    expect(fill('2m')).toMatchObject({ code: 'ledger-failed', seen: 'stopped' });
  });
});

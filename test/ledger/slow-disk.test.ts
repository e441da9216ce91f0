import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayTrace } from '../builders/tools.ts';
import { scriptPath } from './child.ts';
import { newPlace, type Place } from './place.ts';

const delayMicroseconds = 300_000;
/** An event loop that waits for the disk takes two or three, one that does not takes thousands. */
const turnsOfWaiting = 20;

let place: Place;

beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

describe.skipIf(!mayTrace())('A disk that takes long to keep a commit', () => {
  it('keeps nothing else from going on', () => {
    const slow = ['-e', 'trace=fsync', '-e', `inject=fsync:delay_enter=${delayMicroseconds}`];
    const words = ['-f', '-qq', '-o', '/dev/null', ...slow, process.execPath, scriptPath('turns'), place.path];
    const { stdout, stderr } = spawnSync('strace', words, { encoding: 'utf8' });
    expect(Number(stdout), stderr).toBeGreaterThan(turnsOfWaiting);
  });
});

import { expect, it } from 'vitest';
import { exitCodeOfRun, failureOf } from '../../../src/cli/command-end.ts';
import { type Counts, emptyCounts } from '../../../src/contract/row-state.ts';
import { errorOf } from '../../../src/messages/text.ts';
import type { StopReason } from '../../../src/service/outcome.ts';

const text = { code: 'stopped', params: {} };
const stopped = (code: StopReason['code']): StopReason => ({ code, message: text, remedy: text });
type RunEnding = Parameters<typeof exitCodeOfRun>[0];

const ending = (counts: Partial<Counts>, further: Partial<Omit<RunEnding, 'counts'>> = {}): RunEnding => ({
  counts: { ...emptyCounts(), ...counts },
  ...{ stopReason: null, interrupted: false, heldBack: false, unwritten: null },
  ...further,
});

it.each([
  ['every row is in', ending({ rows: 3, created: 1, updated: 1, alreadyLoaded: 1 }), 0],
  ['rows are unchanged or left out', ending({ rows: 2, unchanged: 1, leftOut: 1 }), 0],
  ['a row changed since it was loaded', ending({ rows: 2, created: 1, changedSinceLoaded: 1 }), 1],
  ['rows are ready for another load', ending({ rows: 2, created: 1, ready: 1 }), 1],
  ['its results were not written', ending({ rows: 1, created: 1 }, { unwritten: errorOf('load-declined') }), 1],
  ['a row was rejected', ending({ rows: 2, created: 1, rejected: 1 }), 1],
  ['rows failed the checks and nothing was sent', ending({ rows: 1, invalid: 1 }, { heldBack: true }), 3],
  ['a doubt beside that', ending({ rows: 2, invalid: 1, inDoubt: 1 }, { heldBack: true }), 6],
  ['a stop beside a doubt', ending({ inDoubt: 1, notSent: 1 }, { stopReason: stopped('service-unusable') }), 5],
  ['a doubt that stopped its last row', ending({ inDoubt: 1 }, { stopReason: stopped('service-unusable') }), 6],
  ['a refused token', ending({ rows: 2, inDoubt: 1 }, { stopReason: stopped('token-refused') }), 4],
  [
    'an interruption before all else',
    ending({ rows: 2, inDoubt: 1 }, { interrupted: true, stopReason: stopped('token-refused') }),
    130,
  ],
])('P17: the exit code of a load with %s', (_what, end, code) => {
  expect(exitCodeOfRun(end)).toBe(code);
});

const ofDisk = (code: string, further = {}) => Object.assign(new Error(code), { code, ...further });

it.each([
  [
    'a folder that cannot be written',
    ofDisk('EACCES', { path: '/a' }),
    null,
    2,
    '/a cannot be used: you may not write',
  ],
  ['a disk that fills up in a write', ofDisk('ENOSPC'), null, 2, 'A file cannot be used: the disk is full.'],
  ['a full disk of a database', ofDisk('ERR_SQLITE_ERROR', { errcode: 13 }), null, 2, 'the disk is full'],
  ['the same once rows may be in', ofDisk('ENOSPC'), '2026-11-20-01', 5, 'What was sent is in the ledger'],
  ['a fault of ours', new TypeError('x is not a function'), null, 5, 'went wrong inside dealsheet'],
])('P17: the failure of a command by %s', (_what, error, run, exitCode, message) => {
  expect(failureOf(error, run)).toMatchObject({ exitCode, message: expect.stringContaining(message) });
});

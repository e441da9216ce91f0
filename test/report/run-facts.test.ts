import { afterEach, describe, expect, it } from 'vitest';
import { setFlagsOfCommands } from '../../src/messages/commands.ts';
import { runFacts } from '../../src/report/report.ts';
import { aRun } from '../builders/runs.ts';

afterEach(() => setFlagsOfCommands(() => []));

describe('the Summary of a load', () => {
  it('says of one that was stopped how it goes on, with its ledger', () => {
    setFlagsOfCommands(() => [{ flag: '--ledger', path: 'own.db' }]);
    expect(runFacts({ ...aRun, state: 'stopped' })).toContainEqual([
      'Stopped',
      'before its end. Continue with: dealsheet resume 2026-11-20-01-kqtm --ledger own.db',
    ]);
  });

  it('says of one into the sandbox that it was a rehearsal', () => {
    expect(runFacts({ ...aRun, service: 'sandbox:/month/sandbox.db' }).map(([name]) => name)).toContain('Rehearsal');
  });

  it('says nothing of the kind where the load came to its end', () => {
    expect(runFacts(aRun).map(([name]) => name)).toEqual(['Run', 'Service', 'File', 'Began', 'Ended']);
  });
});

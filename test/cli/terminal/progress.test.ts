import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadProgress } from '../../../src/cli/load-dialog.ts';
import { clearProgress, plainLineIntervalMs, showProgress } from '../../../src/cli/terminal.ts';

describe('how far a load is, off a terminal', () => {
  const said: string[] = [];

  beforeEach(() => {
    said.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  function saidAfter(rows: number, lines: number): string | undefined {
    const progress = loadProgress({ progress: showProgress });
    progress.begin(300);
    for (let row = 0; row < rows; row += 1) progress.row(row === 0 ? 'rejected' : 'created');
    vi.advanceTimersByTime(lines * plainLineIntervalMs);
    clearProgress();
    vi.advanceTimersByTime(plainLineIntervalMs);
    expect(said).toHaveLength(lines);
    return said.at(-1)?.trimEnd();
  }

  it('is told as rows a second, with the time that is left and what became of them', () => {
    expect(saidAfter(100, 1)).toBe('100 of 300 rows, 20 a second, 10 s left: 1 rejected, 99 created');
  });

  it('is told as rows a minute where a second is too short for one', () => {
    expect(saidAfter(2, 4)).toBe('2 of 300 rows, 6 a minute, 49 min 40 s left: 1 rejected, 1 created');
  });

  it('is the number of rows alone before the first is answered', () => {
    expect(saidAfter(0, 2)).toBe('0 of 300 rows');
  });
});

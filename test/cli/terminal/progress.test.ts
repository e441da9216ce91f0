import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadProgress, plainLineIntervalMs } from '../../../src/cli/terminal/progress.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

describe('how far a load is, off a terminal', () => {
  const said: string[] = [];
  const terminal = { say: (text: string) => said.push(text), wait: () => {} } as Partial<Terminal> as Terminal;

  beforeEach(() => {
    said.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function saidAfter(rows: number, lines: number): string | undefined {
    const progress = loadProgress(terminal);
    progress.begin(300);
    for (let row = 0; row < rows; row += 1) progress.row(row === 0 ? 'rejected' : 'created');
    vi.advanceTimersByTime(lines * plainLineIntervalMs);
    progress.end();
    vi.advanceTimersByTime(plainLineIntervalMs);
    expect(said).toHaveLength(lines);
    return said.at(-1);
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

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentImport } from '../../src/load/defaults.ts';
import { timedLoad } from '../../src/load/sending.ts';
import type { Preview } from '../../src/plan/preview.ts';

describe('the time of a load', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('does not count while a person thinks about a question', async () => {
    const thinking = async () => {
      vi.advanceTimersByTime(500);
      return true;
    };
    const { events, seconds } = timedLoad({ ...silentImport, confirm: thinking });
    vi.advanceTimersByTime(200);
    expect(await events.confirm({} as Preview)).toBe(true);
    expect(seconds()).toBeCloseTo(0.2);
    vi.advanceTimersByTime(50);
    expect(seconds()).toBeCloseTo(0.25);
  });
});

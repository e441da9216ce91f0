import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentImport } from '../../../src/load/defaults.ts';
import type { Foresight } from '../../../src/pipeline/foresight/foresight.ts';
import { timedLoad } from '../../../src/load/sending.ts';
import type { Survey } from '../../../src/pipeline/survey/survey.ts';

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
    expect(await events.confirm({} as Survey, {} as Foresight)).toBe(true);
    expect(seconds()).toBeCloseTo(0.2);
    vi.advanceTimersByTime(50);
    expect(seconds()).toBeCloseTo(0.25);
  });
});

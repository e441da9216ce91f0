import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { silentImport } from '../../../src/pipeline/defaults.ts';
import type { Foresight } from '../../../src/pipeline/foresight/foresight.ts';
import { timedLoad } from '../../../src/pipeline/load/sending.ts';
import type { Survey } from '../../../src/pipeline/survey/survey.ts';

describe('the time of a load', () => {
  it('does not count while a person thinks about a question', async () => {
    const thinking = async () => {
      await wait(500);
      return true;
    };
    const { events, seconds } = timedLoad({ ...silentImport, confirm: thinking });
    expect(await events.confirm({} as Survey, {} as Foresight)).toBe(true);
    expect(seconds()).toBeLessThan(0.3);
    await wait(50);
    expect(seconds()).toBeGreaterThan(0.04);
  });
});

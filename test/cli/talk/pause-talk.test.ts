import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tellPauses } from '../../../src/cli/load-dialog.ts';

const asked = { code: 'asked', status: 429 } as const;

describe('a pause in which no request leaves', () => {
  let said: string[];
  beforeEach(() => {
    said = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const dialog = () => {
    return tellPauses({ say: (text) => said.push(text) });
  };

  it('is told to the person, with its length', () => {
    dialog().onWait?.({ milliseconds: 120_000, ...asked });
    expect(said).toEqual(['The service answered 429 and asks for a pause. Sending goes on by itself in 2 min 0 s.']);
  });

  it('is told once where many requests are told to wait', () => {
    const { onWait } = dialog();
    for (let request = 0; request < 32; request += 1) onWait?.({ milliseconds: 30_000, ...asked });
    vi.advanceTimersByTime(59_000);
    onWait?.({ milliseconds: 30_000, ...asked });
    expect(said).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    onWait?.({ milliseconds: 30_000, ...asked });
    expect(said).toHaveLength(2);
  });

  it('is not told where it is over before it is read', () => {
    dialog().onWait?.({ milliseconds: 2_000, ...asked });
    expect(said).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tellingPauses } from '../../../src/cli/talk/pause-talk.ts';
import { silentEvents } from '../../../src/service/sending/events.ts';

const reason = 'The service answered 429.';

describe('a pause in which no request leaves', () => {
  let said: string[];
  let heard: unknown[];
  beforeEach(() => {
    said = [];
    heard = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const talk = () => {
    const events = {
      ...silentEvents,
      onWait: (wait: unknown) => heard.push(wait),
      onLost: (lost: unknown) => heard.push(lost),
    };
    return tellingPauses(events, { say: (text) => said.push(text) });
  };

  it('is told to the person, with its length, and to whoever else listens', () => {
    talk().onWait({ milliseconds: 120_000, reason });
    expect(said).toEqual(['The service answered 429. It asks for a pause: sending goes on by itself in 2 min 0 s.']);
    expect(heard).toEqual([{ milliseconds: 120_000, reason }]);
  });

  it('is told once where many requests are told to wait', () => {
    const { onWait } = talk();
    for (let request = 0; request < 32; request += 1) onWait({ milliseconds: 30_000, reason });
    vi.advanceTimersByTime(59_000);
    onWait({ milliseconds: 30_000, reason });
    expect(said).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    onWait({ milliseconds: 30_000, reason });
    expect(said).toHaveLength(2);
  });

  it('is not told where it is over before it is read', () => {
    talk().onWait({ milliseconds: 2_000, reason });
    expect(said).toEqual([]);
    expect(heard).toHaveLength(1);
  });

  it('is told too of a service that is not there any more', () => {
    talk().onLost({ milliseconds: 60_000, reason: '127.0.0.1:80 refused the connection.' });
    expect(said).toEqual([
      '127.0.0.1:80 refused the connection. It is tried again for 1 min 0 s, and sending goes on by itself.',
    ]);
  });
});

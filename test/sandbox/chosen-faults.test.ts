import { describe, expect, it } from 'vitest';
import { openFaults, parseFaults, parseLatency } from '../../src/sandbox/faults.ts';

const drawn = (spec: string, count: number) => {
  const next = openFaults(parseFaults(spec));
  return Array.from({ length: count }, () => next('addDeal'));
};

describe('parseFaults', () => {
  it('reads shares, places, endpoints, the seed and the time to wait', () => {
    expect(parseFaults('500=2%, stall=0.5%,reset-after@3,busy@5-7,on=addDeal+addNote,seed=7,retry-after=2')).toEqual({
      shares: { '500': 0.02, stall: 0.005 },
      at: [
        { fault: 'reset-after', from: 3, to: 3 },
        { fault: 'busy', from: 5, to: 7 },
      ],
      on: ['addDeal', 'addNote'],
      seed: 7,
      retryAfterSeconds: 2,
    });
  });

  it.each(['500', '500=2', '500=x%', 'nothing=1%', '500=60%,502=50%', 'nothing@1', 'on=nothing', 'seed=x', '500=-1%'])(
    'refuses “%s” and names the faults',
    (spec) => {
      expect(() => parseFaults(spec)).toThrow(
        expect.objectContaining({ code: 'usage', remedy: expect.stringContaining('reset-after') }),
      );
    },
  );
});

describe('a plan of faults', () => {
  it('is the same for the same seed and another for another', () => {
    expect(drawn('500=20%,stall=20%,seed=1', 200)).toEqual(drawn('500=20%,stall=20%,seed=1', 200));
    expect(drawn('500=20%,stall=20%,seed=1', 200)).not.toEqual(drawn('500=20%,stall=20%,seed=2', 200));
  });

  it('strikes at the requests that it names', () => {
    expect(drawn('500@2,502@4-5', 6)).toEqual([null, '500', null, '502', '502', null]);
  });

  it('spares the health check unless it is named', () => {
    expect(openFaults(parseFaults('500=100%'))('health')).toBeNull();
    expect(openFaults(parseFaults('500=100%,on=health'))('health')).toBe('500');
    expect(openFaults(parseFaults('500=100%,on=health'))('addDeal')).toBeNull();
  });
});

describe('parseLatency', () => {
  it('reads a time or a spread', () => {
    expect(parseLatency('50')).toEqual({ from: 50, to: 50 });
    expect(parseLatency('20-80')).toEqual({ from: 20, to: 80 });
  });

  it.each(['', 'x', '80-20', '-5', '1.5'])('refuses “%s”', (text) => {
    expect(() => parseLatency(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

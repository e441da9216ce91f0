import { describe, expect, it } from 'vitest';
import { writeSampleDeals } from '../bench/sample-deals.ts';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { commandWithPeak } from '../builders/command-with-peak.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';

const rows = process.env.DEALSHEET_LONG === '1' ? 100_000 : 2_000;
const mostMegabytes = 220;
/**
 * V8 lets its heap grow with the memory of the machine, further in each version, and later on a busy one. What is measured here
 * is the memory of the work: with a heap of this size it goes through, and the process stays within its bound.
 */
const boundedHeap = ['--max-semi-space-size=16', '--max-old-space-size=96'];

describe('P29: a load of many rows', () => {
  const place = ownWorkplaceForEachTest();
  const service = serviceForEachTest();

  it.each(['csv', 'xlsx'])(
    'of 33 columns stays within its memory (%s)',
    async (format) => {
      await writeSampleDeals(place.path(`${format}.${format}`), rows);
      const how = ['--as', 'deals', '--url', service.url, '--yes', '--json', '--ledger', place.path('ledger.db')];
      const words = ['import', `${format}.${format}`, ...how];
      const ended = await commandWithPeak(place, words, boundedHeap);
      expect(JSON.parse(ended.stdout).counts).toMatchObject({ rows, created: rows });
      expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(rows);
      expect(ended.peakMegabytes).toBeLessThan(mostMegabytes);
    },
    600_000,
  );
});

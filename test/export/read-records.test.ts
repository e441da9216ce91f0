import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const mostAhead = 128;
const momentMs = 300;

let onAsked: () => void;
let answerFirst: () => void;
const place = workplaceForEachTest();
const service = serviceForEachTest(async ({ path }) => {
  const id = path.split('/').at(-1);
  const mayAnswer = id === 'deal_1' ? new Promise<void>((resolve) => (answerFirst = resolve)) : null;
  onAsked();
  await mayAnswer;
  return { status: 200, body: JSON.stringify({ id }) };
});

/**
 * Reads deals by their ids. The first one is answered a moment after so many were asked for; `askedBefore` tells how many it
 * were by then.
 */
async function exportDeals(count: number, until: number): Promise<{ askedBefore: number; rows: readonly string[] }> {
  writeCsv(place.path('ids.csv'), [['Deal id'], ...Array.from({ length: count }, (_, index) => [`deal_${index + 1}`])]);
  let askedBefore = 0;
  const { requests, url } = service;
  onAsked = () => {
    if (requests.length !== until) return;
    setTimeout(() => {
      askedBefore = requests.length;
      answerFirst();
    }, momentMs);
  };
  const words = ['export', 'deals', '--ids', 'ids.csv', '-o', 'deals.ndjson', '--url', url, '--quiet'];
  const ended = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  expect(ended.exitCode, ended.stderr).toBe(0);
  const lines = place.read('deals.ndjson').trim().split('\n');
  return { askedBefore, rows: lines.map((line) => (/"(deal_\d+)"/.exec(line) ?? [])[1] ?? '') };
}

describe('records read by their ids', () => {
  it('are asked for while one of them takes long, and stand in the order of their ids all the same', async () => {
    const { rows } = await exportDeals(100, 100);
    expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => `deal_${index + 1}`));
  });

  it('are not asked for without end while one of them takes long', async () => {
    const { askedBefore } = await exportDeals(300, mostAhead);
    expect(askedBefore).toBe(mostAhead);
  });
});

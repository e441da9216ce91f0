import { describe, expect, it } from 'vitest';
import { assumedContract, contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import { parseExactly } from '../../../src/pipeline/export/exact-json.ts';
import { type AnswerAround, newsBeside } from '../../../src/pipeline/export/news-beside.ts';
import type { Around } from '../../../src/pipeline/export/record-list.ts';

function newsOf(around: string, more: Partial<AnswerAround> = {}): readonly string[] {
  return newsBeside({
    around: parseExactly(around) as Around,
    query: [['status', 'Declined']],
    isLast: true,
    recordsSoFar: 6,
    contract: assumedContract,
    shown: (text) => text,
    ...more,
  });
}

describe('what stands beside the balances', () => {
  it.each([
    '{}',
    '{"success":true,"status":"ok","code":200,"message":"All loans"}',
    '{"error":null,"errors":0,"partial":false,"truncated":false,"timed_out":false}',
    '{"message":"No errors","warnings":null,"asOf":"2026-06-30"}',
    '{"status":"declined","count":6,"skipped":100}',
    '{"count":6,"meta":{"total":6}}',
    '{"total":1250.75}',
    '{"summary":{"active":4,"failed":2,"declined":1}}',
    '{"status":"error","message":"Some loans could not be read"}',
    '{"status":503,"ok":false,"failed":2,"errorCount":2}',
  ])('is no news: %s', (around) => {
    expect(newsOf(around)).toEqual([]);
  });

  it.each([
    ['{"error":"Part 2 failed"}', '"error" is "Part 2 failed"'],
    ['{"error":{"code":7}}', '"error" is not empty'],
    ['{"errors":3}', '"errors" is 3'],
    ['{"meta":{"failed_shards":1}}', '"failed_shards" is 1'],
    ['{"meta":{"faults":{"loan_7":"timeout"}}}', '"faults" is not empty'],
  ])('refuses the export where it says that something went wrong: %s', (around, told) => {
    expect(() => newsOf(around)).toThrow(
      `The service says beside its balances that ${told}: an export could be incomplete.`,
    );
  });

  it.each(['{"truncated":true}', '{"partial":"true"}', '{"meta":{"incomplete_results":true}}', '{"isTruncated":true}'])(
    'refuses the export where it says that the list is not whole, unless a further page follows: %s',
    (around) => {
      expect(() => newsOf(around)).toThrow(/is "?true"?, and not how to ask for the others: an export would/);
      expect(newsOf(around, { isLast: false })).toEqual([]);
    },
  );

  it('is told where it may count more records than came', () => {
    for (const around of ['{"total":50,"count":6}', '{"meta":{"total":50,"count":6}}']) {
      expect(newsOf(around)).toEqual([
        'The service says beside its balances that "total" is 50, and gave 6: if that is their number, some are missing.',
      ]);
      expect(newsOf(around, { isLast: false })).toEqual([]);
    }
  });

  it('is judged by the names of the profile', () => {
    const contract = contractSettingsSchema.parse({ balances: { errors: [], incomplete: ['Cut-off'] } });
    expect(newsOf('{"truncated":true}', { contract })).toEqual([]);
    expect(newsOf('{"errors":["x"]}', { contract })).toEqual([]);
    expect(() => newsOf('{"cutOff":true}', { contract })).toThrow(/"cutOff" is true/);
    const declared = contractSettingsSchema.parse({ balances: { errors: ['Failed loans'], incomplete: [] } });
    expect(() => newsOf('{"failed_loans":2}', { contract: declared })).toThrow(/"failed_loans" is 2: an export could/);
  });
});

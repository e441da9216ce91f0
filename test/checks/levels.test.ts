import { describe, expect, it } from 'vitest';
import type { CheckLevels } from '../../src/contract/check-codes.ts';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { checkPlace } from '../builders/check-place.ts';
import { foundIn } from './found-codes.ts';

const place = checkPlace();

const table = [
  ['Deal ID', 'Date', 'Amount'],
  ['deal_1', '2026-06-30', '100.00'],
  ['deal_1', '2026-06-30', '100.00'],
  ['Total', '', '200.00'],
];
const columns = { 'Deal ID': 'dealId', Date: 'date', Amount: 'amount' };
const mapping = (checks: CheckLevels) => ({ sheets: [{ kind: 'transactions', columns }], checks });

async function checked(choice: Parameters<typeof place.checkTable>[1]) {
  const { problemRows, counts, totals } = await place.checkTable(table, choice);
  return { found: foundIn(problemRows), counts, amounts: totals[0]?.amounts };
}

describe('the level of a check', () => {
  it('leaves a row out, which then stands in no sum but its own', async () => {
    const { found, counts, amounts } = await checked({ kind: 'transactions' });
    expect(found).toEqual({ 3: ['warning same-content'], 4: ['warning total-row A'] });
    expect(counts).toMatchObject({ rows: 3, leftOut: 1, invalid: 0, ready: 2 });
    expect(amounts).toMatchObject({ source: '200', leftOut: '200', byState: { ready: '200' } });
  });

  it('is an error, and the amount counts', async () => {
    const { found, counts, amounts } = await checked({ kind: 'transactions', checks: { 'total-row': 'error' } });
    expect(found[4]).toEqual(['error total-row A']);
    expect(counts).toMatchObject({ leftOut: 0, invalid: 1 });
    expect(amounts).toMatchObject({ source: '400', leftOut: '0' });
  });

  it('is off, and nothing is told', async () => {
    const checks = { 'total-row': 'off', 'same-content': 'off' } as const;
    expect(await checked({ kind: 'transactions', checks })).toMatchObject({ found: {}, counts: { leftOut: 0 } });
  });

  it('leaves out equal rows where a person says so', async () => {
    const { counts } = await checked({ kind: 'transactions', checks: { 'same-content': 'skip' } });
    expect(counts).toMatchObject({ leftOut: 2, ready: 1 });
  });

  it.each<[string, CheckLevels, CheckLevels, CheckLevels, string | undefined]>([
    ['the profile goes above the default', { 'total-row': 'error' }, {}, {}, 'error total-row A'],
    ['the mapping above the profile', { 'total-row': 'error' }, { 'total-row': 'warning' }, {}, 'warning total-row A'],
    [
      'what is said now goes above both',
      { 'total-row': 'off' },
      { 'total-row': 'off' },
      { 'total-row': 'error' },
      'error total-row A',
    ],
  ])('%s', async (_, ofProfile, ofMapping, checks, found) => {
    const contract = { ...assumedContract, checks: ofProfile };
    const told = await checked({ contract, mapping: mapping(ofMapping), checks });
    expect(told.found[4]).toEqual([found]);
  });
});

import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { withSafeReference } from '../../../src/service/verdicts/safe-reference.ts';
import { aRecord, testToken } from '../builders.ts';

const record = aRecord({
  body: { owner1: { ssn: '219-09-9432', dob: '1983-11-27' }, amountRequested: 50_000 },
});

function given(
  reference: { id?: string; companyId?: string; url?: string },
  kind: RecordKindName = 'deals',
): ReturnType<typeof withSafeReference> {
  const outcome = { state: 'created', attempts: 1, httpStatus: 201, id: 'deal_1', companyId: null, url: null } as const;
  return withSafeReference({ ...outcome, ...reference }, recordKind(kind), record, [testToken]);
}

describe('the address that a service gives for a record', () => {
  it('is left out when it holds the token, an SSN or a date of birth of its row', () => {
    for (const told of [
      testToken,
      testToken.toUpperCase(),
      '219-09-9432',
      '219099432',
      '219%2D09%2D9432',
      '219 09 9432',
      '219–09–9432',
      Buffer.from('219-09-9432').toString('base64'),
      Buffer.from('219099432').toString('base64'),
      Buffer.from('1983-11-27').toString('base64'),
      '1983-11-27',
      '11/27/1983',
      '27.11.1983',
      '19831127',
    ]) {
      const outcome = given({ url: `https://app.example.com/deal?q=${told}` });
      expect(outcome, told).toMatchObject({ state: 'created', id: 'deal_1', url: null });
    }
  });

  it('stays when it holds anything else', () => {
    for (const url of ['https://app.example.com/deal_1', 'https://app.example.com/50000/2026-06-30/7f3c21909a4']) {
      expect(given({ url })).toMatchObject({ state: 'created', url });
    }
  });
});

describe('the id that a service gives for a record', () => {
  it('is none when it holds the token, and the row is in doubt where an id is documented', () => {
    const outcome = given({ id: `Bearer ${testToken}` });
    expect(outcome.state).toBe('in-doubt');
    expect(JSON.stringify(outcome)).not.toContain(testToken);
    expect(given({ id: testToken }, 'notes')).toMatchObject({ state: 'accepted', id: null });
    expect(given({ companyId: testToken })).toMatchObject({ state: 'created', id: 'deal_1', companyId: null });
  });

  it('stays as it is otherwise, for by it alone the record is found again', () => {
    expect(given({ id: 'deal-219099432' })).toMatchObject({ state: 'created', id: 'deal-219099432' });
  });
});

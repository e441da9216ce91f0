import { describe, expect, it } from 'vitest';
import {
  assumedContract,
  type ContractSettings,
  contractSettingsSchema,
} from '../../src/contract/contract-settings.ts';
import type { RecordKind } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { foundIn } from '../../src/service/reading.ts';

const insteadOf = (
  value: unknown,
  id = 'x1',
  kind: RecordKind = recordKind('deals'),
  contract: ContractSettings = assumedContract,
) => foundIn(value, kind, id, contract, String).noRecord?.code ?? null;

const envelopes = ['data', 'record', 'result', 'response', 'payload', 'deal', 'data.deal'];

function within(envelope: string, record: object): object {
  return envelope.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), record);
}

describe('the answer to a question for a record', () => {
  it.each<[string, unknown]>([
    ['with its id', { id: 'x1', amountRequested: 100 }],
    ['with nothing but its id', { id: 'x1' }],
    ['in an envelope that has an id of its own', { id: 'request_7', result: { id: 'x1', stage: 'Lead' } }],
    ['without an id, with a field of it', { amountRequested: 100, company: { name: 'Harbor' } }],
    ['as JSON:API writes it', { data: { type: 'deal', id: 'x1', attributes: { amountRequested: 100 } } }],
    ['of a deal that was declined', { id: 'x1', amountRequested: 100, status: 'Declined', rejectionReason: 'Low' }],
  ])('is that record %s', (_, value) => {
    expect(insteadOf(value)).toBeNull();
  });

  it.each(envelopes)('is read from %s: the record, and none of another id', (envelope) => {
    expect(insteadOf(within(envelope, { id: 'x1', amountRequested: 100 }))).toBeNull();
    expect(insteadOf(within(envelope, { id: 'x2', amountRequested: 100 }))).toBe('read-other-record');
    expect(
      foundIn(within(envelope, { amountRequested: 100 }), recordKind('deals'), 'x1', assumedContract, String).record,
    ).toEqual({ amountRequested: 100 });
  });

  it('is that record whether its id is a number or a text', () => {
    expect(insteadOf({ id: 1, amountRequested: 100 }, '1')).toBeNull();
    expect(insteadOf({ id: 10, amountRequested: 100 }, '1')).toBe('read-other-record');
  });

  it.each<[unknown]>([
    [null],
    ['x1'],
    [[{ id: 'x1' }]],
    [{}],
    [{ success: true }],
    [{ status: 'ok' }],
    [{ data: null, requestId: 'q7' }],
    [{ id: '', company: { name: ' ', phones: [] } }],
  ])('is no record when it holds nothing that could be one: %j', (value) => {
    expect(insteadOf(value)).toBe('read-without-record');
  });

  it.each<[unknown]>([[{ success: false, id: 'x1', amountRequested: 1 }], [{ error: 'not found', id: 'x1' }]])(
    'is no record when it says no: %j',
    (value) => {
      expect(insteadOf(value)).toBe('read-says-no');
    },
  );

  it('is read under the names that the profile gives its fields', () => {
    const rename = { amountRequested: 'request.amount:text', 'company.phones[].number': 'phones[]' };
    const contract = contractSettingsSchema.parse({
      requests: { deals: { rename } },
      answers: { deals: { record: ['body.deal'] } },
    });
    const answer = { body: { deal: { request: { amount: '500' }, phones: ['1', '2'], stage: 'Lead' } } };
    expect(insteadOf(answer, 'x1', recordKind('deals'), contract)).toBeNull();
    expect(foundIn(answer, recordKind('deals'), 'x1', contract, String).record).toEqual({
      amountRequested: '500',
      company: { phones: [{ number: '1' }, { number: '2' }] },
      stage: 'Lead',
    });
  });
});

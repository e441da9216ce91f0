import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { SignReader } from '../../src/service/answers/sign-reader.ts';
import { noRecordIn, type RecordEndpoint } from '../../src/service/record-read.ts';

const reader = new SignReader(assumedContract);

function insteadOf(value: unknown, id = 'x1', endpoint: RecordEndpoint = 'getDeal'): string | null {
  return noRecordIn(value, endpoint, id, assumedContract, reader);
}

describe('the answer to a question for a record', () => {
  it.each<[string, unknown]>([
    ['with its id', { id: 'x1', amountRequested: 100 }],
    ['with nothing but its id', { id: 'x1' }],
    ['within an envelope', { success: true, data: { id: 'x1' } }],
    ['within an envelope of the name of its kind', { deal: { id: 'x1' } }],
    ['in an envelope that has an id of its own', { id: 'request_7', result: { id: 'x1', stage: 'Lead' } }],
    ['without an id, with other content', { amountRequested: 100, company: { name: 'Harbor' } }],
    ['without an id, within an envelope', { data: { amountRequested: 100 } }],
    ['of a deal that was declined', { id: 'x1', amountRequested: 100, status: 'Declined', rejectionReason: 'Low' }],
    ['that says what is wrong with it', { id: 'x1', stage: 'Lead', validationErrors: ['No EIN'] }],
  ])('is that record %s', (_, value) => {
    expect(insteadOf(value)).toBeNull();
  });

  it('is that record whether its id is a number or a text', () => {
    expect(insteadOf({ id: 1, amountRequested: 100 }, '1')).toBeNull();
    expect(insteadOf({ id: 10, amountRequested: 100 }, '1')).toBe('It gave another record: 10.');
  });

  it('is that record when it is a company of which nothing is known', () => {
    expect(insteadOf({ submissionEmail: 'a@b.example' }, 'x1', 'getCompany')).toBeNull();
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a truth value', true],
    ['a text', 'x1'],
    ['a list', [{ id: 'x1' }]],
  ])('is no record when it is %s', (_, value) => {
    expect(insteadOf(value)).toBe('Its answer is no record.');
  });

  it.each<[unknown]>([
    [{}],
    [{ success: true }],
    [{ status: 'ok' }],
    [{ data: null }],
    [{ data: {} }],
    [{ data: null, requestId: 'q7' }],
    [{ success: true, deal: [] }],
    [{ id: null, found: false }],
    [{ id: '', company: { name: ' ', phones: [] } }],
  ])('is no record when it holds nothing that could be one: %j', (value) => {
    expect(insteadOf(value)).toBe('Its answer holds no record.');
  });

  it.each<[unknown, string]>([
    [{ success: false, id: 'x1', amountRequested: 1 }, '"success" is false'],
    [{ error: 'not found' }, '"error" is "not found"'],
    [{ error: 'not found', id: 'x1', requestId: 'q7' }, '"error" is "not found"'],
    [{ status: 404, title: 'Not found', instance: '/v1/deal/x1' }, '"status" is 404, "title" is "Not found"'],
    [{ message: 'The deal was not found', requestId: 'q7' }, '"message" is "The deal was not found"'],
    [{ id: 'x1', message: 'The deal was not found' }, '"message" is "The deal was not found"'],
    [{ data: { errors: ['No such deal'] } }, '"errors" is not empty'],
  ])('is no record when it says no: %j', (value, told) => {
    expect(insteadOf(value)).toBe(`Its answer says no: ${told}.`);
  });

  it('is no record when it gives the id of another one, wherever it stands', () => {
    for (const value of [{ id: 'x2', stage: 'Lead' }, { data: { id: 'x2' } }, { deal: { id: 'x2' } }]) {
      expect(insteadOf(value)).toBe('It gave another record: x2.');
    }
  });
});

import { describe, expect, it } from 'vitest';
import { aDeal } from './bodies.ts';
import { errorsOf, post } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const add = (changes: Readonly<Record<string, unknown>>) => post(sandbox(), '/v1/deal', aDeal(changes));

describe('a problem (RFC 9457)', () => {
  it('has type, title, status, detail and the errors with path, rule and message', async () => {
    const { status, headers, body } = await add({ amountRequested: -5 });
    expect(status).toBe(422);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'invalid-fields',
      title: 'The fields are not as they should be',
      status: 422,
      detail: 'amountRequested: Too small: expected number to be >=0.',
      errors: [{ path: 'amountRequested', rule: 'minimum', message: expect.any(String) }],
    });
  });

  it.each([
    ['an SSN', { owner1: { ssn: 219_099_999 } }, '219099999'],
    ['an SSN in another field', { stage: '219-09-9999' }, '219-09-9999'],
    ['an SSN as a company id', { company: { id: '219099999' } }, '219099999'],
  ])('does not repeat %s', async (_what, changes, value) => {
    const { status, text } = await add(changes);
    expect(status).toBe(422);
    expect(text).not.toContain(value);
  });

  it.each([
    [{ entityType: 'LTD' }, 'entityType', 'allowed-values'],
    [{ owner1: 'Ada' }, 'owner1', 'type'],
    [{ tags: 'a' }, 'tags', 'type'],
    [{ company: {} }, 'company', 'rule'],
    [{ company: { emails: [{ email: 'nobody' }] } }, 'company.emails[0].email', 'format'],
    [{ company: { id: 'cmp_999999' } }, 'company.id', 'unknown-id'],
    [{ amountRequested: undefined }, 'amountRequested', 'required'],
  ])('says of %j that %s breaks the rule %s', async (changes, path, rule) => {
    const errors = errorsOf(await add(changes));
    expect(errors).toMatchObject([{ path, rule }]);
    expect(errors[0]?.message).toContain(path);
  });
});

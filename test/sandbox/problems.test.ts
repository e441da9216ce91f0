import { describe, expect, it } from 'vitest';
import { problemKinds } from '../../src/sandbox/problem.ts';
import { aDeal } from './bodies.ts';
import { errorsOf, get, post } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const add = (changes: Readonly<Record<string, unknown>>) => post(sandbox(), '/v1/deal', aDeal(changes));

describe('a problem (RFC 9457)', () => {
  it('has type, title, status, detail and the errors with path, rule, message and value', async () => {
    const { status, headers, body } = await add({ amountRequested: -5 });
    expect(status).toBe(422);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: '/help#invalid-fields',
      title: 'The fields are not as they should be',
      status: 422,
      detail: 'amountRequested must be at least 0.',
      errors: [{ path: 'amountRequested', rule: 'minimum', message: 'amountRequested must be at least 0.', value: -5 }],
    });
  });

  it.each(Object.keys(problemKinds))('has a place on the help page: %s', async (kind) => {
    expect((await get(sandbox(), '/help')).text).toContain(`id="${kind}"`);
  });

  it.each([
    ['an SSN', { owner1: { ssn: 219_099_999 } }, '219099999'],
    ['a date of birth', { owner1: { dob: 19_800_417 } }, '19800417'],
    ['an SSN of the second owner', { owner2: { ssn: ['219-09-9999'] } }, '219-09-9999'],
    ['an SSN in another field', { stage: '219-09-9999' }, '219-09-9999'],
    ['an SSN as a company id', { company: { id: '219099999' } }, '219099999'],
    ['an SSN in an object of the wrong type', { tags: { ssn: '219-09-9999' } }, '219-09-9999'],
  ])('does not repeat %s', async (_what, changes, value) => {
    const { status, text } = await add(changes);
    expect(status).toBe(422);
    expect(text).not.toContain(value);
  });

  it('shows the beginning of a long value', async () => {
    const [error] = errorsOf(await add({ useOfProceeds: 'y'.repeat(5000) }));
    expect(error?.value).toBe(`${'y'.repeat(120)}…`);
    expect(error?.message).toBe('useOfProceeds may have at most 250 characters.');
  });

  it('lists a hundred errors at most', async () => {
    expect(errorsOf(await add({ tags: Array.from({ length: 500 }, () => 1) }))).toHaveLength(100);
  });

  it.each([
    [
      { entityType: 'LTD' },
      'entityType must be one of: Corporation, S Corporation, LLP, LLC, Partnership, Sole Proprietorship, Non-Profit.',
    ],
    [{ owner1: 'Ada' }, 'owner1 must be an object, not a string.'],
    [{ tags: 'a' }, 'tags must be a list, not a string.'],
    [{ company: {} }, 'company: a deal needs its company.'],
    [{ company: { emails: [{ email: 'nobody' }] } }, 'company.emails[0].email is not a well-formed e-mail address.'],
    [{ company: { id: 'cmp_999999' } }, 'company.id names no record that is here.'],
    [{ amountRequested: undefined }, 'amountRequested is required.'],
  ])('says of %j: %s', async (changes, message) => {
    expect(errorsOf(await add(changes)).map((error) => error.message)).toEqual([message]);
  });
});

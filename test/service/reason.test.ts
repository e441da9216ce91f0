import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonIn, reasonOfAnswer, shapeOf } from '../../src/service/reason.ts';

const json = (value: unknown) => ({ kind: 'json', value, bytes: Buffer.of() }) as const;

describe('the reason that an answer gives', () => {
  it.each<[what: string, body: unknown, reason: string]>([
    ['a message', { message: 'The EIN is not valid' }, 'The EIN is not valid.'],
    ['a name in capitals', { MESSAGE: 'Closed' }, 'Closed.'],
    ['RFC 9457', { type: 'about:blank', title: 'Invalid', detail: 'EIN is wrong' }, 'Invalid; EIN is wrong.'],
    ['ASP.NET', { title: 'Invalid', errors: { 'Company.Ein': ['is wrong'] } }, 'Invalid; Company.Ein: is wrong.'],
    ['ModelState', { Message: 'Invalid', ModelState: { 'deal.ein': ['is wrong'] } }, 'Invalid; deal.ein: is wrong.'],
    ['NestJS', { statusCode: 400, message: ['no name', 'no EIN'], error: 'Bad' }, 'No name; no EIN; Bad.'],
    ['Django', { ein: ['is not valid'], name: ['is blank'] }, '{"ein":["is not valid"],"name":["is blank"]}'],
    [
      'Django beside a field',
      { ein: ['is wrong'], non_field_errors: ['no'] },
      '{"ein":["is wrong"],"non_field_errors":["no"]}',
    ],
    [
      'a list that repeats the input',
      {
        detail: 'dealId is unknown',
        errors: [
          { path: 'dealId', message: 'dealId is unknown', value: 'deal_7' },
          { path: 'ein', message: 'ein: is wrong' },
        ],
      },
      'DealId is unknown; ein: is wrong.',
    ],
    ['OData', { error: { code: '', message: { lang: 'en', value: 'Not found' } } }, 'Not found.'],
    ['Spring', { errors: [{ field: 'ein', defaultMessage: 'is not valid' }] }, 'Ein: is not valid.'],
    ['Frappe', { exc_type: 'X', _server_messages: '["{\\"message\\": \\"EIN exists\\"}"]' }, 'EIN exists.'],
    ['FastAPI', { detail: [{ loc: ['body', 'ein'], msg: 'is not valid' }] }, 'Body.ein: is not valid.'],
    ['JSON:API', { errors: [{ source: { pointer: '/ein' }, detail: 'is not valid' }] }, '/ein: is not valid.'],
    ['GraphQL', { data: { create: { userErrors: [{ message: 'closed' }] } } }, 'Closed.'],
    ['SOAP in JSON', { Fault: { faultstring: 'closed' } }, 'Closed.'],
    ['a list of errors', { error: { errors: [{ message: 'closed' }], message: 'closed' } }, 'Closed.'],
    ['something within data', { data: { result: { reason: 'closed' } } }, 'Closed.'],
    ['nothing that is called so', { returnCode: 'E17' }, '{"returnCode":"E17"}'],
  ])('stands in %s', (_, body, reason) => {
    expect(reasonOfAnswer(json(body), [])).toBe(reason);
  });

  it('stands first where it is declared', () => {
    expect(reasonIn({ message: 'Invalid', problem: { text: 'closed' } }, ['problem.text'])).toBe('Closed.');
    expect(reasonIn({ rows: [{ why: 'closed' }, { why: 'late' }] }, ['rows[].why'])).toBe('Closed; late.');
  });

  it('is the text of a text, also of one that is called JSON, the title of a web page, and nothing of an empty body', () => {
    expect(reasonOfAnswer({ kind: 'text', text: 'Out of order\n' }, [])).toBe('Out of order.');
    expect(reasonOfAnswer({ kind: 'unreadable', text: 'EIN is wrong' }, [])).toBe('EIN is wrong.');
    expect(reasonOfAnswer({ kind: 'html', text: '<html><title>Bad Gateway</title>' }, [])).toBe('Bad Gateway.');
    expect(reasonOfAnswer({ kind: 'html', text: 'Out of order' }, [])).toBe('Out of order.');
    expect(reasonOfAnswer({ kind: 'empty' }, [])).toBeNull();
  });

  it('is one line of at most 300 characters, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const reason = reasonOfAnswer(json(value), ['x', '[].y']) ?? '';
        expect(reason.length).toBeLessThanOrEqual(300);
        expect(reason).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
    let deep: unknown = { message: 'deep' };
    for (let depth = 0; depth < 5_000; depth += 1) deep = { error: deep };
    expect(reasonIn(deep, [])).toBeNull();
  });
});

it('the shape of an answer has its names and types, and none of its values', () => {
  const body = { ok: true, data: [{ id: 'd1', ssn: '123-45-6789' }], note: null, none: [] };
  expect(shapeOf(body)).toBe('{ ok: boolean, data: [{ id: string, ssn: string }], note: null, none: [] }');
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerBody } from '../../src/service/answer.ts';
import { errorTextOf } from '../../src/service/error-message.ts';
import { masked } from '../../src/service/masking.ts';

const json = (value: unknown): AnswerBody => ({ kind: 'json', value });
const textOf = (value: unknown): string => errorTextOf(400, json(value), []).message;

describe('an error answer', () => {
  for (const [what, body, message] of [
    ['a text', 'the deal is closed', 'The deal is closed.'],
    ['a message', { message: 'The deal is closed.' }, 'The deal is closed.'],
    ['an error that is a text', { error: 'deal closed' }, 'Deal closed.'],
    ['an error that is an object', { error: { code: 'E12', message: 'deal closed' } }, 'Deal closed.'],
    ['an OAuth error', { error: 'invalid_request', error_description: 'No scope' }, 'No scope.'],
    ['a list of texts', { errors: ['no name', 'no type'] }, 'No name; no type.'],
    ['a list with fields', { errors: [{ field: 'name', message: 'is required' }] }, 'name: is required.'],
    [
      'lists by field',
      { errors: { name: ['is required', 'is short'], ein: 'is wrong' } },
      'name: is required; is short; ein: is wrong.',
    ],
    [
      'a title and lists by field',
      { title: 'Validation failed.', errors: { ein: ['is wrong'] } },
      'Validation failed: ein: is wrong.',
    ],
    [
      'details of an error',
      { error: { message: 'Invalid', details: [{ path: ['company', 'ein'], message: 'is wrong' }] } },
      'Invalid: company.ein: is wrong.',
    ],
    [
      'RFC 9457',
      {
        type: 'about:blank',
        title: 'Unprocessable',
        status: 422,
        detail: 'Amount below 0',
        'invalid-params': [{ name: 'amount', reason: 'below 0' }],
      },
      'Amount below 0: amount: below 0.',
    ],
    [
      'a list of details with places',
      { detail: [{ loc: ['body', 'name'], msg: 'field required' }] },
      'body.name: field required.',
    ],
    ['JSON:API', { errors: [{ detail: 'is wrong', source: { pointer: '/data/ein' } }] }, '/data/ein: is wrong.'],
    ['violations', { violations: [{ propertyPath: 'ein', message: 'is wrong' }] }, 'ein: is wrong.'],
    ['a fault', { fault: { faultstring: 'quota', detail: { errorcode: 'x' } } }, 'Quota.'],
    ['the message of the data', { data: { message: 'gone' } }, 'Gone.'],
    ['nothing', {}, 'The service answered 400 and gave no reason.'],
    ['null', null, 'The service answered 400 and gave no reason.'],
    ['a number', 7, 'The service answered 400 and gave no reason.'],
  ] as const) {
    it(`of the shape "${what}" becomes a sentence`, () => expect(textOf(body)).toBe(message));
  }

  it('names its fields as the service wrote them', () => {
    const { fields } = errorTextOf(
      422,
      json({ errors: [{ path: 'owner1.ssn', message: 'is wrong' }, { message: 'General.' }] }),
      [],
    );
    expect(fields).toEqual([{ path: 'owner1.ssn', message: 'Is wrong.' }]);
  });

  it('that is a web page gives its title, else its words', () => {
    const ofPage = (text: string): string => errorTextOf(502, { kind: 'html', text }, []).message;
    expect(ofPage('<html><head><title>502 Bad &amp; Gateway</title></head><body>x</body></html>')).toBe(
      '502 Bad & Gateway.',
    );
    expect(ofPage('<html><style>a{}</style><script>evil()</script><h1>Bad</h1><p>Gateway</p></html>')).toBe(
      'Bad Gateway.',
    );
    expect(ofPage('<html></html>')).toBe('The service answered 502 with a body that gives no readable reason.');
  });

  it('that is empty or cannot be read says so', () => {
    expect(errorTextOf(413, { kind: 'empty' }, []).message).toBe('The service answered 413 and gave no reason.');
    expect(errorTextOf(400, { kind: 'unreadable', why: 'cut', text: '{"mess' }, []).message).toBe(
      'The service answered 400 with a body that gives no readable reason.',
    );
  });

  it('is one line of no great length, without control characters, whatever the service sends', () => {
    const message = textOf({ message: `\u001b[2Jline\r\none\u202e${'x'.repeat(10_000)}` });
    expect(message).toMatch(/^\[2Jline one x/);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  it('of any JSON gives a sentence and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { message, fields } = errorTextOf(400, json(value), []);
        expect(message.length).toBeGreaterThan(0);
        expect(message.length).toBeLessThanOrEqual(300);
        expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        for (const field of fields) expect(field.path.length).toBeLessThanOrEqual(120);
      }),
    );
  });

  it('nested without end is followed only so far', () => {
    let value: unknown = { message: 'deep' };
    for (let depth = 0; depth < 5_000; depth += 1) value = { error: value };
    expect(textOf(value)).toBe('The service answered 400 and gave no reason.');
  });
});

describe('values of the row in a message', () => {
  const secrets = [
    { value: '123-45-6789', label: 'Owner 1 SSN' },
    { value: '1980-02-03', label: 'Owner 1 date of birth' },
    { value: 'Harbor Café (Main)', label: 'Company name' },
    { value: '+1 (212) 555-0134', label: 'Phone' },
    { value: 'Owner', label: 'Title' },
    { value: 'LLC', label: 'Entity type' },
  ];

  it('are replaced by the names of their columns', () => {
    expect(masked('SSN 123-45-6789 of Harbor Café (Main) exists', secrets)).toBe(
      'SSN [Owner 1 SSN] of [Company name] exists',
    );
  });

  it('are found in another case, without punctuation, with other punctuation, and encoded', () => {
    expect(masked('123456789, 123 45 6789', secrets)).toBe('[Owner 1 SSN], [Owner 1 SSN]');
    expect(masked('HARBOR CAFÉ (MAIN) Harbor%20Caf%C3%A9%20(Main)', secrets)).toBe('[Company name] [Company name]');
    expect(masked('call 12125550134', secrets)).toBe('call [Phone]');
  });

  it('are found as dates in other orders', () => {
    for (const date of ['1980-02-03', '02/03/1980', '2/3/1980', '03.02.1980', '19800203', '1980/2/3']) {
      expect(masked(`born ${date}.`, secrets), date).toBe('born [Owner 1 date of birth].');
    }
  });

  it('are not looked for inside the names that have replaced others, nor inside longer numbers', () => {
    expect(masked('Owner 123-45-6789', secrets)).toBe('[Title] [Owner 1 SSN]');
    expect(masked('id 91234567890', secrets)).toBe('id 91234567890');
  });

  it('of fewer than four characters are left, for they are words of any message', () => {
    expect(masked('LLC is not allowed', secrets)).toBe('LLC is not allowed');
  });

  it('include anything like an SSN, whosever it is', () => {
    expect(masked('duplicate of 987-65-4320', [])).toBe('duplicate of [SSN]');
  });

  it('never come through, wherever they stand', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (value, before, after) => {
        const plain = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
        fc.pre(plain.length >= 4 && !'[#]'.includes(plain));
        expect(masked(`${before} ${value} ${after}`, [{ value, label: '#' }])).not.toContain(plain);
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerBody } from '../../../src/service/answers/answer.ts';
import { errorTextOf } from '../../../src/service/answers/error-message.ts';
import { masked } from '../../../src/service/text/masking.ts';

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
    ['ASP.NET', { Message: 'Invalid.', ModelState: { 'deal.amount': ['below 0'] } }, 'Invalid: deal.amount: below 0.'],
    ['ASP.NET without a message', { modelState: { 'deal.amount': ['below 0'] } }, 'deal.amount: below 0.'],
    ['ASP.NET problems', { title: 'Wrong.', errors: { Amount: ['below 0'] } }, 'Wrong: Amount: below 0.'],
    [
      'NestJS',
      { statusCode: 400, message: ['amount below 0', 'no name'], error: 'Bad Request' },
      'Bad Request; amount below 0; no name.',
    ],
    ['NestJS without an error', { message: ['amount below 0'] }, 'Amount below 0.'],
    ['Django', { ein: ['Enter 9 digits.'], name: ['No name.'] }, 'ein: Enter 9 digits; name: No name.'],
    ['OData', { error: { code: '', message: { lang: 'en-US', value: 'amount below 0' } } }, 'Amount below 0.'],
    [
      'Spring',
      { error: 'Bad Request', errors: [{ field: 'amount', defaultMessage: 'below 0' }] },
      'Bad Request: amount: below 0.',
    ],
    [
      'Frappe',
      { _server_messages: JSON.stringify([JSON.stringify({ message: 'Amount below 0', indicator: 'red' })]) },
      'Amount below 0.',
    ],
    [
      'a traceback of Frappe',
      { exc: JSON.stringify(['Traceback (most recent call last):\n  File "x.py"\nValidationError: Amount below 0\n']) },
      'ValidationError: Amount below 0.',
    ],
    ['a title alone', { type: 'about:blank', title: 'Amount below 0', status: 422 }, 'Amount below 0.'],
    ['capitals', { ERROR: { MESSAGE: 'amount below 0' } }, 'Amount below 0.'],
    ['capitals and lists', { Errors: [{ Field: 'Amount', ErrorMessage: 'below 0' }] }, 'Amount: below 0.'],
    ['none that is known', { status: 'X17', cause: { amount: -1 } }, "{ status: 'X17', cause: { amount: -1 } }."],
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

  it('of any JSON repeats no value of the row, wherever that stands in it', () => {
    const ssn = '219-09-9999';
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const said = JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
          typeof part === 'string' ? `${part} ${ssn}` : part,
        ) as unknown;
        const body = json({ message: `No. ${ssn}`, errors: [said, { field: ssn, message: said }], [ssn]: said });
        const told = JSON.stringify(errorTextOf(400, body, [{ value: ssn, label: 'SSN' }]));
        expect(told).not.toContain(ssn);
      }),
    );
  });

  it.each([
    '219-09-9432',
    '219099432',
    '219 09 9432',
    '219–09−9432',
    Buffer.from('219-09-9432').toString('base64'),
    Buffer.from('219099432').toString('base64url'),
  ])('does not repeat an SSN of its row as %s', (said) => {
    const { message } = errorTextOf(400, json({ message: `No such owner: ${said}!` }), [
      { value: '219-09-9432', label: 'SSN' },
    ]);
    expect(message).toBe('No such owner: [SSN]!');
  });

  it('nested without end is followed only so far', () => {
    let value: unknown = { message: 'deep' };
    for (let depth = 0; depth < 5_000; depth += 1) value = { error: value };
    expect(textOf(value)).toBe('{ error: { error: { error: { error: { error: [Object] } } } } }.');
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

  it('are found as dates with the signs of computers, or several, between their parts', () => {
    for (const date of [
      'datetime.date(1980, 2, 3)',
      '[1980,2,3]',
      '["1980","02","03"]',
      '3 / 2 / 1980',
      '1980 - 02 - 03',
      '3 / 2 / 80',
      '1980%2D02%2D03',
      '%2002%2F03%2F1980',
      String.raw`02\/03\/1980`,
      String.raw`1980\u002d02\u002d03`,
      '02&#x2F;03&#x2F;1980',
      '{"year":1980,"month":2,"day":3}',
      'day=03&month=02&year=1980',
      '1980年2月3日',
      'on the 3rd day of February, 1980',
    ]) {
      const said = masked(`born ${date}.`, secrets);
      expect(said, date).toContain('[Owner 1 date of birth]');
      expect(said, date).not.toMatch(/80|3/);
    }
  });

  it('are found as dates in words, with the year of the century, and as the times of computers', () => {
    for (const date of [
      'February 3, 1980',
      'Feb. 3rd 1980',
      '3 Feb 1980',
      '03-FEB-80',
      '3rd of February 1980',
      'Sun Feb 03 1980',
      'Sun Feb 03 00:00:00 GMT 1980',
      "Feb 3, '80",
      '1980-Feb-03',
      '2/3/80',
      '800203',
      '020380',
      '03.02.80',
      '80-02-03',
      '1980_02_03',
      '02\u201303\u20131980',
      '０２/０３/１９８０',
      String(Date.UTC(1980, 1, 3)),
      String(Date.UTC(1980, 1, 3) / 1000),
      String(Date.UTC(1980, 1, 3, 5)),
      String(Date.UTC(1980, 1, 2, 23) / 1000),
      `${Date.UTC(1980, 1, 2, 18, 30)}000`,
      `%20${Date.UTC(1980, 1, 3)}`,
      '1980-02-02T23:00:00',
      '1980-02-02 18:30',
    ]) {
      const said = masked(`born ${date}.`, secrets);
      expect(said, date).toContain('[Owner 1 date of birth]');
      expect(said, date).not.toMatch(/80|3/);
    }
  });

  it('are found as dates in words of other languages, and in digits of other scripts', () => {
    for (const date of [
      '3 février 1980',
      '3 de febrero de 1980',
      'febrero 3, 1980',
      '3. Februar 1980',
      '1980. február 3.',
      '3 lutego 1980',
      '3 февраля 1980 г.',
      '3 فبراير 1980',
      '٣/٢/١٩٨٠',
      '३ फ़रवरी १९८०',
      '3.II.1980',
      'February the 3rd 1980',
      '{"y":1980,"m":2,"d":3}',
      '{"year":1980,"monthValue":2,"dayOfMonth":3}',
    ]) {
      const said = masked(`born ${date}.`, secrets);
      expect(said, date).toContain('[Owner 1 date of birth]');
      expect(said, date).not.toMatch(/80|3|٣|३/);
    }
  });

  it('leave other dates and words as they are', () => {
    for (const text of [
      'since February 4, 1980',
      'may 3 rows',
      '12/03/80 is a Wednesday',
      'on 3 March 1980',
      'rows 2, 3, 80',
      'at 03:02:80',
      'code 231980',
      '3 mars 1980',
      'row 3 failed 1980',
      '1980-02-02T09:00:00',
      String(Date.UTC(1980, 1, 3) / 1000 + 60),
    ]) {
      expect(masked(text, secrets)).toBe(text);
    }
  });

  it('are found as numbers with any mark between their digits', () => {
    for (const between of ['_', '\u2010', '\u2013', '\u2212', '\u00a0', '\u200b', '-\u200b', '.', '/', '%2D', '·']) {
      expect(masked(`of 123${between}45${between}6789`, secrets), between).toBe('of [Owner 1 SSN]');
      expect(masked('of １２３４５６７８９', secrets)).toBe('of [Owner 1 SSN]');
    }
    for (const between of [' - ', '---', '","', String.raw`\u002d`, '&#45;', '%20-%20', ';']) {
      expect(masked(`of "123${between}45${between}6789"`, secrets), between).toBe('of "[Owner 1 SSN]"');
    }
    for (const dash of ['_', '\u2010', '\u2013', ' - ', '%2D', '&#45;'])
      expect(masked(`987${dash}65${dash}4320`, [])).toBe('[SSN]');
  });

  it('include a token that is cut short, and nothing else that begins like a word', () => {
    const token = [{ value: 'tok-4f3e2d1c0b9a8877', label: 'token' }];
    expect(masked('Bearer tok-4f3e2d1c… is refused', token)).toBe('Bearer [token]… is refused');
    expect(masked('the token is refused', token)).toBe('the token is refused');
  });

  it('include the parts of a token that is broken, but not the words in it', () => {
    const token = [{ value: 'tok-production-4f3e2d1c0b9a8877', label: 'token' }];
    expect(masked('Bearer tok-production-\n4f3e2d1c0b9a8877 is refused', token)).toBe(
      'Bearer [token] [token] is refused',
    );
    expect(masked('key=4f3e2d1c0b9a of production', token)).toBe('key=[token] of production');
  });

  it('that are a short number or one word are not found inside others', () => {
    const short = [
      { value: '1000', label: 'Amount requested' },
      { value: '12345', label: 'ZIP' },
      { value: 'Open', label: 'Status' },
    ];
    for (const text of [
      'at most 10000 characters; error 41000',
      'at 10:00:05 from 10.0.0.1, version 1.0.00',
      'the deal is reopened',
    ]) {
      expect(masked(text, short)).toBe(text);
    }
    const numbered = [
      { value: 'deal_1', label: 'Deal id' },
      { value: '5 Main Street', label: 'Address' },
    ];
    expect(masked('deal_12 of 15 Main Street, not deal_1 of 5 Main Street', numbered)).toBe(
      'deal_12 of 15 Main Street, not [Deal id] of [Address]',
    );
    expect(masked('1,000 or 1 000 or $1000.', short)).toBe(
      '[Amount requested] or [Amount requested] or $[Amount requested].',
    );
    expect(masked('of 123-45-6789 is Open', short)).toBe('of [SSN] is [Status]');
  });

  it('are found as any date, in figures or in words, with any mark between its parts', () => {
    const twoFigures = (part: number): string => String(part).padStart(2, '0');
    const date = fc.record({
      year: fc.integer({ min: 1932, max: 2031 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
    });
    const way = fc.record({
      order: fc.constantFrom('ymd', 'mdy', 'dmy'),
      mark: fc.constantFrom('-', '/', '.', ' ', ' - ', '_', '\u2013', '%2D', '%20', String.raw`\u002d`, '&#45;'),
      markInWords: fc.constantFrom('', '-', ' ', '. ', ', ', ' of ', '\u2013'),
      isShortYear: fc.boolean(),
      isPadded: fc.boolean(),
      month: fc.constantFrom('figures', 'whole', 'short'),
    });
    fc.assert(
      fc.property(date, way, ({ year, month, day }, { order, mark, markInWords, isShortYear, isPadded, ...of }) => {
        const name = new Date(Date.UTC(2001, month - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
        const figures = (part: number): string => (isPadded ? twoFigures(part) : String(part));
        const parts = {
          y: isShortYear ? twoFigures(year % 100) : String(year),
          m: of.month === 'figures' ? figures(month) : of.month === 'whole' ? name : name.slice(0, 3).toUpperCase(),
          d: figures(day),
        };
        const between = of.month === 'figures' ? mark : order === 'mdy' && markInWords === '' ? ' ' : markInWords;
        const written = [...order].map((part) => parts[part as 'y' | 'm' | 'd']).join(between);
        const value = `${year}-${twoFigures(month)}-${twoFigures(day)}`;
        expect(masked(`born ${written}, it says`, [{ value, label: 'D' }]), written).toBe('born [D], it says');
      }),
    );
  });

  describe('cost at most in proportion', () => {
    const texts = (length: number): readonly string[] =>
      ['1', 'Feb 3 ', '3 of Feb ', '1 2-', '1/2/80 '].map((part) => part.repeat(length / part.length));
    const some = (count: number) =>
      Array.from({ length: count }, (_, row) => ({
        value: row % 2 === 0 ? `1980-02-${String((row % 28) + 1).padStart(2, '0')}` : `12345${row}789`,
        label: 'x',
      }));
    const cost = (length: number, count: number): number => {
      const before = process.cpuUsage();
      for (const text of texts(length)) masked(text, some(count));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    /** How much more processor time the one takes, by the least of several rounds in turn: others use the processor, and not evenly. */
    const ratio = (more: () => number, less: () => number): number => {
      const rounds = Array.from({ length: 9 }, () => [more(), less()] as const);
      return Math.min(...rounds.map(([cost]) => cost)) / Math.min(...rounds.map(([, cost]) => cost));
    };

    it('to the length of a text', () => {
      const longer = ratio(
        () => cost(20_000, 600),
        () => cost(10_000, 600),
      );
      expect(longer).toBeLessThan(3);
    });

    it('to their number', () => {
      const many = ratio(
        () => cost(10_000, 2_400),
        () => cost(10_000, 1_200),
      );
      expect(many).toBeLessThan(3);
    });
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

import { describe, expect, it } from 'vitest';
import { type Field, fieldsOf } from '../../src/contract/fields.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';
import { cellAddress } from '../../src/mapping/column.ts';
import { findHeaderRow } from '../../src/mapping/header-row.ts';
import { matchHeaders as asCodes, fieldOfHeader, kindNamed, kindOfSheetName } from '../../src/mapping/headers.ts';
import { suggestionsFor } from '../../src/mapping/suggestions.ts';
import { textOf } from '../../src/messages/text.ts';
import { columnName } from '../../src/tables/excel-limits.ts';
import type { MergedRange } from '../../src/tables/row.ts';

const deals = recordKind('deals');

function matchHeaders(...of: Parameters<typeof asCodes>) {
  const { columns, problems } = asCodes(...of);
  return { columns, problems: problems.map(textOf) };
}

describe('a header', () => {
  it.each(['219-09-9999', '219099999', '1980-04-17', '4/17/1980', '17 Apr 1980', 'April 17th, 1980'])(
    'is not repeated when it is a value that may be an SSN or a date of birth: %s',
    (value) => {
      const told = matchHeaders(deals, ['Harbor', 'Moreno', value, value], []).problems;
      expect(told).toHaveLength(4);
      for (const message of told) expect(message).not.toMatch(/\d|apr/i);
    },
  );

  it('is repeated among names when it is a date, and never when it may be an SSN', () => {
    const told = matchHeaders(deals, ['Company name', '2026-06-01', '219-09-9999'], []).problems;
    expect(told.map((message) => /"([^"]*)"/.exec(message)?.[1])).toEqual(['2026-06-01', '***-**-****']);
  });

  it.each(['Balance 06/30/2026', 'Q1 2026 revenue', 'Fico (old)'])(
    'is repeated as it stands otherwise: %s',
    (header) => {
      const [told] = matchHeaders(deals, [header], []).problems;
      expect(told).toContain(`"${header}"`);
    },
  );

  it.each([
    ['AMOUNT-REQUESTED *', 'amountRequested'],
    ['  amount_requested*', 'amountRequested'],
    ['amountRequested', 'amountRequested'],
    ['company.phones[0].number', 'company.phones[0].number'],
    ['Business telephone 1', 'company.phones[0].number'],
    ['Company phone 2', 'company.phones[1].number'],
    ['Owner 2 - First Name', 'owner2.firstName'],
    ['Billing State/Province', 'company.addresses[0].state'],
    ['Social security #', 'owner1.ssn'],
    ['SS#', 'owner1.ssn'],
    ['% ownership', 'owner1.ownership'],
    ['% owned', 'owner1.ownership'],
    ['Owner %', 'owner1.ownership'],
    ['Owner 2 %', 'owner2.ownership'],
    ['Owner SS#', 'owner1.ssn'],
    ['Owner #2 DOB', 'owner2.dob'],
    ['Owner (2) cell', 'owner2.phones[0].number'],
    ['1st Owner first name', 'owner1.firstName'],
    ['2nd Owner First Name', 'owner2.firstName'],
    ['Company ZIP code', 'company.addresses[0].zip'],
    ['Owner city', 'owner1.addresses[0].city'],
    ['Owner 2 state', 'owner2.addresses[0].state'],
    ['Company address 1', 'company.addresses[0].line1'],
    ['Company address 2 line 1', 'company.addresses[1].line1'],
    ['EIN #', 'company.ein'],
  ])('names a field by label, alias or path, whatever its case and punctuation: %s', (header, path) => {
    expect(fieldOfHeader(deals, header)?.path).toBe(path);
  });

  it('of every field names that field, in every one of its words', () => {
    for (const kind of recordKinds) {
      for (const field of fieldsOf(kind)) {
        expect(fieldOfHeader(kind, field.path)).toBe(field);
        for (const header of field.headers)
          expect(fieldOfHeader(kind, `${header.toUpperCase()} *`), header).toBe(field);
      }
    }
  });

  it.each([
    ...['Amount €', 'Amount requested (£)', 'Amount ¢', 'Amount (-)', 'Amount –', '± Amount', 'Amount ‰', 'Payment %'],
    ...['Factor rate %', 'Factor $', 'Owner 1 ownership ‰', 'Owner 1 ownership $'],
  ])('with a sign of another measure names no figure: %s', (header) => {
    const kind = /^(?:Factor|Payment)/.test(header) ? recordKind('submission-loans') : deals;
    const other = fieldOfHeader(kind, header.replace(/[^a-z\d\s()]/gi, '')) as Field;
    expect([other.path, fieldOfHeader(kind, header)]).toEqual([expect.any(String), null]);
    expect(suggestionsFor(kind, header).map(({ field }) => field)).not.toContain(other);
    expect(matchHeaders(kind, [header], 'all').columns).toEqual([]);
  });

  it('with a number sign names no whole name, and with a dollar sign or a dash between words what it names', () => {
    expect(fieldOfHeader(deals, 'Amount - (requested) $')?.path).toBe('amountRequested');
    for (const share of ['Owner 1 ownership %', 'Owner 1 - % ownership'])
      expect(fieldOfHeader(deals, share)?.path).toBe('owner1.ownership');
    expect(fieldOfHeader(deals, 'Amount (+/-)')?.path).toBe('amountRequested');
    expect(fieldOfHeader(deals, 'Amount #')).toBeNull();
    expect(matchHeaders(deals, ['Owner #', 'Owner %'], []).columns.map(({ index }) => index)).toEqual([1]);
  });

  it('that matches nothing is told with the nearest field', () => {
    const { problems } = matchHeaders(deals, ['Amount requestd', 'Company nmae', 'Zodiac', 'DBA', 'Compny DBA'], []);
    expect(problems).toEqual([
      'Column A "Amount requestd" is not a field of a deal. Did you mean "Amount requested"?',
      'Column B "Company nmae" is not a field of a deal. Did you mean "Company name"?',
      'Column C "Zodiac" is not a field of a deal.',
      'Column E "Compny DBA" is not a field of a deal.',
    ]);
  });

  it.each([
    ['Business SSN', ['Owner 1 SSN']],
    ['SIN', []],
    ['Funding wanted', ['Amount requested']],
    ['Rate %', []],
    ['Deal amount', ['Amount requested']],
    ['Funded', ['Amount requested', 'Use of proceeds']],
    ['Deal #', ['Ref']],
    ['State', ['Company address state', 'Owner 1 address state', 'Owner 2 address state']],
    ['Owner car', []],
    ['Merchant', ['Company name', 'Company address line 1', 'Company id']],
    ['Sales Rep', []],
    ['Contact phone', ['Company phone', 'Owner 1 phone']],
    ['2nd owner birth day', ['Owner 2 date of birth']],
    ['Owner 2 cel', ['Owner 2 phone', 'Owner 1 phone 2', 'Owner 2 phone 2']],
    ['Opportunity ID', ['Ref']],
    ['Account manager', ['Company name']],
    ['Manager', []],
  ])('that matches nothing is told with fields that share its words, or none: %s', (header, labels) => {
    expect(suggestionsFor(deals, header).map(({ field }) => field.label)).toEqual(labels);
  });

  it.each([
    ['companies', 'Business Business Name'],
    ['companies', 'Merchant Merchant #'],
    ['deals', 'Deal Deals #'],
    ['deals', 'Owner 1 Owner First Name'],
  ] as const)('that says a word twice is no better than the name itself, of %s: %s', (kind, header) => {
    const scores = suggestionsFor(recordKind(kind), header).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  it('that names the rows of its own sheet may be their Ref', () => {
    const labels = suggestionsFor(recordKind('companies'), 'Merchant ID').map(({ field }) => field.label);
    expect(labels).toEqual(['Ref']);
  });

  it('that can be several fields is told with each of them', () => {
    expect(matchHeaders(deals, ['Zip'], []).problems[0]).toBe(
      'Column A "Zip" is not a field of a deal. Did you mean "Company address ZIP", "Owner 1 address ZIP" or "Owner 2 address ZIP"?',
    );
  });

  it('P20: of an address with a 2 behind it is its second line or that of another, and asked', () => {
    expect(matchHeaders(recordKind('companies'), ['Address 1', 'Address 2', 'Address line 2'], []).problems).toEqual([
      expect.stringMatching(/^Column B "Address 2" is not a field .* or "Address 2 line 1"\?$/),
    ]);
  });

  it('of an address without a word for whose it is names that of a company, which has one alone', () => {
    const headers = ['Account Name', 'Street', 'City', 'State/Province', 'Zip', 'Country/Region', 'Billing country'];
    const { columns, problems } = matchHeaders(recordKind('companies'), headers.slice(0, -1), []);
    expect(problems).toEqual([]);
    expect(columns.map(({ path }) => path)).toEqual([
      'name',
      ...['line1', 'city', 'state', 'zip', 'country'].map((part) => `addresses[0].${part}`),
    ]);
    expect(matchHeaders(recordKind('companies'), headers.slice(-1), []).problems).toEqual([]);
  });

  it.each([
    ['attachments', '"Zodiac" is not a field of an attachment.'],
    ['submission-loans', '"Zodiac" is not a field of a submission loan.'],
  ] as const)('is told with the kind in good English: %s', (kind, sentence) => {
    expect(matchHeaders(recordKind(kind), ['Zodiac'], []).problems[0]).toContain(sentence);
  });

  it('for a field that another column has is told with that column', () => {
    const { problems } = matchHeaders(deals, ['Amount', null, 'amountRequested'], []);
    expect(problems).toEqual([
      'Column C "amountRequested" names the same field as Column A "Amount", or a part of it. Keep one of them, or write a mapping: it gives each a field of its own, or joins both.',
    ]);
  });

  it('is left out in parentheses, or when a person says so', () => {
    const uses = (ignored: 'all' | readonly string[]) =>
      matchHeaders(deals, ['Amount', '(internal)', 'Zodiac'], ignored);
    expect(uses(['ZODIAC']).problems).toEqual([]);
    expect(uses('all').columns.map(({ header }) => header)).toEqual(['Amount']);
  });

  it('in braces goes to its path, where the service shows no fields', () => {
    const { columns, problems } = matchHeaders(
      deals,
      ['{bank.largestDeposit:number}', '{company.phones[1].extension}', '{bank.deposits}', '{surprise}'],
      [],
    );
    expect(columns.map(({ field, path, format }) => (field === null ? [path, format] : 'field'))).toEqual([
      ['bank.largestDeposit', 'number'],
      ['company.phones[1].extension', 'text'],
      'field',
    ]);
    expect(problems[0]).toMatch(/^Column D "{surprise}" names a field that a deal does not have/);
  });
});

describe('a header in braces', () => {
  it.each([
    ['transactions', '{memo}', 'memo'],
    ['transactions', '{deal_id}', 'deal_id'],
    ['transactions', '{DealId}', 'DealId'],
    ['transactions', '{Reference}:', null],
    ['transactions', '{transaction_date:date}', 'transaction_date'],
    ['submission-loans', '{loan_amount:number}', 'loan_amount'],
    ['deals', '{financial.monthlyRevenue:number}', 'financial.monthlyRevenue'],
    ['deals', '{company.phones[0].telephone}', 'company.phones[0].telephone'],
    ['deals', '{requested_amount}', null],
    ['deals', '{Loan amount}', null],
    ['deals', '{bank.large-deposit}', null],
  ] as const)('means its path to the letter, and no field by another name: %s, %s', (kind, header, path) => {
    const { columns, problems } = matchHeaders(recordKind(kind), [header], []);
    const paths = columns.map((column) => (column.field === null ? column.path : 'field'));
    expect(paths).toEqual(path === null ? [] : [path]);
    expect(problems).toHaveLength(path === null ? 1 : 0);
    expect(fieldOfHeader(recordKind(kind), header)).toBeNull();
  });

  it('is the field whose path it names to the letter', () => {
    for (const kind of recordKinds)
      for (const field of fieldsOf(kind)) expect(fieldOfHeader(kind, `{${field.path}}`)).toBe(field);
  });

  it.each([`{${'a.'.repeat(8000)}a}`, `{${'a.'.repeat(32)}a}`, `{${'a'.repeat(512)}}`, '{a..b}', '{a b}', '{}'])(
    'that is no path is refused: %.20s',
    (header) => {
      for (const ignored of [[], 'all'] as const) {
        const [problem] = matchHeaders(recordKind('transactions'), [header], ignored).problems;
        expect(problem).toContain('is not a path: braces hold names with dots between them');
        expect(problem?.length).toBeLessThan(500);
      }
    },
  );
});

describe('a header near a field', () => {
  const transactions = recordKind('transactions');

  it.each([
    ...['Amuont', 'Amout', 'Ammounts', 'Dtae', 'Refernce', 'Discription', 'Deal idd', 'Transaction dte'],
    ...['Amount (USD)', 'Amt (net)', 'Dtae (posted)'],
  ])('is not left out with all others: %s', (header) => {
    const [problem] = matchHeaders(transactions, ['Zodiac', header], 'all').problems;
    expect(problem).toMatch(/^Column B ".*" is nearly ".*", and is not left out with the others\./);
    expect(problem).toContain(`--ignore-columns "all,${header}"`);
    expect(matchHeaders(transactions, ['Zodiac', header], ['all', header]).problems).toEqual([]);
    expect(matchHeaders(transactions, ['Zodiac', `(${header})`], 'all').problems).toEqual([]);
  });

  it('is left out where the field has its column, or where it is near by a letter of few', () => {
    expect(matchHeaders(transactions, ['Amount', 'Amounts', 'Tape', 'Rep', 'Zodiac'], 'all').problems).toEqual([
      expect.stringMatching(/^Column C "Tape" is nearly/),
    ]);
  });
});

it.each([
  ['of 16,384 strangers', Array.from({ length: 16_384 }, (_, index) => `Stranger ${index} of many`)],
  [
    'of 32,000 characters each',
    Array.from({ length: 60 }, (_, index) => `${index} ${'Amount requested '.repeat(1880)}`),
  ],
  ['of 32,000 blanks', Array.from({ length: 60 }, (_, index) => `${index}${' '.repeat(32_000)}x`)],
])('headers without end are told in few words, and left out when that is asked for: %s', (_, headers) => {
  findHeaderRow(deals, [{ number: 1, values: headers, hidden: false }], []);
  const all = matchHeaders(deals, headers, 'all').problems;
  const { problems } = matchHeaders(deals, headers, []);
  expect(all).toEqual([]);
  expect(Math.max(...problems.map(({ length }) => length))).toBeLessThan(500);
});

describe('the header row', () => {
  const row = (number: number, values: readonly (string | null)[]) => ({ number, values, hidden: false });

  it('is found below a title', () => {
    const found = findHeaderRow(
      deals,
      [row(1, ['Deals of June']), row(3, ['Amount requested', 'Company name']), row(4, ['100', 'Harbor'])],
      [],
    );
    expect(found).toEqual({ number: 3, headers: ['Amount requested', 'Company name'] });
  });

  const merged = (firstRow: number, firstColumn: number, lastRow: number, lastColumn: number): MergedRange => ({
    firstRow,
    firstColumn,
    lastRow,
    lastColumn,
  });

  it.each<readonly [string, readonly (string | null)[], readonly (string | null)[], MergedRange[], readonly string[]]>([
    [
      'it',
      ['Company', null, null, 'Owner 1', null],
      ['Name', 'Opp #', '(row)', 'First name', 'Last name'],
      [merged(0, 0, 0, 2), merged(0, 3, 0, 4)],
      ['Company Name', 'Company Opp #', '(row)', 'Owner 1 First name', 'Owner 1 Last name'],
    ],
    [
      'a name that alone would be another field',
      ['Owner 1', null, 'Owner 2', null],
      ['First name', 'Last name', 'First name', 'SSN'],
      [merged(0, 0, 0, 1), merged(0, 2, 0, 3)],
      ['Owner 1 First name', 'Owner 1 Last name', 'Owner 2 First name', 'Owner 2 SSN'],
    ],
    [
      'all up to the next one, where nothing is merged',
      ['Deal', null, 'Owner 2', null, null, 'Notes'],
      ['Amount requested', 'Company name', 'First name', 'SSN', 'Colour', 'Stage'],
      [],
      ['Amount requested', 'Company name', 'Owner 2 First name', 'Owner 2 SSN', 'Colour', 'Stage'],
    ],
    [
      'no Ref or other field that stands for itself, where nothing is merged',
      [null, 'Company', null, null],
      ['Owner 1 first name', 'Name', 'Ref', 'Amount requested'],
      [],
      ['Owner 1 first name', 'Company Name', 'Ref', 'Amount requested'],
    ],
    [
      'names beside one that is merged down to its row',
      ['Legal name', 'Owner 2', null, 'Stage'],
      [null, 'First name', 'SSN'],
      [merged(0, 0, 1, 0), merged(0, 1, 0, 2), merged(0, 3, 1, 3)],
      ['Legal name', 'Owner 2 First name', 'Owner 2 SSN', 'Stage'],
    ],
  ])('is joined with groups above %s', (_, above, below, merges, headers) => {
    expect(findHeaderRow(deals, [row(1, above), row(2, below)], merges)?.headers).toEqual(headers);
  });
});

describe('the kind of a sheet', () => {
  it('is told by its name in any spelling', () => {
    expect(kindOfSheetName('submission LOANS')?.name).toBe('submission-loans');
    expect(kindOfSheetName('Sheet1')).toBeNull();
  });

  it('is told by a word in its name, when it is the only one', () => {
    expect(kindNamed('deals-june-2026')?.name).toBe('deals');
    expect(kindNamed('deals and notes')).toBeNull();
    expect(kindNamed('june-company-updates')?.name).toBe('company-updates');
    expect(kindNamed('Submission loans 2026')?.name).toBe('submission-loans');
    expect(kindNamed('companies and company updates')).toBeNull();
    expect(kindNamed('leading-prospects')).toBeNull();
    expect(kindNamed('03-leading-zeros.deals')?.name).toBe('deals');
    expect(kindNamed('DealsJune2026')?.name).toBe('deals');
  });
});

it('an address is the one that Excel shows', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
  expect(cellAddress('Deals', 5, 12)).toBe('Deals!F12');
  expect(cellAddress("Bob's deals", 0, 2)).toBe("'Bob''s deals'!A2");
});

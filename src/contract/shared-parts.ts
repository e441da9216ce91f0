/**
 * The objects that several record kinds hold: addresses, phones, e-mails, owners, figures.
 * Where the service interface shows no fields (2.7) they are assumptions, and the object stays open for further columns.
 */
import * as z from 'zod';
import { field, group } from './field-facts.ts';

const gaps = '2.7';

/**
 * Address: fields not shown (2.7); the lines and parts of a US address are assumed.
 *
 * @param starts  words that tell whose address it is, without a further one, in the record: `Billing`, `Home`; an empty one where
 *   there is no other address
 */
export function addresses(...starts: readonly string[]) {
  const named = (...words: readonly string[]) => ({
    headers: starts.flatMap((start) => words.map((word) => `${start} ${word}`.trim())),
  });
  const text = (label: string, example: string, aliases: readonly string[], headers: object) =>
    field(z.string(), { label, aliases, format: 'text', example, source: 'assumed', section: gaps, ...headers });
  const address = z.looseObject({
    line1: text(
      'line 1',
      '120 Main Street',
      ['street', 'street 1', 'address 1', ''],
      named('street', 'address', 'address line 1'),
    ).optional(),
    line2: text('line 2', 'Suite 4', ['street 2', 'address 2'], named('address line 2')).optional(),
    city: text('city', 'Albany', ['town'], named('city')).optional(),
    state: field(z.string(), {
      ...named('state', 'state/province'),
      label: 'state',
      format: 'state',
      example: 'NY',
      source: 'assumed',
      section: gaps,
    }).optional(),
    zip: field(z.string(), {
      ...named('ZIP', 'ZIP code', 'postal code', 'ZIP/postal code'),
      label: 'ZIP',
      aliases: ['ZIP code', 'postal code', 'postcode'],
      format: 'zip',
      example: '12207',
      source: 'assumed',
      section: gaps,
    }).optional(),
    country: field(z.string(), {
      ...named('country', 'country/region'),
      label: 'country',
      format: 'text',
      example: 'US',
      source: 'assumed',
      section: gaps,
      rare: true,
    }).optional(),
  });
  return group(z.array(address), { label: 'address', open: true, shown: 1 });
}

/** Phone: fields not shown (2.7); a number and its type are assumed. */
export function phones() {
  const phone = z.looseObject({
    number: field(z.string(), {
      label: '',
      aliases: ['number'],
      format: 'phone',
      example: '(518) 555-0142',
      source: 'assumed',
      section: gaps,
    }).optional(),
    type: field(z.string(), {
      label: 'type',
      format: 'text',
      example: 'Mobile',
      source: 'assumed',
      section: gaps,
      rare: true,
    }).optional(),
  });
  return group(z.array(phone), {
    label: 'phone',
    aliases: ['telephone', 'phone number'],
    open: true,
    shown: 1,
  });
}

/** Email: fields not shown (2.7); an address and its type are assumed. */
export function emails() {
  const email = z.looseObject({
    email: field(z.string().check(z.regex(z.regexes.email)), {
      label: '',
      aliases: ['address'],
      format: 'email',
      example: 'office@example.com',
      source: 'assumed',
      section: gaps,
    }).optional(),
    type: field(z.string(), {
      label: 'type',
      format: 'text',
      example: 'Work',
      source: 'assumed',
      section: gaps,
      rare: true,
    }).optional(),
  });
  return group(z.array(email), { label: 'e-mail', aliases: ['mail'], open: true, shown: 1 });
}

interface OwnerOptions {
  readonly aliases: readonly string[];
  readonly rare?: true;
  /** Whether what can be of a person alone is this owner's, where no header says whose it is. */
  readonly isMeant?: true;
}

/** Owner (2.3): every field documented, the types assumed (2.7). */
export function owner(label: string, { isMeant, ...options }: OwnerOptions) {
  const named = (...headers: readonly string[]) => (isMeant === true ? { headers } : {});
  const schema = z.object({
    title: ownerText('title', 'President').optional(),
    firstName: field(z.string(), {
      label: 'first name',
      aliases: ['given name'],
      format: 'text',
      example: 'Ada',
      source: 'documented',
      section: '2.3',
      listed: true,
      names: true,
    }).optional(),
    lastName: field(z.string(), {
      label: 'last name',
      aliases: ['surname', 'family name'],
      format: 'text',
      example: 'Moreno',
      source: 'documented',
      section: '2.3',
      listed: true,
      names: true,
    }).optional(),
    middleName: field(z.string(), {
      label: 'middle name',
      format: 'text',
      example: 'J.',
      source: 'documented',
      section: '2.3',
      rare: true,
    }).optional(),
    ssn: field(z.string(), {
      ...named('SSN', 'Social security number', 'Social security', 'SS number'),
      label: 'SSN',
      aliases: ['social security number'],
      format: 'ssn',
      example: '219-09-9999',
      source: 'documented',
      section: '2.3',
      sensitive: true,
      rule: 'Nine digits.',
    }).optional(),
    dob: field(z.string(), {
      ...named('Date of birth', 'DOB'),
      label: 'date of birth',
      aliases: ['DOB', 'birth date', 'birthday'],
      format: 'date',
      example: '1980-04-17',
      source: 'documented',
      section: '2.3',
      sensitive: true,
      past: true,
    }).optional(),
    phones: phones().optional(),
    emails: emails().optional(),
    addresses: addresses(...(isMeant === true ? ['Home'] : [])).optional(),
    ownership: field(z.number(), {
      ...named('Ownership', 'Ownership percent', 'Percent ownership', 'Percent owned'),
      label: 'ownership',
      aliases: ['ownership percent', 'ownership %', 'percent owned'],
      format: 'percent',
      example: '60',
      source: 'documented',
      section: '2.3',
      rule: 'A percentage: 60 or 60% for sixty percent.',
    }).optional(),
    creditScore: field(z.number(), {
      ...named('FICO', 'FICO score', 'Credit score'),
      label: 'credit score',
      aliases: ['FICO', 'FICO score'],
      format: 'number',
      example: '705',
      source: 'documented',
      section: '2.3',
    }).optional(),
  });
  return group(schema, { label, ...options });
}

/** Financial (2.1): the two names are documented, their types are not (2.7). */
export function financial() {
  return group(
    z.looseObject({
      averageMonthlyGross: field(z.number(), {
        label: 'Average monthly gross',
        aliases: [
          ...['Monthly gross', 'Average monthly revenue', 'Monthly revenue'],
          ...['Average monthly sales', 'Monthly sales', 'Gross monthly sales', 'Gross monthly revenue'],
        ],
        format: 'money',
        example: '42000',
        source: 'documented',
        section: '2.1',
      }).optional(),
      grossAnnual: field(z.number(), {
        label: 'Gross annual',
        aliases: ['Annual gross', 'Annual revenue', 'Annual sales', 'Gross annual sales', 'Gross annual revenue'],
        format: 'money',
        example: '504000',
        source: 'documented',
        section: '2.1',
      }).optional(),
    }),
    { label: '', aliases: ['Financial'], open: true },
  );
}

/** Bank (2.1): deposits, NSFs and average balances, names and types assumed (2.7). */
export function bank() {
  const figure = (label: string, example: string, aliases: readonly string[], format: 'money' | 'number') =>
    field(z.number(), { label, aliases, format, example, source: 'assumed', section: gaps }).optional();
  return group(
    z.looseObject({
      deposits: figure('deposits', '39000', ['deposit'], 'money'),
      nsfs: figure('NSFs', '1', ['NSF', 'NSF count'], 'number'),
      averageBalance: figure('average balance', '8200', ['average balances', 'average daily balance'], 'money'),
    }),
    { label: 'Bank', open: true },
  );
}

function ownerText(label: string, example: string) {
  return field(z.string(), { label, format: 'text', example, source: 'documented', section: '2.3', rare: true });
}

/**
 * The objects that several record kinds hold: addresses, phones, e-mails, owners, figures.
 * Where the service interface shows no fields (2.7) they are assumptions, and the object stays open for further columns.
 */
import * as z from 'zod';
import { fieldsIn, group } from './field-facts.ts';

const assumed = fieldsIn('assumed', '2.7');
const ofOwner = fieldsIn('documented', '2.3');
const ofDeal = fieldsIn('documented', '2.1');

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
    assumed(z.string(), 'text', label, example, { aliases, ...headers });
  const address = z.looseObject({
    line1: text(
      'line 1',
      '120 Main Street',
      ['street', 'street 1', 'address 1', ''],
      named('street', 'address', 'address line 1'),
    ).optional(),
    line2: text('line 2', 'Suite 4', ['street 2', 'address 2'], named('address line 2')).optional(),
    city: text('city', 'Albany', ['town'], named('city')).optional(),
    state: assumed(z.string(), 'state', 'state', 'NY', named('state', 'state/province')).optional(),
    zip: assumed(z.string(), 'zip', 'ZIP', '12207', {
      ...named('ZIP', 'ZIP code', 'postal code', 'ZIP/postal code'),
      aliases: ['ZIP code', 'postal code', 'postcode'],
    }).optional(),
    country: assumed(z.string(), 'text', 'country', 'US', {
      ...named('country', 'country/region'),
      rare: true,
    }).optional(),
  });
  return group(z.array(address), { label: 'address', open: true, shown: 1 });
}

/** Phone: fields not shown (2.7); a number and its type are assumed. */
export function phones() {
  const phone = z.looseObject({
    number: assumed(z.string(), 'phone', '', '(518) 555-0142', { aliases: ['number'] }).optional(),
    type: assumed(z.string(), 'text', 'type', 'Mobile', { rare: true }).optional(),
  });
  return group(z.array(phone), { label: 'phone', aliases: ['telephone', 'phone number'], open: true, shown: 1 });
}

/** Email: fields not shown (2.7); an address and its type are assumed. */
export function emails() {
  const email = z.looseObject({
    email: assumed(z.string().check(z.regex(z.regexes.email)), 'email', '', 'office@example.com', {
      aliases: ['address'],
    }).optional(),
    type: assumed(z.string(), 'text', 'type', 'Work', { rare: true }).optional(),
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
    firstName: ofOwner(z.string(), 'text', 'first name', 'Ada', {
      aliases: ['given name'],
      listed: true,
      names: true,
    }).optional(),
    lastName: ofOwner(z.string(), 'text', 'last name', 'Moreno', {
      aliases: ['surname', 'family name'],
      listed: true,
      names: true,
    }).optional(),
    middleName: ofOwner(z.string(), 'text', 'middle name', 'J.', { rare: true }).optional(),
    ssn: ofOwner(z.string(), 'ssn', 'SSN', '219-09-9999', {
      ...named('SSN', 'Social security number', 'Social security', 'SS number'),
      aliases: ['social security number'],
      sensitive: true,
      rule: 'Nine digits.',
    }).optional(),
    dob: ofOwner(z.string(), 'date', 'date of birth', '1980-04-17', {
      ...named('Date of birth', 'DOB'),
      aliases: ['DOB', 'birth date', 'birthday'],
      sensitive: true,
      past: true,
    }).optional(),
    phones: phones().optional(),
    emails: emails().optional(),
    addresses: addresses(...(isMeant === true ? ['Home'] : [])).optional(),
    ownership: ofOwner(z.number(), 'percent', 'ownership', '60', {
      ...named('Ownership', 'Ownership percent', 'Percent ownership', 'Percent owned'),
      aliases: ['ownership percent', 'ownership %', 'percent owned'],
      rule: 'A percentage: 60 or 60% for sixty percent.',
    }).optional(),
    creditScore: ofOwner(z.number(), 'number', 'credit score', '705', {
      ...named('FICO', 'FICO score', 'Credit score'),
      aliases: ['FICO', 'FICO score'],
    }).optional(),
  });
  return group(schema, { label, ...options });
}

/** Financial (2.1): the two names are documented, their types are not (2.7). */
export function financial() {
  return group(
    z.looseObject({
      averageMonthlyGross: ofDeal(z.number(), 'money', 'Average monthly gross', '42000', {
        aliases: [
          ...['Monthly gross', 'Average monthly revenue', 'Monthly revenue'],
          ...['Average monthly sales', 'Monthly sales', 'Gross monthly sales', 'Gross monthly revenue'],
        ],
      }).optional(),
      grossAnnual: ofDeal(z.number(), 'money', 'Gross annual', '504000', {
        aliases: ['Annual gross', 'Annual revenue', 'Annual sales', 'Gross annual sales', 'Gross annual revenue'],
      }).optional(),
    }),
    { label: '', aliases: ['Financial'], open: true },
  );
}

/** Bank (2.1): deposits, NSFs and average balances, names and types assumed (2.7). */
export function bank() {
  const figure = (label: string, example: string, aliases: readonly string[], format: 'money' | 'number') =>
    assumed(z.number(), format, label, example, { aliases }).optional();
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
  return ofOwner(z.string(), 'text', label, example, { rare: true });
}

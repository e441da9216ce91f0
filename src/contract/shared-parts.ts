/**
 * The objects that several record kinds hold: addresses, phones, e-mails, owners, figures.
 * Where the service interface shows no fields (2.7) they are assumptions, and the object stays open for further columns.
 */
import * as z from 'zod';
import { fieldsIn, group, openObject } from './field-facts.ts';

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
    assumed('text', label, example, { aliases, ...headers });
  const address = openObject({
    line1: text(
      'line 1',
      '120 Main Street',
      ['street', 'street 1', 'address 1', ''],
      named('street', 'address', 'address line 1'),
    ),
    line2: text('line 2', 'Suite 4', ['street 2', 'address 2'], named('address line 2')),
    city: text('city', 'Albany', ['town'], named('city')),
    state: assumed('state', 'state', 'NY', named('state', 'state/province')),
    zip: assumed('zip', 'ZIP', '12207', {
      ...named('ZIP', 'ZIP code', 'postal code', 'ZIP/postal code'),
      aliases: ['ZIP code', 'postal code', 'postcode'],
    }),
    country: assumed('text', 'country', 'US', { ...named('country', 'country/region'), rare: true }),
  });
  return group(z.array(address), { label: 'address' });
}

/** Phone: fields not shown (2.7); a number and its type are assumed. */
export function phones() {
  const phone = openObject({
    number: assumed('phone', '', '(518) 555-0142', { aliases: ['number'] }),
    type: assumed('text', 'type', 'Mobile', { rare: true }),
  });
  return group(z.array(phone), { label: 'phone', aliases: ['telephone', 'phone number'] });
}

/** Email: fields not shown (2.7); an address and its type are assumed. */
export function emails() {
  const email = openObject({
    email: assumed('email', '', 'office@example.com', { aliases: ['address'] }),
    type: assumed('text', 'type', 'Work', { rare: true }),
  });
  return group(z.array(email), { label: 'e-mail', aliases: ['mail'] });
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
  const schema = z
    .object({
      title: ofOwner('text', 'title', 'President', { rare: true }),
      firstName: ofOwner('text', 'first name', 'Ada', { aliases: ['given name'], listed: true }),
      lastName: ofOwner('text', 'last name', 'Moreno', { aliases: ['surname', 'family name'], listed: true }),
      middleName: ofOwner('text', 'middle name', 'J.', { rare: true }),
      ssn: ofOwner('ssn', 'SSN', '219-09-9999', {
        ...named('SSN', 'Social security number', 'Social security', 'SS number'),
        aliases: ['social security number'],
        sensitive: true,
        rule: 'Nine digits.',
      }),
      dob: ofOwner('date', 'date of birth', '1980-04-17', {
        ...named('Date of birth', 'DOB'),
        aliases: ['DOB', 'birth date', 'birthday'],
        sensitive: true,
        past: true,
      }),
      phones: phones(),
      emails: emails(),
      addresses: addresses(...(isMeant === true ? ['Home'] : [])),
      ownership: ofOwner('percent', 'ownership', '60', {
        ...named('Ownership', 'Ownership percent', 'Percent ownership', 'Percent owned'),
        aliases: ['ownership percent', 'ownership %', 'percent owned'],
        rule: 'A percentage: 60 or 60% for sixty percent.',
      }),
      creditScore: ofOwner('number', 'credit score', '705', {
        ...named('FICO', 'FICO score', 'Credit score'),
        aliases: ['FICO', 'FICO score'],
      }),
    })
    .partial();
  return group(schema, { label, ...options });
}

/** Financial (2.1): the two names are documented, their types are not (2.7). */
export function financial() {
  return group(
    openObject({
      averageMonthlyGross: ofDeal('money', 'Average monthly gross', '42000', {
        aliases: [
          ...['Monthly gross', 'Average monthly revenue', 'Monthly revenue'],
          ...['Average monthly sales', 'Monthly sales', 'Gross monthly sales', 'Gross monthly revenue'],
        ],
      }),
      grossAnnual: ofDeal('money', 'Gross annual', '504000', {
        aliases: ['Annual gross', 'Annual revenue', 'Annual sales', 'Gross annual sales', 'Gross annual revenue'],
      }),
    }),
    { label: '', aliases: ['Financial'] },
  );
}

/** Bank (2.1): deposits, NSFs and average balances, names and types assumed (2.7). */
export function bank() {
  const figure = (label: string, example: string, aliases: readonly string[], format: 'money' | 'number') =>
    assumed(format, label, example, { aliases });
  return group(
    openObject({
      deposits: figure('deposits', '39000', ['deposit'], 'money'),
      nsfs: figure('NSFs', '1', ['NSF', 'NSF count'], 'number'),
      averageBalance: figure('average balance', '8200', ['average balances', 'average daily balance'], 'money'),
    }),
    { label: 'Bank' },
  );
}

/** The objects within records. Where the interface shows no fields (2.7), the fields are assumptions and the object is open. */
import * as z from 'zod';
import { assumed, documented, type FieldFormat, group, openObject } from './field-facts.ts';

/** @param starts  header words that say whose address it is, such as `Billing`; an empty word where the record has no other */
export function addresses(...starts: readonly string[]) {
  const part = (format: FieldFormat, label: string, example: string, words: readonly string[], facts = {}) =>
    assumed(format, label, example, {
      headers: starts.flatMap((start) => words.map((word) => `${start} ${word}`.trim())),
      ...facts,
    });
  const line1 = { aliases: ['street', 'street 1', 'address 1', ''] };
  const zip = { aliases: ['ZIP code', 'postal code', 'postcode'] };
  const address = openObject({
    line1: part('text', 'line 1', '120 Main Street', ['street', 'address', 'address line 1'], line1),
    line2: part('text', 'line 2', 'Suite 4', ['address line 2'], { aliases: ['street 2', 'address 2'] }),
    city: part('text', 'city', 'Albany', ['city'], { aliases: ['town'] }),
    state: part('state', 'state', 'NY', ['state', 'state/province']),
    zip: part('zip', 'ZIP', '12207', ['ZIP', 'ZIP code', 'postal code', 'ZIP/postal code'], zip),
    country: part('text', 'country', 'US', ['country', 'country/region'], { rare: true }),
  });
  return group(z.array(address), { label: 'address' });
}

export function phones() {
  const phone = openObject({
    number: assumed('phone', '', '(518) 555-0142', { aliases: ['number'] }),
    type: assumed('text', 'type', 'Mobile', { rare: true }),
  });
  return group(z.array(phone), {
    label: 'phone',
    aliases: ['telephone', 'phone number', 'cell', 'cell phone', 'mobile', 'mobile phone'],
  });
}

export function emails() {
  const email = openObject({
    email: assumed('email', '', 'office@example.com', { aliases: ['address'] }),
    type: assumed('text', 'type', 'Work', { rare: true }),
  });
  return group(z.array(email), { label: 'e-mail', aliases: ['mail'] });
}

/** @param isMeant  whether a header that only fits a person, such as `SSN`, means this owner when it names none */
export function owner(label: string, isMeant: boolean, options: { aliases: readonly string[]; rare?: true }) {
  const named = (...headers: readonly string[]) => (isMeant ? { headers } : {});
  const schema = z
    .object({
      title: documented('text', 'title', 'President', { rare: true }),
      firstName: documented('text', 'first name', 'Ada', { aliases: ['given name'], listed: true }),
      lastName: documented('text', 'last name', 'Moreno', { aliases: ['surname', 'family name'], listed: true }),
      middleName: documented('text', 'middle name', 'J.', { rare: true }),
      ssn: documented('ssn', 'SSN', '219-09-9999', {
        ...named('SSN', 'Social security number', 'Social security', 'SS number'),
        aliases: ['social security number', 'SS number'],
        sensitive: true,
        rule: 'Nine digits.',
      }),
      dob: documented('date', 'date of birth', '1980-04-17', {
        ...named('Date of birth', 'DOB'),
        aliases: ['DOB', 'birth date', 'birthday'],
        sensitive: true,
        past: true,
      }),
      phones: phones(),
      emails: emails(),
      addresses: addresses(...(isMeant ? ['Home'] : []), label, ...options.aliases),
      ownership: documented('percent', 'ownership', '60', {
        ...named('Ownership', 'Ownership percent', 'Percent ownership', 'Percent owned'),
        aliases: ['ownership percent', 'percent owned', 'percent'],
        rule: 'A percentage: 60 or 60% for sixty percent.',
      }),
      creditScore: documented('number', 'credit score', '705', {
        ...named('FICO', 'FICO score', 'Credit score'),
        aliases: ['FICO', 'FICO score'],
      }),
    })
    .partial();
  return group(schema, { label, ...options });
}

export function financial() {
  return group(
    openObject({
      averageMonthlyGross: documented('money', 'Average monthly gross', '42000', {
        aliases: [
          ...['Monthly gross', 'Average monthly revenue', 'Monthly revenue'],
          ...['Average monthly sales', 'Monthly sales', 'Gross monthly sales', 'Gross monthly revenue'],
        ],
      }),
      grossAnnual: documented('money', 'Gross annual', '504000', {
        aliases: ['Annual gross', 'Annual revenue', 'Annual sales', 'Gross annual sales', 'Gross annual revenue'],
      }),
    }),
    { label: '', aliases: ['Financial'] },
  );
}

export function bank() {
  const averages = { aliases: ['average balances', 'average daily balance'] };
  return group(
    openObject({
      deposits: assumed('money', 'deposits', '39000', { aliases: ['deposit'] }),
      nsfs: assumed('number', 'NSFs', '1', { aliases: ['NSF', 'NSF count'] }),
      averageBalance: assumed('money', 'average balance', '8200', averages),
    }),
    { label: 'Bank' },
  );
}

/** How cells are read where they do not tell it: the profile says it for every file, a mapping above it, a flag above both. */
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import type { formatsSchema } from '../../../src/contract/profile-parts.ts';
import { isError } from '../../../src/messages/finding.ts';
import { type CheckChoice, checkPlace } from '../../builders/check-place.ts';

const place = checkPlace();

type Formats = z.input<typeof formatsSchema>;

const columns = { Deal: 'Deal id', Day: 'Date', Sum: 'Amount', What: 'Type', Text: 'Description', No: 'Reference' };
// The blanks around the last cell are told: so is the row.
const cells = ['D-1', '03/04/2026', '1.250,00', 'ACH in', 'none said', ' 7 '];
const read = { dateOrder: 'mdy', decimals: ',' } as const;

/** What is read of one payment, or the codes of its errors where there are any. */
async function paymentRead(formats: Formats, headers: readonly string[], choice: CheckChoice = {}): Promise<unknown> {
  const contract = contractSettingsSchema.parse({ formats });
  const table = [headers, cells.slice(0, headers.length)];
  const { problemRows } = await place.checkTable(table, { kind: 'transactions', contract, ...choice });
  const [row] = problemRows;
  const errors = row?.problems.filter(isError).map(({ code }) => code) ?? [];
  return errors.length > 0 ? errors : row?.body;
}

const ofOurs = (formats: Formats, choice?: CheckChoice) => paymentRead(formats, Object.values(columns), choice);
const mapped = (formats: Formats, rules: object, choice?: CheckChoice) =>
  paymentRead(formats, Object.keys(columns), {
    mapping: { sheets: [{ kind: 'transactions', columns, ...rules }] },
    ...choice,
  });

it.each<[string, Formats, object, string | null, unknown]>([
  ['the order of dates by the profile', { ...read, dateOrder: 'dmy' }, {}, null, { date: '2026-04-03' }],
  ['by the mapping above it', { ...read, dateOrder: 'dmy' }, { dateOrder: 'mdy' }, null, { date: '2026-03-04' }],
  ['by the flag above both', read, { dateOrder: 'mdy' }, 'dmy', { date: '2026-04-03' }],
  ['the mark of decimals by the profile', read, {}, null, { amount: 1250 }],
  ['by the mapping above it', { ...read, decimals: '.' }, { decimals: ',' }, null, { amount: 1250 }],
  ['blanks by a mapping', { ...read, blanks: ['none said'] }, { blanks: ['x'] }, null, { description: 'none said' }],
  [
    'a word by the profile',
    { ...read, values: { transactions: { Type: { 'ach IN': 'Payment' } } } },
    {},
    null,
    { type: 'Payment' },
  ],
  [
    'a word by the mapping above it',
    { ...read, values: { transactions: { type: { 'ACH in': 'Payment' } } } },
    { columns: { ...columns, What: { field: 'Type', values: { 'ACH in': 'Fee' } } } },
    null,
    { type: 'Fee' },
  ],
  [
    'a default by the profile',
    { ...read, blanks: ['none said'], defaults: { transactions: { Description: 'June' } } },
    {},
    null,
    { description: 'June' },
  ],
  [
    'a default by the mapping above it',
    { ...read, blanks: ['none said'], defaults: { transactions: { description: 'June' } } },
    { defaults: { Description: 'July' } },
    null,
    { description: 'July' },
  ],
])('reads %s', async (_, formats, rules, flag, found) => {
  const dateOrder = flag as 'dmy' | null;
  expect(await mapped(formats, rules, { dateOrder })).toMatchObject(found as object);
  // Without a mapping, a profile says the same of a file with headers of ours.
  if (Object.keys(rules).length === 0) expect(await ofOurs(formats, { dateOrder })).toMatchObject(found as object);
});

it('leaves out the columns of a person in every file, beside those of a flag, and lists them', async () => {
  const table = [
    ['Deal id', 'Date', 'Amount', 'Rep', 'Zodiac', '(Branch)'],
    ['D-1', '2026-03-04', '5', 'Ada', 'Leo', 'Troy'],
  ];
  const contract = contractSettingsSchema.parse({ formats: { ignoreColumns: ['rep'] } });
  const checked = (ignoredColumns: 'all' | readonly string[]) =>
    place.checkTable(table, { kind: 'transactions', contract, ignoredColumns });
  for (const ignored of ['all', ['Zodiac']] as const)
    expect((await checked(ignored)).preview.notices).toEqual(['rows: the columns "Rep", "Zodiac" are left out.']);
  expect((await checked(['zodiac', 'Notes'])).preview.notices).toContain(
    '--ignore-columns names "Notes", but the file has no such column.',
  );
  await expect(checked([])).rejects.toThrow('Column E "Zodiac" is not a field');
});

it('fills a field that has no column, and refuses a field that the kind does not have', async () => {
  const filled = { ...read, defaults: { transactions: { Type: 'Payment' }, notes: { Note: 'x' } } };
  const headers = ['Deal id', 'Date', 'Amount', '(What)', 'Description', 'Reference'];
  expect(await paymentRead(filled, headers)).toMatchObject({ type: 'Payment' });
  const unknown = { ...read, values: { transactions: { Stage: { a: 'b' } } } };
  await expect(ofOurs(unknown)).rejects.toMatchObject({
    code: 'unmatched-columns',
    message: expect.stringContaining(
      'The profile has "formats" for a field "Stage", but a transaction has no such field.',
    ),
  });
});

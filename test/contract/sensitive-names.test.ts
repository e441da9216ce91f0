import { describe, expect, it } from 'vitest';
import { isSensitiveName, isWrittenSsn } from '../../src/contract/fields.ts';
import { findingText } from '../../src/messages/finding.ts';
import { readRows } from '../mapping/rows.ts';

describe('a name', () => {
  it.each([
    ...[
      ...['ssn', 'applicantSSN', 'socialSecurityNumber', 'Social', 'birthDate'],
      ...['date_of_birth', 'birthday', 'born', 'DOB'],
    ],
    ...['taxId', 'TaxID', 'tax-payer id', 'tin', 'owner1.ssn', 'Owner 1 SSN', 'nationalId'],
  ])('says that its value is masked: %s', (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  it.each(['ein', 'stubborn', 'birthplace', 'socialite', 'cousin', 'tint', 'taxes', 'firstName', 'dateOfPayment'])(
    'is none by a part of a word: %s',
    (name) => {
      expect(isSensitiveName(name)).toBe(false);
    },
  );
});

it('hides what is said of a column in braces', () => {
  const [row] = readRows(
    'leads',
    ['{applicant.birthDate:date}', '{applicant.ssn:number}'],
    [['17 Apr 1980', '219-09-9999']],
  );
  const told = row?.problems.map(findingText).join(' ');
  expect(told).toContain('(value not shown)');
  expect(told).not.toMatch(/1980|9999/);
});

it('looks sensitive where it is written as an SSN', () => {
  expect(['219-09-9999', ' 219 09 9999 '].every(isWrittenSsn)).toBe(true);
  expect(['219-099999', '2190-09-9999', '12-3456789', 'x', null].some(isWrittenSsn)).toBe(false);
});

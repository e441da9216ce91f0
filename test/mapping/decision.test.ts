import { describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { columnDecision, valueDecision } from '../../src/mapping/mapping-file/decision.ts';

const suggestions = [
  { field: 'Company name', score: 0.8 },
  { field: 'Company DBA', score: 0.6 },
];
const decide = (answer: string) => {
  const decision = columnDecision(recordKind('deals'), suggestions, answer);
  return decision.step === 'field' ? decision.field.label : decision.step;
};

describe('an answer about a column', () => {
  it.each([
    ['2', 'Company DBA'],
    [' 1 ', 'Company name'],
    ['', 'leave open'],
    ['company ein', 'Company EIN'],
    ['-', 'leave out'],
    ['3', 'ask again'],
    ['Compny nme', 'ask again'],
  ])('%j decides: %s', (answer, decided) => expect(decide(answer)).toBe(decided));

  it('that is no field is told what comes near', () => {
    expect(columnDecision(recordKind('deals'), [], 'Compny name')).toMatchObject({
      message: expect.stringContaining('Company name'),
    });
  });
});

describe('the names of all fields', () => {
  it('tell of phones and addresses the first, and how the further ones are named', () => {
    const told = columnDecision(recordKind('deals'), [], '?');
    const message = told.step === 'ask again' ? told.message : '';
    expect(message).toMatch(/^The fields of a deal: .*Company phone · .* such as Company address 2 line 1$/);
    expect(message).not.toContain('Owner 2 phone 3');
    expect(message.length).toBeLessThan(2000);
  });
});

describe('an answer about a value', () => {
  const choices = ['Lead', 'Application'];
  it.each([
    ['2', 'Application'],
    ['lead', 'Lead'],
    ['', null],
    ['-', ''],
    ['9', null],
    ['Prospect', null],
  ])('%j means %j', (answer, value) => expect(valueDecision(choices, answer)).toBe(value));
});

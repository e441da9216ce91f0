import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { draftRules, sureSuggestion } from '../../../src/mapping/mapping-file/draft.ts';
import type { ColumnRule } from '../../../src/mapping/mapping-file/mapping.ts';

function drafted(headers: readonly string[], ...rows: readonly (readonly string[])[]) {
  const sheetRows = rows.map((cells, index) => ({ number: index + 2, cells, hidden: false }));
  return draftRules(recordKind('deals'), headers, sheetRows);
}

describe('a draft of a mapping', () => {
  it('has every header, also one that is a word of the language', () => {
    const headers = ['Company name', 'constructor', '__proto__'];
    expect(Object.keys(drafted(headers).columns)).toEqual(headers);
  });

  it('shows no sample of what may be an SSN or a date of birth', () => {
    const { columns } = drafted(
      ['Owner born', 'Birthdate of signer', 'Number', 'Remark'],
      ['17 Aug 1988', '1988-08-17', '219 09 4877', 'call'],
    );
    expect(JSON.stringify(columns)).not.toMatch(/1988|Aug|219/);
    expect(columns.Remark).toMatchObject({ samples: ['call'] });
  });

  it('suggests no field that another column is, and none that cannot hold what stands in the column', () => {
    const { columns } = drafted(
      ['Owner SSN', 'SSN', 'Inc State', 'Business State'],
      ['219-09-4877', '219-09-4878', '12', 'NY'],
      ['219-09-4876', '219-09-4879', '12', 'CA'],
    );
    expect(columns.SSN).not.toHaveProperty('suggestions');
    expect(columns['Inc State']).not.toHaveProperty('suggestions');
    expect(columns['Business State']).toMatchObject({
      suggestions: [{ field: 'Company address state' }],
    });
  });

  it('is sure of a field alone that has every word of the header, and that no other field has', () => {
    const sure = (header: string, value: string) => {
      const rule = drafted([header], [value]).columns[header] as ColumnRule;
      return sureSuggestion(recordKind('deals'), header, rule);
    };
    expect(sure('Average bank balance', '705')).toBe('Bank average balance');
    expect(sure('Merchant', 'Harbor Bakery')).toBe('Company name');
    expect(sure('State', 'NY')).toBeNull();
    expect(sure('Rate %', '12')).toBeNull();
    expect(sure('Funding wanted', '12000')).toBeNull();
    expect(sure('Average bank balance', 'Monday')).toBeNull();
  });

  it('says a comma for the decimals only where no amount shows a point', () => {
    const headers = ['Amount requested', 'Owner 1 ownership'];
    expect(drafted(headers, ['1.234,50', '60']).decimals).toBe(',');
    expect(drafted(headers, ['1,234.50', '12,5']).decimals).toBeUndefined();
    expect(drafted(headers, ['1,234', '60']).decimals).toBeUndefined();
  });

  it('says none where an amount has a comma in front of three digits too: that is for a person to say', () => {
    const headers = ['Amount requested', 'Company name'];
    expect(drafted(headers, ['12,500', 'Kite'], ['12,50', 'Elm']).decimals).toBeUndefined();
    expect(drafted(headers, ['12.500', 'Kite'], ['12,50', 'Elm']).decimals).toBe(',');
  });

  it('counts as blank what programs write for nothing, and no dash, which may be a zero', () => {
    const headers = ['Company name', 'Owner credit score', 'Company EIN', 'Remark'];
    const { blanks } = drafted(headers, ['Kite', 'N/A', '-', 'None'], ['NULL', '-', 'N/A', 'Nan']);
    expect(blanks).toEqual(['NULL', 'N/A', 'None']);
    expect(drafted(headers, ['Kite', '700', '-', '--'])).not.toHaveProperty('blanks');
  });

  it('asks about no value that counts as blank, and suggests fields as if it were', () => {
    const { columns } = drafted(['Entity type', 'Credit rating score'], ['N/A', 'N/A'], ['LLC', 'N/A'], ['LLC', '705']);
    expect(columns['Entity type']).toBe('Entity type');
    expect(columns['Credit rating score']).toMatchObject({
      suggestions: [{ field: 'Owner 1 credit score' }],
      samples: ['705'],
    });
  });

  it('asks once about a value, however its case is', () => {
    const { columns } = drafted(['Entity type'], ['S Corporatn'], ['s corporatn'], ['S CORPORATN']);
    expect(columns['Entity type']).toEqual({ field: 'Entity type', values: { 'S CORPORATN': 'S Corporation' } });
  });
});

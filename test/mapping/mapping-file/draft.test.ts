import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { draftColumns, ruleNamed } from '../../../src/mapping/mapping-file/draft.ts';

function drafted(headers: readonly string[], ...rows: readonly (readonly string[])[]) {
  const sheetRows = rows.map((values, index) => ({ number: index + 2, values, hidden: false }));
  return draftColumns(recordKind('deals'), headers, sheetRows);
}

describe('a draft of a mapping', () => {
  it('has every header, also one that is a word of the language', () => {
    const headers = ['Company name', 'constructor', '__proto__'];
    expect(Object.keys(drafted(headers))).toEqual(headers);
  });

  it('shows no sample of what may be an SSN or a date of birth', () => {
    const columns = drafted(
      ['Owner born', 'Birthdate of signer', 'Number', 'Remark'],
      ['17 Aug 1988', '1988-08-17', '219 09 4877', 'call'],
    );
    expect(JSON.stringify(columns)).not.toMatch(/1988|Aug|219/);
    expect(columns.Remark).toMatchObject({ samples: ['call'] });
  });

  it('takes a field once, and suggests others without taking them', () => {
    const columns = drafted(['Owner SSN', 'SSN', 'Funding wanted'], ['219-09-4877', '219-09-4878', '100']);
    expect(columns['Owner SSN']).toBe('Owner 1 SSN');
    expect(columns.SSN).toMatchObject({ field: null, samples: ['***-**-****'] });
    expect(drafted(['SSN', 'Owner 1 SSN'])).toMatchObject({ SSN: { field: null }, 'Owner 1 SSN': 'Owner 1 SSN' });
    expect(drafted(['Company name', 'Company owner'])['Company owner']).toEqual({ field: null, samples: [] });
    expect(columns['Funding wanted']).toMatchObject({ field: null, suggestions: [{ field: 'Amount requested' }] });
    const [ref, id] = ['Company ref', 'Company id'].map((field) => ({ field, score: 1 }));
    expect(drafted(['Company #'])['Company #']).toMatchObject({ field: null, suggestions: [ref, id] });
  });

  it.each(['Owner name', 'OWNER FULL NAME', 'Owner'])('splits a whole name: %s', (header) => {
    const split = { fields: ['Owner 1 first name', 'Owner 1 last name'], at: ' ' };
    expect(drafted([header], ['Ada Moreno'])[header]).toEqual({ split, samples: ['Ada Moreno'] });
    expect(drafted([header, 'Owner last name'], ['Ada Moreno', 'Moreno'])[header]).toMatchObject({ field: null });
  });

  it('splits the name of the owner that its number chooses, and no share of an owner', () => {
    const split = { fields: ['Owner 2 first name', 'Owner 2 last name'], at: ' ' };
    expect(drafted(['2nd Owner Name'], ['Max Doyle'])['2nd Owner Name']).toMatchObject({ split });
    const suggestions = [{ field: split.fields.join(' + ') }];
    expect(drafted(['Guarantor 2 Name'], ['Mary Ann Miller'])['Guarantor 2 Name']).toMatchObject({ suggestions });
    expect(drafted(['Owner %'], ['60'])).toEqual({ 'Owner %': 'Owner 1 ownership' });
  });

  const [city, state, zip] = ['city', 'state', 'ZIP'].map((part) => `Company address ${part}`);
  it.each([
    ['Company city, state ZIP', 'Albany, NY 12207', { fields: [city, state, zip], at: [',', ' '] }],
    ['Company City/State/Zip', 'Albany NY 12207', { fields: [city, state, zip], at: ' ' }],
    ['Company address city, ST', 'Albany, NY', { fields: [city, state], at: ',' }],
  ] as const)('splits the end of an address: %s', (header, text, split) => {
    expect(drafted([header], [text])[header]).toEqual({ split, samples: [text] });
    expect(drafted([header, 'Company address city'], [text, 'Albany'])[header]).toMatchObject({ field: null });
  });

  it('asks whose address it is, and splits it once that is said', () => {
    const rows = [{ number: 2, values: ['Albany, NY 12207'], hidden: false }];
    const deals = recordKind('deals');
    const open = drafted(['City, State ZIP'], ['Albany, NY 12207'])['City, State ZIP'];
    const ofWhom = (who: string) => ['city', 'state', 'ZIP'].map((part) => `${who} address ${part}`).join(' + ');
    const whose = ['Company', 'Owner 1', 'Owner 2'].map((who) => ({ field: ofWhom(who), score: 1 }));
    expect(open).toMatchObject({ field: null, suggestions: whose });
    const beside = drafted(['Company address city', 'Site city, State ZIP'], ['Troy', 'Albany, NY 12207']);
    expect(beside['Site city, State ZIP']).toMatchObject({ field: null, suggestions: whose.slice(1) });
    const at = [',', ' '];
    const split = { split: { fields: [city, state, zip], at }, samples: ['Albany, NY 12207'] };
    expect(ruleNamed(deals, 'Company address city', rows, 0, 'City, State ZIP')).toEqual(split);
    expect(ruleNamed(deals, [city, state, zip].join(' + '), rows, 0, 'Where')).toEqual(split);
    const said = { kind: 'deals', columns: { Where: { field: ofWhom('Company') } } } as const;
    expect(draftColumns(deals, ['Where'], rows, said)).toEqual({ Where: split });
  });

  it('leaves open what its field does not allow, once however its case is, and asks about no word for nothing', () => {
    const values = ['S Corporatn', 's corporatn', 'S CORPORATN', 'LLC', 'S-Corp', 'N/A'];
    const columns = drafted(['Entity type'], ...values.map((value) => [value]));
    expect(columns['Entity type']).toEqual({ field: 'Entity type', values: { 'S CORPORATN': null } });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redacted } from '../../src/service/reason.ts';

const secrets = [
  { value: '123-45-6789', label: 'Owner 1 SSN', isSensitive: true },
  { value: '1980-02-03', label: 'Owner 1 date of birth', isSensitive: true },
  { value: 'Harbor Café (Main)', label: 'Company name' },
  { value: '50000', label: 'Amount requested' },
  { value: 'Owner', label: 'Title' },
  { value: 'LLC', label: 'Entity type' },
];

describe('what a service says of a row with an SSN and a date of birth', () => {
  it.each([
    ['SSN 123-45-6789 of Harbor Café (Main) exists', 'SSN [Owner 1 SSN] of [Company name] exists'],
    ['HARBOR CAFÉ (MAIN) has it', '[Company name] has it'],
    ['Owner is no Ownership', '[Title] is no Ownership'],
    ['LLC is known', 'LLC is known'],
    ['answered 422', 'answered 422'],
  ])('is told without its values: %s', (said, told) => {
    expect(redacted(said, secrets)).toBe(told);
  });

  it.each([
    ...['123456789', '123 45 6789', '123\u201345\u20136789', '123%2D45%2D6789', String.raw`123\u002d45\u002d6789`],
    ...['123&#45;45&#45;6789', '１２３４５６７８９', '123_45_6789', '123 - 45 - 6789', '1 2 3 4 5 6 7 8 9'],
    ...['02/03/1980', '2/3/80', '800203', '19800203', '["1980","02","03"]', '318384000', '٣/٢/١٩٨٠'],
    ...[Buffer.from('123-45-6789').toString('base64'), Buffer.from('123456789').toString('base64')],
    ...[Buffer.from('1980-02-03').toString('base64')],
  ])('has no number in whatever form: %s', (said) => {
    const told = redacted(`Row <${said}> exists`, secrets);
    expect(told).toMatch(/^Row <[["]*\[(?:number|SSN|Owner 1 SSN|Owner 1 date of birth)\][\]"=]*> exists$/);
  });

  it('is hidden as a whole where a shorter value reaches into it', () => {
    const said = redacted('Bad number Smith AB12 CDEF QQ given', [
      { value: 'Smith AB12', label: 'Memo' },
      { value: 'AB12 CDEF QQ', label: 'Access', isSensitive: true },
    ]);
    expect(said).toBe('Bad number Smith [Access] given');
  });

  it('is told also where a value is longer than patterns may be', () => {
    const value = 'Second oven. '.repeat(1500).trim();
    expect(redacted(`Text "${value}" is too long`, [{ value, label: 'Memo' }])).toBe('Text "[Memo]" is too long');
  });

  it('has no year of a date in words', () => {
    expect(redacted('born on the 3rd of February 1980', secrets)).toBe('born on the 3rd of February [number]');
  });
});

describe('what a service says of any row', () => {
  it('is told without what looks like an SSN, and with its other numbers', () => {
    expect(redacted('987-65-4320 of batch 20260630', [])).toBe('[SSN] of batch 20260630');
  });

  it('is told without a token, cut short or whole', () => {
    const token = [{ value: 'tok-4f3e2d1c0b9a8877', label: 'token' }];
    const said = 'Bearer tok-4f3e2d1c… is refused. tok-4f3e2d1c0b9a8877.';
    expect(redacted(said, token)).toBe('Bearer [token]… is refused. [token].');
  });

  it('is one line without control characters, in which no value is found, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const told = redacted(`${before} 123-45-6789 ${after}`, secrets);
        expect(told).not.toContain('123-45-6789');
        expect(told).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

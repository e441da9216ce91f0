import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assumedContract, contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { wireWriter } from '../../src/mapping/body.ts';
import { findingText } from '../../src/messages/finding.ts';
import type { Cell } from '../../src/tables/row.ts';
import { dateCell, errorsOf, numberCell, readColumn, readRow, readRows, warningsOf } from './rows.ts';

const deal = {
  'Amount requested': '100',
  'Company name': 'Harbor Bakery',
  'Company DBA': 'Harbor',
  'Owner first name': 'Ada',
  'Owner last name': 'Moreno',
};
const errorsWith = (cells: Parameters<typeof readRow>[1]) => errorsOf(readRow('deals', { ...deal, ...cells }));

describe('a row', () => {
  it('becomes a nested record, its blanks left out, in the order of the schema', () => {
    const row = readRow('deals', {
      Tags: 'a; b',
      'Company phone 2': '518-555-0143',
      ...deal,
      Stage: '',
      'Bank NSFs': numberCell(0),
      '{bank.largest:number}': '12.5',
      '{bank.renewal:boolean}': 'yes',
      '{bank.isOpen:boolean}': { kind: 'boolean', value: false },
    });
    expect(row.isValid).toBe(true);
    expect(JSON.stringify(row.body)).toBe(
      '{"amountRequested":100,"company":{"name":"Harbor Bakery","dba":"Harbor","phones":[{"number":"518-555-0143"}]},"owner1":{"firstName":"Ada","lastName":"Moreno"},"bank":{"nsfs":0,"largest":12.5,"renewal":true,"isOpen":false},"tags":["a","b"]}',
    );
  });

  it('is told every problem at its column, not only the first, and each cause once', () => {
    const row = readRow('deals', {
      ...deal,
      'Amount requested': '-5',
      'Entity type': 'Zebra',
      'Use of proceeds': 'x'.repeat(251),
      'Owner e-mail': 'nobody',
      'Owner date of birth': '1980-02-30',
    });
    expect(row.problems.map(({ column }) => column).sort()).toEqual([0, 5, 6, 7, 8]);
    expect(errorsOf(row)).toHaveLength(5);
    expect(errorsOf(row).join('\n')).toContain('Use of proceeds "xxx');
    expect(errorsOf(row).join('\n')).toContain('has 251 characters, and at most 250 are allowed.');
    expect(errorsOf(row).join('\n')).toContain('Owner 1 e-mail "nobody" is not an e-mail address.');
    expect(errorsWith({ 'Amount requested': 'much' })).toHaveLength(1);
  });

  it('is the same whatever the line ends of the file, in its texts, open columns, refs and lists', () => {
    const textsOf = (lineEnd: string) => {
      const two = ['line 1', 'line 2'].join(lineEnd);
      const note = readRow('notes', { 'Deal ref': two, 'Deal status': 'Open', Note: two });
      const withLists = readRow('deals', { ...deal, Tags: two, '{bank.remark}': two });
      return [note.body, note.references.map(({ ref }) => ref), withLists.body];
    };
    expect(textsOf('\r\n')).toEqual(textsOf('\n'));
    for (const lineEnd of ['\r', '\v', '\f']) expect(textsOf(lineEnd)).toEqual(textsOf('\n'));
    expect(textsOf('\n')[0]).toMatchObject({ note: 'line 1\nline 2' });
  });

  it('names a file by one path, however the path was written', () => {
    const fileOf = (File: string) => readRow('attachments', { 'Deal id': 'deal_1', File }).body.file;
    for (const path of ['./a.txt', 'june/../a.txt', ' a.txt']) expect(fileOf(path)).toBe('a.txt');
    expect(['june//a.txt', '../a.txt'].map(fileOf)).toEqual(['june/a.txt', '../a.txt']);
  });

  it('is told what is missing at the cell in which a person would give it', () => {
    const cellOf = (cells: Record<string, string>, label: string) =>
      readRow('deals', cells).problems.find((problem) => problem.label === label)?.column;
    const { 'Company name': name, 'Company DBA': dba, ...nameless } = deal;
    expect(cellOf({ 'Company start date': '', 'Company ref': '', ...nameless }, 'Company')).toBe(1);
    expect(cellOf({ 'Company start date': '', 'Company name': '', 'Company ref': '', ...nameless }, 'Company')).toBe(1);
    expect(cellOf({ 'Company start date': '', ...nameless }, 'Company')).toBe(0);
    const owner = { 'Owner date of birth': '', 'Owner last name': '', 'Company name': name, 'Amount requested': '1' };
    expect(cellOf({ ...owner, 'Company DBA': dba }, 'Owner 1')).toBe(1);
  });

  it('is told what is missing, with what may be given instead', () => {
    expect(errorsOf(readRow('deals', { 'Owner last name': 'Moreno' }))).toEqual([
      'Amount requested is missing: every deal needs one.',
      'Company is missing: fill in at least one of its columns (Company id, Company name, Company DBA, …), or a Company ref.',
    ]);
    const noteOf = (deal: Record<string, string>) =>
      errorsOf(readRow('notes', { ...deal, 'Deal status': 'Open', Note: 'Hello' }));
    expect(noteOf({})).toEqual(['Deal id is missing: every note needs one, or a Deal ref.']);
    expect(noteOf({ 'Deal ref': 'D-1' })).toEqual([]);
    expect(noteOf({ 'Deal ref': 'D-1', 'Deal id': 'deal_1' })[0]).toMatch(/both given/);
  });

  it('is told that it says nothing, where the service wants no field', () => {
    const nothing = ['The row is empty: none of the cells that are sent is filled in.'];
    expect(errorsOf(readRow('transactions', { 'Deal ref': '', Amount: '' }))).toEqual(nothing);
    expect(errorsOf(readRow('submissions', { Ref: 'S-1', 'Submission status': '' }))).toEqual(nothing);
    expect(errorsOf(readRow('transactions', { 'Deal ref': 'D-1', Amount: '' }))).toEqual([]);
    expect(errorsOf(readRow('transactions', { Amount: 'TBD' }))).toHaveLength(1);
  });

  it('is told which expected fields are blank, as a warning or as an error', () => {
    const { 'Company DBA': _dba, ...without } = deal;
    expect(warningsOf(readRow('deals', without))).toEqual([
      'Company DBA is blank. If the deal has one, fill it in, and otherwise leave it blank.',
    ]);
    expect(readRow('deals', without, { contract: { needs: { 'deals.company.dba': 'error' } } }).isValid).toBe(false);
    const known = { 'Company ref': 'C-1', 'Owner first name': 'A', 'Owner last name': 'B' };
    expect(warningsOf(readRow('deals', { 'Amount requested': '1', ...known }))).toEqual([]);
  });

  it('is told odd ownerships and days that are still to come, and goes out all the same', () => {
    const row = readRow('deals', {
      ...deal,
      'Business start date': '2199-01-01',
      'Owner date of birth': '2199-02-03',
      'Owner ownership': '150%',
      'Owner 2 first name': 'Ana',
      'Owner 2 last name': 'Reyes',
      'Owner 2 ownership': '-5',
    });
    expect(warningsOf(row)).toEqual([
      'Company start date "2199-01-01" is a day in the future. Check its year.',
      'Owner 1 date of birth (value not shown) is a day in the future. Check its year.',
      'Owner 1 ownership "150%" is more than 100 percent. Check it: it was not changed.',
      'Owner 2 ownership "-5" is below 0 percent. Check it: it was not changed.',
    ]);
    expect(row.isValid).toBe(true);
  });

  it('is told the Funder rule beside its other faults', () => {
    const row = readRow('companies', {
      'Company name': 'A',
      'Contact types': 'Merchant',
      'Submission e-mail': 'a@b.example',
      Website: 'x'.repeat(101),
    });
    expect(errorsOf(row)).toHaveLength(2);
    expect(errorsOf(row).join()).toContain('only a company whose contact types include Funder may have this');
  });

  const uncalculated = { kind: 'formula-without-value', formula: 'A1' } as const;
  it.each<[label: string, value: Cell, error: RegExp]>([
    ['Tags', { kind: 'error', text: '#REF!' }, /Tags "#REF!" is an error value/],
    ['Tags', uncalculated, /is a formula whose result is not in the file/],
    ['Owner SSN', '***-**-****', /^Owner 1 SSN \(value not shown\) is masked/],
  ])('is told what is no value, in %s: %j', (label, cell, error) => {
    expect(errorsWith({ [label]: cell })[0]).toMatch(error);
  });

  it.each([
    ...['#N/A', '#SPILL!', '#ERROR!', '#GETTING_DATA', '#NV', '#BEZUG!', '#¡REF!', '#N/D', '#VALEUR!', '#DEEL/0!'],
    'Err:522',
  ])('is told an error value that is text, in the language of the program that wrote it: %s', (text) => {
    expect(errorsWith({ Tags: text })[0]).toMatch(/^Tags ".+" is an error value/);
  });

  it.each(['Company name', 'Ref', 'Owner SSN', '{bank.remark}'])('is refused a letter that is lost: %s', (label) => {
    expect(errorsWith({ [label]: 'M\ufffdller' })).toEqual([expect.stringMatching(/ has letters that are lost: /)]);
  });

  it('is told no error value of a text that only begins like one', () => {
    for (const text of ['#4B', '#HOT', '#NVX', '#1', 'Err:52', 'Err: 522'])
      expect(errorsWith({ Tags: text })).toEqual([]);
  });

  it('is told a number cell with more digits than a number carries, as it is of the same text', () => {
    for (const stored of ['999999999999999.9', '12345678901234.56', '1234567890123456', '1.2345678901234567E+15'])
      for (const cell of [numberCell(Number(stored), { stored }), stored])
        expect(errorsWith({ 'Amount requested': cell })).toHaveLength(1);
  });

  it.each([
    ['1234.5600000000001', 1234.56],
    ['0.30000000000000004', 0.3],
    ['999999999999.99', 999999999999.99],
    ['1250000.0000000002', 1250000],
  ])('reads a number cell without the noise of its binary form: %s', (stored, read) => {
    const row = readRow('deals', { ...deal, 'Amount requested': numberCell(Number(stored), { stored }) });
    expect(errorsOf(row)).toEqual([]);
    expect(row.body.amountRequested).toBe(read);
  });

  it('goes by the deal statuses of a profile', () => {
    const note = { 'Deal id': 'd', 'Deal status': 'Opened', Note: 'x' };
    expect(readRow('notes', note).isValid).toBe(true);
    const contract = { dealStatuses: ['In review', 'Open'] };
    expect(errorsOf(readRow('notes', note, { contract }))[0]).toMatch(
      /not one of the allowed values: In review, Open\./,
    );
    expect(readRow('notes', { ...note, 'Deal status': 'in-review' }, { contract }).body).toMatchObject({
      status: 'In review',
    });
    const submission = { 'Deal id': 'd', 'Submission status': 'Opened' };
    expect(readRow('submissions', submission, { contract }).isValid).toBe(true);
  });

  it('refuses a value for which the requests of a profile have no place of its own', () => {
    const deals = { rename: { 'owner1.phones[].number': 'mobile' } };
    const { requests } = contractSettingsSchema.parse({ requests: { deals } });
    const one = { ...deal, 'Owner phone': '(518) 555-0199' };
    expect(readRow('deals', one, { contract: { requests } }).isValid).toBe(true);
    const two = readRow('deals', { ...one, 'Owner phone 2': '(518) 555-0100' }, { contract: { requests } });
    expect(errorsOf(two)[0]).toMatch(/^Owner 1 phone 2 has no place of its own/);
  });

  it('never shows an SSN or a date of birth in what it says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{3,11}[a-z]?$/), fc.stringMatching(/^[0-9/-]{4,10}$/), (ssn, dob) => {
        const row = readRow('deals', { ...deal, 'Owner SSN': ssn, 'Owner date of birth': dob });
        const said = row.problems
          .map((problem) => findingText(problem).replaceAll(/012-34-5678|123-45-6789|2026-04-30/g, ''))
          .join(' ');
        expect(said).not.toContain(ssn);
        expect(said).not.toContain(dob);
      }),
    );
  });
});

describe('a company update', () => {
  const update = (cells: Readonly<Record<string, string>>) =>
    readRow('company-updates', { 'Company to update': 'cmp_1', ...cells });

  it('holds the filled cells alone, and null for what is cleared', () => {
    const body = { dba: null, website: null, note: 'new' };
    const row = update({ DBA: '<clear>', Website: ' <CLEAR> ', Note: 'new', EIN: '' });
    expect(row).toMatchObject({ isValid: true, pathId: 'cmp_1', clears: 2, body });
  });

  it.each([
    [{}, ['Company to update is missing: every company update needs one, or a Company ref.']],
    [{ 'Company ref': 'C-2' }, []],
    [
      { 'Company ref': 'C-2', 'Company to update': 'c' },
      [expect.stringMatching(/^Company ref "C-2" and an id are both/)],
    ],
  ])('names its company by its id or by its Ref: %j', (named, errors) => {
    const row = readRow('company-updates', { ...named, DBA: 'x' });
    expect([errorsOf(row), row.body]).toEqual([errors, { dba: 'x' }]);
  });

  it.each(['<Clear >', '< clear >', '<\u00a0CLEAR>\n'])('empties a field whatever the form of its mark: %j', (mark) => {
    expect(update({ DBA: mark })).toMatchObject({ isValid: true, clears: 1, body: { dba: null } });
  });

  it.each([
    ...['<clear', 'clear>', '<clear>.', '"<clear>"', '<<clear>>', '</clear>', '<cleared>', '<clear all>'],
    ...['<claer>', '<clea>', 'Bakery <clear>'],
  ])('is refused where a cell holds nearly the mark that empties a field: %s', (text) => {
    const row = update({ DBA: text, Note: 'new' });
    expect(errorsOf(row)).toEqual([
      `DBA "${text}" is nearly <clear>, which empties a field. Write <clear> and nothing else into the cell to empty the field, or enter the new value.`,
    ]);
    expect(row.clears).toBe(0);
  });

  it('takes words in brackets and comparisons for the values that they are', () => {
    for (const text of ['Clear', 'clear', '<Bakery>', 'A > B', 'term < 12', 'clear view > 5', 'Jo <jo@a.example>'])
      expect(update({ DBA: text }).body).toEqual({ dba: text });
    const note = 'Call them before the next run: <clear> in a cell empties its field.';
    expect(update({ Note: note }).body).toEqual({ note });
    expect(readRow('leads', { 'Company name': '<clear' }).body).toEqual({ company: { name: '<clear' } });
  });

  it('empties a whole list, but not one that another cell fills', () => {
    expect(update({ Phone: '<clear>' }).body).toEqual({ phones: null });
    expect(errorsOf(update({ 'Phone type': 'Mobile', Phone: '<clear>' }))[0]).toMatch(/empties the whole list/);
  });

  it('cannot empty what every company has, and must change something', () => {
    expect(errorsOf(update({ 'Company name': '<clear>' }))[0]).toMatch(/cannot empty this field/);
    expect(errorsOf(update({ Note: '' }))).toEqual(['The row changes nothing: no field is filled in.']);
    expect(errorsOf(update({ EIN: '12-345' }))).toEqual([expect.stringContaining('"12-345" is not an EIN')]);
    const company = readRow('companies', { 'Company name': 'A', 'Contact types': 'Other', Note: '<clear>' });
    expect(errorsOf(company)[0]).toMatch(/empties a field of a company update, and cannot stand here/);
  });
});

const terms = (headers: readonly string[]) =>
  readRows('submission-loans', ['Submission id', ...headers], [['s', ...headers.map((_, index) => `v${index}`)]])[0]
    ?.body.terms;

it('parts of a list stand without a gap where the first ones are blank, also those of a list within a list', () => {
  expect(terms(['{terms[1].name}', '{terms[3].name}'])).toEqual([{ name: 'v0' }, { name: 'v1' }]);
  expect(terms(['{terms[1].parts[1]}', '{terms[1].parts[4]}'])).toEqual([{ parts: ['v0', 'v1'] }]);
});

it('the cells of a column settle the order of its dates together', () => {
  const read = (texts: readonly string[]) =>
    readColumn('transactions', 'Date', texts).map(({ body, problems }) => body.date ?? problems.map(findingText)[0]);
  expect(read(['03/04/2026', '17/04/2026'])).toEqual(['2026-04-03', '2026-04-17']);
  expect(read(['03/04/2026', '04/17/2026'])).toEqual(['2026-03-04', '2026-04-17']);
  expect(read(['03/04/2026', '17/04/2026', '04/17/2026'])[0]).toMatch(/contradict/);
  expect(read(['03/04/2026'])[0]).toMatch(/its column does not show the order/);
});

it('the same row of CSV and XLSX gives the same JSON, to the byte', () => {
  const row = fc.record({
    amount: fc.integer({ min: 0, max: 99_999_999 }).map((cents) => cents / 100),
    name: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== '' && !/^#|^<clear>$/i.test(text.trim())),
    day: fc
      .date({ min: new Date('1950-01-01'), max: new Date('2049-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    ssn: fc.stringMatching(/^[1-8][0-9]{8}$/),
    ownership: fc.integer({ min: 1, max: 100 }),
  });
  const headers = ['Amount requested', 'Company name', 'Company start date', 'Owner SSN', 'Owner ownership'];
  fc.assert(
    fc.property(row, ({ amount, name, day, ssn, ownership }) => {
      const [csv] = readRows('deals', headers, [[String(amount), name, day, ssn, `${ownership}%`]]);
      const share = numberCell(ownership / 100, { percent: true });
      const cells = [numberCell(amount), name, dateCell(day), numberCell(Number(ssn)), share];
      const [xlsx] = readRows('deals', headers, [cells]);
      expect(JSON.stringify(xlsx?.body)).toBe(JSON.stringify(csv?.body));
    }),
  );
});

describe('characters that nobody sees', () => {
  it('are left out, with a note, wherever they stand', () => {
    const row = readRow('deals', {
      ...deal,
      'Company id': '\u200bcmp_\u20601',
      'Owner phone': '\u202a(518) 555-0142\u202c',
      'Amount requested': '100\u200e',
      'Company name': '\u0000Har\u00adbor Bakery\u001f',
      'Company DBA': "'Harbor -1",
      'Owner last name': "'@Moreno",
      Tags: '\u200b',
    });
    expect(row.body).toMatchObject({
      amountRequested: 100,
      company: { id: 'cmp_1', name: 'Harbor Bakery', dba: "'Harbor -1" },
      owner1: { lastName: '@Moreno', phones: [{ number: '(518) 555-0142' }] },
    });
    expect(row.body).not.toHaveProperty('tags');
    const removed = 'has invisible characters, or an apostrophe before =, +, - or @, which were removed.';
    expect(warningsOf(row)).toEqual([
      `Amount requested "100" ${removed}`,
      `Company name "Harbor Bakery" ${removed}`,
      `Owner 1 last name "@Moreno" ${removed}`,
      `Company id "cmp_1" ${removed}`,
      `Owner 1 phone "(518) 555-0142" ${removed}`,
    ]);
  });

  it('are not those that join letters of some scripts', () => {
    const name = 'می\u200cخواهم';
    expect(readRow('deals', { ...deal, 'Company name': name }).body).toMatchObject({ company: { name } });
  });
});

describe('what goes over the wire', () => {
  it('is as read, unless a profile says otherwise', () => {
    const body = readRow('deals', {
      ...deal,
      'Company phone': '(518) 555-0142',
      'Company EIN': '123456789',
      'Owner SSN': '219-09-9999',
    }).body;
    expect(wireWriter(recordKind('deals'), assumedContract)(body)).toBe(body);
    const wire = { ...assumedContract.wire, phone: 'E.164', ein: 'dashed', ssn: 'digits' } as const;
    const contract = { ...assumedContract, wire };
    expect(wireWriter(recordKind('deals'), contract)(body)).toMatchObject({
      company: { phones: [{ number: '+15185550142' }], ein: '12-3456789' },
      owner1: { ssn: '219099999' },
    });
    expect(body).toMatchObject({ owner1: { ssn: '219-09-9999' } });
  });

  it.each<readonly [typed: string, international: string, digits: string]>([
    ['518.555.0142', '+15185550142', '5185550142'],
    ['+44 20 7946 0958', '+442079460958', '442079460958'],
    ...['518-555-0142 ext. 12', '518-555-0142 / 518-555-0199', '1-800-FLOWERS', '555-0142', 'cell: 518-555-0142'].map(
      (text) => [text, text, text] as const,
    ),
  ])('P20: is a phone in its form only where it is one whole number: %s', (typed, ...written) => {
    const { body } = readRow('companies', { 'Company name': 'A', 'Contact types': 'Broker', Phone: typed });
    const phones = (['E.164', 'digits'] as const).map((phone) => {
      const contract = { ...assumedContract, wire: { ...assumedContract.wire, phone } };
      return wireWriter(recordKind('companies'), contract)(body).phones;
    });
    expect(phones).toEqual(written.map((number) => [{ number }]));
  });
});

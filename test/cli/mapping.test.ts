import { statSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { firstDeal, makeDeal } from '../builders/made-deal.ts';
import { changeCells, readWorkbook } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';

const token = 'sandbox-token';

interface Written {
  sheets: {
    columns: Record<string, unknown>;
    joins?: unknown;
    constants?: Record<string, string>;
    defaults?: Record<string, string>;
    dateOrder?: string;
    decimals?: string;
    blanks?: string[];
  }[];
}

describe("somebody else's file", () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: token } });
  const load = (file: string, ...further: string[]) =>
    run(
      ...['import', file, '--mapping', 'mapping.json', '--url', service.url],
      ...['--yes', '--json', '--concurrency', '1', ...further],
    );
  const writeMapping = (...sheets: readonly object[]) => place.write('mapping.json', { sheets });
  const sheetsIn = (text: string) => (JSON.parse(text) as Written).sheets;
  const columnsIn = (file: string) => sheetsIn(place.read(file))[0]?.columns;
  const resultsOf = ({ stdout }: { readonly stdout: string }, sheet: string) =>
    readWorkbook((JSON.parse(stdout) as { results: string }).results, sheet);
  const sent = () => [...service.accepted()].map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  /** Drafts a mapping, lets a person decide in it, and gives what the draft said. */
  async function mapped(file: string, kind: string, decide: (mapping: Written['sheets'][number]) => void) {
    const drafted = await expectExit(run('map', file, '--as', kind, '-o', 'mapping.json'), 0);
    const draft = JSON.parse(place.read('mapping.json')) as Written;
    const before = structuredClone(draft);
    for (const sheet of draft.sheets) decide(sheet);
    place.write('mapping.json', JSON.stringify(draft, null, 2));
    return { ...drafted, draft: before.sheets[0] as Written['sheets'][number] };
  }

  it('has its values that its fields do not allow left open', async () => {
    place.write(
      'broker.csv',
      'Company name,Amount requested,Owner last name,Stage,Entity type\nKite,100,Ito,App,S Corporatn\nHarbor,100,Moreno,Zebra,Zoo\n',
    );
    const { stderr } = await expectExit(run('map', 'broker.csv', '--as', 'deals', '--yes', '-o', 'mapping.json'), 0);
    expect(columnsIn('mapping.json')).toMatchObject({
      Stage: { field: 'Stage', values: { App: null, Zebra: null } },
      'Entity type': { field: 'Entity type', values: { 'S Corporatn': null, Zoo: null } },
    });
    expect(stderr).toContain('4 values are open:\n  Stage "App"\n  Stage "Zebra"\n  Entity type "S Corporatn"\n');
    await expectExit(load('broker.csv'), 2, 'The value "App" of column "Stage" is still open in the mapping');
  });

  /** A title line, a line of groups over merged cells, and headers of a broker's own. */
  async function brokersSheet(): Promise<void> {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('June submissions');
    sheet.addRows([
      ['Northern Brokers – June 2026'],
      ['Merchant', null, null, 'Primary owner', null, 'Request', null],
      ['Legal name', 'Entity', 'Tax no.', 'Owner name', 'SSN', 'How much', 'Broker remarks'],
      ['Harbor Bakery LLC', 'S-Corp', '12-3456789', 'Ada B. Moreno', '219-09-4320', 20000, 'call first'],
      ['Kite Toys', 'Limited Liability', '', 'Max Doyle', '', 15000.5, ''],
    ]);
    for (const range of ['A2:C2', 'D2:E2', 'F2:G2']) sheet.mergeCells(range);
    await workbook.xlsx.writeFile(place.path('broker.xlsx'));
  }

  const brokersColumns = (entities: Readonly<Record<string, string>>) => ({
    'Merchant Legal name': 'Company name',
    'Merchant Entity': { field: 'Entity type', values: entities },
    'Merchant Tax no.': 'company.ein',
    'Primary owner Owner name': { split: { fields: ['owner1.firstName', 'owner1.lastName'], at: ' ' } },
    'Primary owner SSN': 'owner1.ssn',
    'Request How much': 'Amount requested',
    'Request Broker remarks': null,
  });

  it('of a broker, with a title, merged headers and whole names, is loaded by a mapping', async () => {
    await brokersSheet();
    const { draft, stderr } = await mapped('broker.xlsx', 'deals', (sheet) => {
      sheet.columns = brokersColumns({ 'S-Corp': 'S Corporation', 'Limited Liability': 'LLC' });
      sheet.constants = { Stage: 'Application', Tags: 'northern; june' };
    });
    expect(Object.keys(draft.columns)).toHaveLength(7);
    expect(JSON.stringify(draft)).not.toContain('219-09-4320');
    expect(stderr).toMatch(/columns? (is|are) open/);
    expect(stderr).toMatch(/\n {2}Merchant Entity \(perhaps [^)]+\)\n/);
    expect(stderr).toContain('dealsheet import broker.xlsx --mapping mapping.json');
    const loaded = await expectExit(load('broker.xlsx'), 0);
    const constant = { stage: 'Application', tags: ['northern', 'june'] };
    expect(sent()).toEqual([
      {
        ...constant,
        amountRequested: 20000,
        company: { name: 'Harbor Bakery LLC', ein: '12-3456789' },
        entityType: 'S Corporation',
        owner1: { firstName: 'Ada B.', lastName: 'Moreno', ssn: '219-09-4320' },
      },
      {
        ...constant,
        amountRequested: 15000.5,
        company: { name: 'Kite Toys' },
        entityType: 'LLC',
        owner1: { firstName: 'Max', lastName: 'Doyle' },
      },
    ]);
    const [first] = await resultsOf(loaded, 'June submissions');
    expect(first).toMatchObject({
      Status: 'Created',
      'Merchant Entity': 'S-Corp',
      'Primary owner Owner name': 'Ada B. Moreno',
      'Primary owner SSN': expect.stringMatching(/^\*+/),
      'Request Broker remarks': 'call first',
    });
  });

  it('of a processor, with semicolons, decimal commas and days first, is loaded by a mapping', async () => {
    const lines = [
      'Vertrag;Buchungstag;Betrag;Art;Verwendung;Beleg',
      'deal_000001;03.04.2026;1.234,56;Payment;Rate 1;A-1',
      'deal_000001;28.04.2026;-12,5;Fee;;A-2',
    ];
    place.write('processor.csv', `${lines.join('\r\n')}\r\n`);
    await makeDeal(service.url);
    const { draft } = await mapped('processor.csv', 'transactions', (sheet) => {
      sheet.columns = {
        Vertrag: 'dealId',
        Buchungstag: 'date',
        Betrag: 'amount',
        Art: 'type',
        Verwendung: 'description',
        Beleg: 'reference',
      };
      sheet.defaults = { description: 'none given' };
      sheet.dateOrder = 'dmy';
      sheet.decimals = ',';
    });
    expect(Object.keys(draft.columns)).toEqual(['Vertrag', 'Buchungstag', 'Betrag', 'Art', 'Verwendung', 'Beleg']);
    await expectExit(load('processor.csv'), 0);
    const common = { dealId: 'deal_000001' };
    expect(sent().slice(1)).toEqual([
      { ...common, date: '2026-04-03', amount: 1234.56, type: 'Payment', description: 'Rate 1', reference: 'A-1' },
      { ...common, date: '2026-04-28', amount: -12.5, type: 'Fee', description: 'none given', reference: 'A-2' },
    ]);
  });

  it('of another program, with an address in pieces, is loaded by a mapping, month after month', async () => {
    const month = (name: string, rows: readonly string[]) =>
      place.write(name, ['Account Name,Type,House No,Street,Town,Created By', ...rows].join('\n'));
    month('may.csv', ['Harbor Bakery,Customer,12,Main Street,Albany,pat']);
    await mapped('may.csv', 'companies', (sheet) => {
      sheet.columns = {
        'Account Name': 'Company name',
        Type: { field: 'Contact types', values: { Customer: 'Merchant', Partner: 'Broker' } },
        Town: 'addresses[0].city',
        'Created By': null,
      };
      sheet.joins = [{ field: 'addresses[0].line1', columns: ['House No', 'Street'], with: ' ' }];
    });
    expect((await load('may.csv')).exitCode).toBe(0);
    month('june.csv', ['Kite Toys,Partner,,Pier 4,Albany,pat']);
    expect((await load('june.csv')).exitCode).toBe(0);
    expect(sent()).toEqual([
      { name: 'Harbor Bakery', contactTypes: ['Merchant'], addresses: [{ line1: '12 Main Street', city: 'Albany' }] },
      { name: 'Kite Toys', contactTypes: ['Broker'], addresses: [{ line1: 'Pier 4', city: 'Albany' }] },
    ]);
  });

  it('is drafted without an SSN or a day of birth, whatever their form and column, for the eyes of its owner', async () => {
    const values = ['219 09 9999', '219.09.9999', 'SSN 219-09-9999 dob 1980-04-17', '17 Apr 1980', 'Harbor'];
    place.write(
      'odd.csv',
      `Ident,Other,Remark,Entity type,Caption,Company name,Amount requested\n${values.join(',')},Harbor,100\n`,
    );
    await expectExit(run('map', 'odd.csv', '--as', 'deals', '-o', 'odd.json'), 0);
    const text = place.read('odd.json');
    expect(text).not.toMatch(/9999|1980/);
    expect(text).toContain('Harbor');
    expect(statSync(place.path('odd.json')).mode & 0o777).toBe(0o600);
  });

  it('of a CRM is read by two drafts that say all that is open at once, and what a person decided only once', async () => {
    const headers = 'Opportunity ID,Account Name,Requested Amt,Pipeline Stage,Sales Rep,Owner Name,Owner %';
    place.write('crm.csv', `${headers}\n006A1,Harbor,500,Dead,Pat,Ada Moreno,60\n`);
    const checked = await run('check', 'crm.csv');
    const [command = ''] = /dealsheet map \S.* -o mapping\.json/.exec(checked.stderr) ?? [];
    const drafted = await run(...command.split(' ').slice(1));
    expect(drafted.exitCode, checked.stderr + drafted.stderr).toBe(0);
    expect(drafted.stderr).toContain('"Owner %" is Owner 1 ownership\n');
    expect(drafted.stderr).toContain('Opportunity ID (perhaps Ref)\n');
    expect(drafted.stderr).toContain('  Pipeline Stage (perhaps Stage)\n  Sales Rep\n');
    expect(drafted.stderr).toMatch(
      /1 value is open:\n {2}Pipeline Stage "Dead"\n[\s\S]*: dealsheet open crm.csv\n[\s\S]*\n {2}Stage takes Lead, Application\n/,
    );
    expect(columnsIn('mapping.json')?.['Owner Name']).toMatchObject({ samples: ['Ada Moreno'] });
    const again = await expectExit(run('map', 'crm.csv', '--mapping', 'mapping.json', '-o', 'two.json'), 0);
    expect(again.stderr).not.toContain('Taken as sure');
  });

  it('whose kind is not plain is told so, with the way to say it', async () => {
    place.write('crm.csv', 'Requested Amt,Sales Rep\n500,Pat\n');
    expect(await run('map', 'crm.csv')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--as KIND') });
  });

  it('whose headers are all ours needs no decision', async () => {
    place.write('ours.csv', 'Company name,Contact types\nHarbor,Merchant\n');
    const { stderr } = await mapped('ours.csv', 'companies', () => {});
    expect(stderr).toMatch(/No column is open/);
    expect((await load('ours.csv')).exitCode).toBe(0);
    place.write('ours.txt', 'Company name\tContact types\nHarbor, Inc\tMerchant\n');
    expect((await run('map', 'ours.txt', '--as', 'companies', '--delimiter', 'tab')).stderr).toMatch(
      /No column is open/,
    );
  });

  it('has the field suggested that takes most values of a column, whatever its header', async () => {
    place.write('broker.csv', 'Company name,Status\nKite,Lead\nMill,Application\nHarbor,App\n');
    await run('map', 'broker.csv', '--as', 'deals', '-o', 'mapping.json');
    expect(columnsIn('mapping.json')?.Status).toMatchObject({ suggestions: [{ field: 'Stage', score: 1 }] });
  });

  it('whose headers say a word twice is drafted as a mapping that can be read, and drafted again', async () => {
    place.write('twice.csv', 'Deal Deals #,Owner 1 Owner First Name\nA-1,Al\n');
    for (const kind of ['deals', 'leads'])
      expect((await run('map', 'twice.csv', '--as', kind, '-o', `${kind}.json`)).exitCode).toBe(0);
    const { stderr } = await run('check', 'twice.csv', '--mapping', 'leads.json');
    expect(stderr).not.toContain('cannot be used');
  });

  it('P3: is drafted again over the same draft, and over no other', async () => {
    place.write('month.csv', 'Merchant,Remark\nHarbor,late\n');
    const draft = () => run('map', 'month.csv', '--as', 'deals', '-o', 'mapping.json');
    for (const _ of ['first', 'again']) await expectExit(draft(), 0);
    for (const own of [place.read('mapping.json').replace('null', '"Company name"'), 'mine']) {
      place.write('mapping.json', own);
      await expectExit(draft(), 2, /only an earlier copy of this draft/);
      expect(place.read('mapping.json')).toBe(own);
    }
  });

  it('keeps what the mapping of another month decides when a header has changed', async () => {
    const columns = { Account: 'Company name', Sort: 'Contact types', Since: null };
    place.write('mapping.json', { delimiter: '~', sheets: [{ kind: 'companies', columns }] });
    place.write('july.csv', 'Account~Sort of~Since\nHarbor~Merchant~2020\n');
    const { stderr } = await load('july.csv');
    expect(stderr).toContain('draft the rest: dealsheet map july.csv --mapping ');
    await run('map', 'july.csv', '--mapping', 'mapping.json', '-o', 'july.json');
    expect(columnsIn('july.json')).toMatchObject({ Account: 'Company name', 'Sort of': { field: null }, Since: null });
    const again = (output: string) => run('map', 'july.csv', '--mapping', 'mapping.json', '-o', output);
    await expectExit(again('july.json'), 0);
    await expectExit(again('mapping.json'), 2, 'already exists');
  });

  it('has the values that are new this month left open beside those of the mapping, and no other', async () => {
    const june = { field: 'Entity type', values: { 'S-Corp': 'S Corporation', None: '' } };
    writeMapping({ kind: 'deals', blanks: ['tbd'], columns: { Type: june, Phase: 'Stage', Memo: null, Town: 'City' } });
    place.write(
      'july.csv',
      'Type,Phase,Memo,Town\ns-corp,App,Zoo,Troy\nZoo,Lead,,Rome\nNone,TBD,,\nLLC,Application,,\n',
    );
    const { stderr } = await run('map', 'july.csv', '--mapping', 'mapping.json', '-o', 'july.json');
    expect(columnsIn('july.json')).toEqual({
      Type: { field: 'Entity type', values: { 'S-Corp': 'S Corporation', None: '', Zoo: null } },
      Phase: { field: 'Stage', values: { App: null } },
      Memo: null,
      Town: 'City',
    });
    expect(stderr).toContain('2 values are open:\n  Type "Zoo"\n  Phase "App"\n');
  });

  it('that came back as results is drafted by its own columns alone', async () => {
    place.write('rows.csv', 'Company name,Amount requested,Owner last name\nKite,100,Ito\n');
    await run('import', 'rows.csv', '--as', 'deals', '--url', service.url, '--yes', '--results', 'r.csv');
    const { stdout, stderr } = await run('map', 'r.csv', '--as', 'deals');
    expect(stderr).toContain('No column is open.');
    const columns = ['Company name', 'Amount requested', 'Owner last name'];
    expect(Object.keys(sheetsIn(stdout)[0]?.columns ?? {})).toEqual(columns);
  });

  it('is read by a mapping that was remembered for its headers, whatever their order, and says so', async () => {
    place.write('may.csv', 'Account,Sort\nHarbor,Merchant\n');
    place.write('june.csv', 'Sort,Account\nBroker,Kite\n');
    place.write('july.csv', 'Sort,Account,Since\nBroker,Mill,2020\n');
    writeMapping({ kind: 'companies', columns: { Account: 'Company name', Sort: 'Contact types' } });
    const may = await expectExit(load('may.csv', '--remember'), 0);
    expect(may.stderr).toMatch(
      /Remembered: .* are read by .*mappings.mapping\.json from now on\. To forget it, delete it\./,
    );
    const loadJune = (...further: string[]) => run('import', 'june.csv', '--url', service.url, '--yes', ...further);
    expect((await loadJune('--mapping', 'none')).exitCode).toBe(2);
    const june = await expectExit(loadJune(), 0);
    await expectExit(run('import', 'june.results.xlsx', '--url', service.url, '--yes'), 0);
    expect(sent()).toHaveLength(2);
    expect(june.stderr).toMatch(/The file is read by the mapping .*mappings.mapping\.json\./);
    expect(sent().map(({ name }) => name)).toEqual(['Harbor', 'Kite']);
    await expectExit(run('check', 'july.csv'), 2, /No remembered mapping has exactly the headers .*mapping\.json/);
  });

  const good = { kind: 'companies', columns: { Name: 'Company name', Sort: 'Contact types' } };
  const withColumns = (columns: object) => ({ ...good, columns });
  const sortedBy = (rule: unknown) => withColumns({ ...good.columns, Sort: rule });
  const twice = '"columns": { "Name": "Company name", "Sort": "DBA", "Sort": "Contact types" }';

  it.each<[what: string, rules: object | string, message: RegExp]>([
    ['is no JSON', '{ "sheets": [', /is not JSON/],
    ['says what none understands', { ...good, colums: {} }, /sheets\[0\]: Unrecognized key: "colums"/],
    ['names no kind', { columns: {} }, /sheets\[0\] › kind/],
    ['leaves a column open', sortedBy({ field: null }), /Column "Sort" is still open in the mapping/],
    [
      'leaves a value open',
      sortedBy({ field: 'Contact types', values: { Acct: null } }),
      /The value "Acct" of column "Sort" is still open in the mapping: give it one of Merchant, .*, or "" to leave it blank\./,
    ],
    [
      'names a field that there is not',
      withColumns({ Name: 'Company nam', Sort: null }),
      /a field "Company nam", but a company has no such field/,
    ],
    [
      'names a field in parentheses, which would leave its column out',
      sortedBy('(Contact types)'),
      /a field "\(Contact types\)", but a company has no such field/,
    ],
    [
      'knows a header by its old name',
      withColumns({ 'Legal name': 'Company name', Sort: 'Contact types' }),
      /a column "Legal name", but the sheet has no such column\./,
    ],
    [
      'is for another file',
      withColumns({ Account: 'Company name', Kind: 'Contact types' }),
      /The sheet has none of the headers that the mapping names: Account, Kind/,
    ],
    ['does not know a header', withColumns({ Name: 'Company name' }), /Column "Sort" is not in the mapping: add it/],
    [
      'names a column twice',
      withColumns({ ...good.columns, ' NAME': 'DBA' }),
      /sheets\[0\] › columns: "Name" and " NAME" are the same\. Keep one of them\./,
    ],
    [
      'says two things of one value',
      sortedBy({ field: 'Contact types', values: { X: 'Broker', ' x': 'Funder' } }),
      /columns › Sort › values: "X" and " x" are the same/,
    ],
    [
      'has a name twice, of which JSON would keep the last',
      `{ "sheets": [{ "kind": "companies", ${twice} }] }`,
      /"Sort" is there twice in one place/,
    ],
    [
      'fills a field again',
      { ...good, constants: { 'Company name': 'Harbor' } },
      /"Company name" names the same field as Column A "Name" as "Company name"/,
    ],
  ])('is not loaded by a mapping that %s', async (_what, rules, message) => {
    place.write('rows.csv', 'Name,Sort\nHarbor,Merchant\n');
    place.write('mapping.json', typeof rules === 'string' ? rules : { sheets: [rules] });
    await expectExit(load('rows.csv'), 2, message, /Nothing was sent/);
    expect(sent()).toEqual([]);
  });

  it('with a header that stands twice is not read in place of another of a like name', async () => {
    const columns = { Name: 'Company name', 'Owner first': 'Owner 1 first name', Amount: null };
    writeMapping({ kind: 'deals', columns: { ...columns, 'Amount 2': 'Amount requested' } });
    place.write('rows.csv', 'Name,Owner first,Amount 2,Amount,Amount\nHarbor,Ada,222,111,333\n');
    await expectExit(load('rows.csv'), 2, /Column "Amount \(2\)" is not in the mapping/);
    expect(sent()).toEqual([]);
  });

  it.each([
    ['\xa3abno', 'Łabno'],
    ['Mi\xb3ob\xf3r', 'Miłobór'],
  ])('is read in the character set of its remembered mapping, also if no other is certain: %j', async (bytes, name) => {
    place.write('may.csv', Buffer.from('Account,Sort\n\xa3\xf3d\xbc,Merchant\n', 'latin1'));
    const columns = { Account: 'Company name', Sort: 'Contact types' };
    place.write('mapping.json', { encoding: 'iso-8859-2', sheets: [{ kind: 'companies', columns }] });
    await expectExit(load('may.csv', '--remember'), 0);
    place.write('june.csv', Buffer.from(`Account,Sort\n${bytes},Broker\n`, 'latin1'));
    await expectExit(run('import', 'june.csv', '--url', service.url, '--yes'), 0);
    expect(sent().map((company) => company.name)).toEqual(['Łódź', name]);
    place.write('config/dealsheet/mappings/wrong.json', '{');
    place.write('july.csv', '%PDF');
    await expectExit(run('check', 'july.csv'), 2, /PDF/);
  });

  it('is still read by its remembered mapping after another of the same file name was remembered', async () => {
    const remember = (name: string, header: string, field: string) => {
      const sheets = [{ kind: 'companies', columns: { [header]: field, Sort: 'Contact types' } }];
      place.write('mapping.json', { sheets });
      place.write(`${name}.csv`, `${header},Sort\n${name},Merchant\n`);
      return load(`${name}.csv`, '--remember');
    };
    expect((await remember('Harbor', 'Account', 'Company name')).exitCode).toBe(0);
    expect((await remember('Kite', 'Firm', 'Company name')).exitCode).toBe(0);
    expect((await remember('Mill', 'Firm', 'Company name')).exitCode).toBe(0);
    place.write('next.csv', 'Account,Sort\nPier,Merchant\n');
    await expectExit(run('import', 'next.csv', '--url', service.url, '--yes'), 0);
    place.write('last.csv', 'Firm,Sort\nQuay,Merchant\n');
    await expectExit(run('import', 'last.csv', '--url', service.url, '--yes'), 0, /mappings.mapping-2\.json/);
    expect(sent().map(({ name }) => name)).toEqual(['Harbor', 'Kite', 'Mill', 'Pier', 'Quay']);
  });

  it('is not read by a remembered mapping whose headers differ in a sign', async () => {
    const columns = { Name: 'Company name', 'Amount ($)': 'Amount requested', 'Rate %': 'Owner 1 ownership' };
    writeMapping({ kind: 'deals', columns });
    place.write('may.csv', 'Name,Amount ($),Rate %\nHarbor,100,60\n');
    expect((await load('may.csv', '--remember')).exitCode).toBe(0);
    place.write('june.csv', 'Name,Rate ($),Amount %\nKite,222,5\n');
    await expectExit(run('import', 'june.csv', '--as', 'deals', '--url', service.url, '--yes'), 2);
    expect(sent()).toHaveLength(1);
  });

  it('has its defaults where a cell is blank, and in every row where the field has no column', async () => {
    const columns = { Name: 'Company name', 'Owner first': 'Owner 1 first name', Use: 'Use of proceeds' };
    const further = { Stage: 'Application', '{bank.note}': 'none', 'Owner 1 phone': '' };
    const defaults = { 'Use of proceeds': 'not said', 'Amount requested': '5000', ...further };
    writeMapping({ kind: 'deals', columns, defaults });
    place.write('rows.csv', 'Name,Owner first,Use\nHarbor,Ada,Ovens\nKite,Max,\n');
    await expectExit(load('rows.csv'), 0);
    const common = { amountRequested: 5000, stage: 'Application', bank: { note: 'none' } };
    expect(sent()).toMatchObject(['Ovens', 'not said'].map((useOfProceeds) => ({ ...common, useOfProceeds })));
  });

  it.each([
    ['.', '1,234', 1234, '1234,50'],
    [',', '12.500', 12500, '0.125'],
  ])('is read by the decimal mark that the person says: %s', async (decimals, text, amount, wrong) => {
    const columns = { Name: 'Company name', First: 'Owner 1 first name', Sum: 'Amount requested' };
    writeMapping({ kind: 'deals', columns, decimals });
    place.write('rows.csv', `Name;First;Sum\nHarbor;Ada;${text}\nKite;Max;${wrong}\n`);
    const loaded = await expectExit(load('rows.csv'), 1);
    expect(sent()).toMatchObject([{ amountRequested: amount }]);
    const [good, bad] = await resultsOf(loaded, 'rows');
    expect(good?.Problems).toContain(`Note: Amount requested "${text}" is read as ${amount}.`);
    expect(bad?.Problems).toContain(`Amount requested "${wrong}" is not a number.`);
  });

  it('puts no error value into a text, masks every column that a sensitive field is made of, and tells of a missing part', async () => {
    const columns = {
      Name: 'Company name',
      Owner: { split: { fields: ['Owner 1 first name', 'Owner 1 last name'], at: ' ' } },
      Tags: { field: 'Tags', values: { n: 'north' } },
      Sum: 'Amount requested',
    };
    const joins = [
      { field: 'company.addresses[0].line1', columns: ['House', 'Street'], with: ' ' },
      { field: 'Owner 1 date of birth', columns: ['Year', 'Month', 'Day'], with: '-' },
    ];
    writeMapping({ kind: 'deals', columns, joins });
    const header = 'Name,Owner,Tags,Sum,House,Street,Year,Month,Day';
    const rows = ['Harbor,Moreno,n;june,100,12,Main Street,1988,08,17', 'Kite,Max Doyle,june,100,#N/A,Pier,,,'];
    place.write('rows.csv', [header, ...rows].join('\n'));
    const loaded = await expectExit(load('rows.csv'), 1);
    expect(sent()).toMatchObject([
      {
        company: { addresses: [{ line1: '12 Main Street' }] },
        owner1: { firstName: 'Moreno', dob: '1988-08-17' },
        tags: ['north', 'june'],
      },
    ]);
    const [first, second] = await resultsOf(loaded, 'rows');
    expect(first).toMatchObject({ Year: '****', Month: '**', Day: '**', Owner: 'Moreno' });
    expect(first?.Problems).toContain(
      'Note: Column "Owner" "Moreno" is split into "Moreno": it has fewer parts than fields. If that is wrong, give the parts columns of their own in the file.',
    );
    expect(second?.Problems).toContain('Company address line 1 "#N/A" is an error value of the spreadsheet');
  });

  it('has its amount in one of two columns, and in a row with both it is wrong', async () => {
    const joins = [
      { field: 'Amount', columns: ['Debit', 'Credit'], with: '' },
      { field: 'Reference', columns: ['Bank', 'No'], with: ' ' },
    ];
    const columns = { Deal: 'Deal id', Day: 'Date' };
    writeMapping({ kind: 'transactions', columns, joins });
    const header = 'Deal,Day,Debit,Credit,Bank,No';
    const rows = ['1,5.00,,ACH,1', '2,,7.00,ACH,2', '3,5,5,ACH,3', '4,,x7,ACH,4'];
    place.write('rows.csv', [header, ...rows.map((row) => `deal_1,2026-06-0${row}`)].join('\n'));
    const { stderr } = await run('check', 'rows.csv', '--mapping', 'mapping.json', '--results', 'r.xlsx');
    const results = await readWorkbook(place.path('r.xlsx'), 'rows');
    expect(results.map(({ Status }) => Status)).toEqual(['Ready', 'Ready', 'Invalid', 'Invalid']);
    expect(stderr).toMatch(/D4 {2}error {2}Column "Credit" "5" stands beside a value in another column/);
    expect(stderr).toMatch(/D5 {2}error {2}Amount "x7" is not a number/);
  });

  it('has words for nothing that count as blank where its mapping says so', async () => {
    const rows = [
      ['Company name', 'Owner name', 'Credit score', 'Debit', 'Credit', 'Stage'],
      ['Harbor Bakery', 'Ada NULL', 'N/A', '-', '500', 'N/A'],
      ['Kite', 'Max Doyle', '700', 'N/A', '600', 'Application'],
      ['N/A', 'N/A', 'N/A', 'N/A', 'N/A', 'N/A'],
    ];
    place.write('odd.csv', rows.map((cells) => cells.join(',')).join('\n'));
    await mapped('odd.csv', 'deals', (sheet) => {
      sheet.columns = {
        'Company name': 'Company name',
        'Owner name': { split: { fields: ['Owner first name', 'Owner last name'], at: ' ' } },
        'Credit score': 'Owner credit score',
        Stage: 'Stage',
      };
      Object.assign(sheet, { joins: [{ field: 'Amount requested', columns: ['Debit', 'Credit'], with: '' }] });
      sheet.constants = { Tags: 'odd' };
      sheet.defaults = { Stage: 'Lead' };
      sheet.blanks = ['N/A', 'Ada NULL'];
    });
    expect(JSON.parse((await load('odd.csv')).stdout).counts).toMatchObject({ rows: 3, created: 1, invalid: 2 });
    expect(sent()).toEqual([
      {
        amountRequested: 600,
        stage: 'Application',
        tags: ['odd'],
        company: { name: 'Kite' },
        owner1: { firstName: 'Max', lastName: 'Doyle', creditScore: 700 },
      },
    ]);
    const [harbor, , nothing] = await readWorkbook(place.path('odd.results.xlsx'), 'odd');
    expect(harbor?.Problems).toContain('Owner 1 is missing');
    expect(nothing?.Problems).toContain('Amount requested is missing');
    expect(nothing?.['Company name']).toBe('N/A');
  });

  it('without headers says so, and nothing that stands in it is drafted as a name', async () => {
    place.write('bank.csv', '06/30/2026,-228.57,219-09-4320\n06/29/2026,1500.00,219-09-4321\n');
    for (const words of ['map', 'map --as deals', 'check', 'check --as transactions']) {
      const { exitCode, stdout, stderr } = await run(...words.split(' '), 'bank.csv');
      expect([exitCode, stdout], stderr).toEqual([2, '']);
      expect(stderr).not.toMatch(/219|06.30/);
    }
  });

  it('has money out below zero where the mapping says so, and a zero beside an amount says nothing', async () => {
    const joins = [{ field: 'Amount', columns: ['Debit', 'Credit'], with: '', minus: ['Debit'] }];
    const columns = { Day: 'Date' };
    const constants = { 'Deal id': firstDeal };
    await makeDeal(service.url);
    writeMapping({ kind: 'transactions', columns, joins, constants });
    const amounts = [
      ['"1,200.00"', '0.00', -1200],
      [' -   ', '500', 500],
      ['$(7.50)', '-', 7.5],
      ['-3', '', 3],
      ['0.00', '$-', 0],
    ] as const;
    const rows = amounts.map(([debit, credit], index) => `2026-06-0${index + 1},${debit},${credit}`);
    place.write('rows.csv', ['Day,Debit,Credit', ...rows].join('\n'));
    const { stderr } = await load('rows.csv');
    const [, ...payments] = sent();
    expect(payments.map(({ amount }) => amount)).toEqual(amounts.map(([, , amount]) => amount));
    expect(stderr).toMatch(
      /rows!B4, B5 \("\$\(7\.50\)", "-3"\) {2}note {2}Column "Debit".* take the column out of "minus"/,
    );
  });

  it('tells a problem at the cell that the person knows, and its results sheet is the next input', async () => {
    await brokersSheet();
    await mapped('broker.xlsx', 'deals', (sheet) => {
      sheet.columns = brokersColumns({ 'S-Corp': 'S Corporation' });
    });
    await expectExit(load('broker.xlsx', '--results', 'one.xlsx'), 1);
    const [, wrong] = await readWorkbook(place.path('one.xlsx'), 'June submissions');
    expect(wrong).toMatchObject({
      Status: 'Invalid',
      Problems: expect.stringMatching(/Entity type "Limited Liability"/),
    });
    await changeCells(place.path('one.xlsx'), 'June submissions', 3, { 'Merchant Entity': 'LLC' });
    await expectExit(load('one.xlsx', '--results', 'two.xlsx'), 0);
    expect(sent().map((deal) => deal.entityType)).toEqual(['S Corporation', 'LLC']);
  });

  it('that came back as results is read by its mapping with another ledger, too', async () => {
    place.write('may.csv', 'Account,Sort\nHarbor,Broker\nMill,Fruit\n');
    writeMapping({ kind: 'companies', columns: { Account: 'Company name', Sort: 'Contact types' } });
    expect((await load('may.csv')).exitCode).toBe(1);
    const colleague = ['import', 'may.results.xlsx', '--url', service.url, '--yes', '--ledger', 'colleague.db'];
    await expectExit(run(...colleague), 2);
    await expectExit(run(...colleague, '--mapping', 'mapping.json', '--trust-results'), 1);
    expect(sent()).toHaveLength(1);
  });

  it('with headers that our own columns have, too, comes round by its results sheet', async () => {
    const columns = { Name: 'Company name', Status: 'Contact types', ID: null };
    writeMapping({ kind: 'companies', columns });
    place.write('rows.csv', 'Name,Status,ID\nHarbor,Merchant,1\nKite,Merchand,2\n');
    expect((await load('rows.csv', '--results', 'one.csv', '--remember')).exitCode).toBe(1);
    place.write('one.csv', place.read('one.csv').replace('Kite,Merchand', 'Kite,Broker'));
    await expectExit(run('import', 'one.csv', '--url', service.url, '--yes'), 0);
    expect(sent().map(({ name }) => name)).toEqual(['Harbor', 'Kite']);
  });

  it('is resumed with the mapping that it began with, or not at all', async () => {
    place.write('rows.csv', `Name,Sort\n${Array.from({ length: 40 }, (_, n) => `Harbor ${n},Merchant`).join('\n')}\n`);
    const mapping = { sheets: [{ kind: 'companies', columns: { Name: 'Company name', Sort: 'Contact types' } }] };
    place.write('mapping.json', mapping);
    await place.run(['import', 'rows.csv', '--mapping', 'mapping.json', '--url', service.url, '--yes'], {
      env: { DEALSHEET_TOKEN: token, DEALSHEET_STOP_AT: 'settle-after-commit:2' },
    });
    expect(sent().length).toBeLessThan(40);
    place.write('mapping.json', { sheets: [{ ...mapping.sheets[0], constants: { DBA: 'x' } }] });
    await expectExit(run('resume', '--yes'), 2, /has been changed since the run began with it/);
    place.write('mapping.json', mapping);
    const resumed = await run('resume', '--yes');
    expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
    expect(new Set(sent().map(({ name }) => name)).size).toBe(sent().length);
  });
});

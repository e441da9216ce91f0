import { readFileSync, symlinkSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeEarlierExport } from '../builders/earlier-export.ts';
import { expectExit } from '../builders/expected.ts';
import {
  type CannedAnswer,
  type RecordedRequest,
  serviceForEachTest,
  startRecordingService,
} from '../builders/recording-service.ts';
import { changeCells, readWorkbook, writeCsv, writeWorkbook } from '../builders/tables.ts';

const place = workplaceForEachTest();
const service = serviceForEachTest((request) => answer(request));
let answer: (request: RecordedRequest) => CannedAnswer;

const env = { DEALSHEET_TOKEN: 'token' };
const notFound: CannedAnswer = { status: 404, body: '{"message":"No such company"}' };
const idOf = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '');
const success: CannedAnswer = { status: 200, body: '{"success":true}' };
/** The paths that a command asks for, which is to end well. */
const asked = async (...words: readonly string[]) => {
  const from = service.requests.length;
  await expectExit(exported(words), 0);
  return service.requests.slice(from).map(({ path }) => path);
};
const dealRows = () => readWorkbook(place.path('deals.xlsx'), 'Deals');
const updateRows = (name = 'r.xlsx') => readWorkbook(place.path(name), 'Company updates');

async function exported(words: readonly string[]) {
  return place.run(['export', ...words, '--url', service.url], { env });
}

describe('an export of deals and companies', () => {
  it('warns of the ids in the results of a load into another service, such as a rehearsal, and of no others', async () => {
    answer = ({ path }) => ({ status: 200, body: `{"id":"${idOf(path)}","amountRequested":1}` });
    const results = (address: string) => ({
      Summary: [['Results of a load'], [null], ['Run', '2026-11-20-01-kqtm'], ['Service', address]],
      Deals: [
        ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run', 'Company name', 'Amount requested'],
        ['Created', 'deal_000001', 'cmp_000001', null, null, '2026-11-20-01-kqtm#Deals!2', 'Harbor LLC', 1],
      ],
    });
    const own = new URL(service.url).href;
    await writeWorkbook(place.path('rehearsed.xlsx'), results('http://127.0.0.1:9/'));
    await writeWorkbook(place.path('loaded.xlsx'), results(own));
    const rehearsed = await exported(['deals', '-o', 'a.xlsx', '--ids', 'rehearsed.xlsx', '--quiet']);
    expect(rehearsed.stderr).toContain(
      `rehearsed.xlsx holds the results of a load into http://127.0.0.1:9/, but this export reads from ${own}, where the same id may be another record.`,
    );
    expect(rehearsed.exitCode).toBe(0);
    const byColumn = await exported(['deals', '-o', 'c.xlsx', '--ids', 'rehearsed.xlsx:ID', '--quiet']);
    expect(byColumn.stderr).toContain('rehearsed.xlsx holds the results of a load into');
    const loaded = await exported(['deals', '-o', 'b.xlsx', '--ids', 'loaded.xlsx', '--quiet']);
    expect(loaded).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('reads each id once, gives rows in the order of the ids, and tells in the row what was not found', async () => {
    answer = ({ path }) =>
      idOf(path) === 'b' ? notFound : { status: 200, body: `{"id":"${idOf(path)}","amountRequested":12.50}` };
    const ids = ['c', 'b', 'a/1', 'c'].flatMap((id) => ['--id', id]);
    const said = /2 of 3 deals.*\n1 not found, 0 failed:\n {2}b: not found\. No such company\./;
    await expectExit(exported(['deals', '-o', 'deals.xlsx', ...ids]), 1, said);
    expect(service.requests.map(({ path }) => path).sort()).toEqual(['/v1/deal/a%2F1', '/v1/deal/b', '/v1/deal/c']);
    const rows = await dealRows();
    expect(rows.map((row) => [row['Asked for'], row.Answer, row.Reason, row.amountRequested])).toEqual([
      ['c', 'Found', null, 12.5],
      ['b', 'Not found', 'No such company.', null],
      ['a/1', 'Found', null, 12.5],
    ]);
  });

  it('unpacks a record that the service packs all the same, and takes no answer without an end for one', async () => {
    const record = (id: string) => JSON.stringify({ id, amountRequested: 12.5 });
    const packed: Readonly<Record<string, CannedAnswer['body']>> = {
      endless: deflateSync(Buffer.alloc(20 * 1024 * 1024, ' ')),
      zlib: deflateSync(record('zlib')),
    };
    answer = ({ path }) => ({
      status: 200,
      body: packed[idOf(path)] ?? ' '.repeat(20 * 1024 * 1024),
      headers: { 'content-encoding': idOf(path) in packed ? 'deflate' : 'identity' },
    });
    const ids = ['zlib', 'endless', 'long'].flatMap((id) => ['--id', id]);
    const { stderr } = await expectExit(exported(['deals', '-o', 'deals.xlsx', ...ids]), 1);
    for (const id of ['endless', 'long'])
      expect(stderr).toContain(`${id}: failed. The service answered 200, but its answer could not be read.`);
    const rows = await dealRows();
    expect(rows.map((row) => row.amountRequested)).toEqual([12.5, null, null]);
  });

  it('takes an answer that says no for none', async () => {
    answer = ({ path }) => {
      const no = '{"success":false,"message":"Not by token, nor for 219-09-9432"}';
      return { status: 200, body: idOf(path) === 'b' ? no : `{"success":true,"deal":{"id":"${idOf(path)}"}}` };
    };
    const { stderr } = await expectExit(exported(['deals', '-o', 'deals.xlsx', '--id', 'a', '--id', 'b']), 1);
    expect(stderr).toContain('b: failed. The service said no: Not by [token], nor for [SSN].');
    const rows = await dealRows();
    expect(rows.map((row) => row.Answer)).toEqual(['Found', 'Failed']);
  });

  it('takes no answer for a record that holds none, or another one than was asked for', async () => {
    const bodies: Readonly<Record<string, string>> = {
      a: '{"id":"a","amountRequested":1}',
      b: '{"error":"not allowed for token"}',
      c: '{}',
      d: '{"data":null}',
      e: '{"id":"a","amountRequested":1}',
      f: '[{"id":"f"}]',
      '3F2A': '{"id":"3f2a","amountRequested":2}',
      '7': '{"id":7,"amountRequested":3}',
      '206': '{"id":"206"}',
    };
    answer = ({ path }) => ({ status: idOf(path) === '206' ? 206 : 200, body: bodies[idOf(path)] ?? 'null' });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', '3F2A', '7', '206'];
    await expectExit(exported(['deals', '-o', 'deals.xlsx', ...ids.flatMap((id) => ['--id', id])]), 1);
    const rows = await dealRows();
    expect(rows.map((row) => [row['Asked for'], row.Answer, row.Reason, row.amountRequested])).toEqual([
      ['a', 'Found', null, 1],
      ['b', 'Failed', 'The service said no: Not allowed for [token].', null],
      ['c', 'Failed', 'The answer of the service holds no record: {}', null],
      ['d', 'Failed', 'The answer of the service holds no record: { data: null }', null],
      ['e', 'Failed', 'The service answered with another record: a.', null],
      ['f', 'Failed', 'The answer of the service holds no record: [{ id: string }]', null],
      ['g', 'Failed', 'The answer of the service holds no record: null', null],
      ['3F2A', 'Found', null, 2],
      ['7', 'Found', null, 3],
      ['206', 'Failed', 'The service sent only a part of the record (206).', null],
    ]);
  });

  it('takes the ids from a column of a file, or from a bare list', async () => {
    answer = ({ path }) => ({ status: 200, body: `{"data":{"id":"${idOf(path)}"}}` });
    writeCsv(place.path('deals.csv'), [
      ['Name', 'Deal ID', 'Broker'],
      ['A', 'd1', 'c9'],
      ['B', 'd2', ''],
    ]);
    place.write('ids.txt', 'd3\nd4\nd3\n');
    await writeWorkbook(place.path('book.xlsx'), { Notes: [['Text'], ['x']], Loans: [['Company ID'], ['c5']] });
    expect(await asked('deals', '-o', 'a.csv', '--ids', 'deals.csv')).toEqual(['/v1/deal/d1', '/v1/deal/d2']);
    expect(await asked('companies', '-o', 'b.csv', '--ids', 'deals.csv:broker')).toEqual(['/v1/company/c9']);
    expect(await asked('deals', '-o', 'c.csv', '--ids', 'ids.txt')).toEqual(['/v1/deal/d3', '/v1/deal/d4']);
    expect(await asked('companies', '-o', 'd.csv', '--ids', 'book.xlsx')).toEqual(['/v1/company/c5']);
    const none = await expectExit(exported(['deals', '-o', 'e.csv', '--ids', 'book.xlsx']), 2);
    expect(none.stderr).toMatch(/has no column of deal ids.*"Text", "Company ID"\.\n.*book\.xlsx:Column/);
    writeCsv(place.path('titled.csv'), [['Deals of June 2026'], ['No.', 'Name'], ['d1', 'A']]);
    const titled = await exported(['deals', '-o', 'f.csv', '--ids', 'titled.csv:No.']);
    expect(titled.stderr).toContain('has no column "No.". Its first row has: "Deals of June 2026".');
  });

  it('knows the columns of a results sheet, whatever the name of the sheet and the headers behind them', async () => {
    answer = ({ path }) => ({ status: 200, body: `{"data":{"id":"${idOf(path)}"}}` });
    const own = ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run'];
    const sheet = (headers: readonly string[], id: string, company: string | null) => [
      [...own, ...headers],
      ['Created', null, id, null, company, 'r#June!2', ...headers.map(() => 'x')],
    ];
    await writeWorkbook(place.path('deals.xlsx'), {
      'June deals': sheet(['Company name', 'Amount requested', 'Owner last name'], 'd1', 'c1'),
    });
    await writeWorkbook(place.path('comp.xlsx'), { comp: sheet(['Company name', 'Contact types'], 'c2', null) });
    await writeWorkbook(place.path('broker.xlsx'), { Export: sheet(['Merchant', 'Ask'], 'd3', 'c3') });
    const said = (name: string, kind: string) => ({
      Summary: [
        ['Results of a load'],
        ['Run', 'r'],
        ['Sheet', 'Kind', 'In the source'],
        [name, kind, 1],
        ['All', null],
      ],
    });
    const submissions = { Submissions: sheet(['Merchant', 'Ask'], 'd6', 'c6') };
    await writeWorkbook(place.path('log.xlsx'), { ...said('Submissions', 'deals'), ...submissions });
    const notes = { Deals: sheet(['Deal id', 'Note'], 'n7', null) };
    await writeWorkbook(place.path('said.xlsx'), { ...said('Deals', 'notes'), ...notes });
    await writeWorkbook(place.path('notes.xlsx'), { June: sheet(['Deal id', 'Deal status', 'Note'], 'n4', null) });
    for (const [file, of] of [
      ['deals', { deals: '/v1/deal/d1', companies: '/v1/company/c1' }],
      ['comp', { companies: '/v1/company/c2' }],
      ['broker', { deals: '/v1/deal/d3', companies: '/v1/company/c3' }],
      ['log', { deals: '/v1/deal/d6', companies: '/v1/company/c6' }],
    ] as const)
      for (const [kind, path] of Object.entries(of))
        expect(await asked(kind, '-o', `${kind}.of.${file}.xlsx`, '--ids', `${file}.xlsx`)).toEqual([path]);
    for (const file of ['notes.xlsx', 'said.xlsx']) {
      const none = await expectExit(exported(['deals', '-o', 'none.csv', '--ids', file]), 2);
      expect(none.stderr).toMatch(/has no column of deal ids\. Its first row has:.* "Status", "Problems", "ID"/);
    }
  });

  it.each([
    ['r.csv', 'r.csv'],
    ['r.csv:ID', 'r.csv'],
    ['r.csv:ID', './sub/../r.csv'],
    ['link.csv:ID', 'r.csv'],
    ['r.csv:ID', 'link.csv'],
  ])('does not replace the file that it reads its ids from (--ids %s -o %s)', async (ids, output) => {
    place.write('r.csv', 'ID\nd1\n');
    symlinkSync('r.csv', place.path('link.csv'));
    const { stderr } = await expectExit(exported(['deals', '--ids', ids, '-o', output]), 2);
    expect(stderr).toMatch(/is read by this export: nothing may overwrite it/);
    expect(place.read('r.csv')).toBe('ID\nd1\n');
  });

  it('refuses an id that a spreadsheet has rounded', async () => {
    await writeWorkbook(place.path('ids.xlsx'), { Deals: [['Deal ID'], [Number('12345678901234567890')]] });
    const { stderr } = await expectExit(exported(['deals', '-o', 'a.csv', '--ids', 'ids.xlsx']), 2);
    expect(stderr).toMatch(/Deals, row 2: the id .* has more digits than a number can carry/);
    expect(service.requests).toEqual([]);
  });

  it('gives JSON with each record whole, its digits and its answer', async () => {
    answer = ({ path }) =>
      idOf(path) === 'b'
        ? notFound
        : { status: 200, body: '{"id":12345678901234567890,"owner1":{"ssn":"219-09-9999"}}' };
    await exported(['deals', '-o', 'deals.ndjson', '--id', '12345678901234567890', '--id', 'b']);
    expect(place.read('deals.ndjson')).toBe(
      '{"askedFor":"12345678901234567890","answer":"Found","record":{"id":12345678901234567890,"owner1":{"ssn":"***-**-****"}}}\n{"askedFor":"b","answer":"Not found","reason":"No such company."}\n',
    );
  });

  it.each<[kind: 'deals' | 'companies', rename: object, given: string, record?: string]>([
    [
      'deals',
      { amountRequested: 'requested_amount' },
      '"requested_amount":12345678901234567890.10',
      '"amountRequested":12345678901234567890.10',
    ],
    [
      'deals',
      { 'company.name': 'merchant.legal:text' },
      '"merchant":{"legal":"Harbor","rank":7}',
      '"company":{"name":"Harbor"},"merchant":{"rank":7}',
    ],
    [
      'companies',
      { 'phones[].number': 'telephones[]' },
      '"name":"Harbor","telephones":["1","2"]',
      '"name":"Harbor","phones":[{"number":"1"},{"number":"2"}]',
    ],
    [
      'deals',
      { 'owner1.ssn': 'principal.government_number' },
      '"amountRequested":1,"principal":{"government_number":"219099999"}',
      '"amountRequested":1,"owner1":{"ssn":"*********"}',
    ],
    ['deals', {}, '"requested_amount":1.50,"amountRequested":2'],
  ])('takes the names of the service back: %s by %j', async (kind, rename, given, record = given) => {
    answer = () => ({ status: 200, body: `{"id":"x",${given}}` });
    const contract = { requests: { [kind]: { rename } } };
    place.write('config.json', { profiles: { live: { url: service.url, contract } } });
    const words = ['export', kind, '-o', 'x.ndjson', '--id', 'x', '--profile', 'live', '--config', 'config.json'];
    await expectExit(place.run(words, { env }), 0);
    expect(place.read('x.ndjson')).toBe(`{"askedFor":"x","answer":"Found","record":{"id":"x",${record}}}\n`);
  });

  it('stops, with the file as it was, when the token is refused', async () => {
    answer = () => ({ status: 401, body: '' });
    const before = await writeEarlierExport(place.path('deals.xlsx'));
    expect((await exported(['deals', '-o', 'deals.xlsx', '--id', 'a'])).exitCode).toBe(4);
    expect(readFileSync(place.path('deals.xlsx')).equals(before)).toBe(true);
  });
});

describe('companies as a template', () => {
  const companies: Readonly<Record<string, object>> = {
    cmp_1: {
      id: 'cmp_1',
      name: 'Harbor Bakery LLC',
      contactTypes: ['Merchant', 'Broker'],
      dba: '=Harbor',
      ein: '**-***6710',
      phones: [
        { number: '+1 518-555-0110', type: 'Mobile', extension: 12 },
        { number: '+1 518-555-0111', type: 'Work' },
      ],
      addresses: [
        { line1: '100 Main Street', city: 'Albany', state: 'NY', zip: '07030', geo: { lat: 1, exact: true } },
      ],
      note: `A long note.\r\n${'and on '.repeat(100)}`,
      website: 'https://harbor.example',
    },
    cmp_2: { id: 'cmp_2', name: 'Mill Street Dental', contactTypes: ['Funder'], defaultReceivableCommission: 10 },
  };

  async function exportTemplate(name: string, known = companies): Promise<void> {
    answer = ({ path }) => {
      const company = known[idOf(path)];
      return company === undefined ? notFound : { status: 200, body: JSON.stringify(company) };
    };
    const words = ['companies', '-o', name, '--as-template', '--id', 'cmp_1', '--id', 'cmp_2'];
    const code = Object.keys(known).length === 2 ? 0 : 1;
    const { stderr } = await expectExit(exported(words), code, 'What you do not change is not sent');
    if (known === companies) expect(stderr).toContain('2 values could not be shown, such as what the service masks');
    expect(stderr).toMatch(
      /import it into the same service with: dealsheet import \S+ --as company-updates --url http:\S+$/m,
    );
  }

  it.each([
    ['data.company', (company: object) => ({ success: true, data: { company } })],
    ['data.attributes', (company: object) => ({ data: { type: 'company', id: 'cmp_2', attributes: company } })],
  ])('is filled from a record in %s', async (_, wrapped) => {
    answer = () => ({ status: 200, body: JSON.stringify(wrapped({ name: 'Mill Street Dental', dba: 'Mill' })) });
    await expectExit(exported(['companies', '-o', 'u.xlsx', '--as-template', '--id', 'cmp_2']), 0);
    const [row = {}] = await updateRows('u.xlsx');
    // Both stay in sight.
    expect(Object.entries(row).slice(0, 2)).toEqual([
      ['Company to update *', 'cmp_2'],
      ['Company name', 'Mill Street Dental'],
    ]);
  });

  it('says of a record that holds no field of a company that it does, and ends with 1', async () => {
    answer = () => ({ status: 200, body: '{"id":"cmp_2","entity":{"legal":"Mill"}}' });
    const { stderr } = await expectExit(exported(['companies', '-o', 'u.xlsx', '--as-template', '--id', 'cmp_2']), 1);
    expect(stderr).toContain('cmp_2: failed. The answer has none of the fields of a company.');
  });

  async function imported(name: string, results = 'r.xlsx') {
    answer = () => success;
    const from = service.requests.length;
    const words = ['import', name, '--url', service.url, '--yes', '--json', '--as', 'company-updates'];
    const ended = await place.run([...words, '--results', results], { env });
    const sent = service.requests.slice(from).map(({ method, path, body }) => [method, path, JSON.parse(body)]);
    return { ...ended, sent, counts: JSON.parse(ended.stdout || '{"counts":null}').counts };
  }

  /** Changes cells of the template as a person does: by the header of the column. */
  const edit = (name: string, changes: Readonly<Record<string, string>>, row = 2) =>
    changeCells(place.path(name), 'Company updates', row, changes);

  const exportEdited = async (changes: Readonly<Record<string, string>>) => {
    await exportTemplate('c.xlsx');
    await edit('c.xlsx', changes);
  };

  it('of which two cells were changed sends exactly these two', async () => {
    await exportEdited({ Website: 'https://new.example', Industry: 'Bakeries' });
    const { sent, counts } = await expectExit(imported('c.xlsx'), 0);
    expect(sent).toEqual([['PATCH', '/v1/company/cmp_1', { website: 'https://new.example', industry: 'Bakeries' }]]);
    expect(counts).toMatchObject({ rows: 2, updated: 1, unchanged: 1, alreadyLoaded: 0 });
  });

  it('tells each change before it is sent, with the value that it replaces', async () => {
    await exportEdited({ Website: 'https://new.example', DBA: '<clear>', EIN: '<clear>' });
    const words = ['check', 'c.xlsx', '--as', 'company-updates', '--results', 'checked.xlsx'];
    const checked = await place.run(words, { env });
    expect(checked.stdout + checked.stderr).toContain('Website "https://new.example" replaces the exported "');
    const [first] = await updateRows('checked.xlsx');
    expect(first?.Problems).toContain('Note: DBA "<clear>" empties the field, exported as "=Harbor".');
    const hidden = 'empties the field, exported as blank; the export could not show the value.';
    expect(first?.Problems).toContain(`Note: EIN "<clear>" ${hidden}`);
  });

  it('changes no company of another service, which may have another one under the id', async () => {
    await exportEdited({ Website: 'https://new.example' });
    const other = await startRecordingService(() => success);
    const words = ['import', 'c.xlsx', '--url', other.url, '--yes', '--as', 'company-updates', '--results', 'r.xlsx'];
    const said = 'The row was exported from a service of another address, where cmp_1 may be another company';
    await expectExit(place.run(words, { env }), 1, said);
    await other.stop();
    expect(other.requests).toEqual([]);
  });

  it('says of a cell that was emptied that a blank changes nothing, and how to empty the field', async () => {
    await exportEdited({ Website: '' });
    await edit('c.xlsx', { 'Company name': '', Industry: 'Dentists' }, 3);
    const { sent, stderr } = await imported('c.xlsx', 'r.xlsx');
    expect(sent.map(([, , body]) => body)).toEqual([{ industry: 'Dentists' }]);
    expect(stderr).toContain('note  Website was emptied: a blank leaves the field as it is');
    const rows = await updateRows();
    const note = (label: string) =>
      `Note: ${label} was emptied: a blank leaves the field as it is; write <clear> to empty it.`;
    expect(rows.map(({ Problems }) => Problems)).toEqual([
      `No value in this row was changed since the export: nothing was sent.\n${note('Website')}`,
      `${note('Company name')}\nNote: Industry "Dentists" replaces the exported blank.`,
    ]);
  });

  it.each(['c.xlsx', 'c.csv'])('in which nothing was changed sends nothing (%s)', async (name) => {
    await exportTemplate(name);
    const { sent, counts } = await expectExit(imported(name), 0, /not sent: 2 unchanged/);
    expect(sent).toEqual([]);
    expect(counts).toMatchObject({ rows: 2, unchanged: 2, alreadyLoaded: 0 });
  });

  it('in CSV that a spreadsheet program has saved sends nothing that nobody changed, and says so at the cell', async () => {
    const phones = [{ number: '+15185550142' }];
    await exportTemplate('c.csv', { cmp_1: { id: 'cmp_1', name: 'Harbor', industry: '44.10', note: '0123', phones } });
    const text = place
      .read('c.csv')
      .replace(/,'?\+15185550142,/, ',15185550142,')
      .replace(',44.10,', ',44.1,');
    place.write('saved.csv', text.replace(',0123,', ',123,'));
    const untouched = await imported('saved.csv');
    expect(untouched.sent).toEqual([]);
    const [row] = await readWorkbook(place.path('r.xlsx'), 'saved');
    expect(row).toMatchObject({ Status: 'Unchanged' });
    expect(row?.Problems).toMatch(/Industry "44\.1" was exported as "44\.10"[\s\S]*Note "123" was exported as "0123"/);
    place.write('changed.csv', text.replace(',0123,', ',456,'));
    expect((await imported('changed.csv')).sent).toEqual([['PATCH', '/v1/company/cmp_1', { note: '456' }]]);
  });

  it('sends a list of which a part was changed as a whole, with what stands in no usual column', async () => {
    await exportEdited({ 'Phone 2': '+1 518-555-0199', 'Phone 2 type': '' });
    const phones = [
      { number: '+1 518-555-0110', type: 'Mobile', extension: 12 },
      { number: '+1 518-555-0199', type: 'Work' },
    ];
    expect((await imported('c.xlsx')).sent).toEqual([['PATCH', '/v1/company/cmp_1', { phones }]]);
  });

  it('never sends back what the service shows masked, and takes a new value for it', async () => {
    await exportTemplate('c.xlsx');
    expect(JSON.stringify(await updateRows('c.xlsx'))).not.toContain('6710');
    await edit('c.xlsx', { DBA: 'Harbor' });
    expect((await imported('c.xlsx')).sent).toEqual([['PATCH', '/v1/company/cmp_1', { dba: 'Harbor' }]]);
    await edit('c.xlsx', { EIN: '12-3456710' });
    expect((await imported('c.xlsx')).sent).toEqual([
      ['PATCH', '/v1/company/cmp_1', { dba: 'Harbor', ein: '12-3456710' }],
    ]);
  });

  it('refuses a change of a list that the columns do not show as a whole', async () => {
    await exportEdited({ 'Address city': 'Troy' });
    const { sent, counts } = await imported('c.xlsx');
    expect(sent).toEqual([]);
    expect(counts).toMatchObject({ invalid: 1 });
    const [row] = await updateRows();
    expect(row?.Problems).toMatch(/Address city cannot be changed here: the service has more of it/);
  });

  it('empties a field or a list that is to be cleared', async () => {
    await exportEdited({ Website: '<clear>', Phone: '<clear>' });
    const { sent, counts } = await imported('c.xlsx');
    expect([sent, counts]).toMatchObject([[], { invalid: 1 }]);
    await edit('c.xlsx', { 'Phone type': '', '{phones[0].extension:number}': '', 'Phone 2': '', 'Phone 2 type': '' });
    expect((await imported('c.xlsx')).sent).toEqual([['PATCH', '/v1/company/cmp_1', { website: null, phones: null }]]);
  });

  it('knows its rows when they were sorted, and refuses a row of two companies', async () => {
    await exportTemplate('c.csv');
    const lines = place.read('c.csv').split('\r\n');
    const [head = '', ...rest] = lines;
    const second = rest.at(-2) ?? '';
    place.write('sorted.csv', [head, second, ...rest.slice(0, -2), ''].join('\r\n'));
    expect((await imported('sorted.csv')).sent).toEqual([]);
    place.write('mixed.csv', [head, second.replace('cmp_2', 'cmp_1'), ''].join('\r\n'));
    const mixed = await imported('mixed.csv');
    expect(mixed.sent).toEqual([]);
    expect(mixed.counts).toMatchObject({ invalid: 1 });
  });

  it('of deals is refused: nothing changes a deal', async () => {
    await expectExit(exported(['deals', '-o', 'd.xlsx', '--as-template', '--id', 'a']), 2, /no way to change a deal/);
    expect(service.requests).toEqual([]);
  });
});

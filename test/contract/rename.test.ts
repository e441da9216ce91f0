import { describe, expect, it } from 'vitest';
import { type ContractSettings, contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { faultsIn } from '../../src/contract/profile-parts.ts';
import { documentedBy, type Names, PlaceTaken, renamer } from '../../src/contract/rename.ts';

type Json = Readonly<Record<string, unknown>>;

/** Names, a body by its documented names, and the same as the service has it. */
const bothWays: readonly (readonly [what: string, names: Names, documented: Json, there: Json])[] = [
  ['PascalCase', { dealId: 'DealId', note: 'NoteText' }, { dealId: 'd1', note: 'x' }, { DealId: 'd1', NoteText: 'x' }],
  [
    'a name with a point in it',
    { 'company.id': 'links.account@odata\\.bind:text(/accounts({}))', date: 'paid\\.on:date(unix)' },
    { company: { id: '7' }, date: '2026-06-30' },
    { links: { 'account@odata.bind': '/accounts(7)' }, 'paid.on': 1782777600 },
  ],
  ['a group otherwise', { owner1: 'people.first' }, { owner1: { ssn: '1' } }, { people: { first: { ssn: '1' } } }],
  ['fields of a group in the body itself', { 'bank.nsfs': 'nsf_count' }, { bank: { nsfs: 2 } }, { nsf_count: 2 }],
  [
    'a list by another name',
    { 'phones[].number': 'tel.list[].value', 'phones[].type': 'tel.list[].kind' },
    { phones: [{ number: '1', type: 'Work' }, { number: '2' }] },
    { tel: { list: [{ value: '1', kind: 'Work' }, { value: '2' }] } },
  ],
  ['a list of texts', { 'phones[].number': 'phones[]' }, { phones: [{ number: '1' }] }, { phones: ['1'] }],
  ['one text', { 'phones[].number': 'phone' }, { phones: [{ number: '1' }] }, { phone: '1' }],
  [
    'fields with numbers',
    { 'phones[0].number': 'phone1', 'phones[1].number': 'phone2' },
    { phones: [{ number: '1' }, { number: '2' }] },
    { phone1: '1', phone2: '2' },
  ],
  ['one address', { 'addresses[0]': 'address' }, { addresses: [{ city: 'Albany' }] }, { address: { city: 'Albany' } }],
  [
    'two owners in a list',
    { owner1: 'owners[0]', owner2: 'owners[1]' },
    { owner1: { lastName: 'A' }, owner2: { lastName: 'B' } },
    { owners: [{ lastName: 'A' }, { lastName: 'B' }] },
  ],
  ['an empty list', { 'phones[].number': 'tel[]' }, { phones: [] }, { tel: [] }],
  ['an emptied list', { 'phones[].number': 'tel[].n', 'phones[].type': 'tel[].t' }, { phones: null }, { tel: null }],
  ['names that are changed over', { name: 'dba', dba: 'name' }, { name: 'a', dba: 'b' }, { dba: 'a', name: 'b' }],
  ['a day', { date: 'on:date(MM/DD/YYYY)' }, { date: '2026-06-30' }, { on: '06/30/2026' }],
  ['a day in digits alone', { date: 'on:date(YYYYMMDD)' }, { date: '2026-06-30' }, { on: '20260630' }],
  ['a day as seconds', { date: 'on:date(unix)' }, { date: '2026-06-30' }, { on: 1782777600 }],
  [
    'a day as .NET writes it',
    { date: 'on:date(/Date(unix-ms)/)' },
    { date: '1969-12-31' },
    { on: '/Date(-86400000)/' },
  ],
  ['a day as milliseconds', { date: 'on:date(unix-ms)' }, { date: '1969-12-31' }, { on: -86400000 }],
  ['an amount in cents', { amount: 'cents:times(100)' }, { amount: 228.57 }, { cents: 22857 }],
  [
    'a percentage as a share',
    { 'owner1.ownership': 'share:times(0.01)' },
    { owner1: { ownership: 51 } },
    { share: 0.51 },
  ],
  [
    'words of its own',
    { 'kinds[]': 'types[]:words(Merchant=1|Other=X)' },
    { kinds: ['Other', 'Merchant'] },
    { types: ['X', 1] },
  ],
  ['a code with a zero behind its point', { stage: 'phase:words(Lead=1.0)' }, { stage: 'Lead' }, { phase: 1 }],
  ['words for true', { renewal: 'is:words(true=Y|false=N)' }, { renewal: true }, { is: 'Y' }],
  ['other words for yes and no', { renewal: 'is:boolean(Y|N)' }, { renewal: false }, { is: 'N' }],
  ['what is neither yes nor no', { renewal: 'is:boolean' }, { renewal: 'constructor' }, { is: 'constructor' }],
  ['numbers for yes and no', { renewal: 'is:boolean(1|0)' }, { renewal: true }, { is: 1 }],
  [
    'an id in an address',
    { dealId: 'deal.href:text(/deals({})/)' },
    { dealId: 'd 1' },
    { deal: { href: '/deals(d 1)/' } },
  ],
];

describe('the names of a profile', () => {
  it.each(bothWays)('write and read %s', (_, names, documented, there) => {
    expect(renamer(names, {})(documented)).toEqual(there);
    expect(documentedBy(names)(there)).toEqual(documented);
  });

  it.each<[what: string, names: Names, body: Json, there: Json]>([
    ['a number', { dealId: 'deal.id:number' }, { dealId: '17' }, { deal: { id: 17 } }],
    ['no number of what would lose a zero', { dealId: 'deal:number' }, { dealId: '007' }, { deal: '007' }],
    ['a text', { amount: 'sum:text' }, { amount: 100.5 }, { sum: '100.5' }],
    ['the digits of a small number', { amount: 'sum:text' }, { amount: 1e-7 }, { sum: '0.0000001' }],
    ['what is no whole cent as it is', { amount: 'cents:times(100)' }, { amount: 10.005 }, { cents: 1000.5 }],
    ['a word that has no other', { stage: 'phase:words(Lead=L)' }, { stage: 'Application' }, { phase: 'Application' }],
    [
      'nothing into what is blank',
      { note: 'said:text(<{}>)', tags: 't:text' },
      { note: null, tags: {} },
      { said: null, t: {} },
    ],
    ['no day of what is none', { note: 'said:date(YYYYMMDD)' }, { note: 'soon' }, { said: 'soon' }],
    ['a list that is emptied, where it is a text', { 'phones[0].number': 'phone' }, { phones: null }, { phone: null }],
    ...[{ city: 'Albany', zip: 12207 }, { street: 'Main St 1', zip: 12207 }, 'none'].map(
      (address, at): [string, Names, Json, Json] => [
        `fields in one text: ${JSON.stringify(address)}`,
        { '{at.street}, {at.city} {at.zip}': 'place', 'at.city': 'town' },
        { at: address, n: 1 },
        { n: 1, ...[{ place: 'Albany 12207', town: 'Albany' }, { place: 'Main St 1 12207' }, { at: 'none' }][at] },
      ],
    ),
    ['nothing of what is left out', { tags: null }, { tags: ['a'], amount: 1 }, { amount: 1 }],
    [
      'a list without its left out parts',
      { 'phones[0]': null },
      { phones: [{ number: '1' }, { number: '2' }] },
      { phones: [{ number: '2' }] },
    ],
  ])('write %s', (_, names, body, there) => {
    expect(renamer(names, {})(body)).toEqual(there);
  });

  it.each<[what: string, names: Names, constants: Json, body: Json, path: string]>([
    [
      'two parts of a list in one text',
      { 'phones[].number': 'phone' },
      {},
      { phones: [{ number: '1' }, { number: '2' }] },
      'phones[1].number',
    ],
    [
      'a type beside a plain text',
      { 'phones[].number': 'phones[]' },
      {},
      { phones: [{ number: '1', type: 'Work' }] },
      'phones[0].type',
    ],
    [
      'a part of a list beside those that have places',
      { 'phones[0].number': 'phone1', 'phones[1]': null },
      {},
      { phones: [{ number: '1', type: 'Work' }, { number: '2' }, { number: '3' }] },
      'phones[2].number',
    ],
    ['more parts than a text of them has', { '{n[0]};{n[1]}': 'all' }, {}, { n: ['a', 'b', 'c'] }, 'n[2]'],
    ['a value and a constant', {}, { type: 'Payment' }, { type: 'Fee' }, 'type'],
    ['a list in a text of fields', { '{tags[]} {n}': 'text' }, {}, { tags: ['a', 'b'], n: 1 }, 'tags[]'],
    ['a group in a text of fields', { '{at} {n}': 'text' }, {}, { at: { city: 'Albany' }, n: 1 }, 'at'],
  ])('put no value in the place of another: %s', (_, names, constants, body, path) => {
    expect(() => renamer(names, constants)(body)).toThrow(PlaceTaken);
    expect(() => renamer(names, constants)(body)).toThrow(path);
  });
});

it.each<[target: string, isOne: boolean]>([
  ['on:date(DD/MM/YYYY)', true],
  ['on:date(unix)', true],
  ['on:date(DD/MM/YY)', false],
  ['on:date(yyyy-mm-dd)', false],
  ['cents:times(100)', true],
  ['cents:times(0.00)', false],
  ['cents:times()', false],
  ['deal:text(/deals/{})', true],
  ['deal:text(/deals)', false],
  ['phase:words(S Corporation=s_corp|LLC=2)', true],
  ['phase:words(LLC)', false],
  ['phase:words(LLC=1|LLC=2)', false],
  ['phase:words(LLC=1|LLP=1)', true],
])('%s can be a name: %s', (target, isOne) => {
  expect(contractSettingsSchema.safeParse({ requests: { deals: { rename: { stage: target } } } }).success).toBe(isOne);
});

it.each<[kind: string, path: string, isOne: boolean]>([
  ['deals', 'amountRequsted', false],
  ['deals', 'owner1.firstNam', false],
  ['deals', 'owner1', true],
  ['deals', 'company.phones[12].number', true],
  ['deals', 'bank.ownColumn.inside', true],
  ['deals', 'id', false],
  ['deals', 'companyRef', false],
  ['company-updates', 'id', true],
  ['companies', 'contactTypes[]', true],
  ['transactions', 'ownColumn', true],
  ['notes', 'ownColumn', false],
])('%s can have a value to rename at %s: %s', (kind, path, isOne) => {
  const canBe = (rules: object) => contractSettingsSchema.safeParse({ requests: { [kind]: rules } }).success;
  expect(canBe({ rename: { [path]: 'x' } })).toBe(isOne);
  expect(canBe({ groupBy: { field: path, list: 'rows' } })).toBe(isOne && kind === 'transactions');
});

it.each<[headers: object, isOne: boolean]>([
  [{ authorization: 'Token {token}' }, true],
  [{ 'x-api-key': '{token}' }, true],
  [{ authorization: 'Basic dTpw' }, false],
  [{ cookie: '{token}' }, false],
  ...['Host', 'content-length', 'proxy-authorization', 'x y'].map((name): [object, false] => [{ [name]: 'x' }, false]),
])('%j can be the headers of a profile: %s', (headers, isOne) => {
  expect(contractSettingsSchema.safeParse({ headers }).success).toBe(isOne);
});

const byReference = { yes: '2xx', items: { at: ['rows'], index: 'r', row: 'reference' } };
it.each<[contract: object, isOne: boolean | string]>([
  [{ headers: { 'x-key': '{token}' }, idempotencyHeader: 'x-request-id' }, true],
  [{ headers: { 'x-key': '{token}' }, idempotencyHeader: 'x-key' }, false],
  [{ headers: { 'idempotency-key': '1' } }, false],
  [{ wire: { mediaType: 'application/x-www-form-urlencoded' } }, true],
  [{ wire: { mediaType: 'text/plain' } }, false],
  [{ requests: { leads: { headers: { 'x-key': '{token}' } } } }, false],
  [{ requests: { leads: { headers: { 'idempotency-key': '1' } } } }, false],
  [{ requests: { attachments: { mediaType: 'application/json' } } }, false],
  [{ requests: { transactions: { mediaType: 'application/x-ndjson', envelope: 'rows' } } }, false],
  [{ requests: { deals: { read: { constants: { 'q[]': 1 } } } } }, 'requests.deals.read.constants.q[]: This must'],
  [{ requests: { leads: { read: {} } } }, false],
  [{ balances: { body: { constants: { limit: 100 } } } }, false],
  [{ paths: { getDeal: 'POST /q' }, requests: { deals: { read: { rename: { id: 'id' } } } } }, true],
  [{ requests: { deals: { alone: true } } }, false],
  [{ requests: { notes: { filePart: 'x' } } }, false],
  [{ requests: { attachments: { filePart: 'data:base64' } } }, false],
  [{ requests: { attachments: { envelope: 'data' } } }, false],
  [{ requests: { deals: { constants: { 'phones[].kind': 1 } } } }, false],
  [{ requests: { transactions: { envelope: 'rows[]' } } }, false],
  [{ requests: { attachments: { constants: { 'tags[]': 'a' } } } }, true],
  [{ requests: { deals: { beside: { tenant: 1 } } } }, false],
  [{ requests: { transactions: { beside: { tenant: 1 } } } }, true],
  [{ requests: { transactions: { beside: { tenant: 1 }, alone: true } } }, false],
  [{ requests: { notes: { rename: { dealId: 'fields.Deal No', status: 'fields.Is Paid:boolean' } } } }, true],
  [{ requests: { notes: { rename: { dealId: ' deal' } } } }, false],
  [{ requests: { notes: { rename: { '{status}: {note}': 'text' } } } }, true],
  [{ requests: { notes: { rename: { '{status}: {text}': 'text' } } } }, false],
  [{ requests: { notes: { rename: { '{dealId}: {note}': 'text' } } } }, false],
  [{ requests: { notes: { rename: { 'As {note}': 'text' } } } }, 'requests.notes.rename.As {note}: A joined text'],
  [{ requests: { 'company-updates': { rename: { '{name} {dba}': 'names' } } } }, false],
  [{ requests: { transactions: { rename: { '{date} {type}': 't' }, groupBy: { field: 'date', list: 'l' } } } }, false],
  [{ requests: { notes: { rename: { dealId: 'deal:bolean' } } } }, false],
  [{ requests: { notes: { rename: { dealId: null } } } }, false],
  [{ requests: { notes: { rename: { dealId: null } } }, paths: { addNote: '/deals/{dealId}/notes' } }, true],
  [{ requests: { transactions: { rename: { dealId: null } } }, needs: { 'transactions.deal': 'none' } }, true],
  [{ requests: { 'submission-loans': { rename: { submissionId: null } } } }, true],
  [{ requests: { 'company-updates': { rename: { id: 'id' } } }, paths: { updateCompany: '/company/update' } }, true],
  [{ requests: { notes: { rename: { dealId: 'deal' } } }, paths: { addNote: '/deals/{deal}/notes' } }, false],
  [{ requests: { transactions: { rename: { dealId: 'deal' } } }, paths: { addTransactions: '/{deal}/rows' } }, false],
  [{ requests: { transactions: { rename: { reference: null } } }, answers: { transactions: byReference } }, false],
  [{ requests: { transactions: { rename: { reference: 'r' } } }, answers: { transactions: byReference } }, true],
  [{ requests: { transactions: { alone: true } }, answers: { transactions: byReference } }, false],
  [{ answers: { '*': { items: { at: ['rows'] } } } }, true],
  [{ answers: { deals: { items: { at: ['rows'] } } } }, false],
  [{ answers: { notes: { count: ['n'] } } }, false],
  [{ answers: { deals: { itemYes: '2xx' } } }, false],
  [{ answers: { deals: { unrelated: ['lot'] } } }, false],
  [{ answers: { notes: { read: { yes: '2xx' } } } }, false],
  [{ answers: { deals: { yes: { s: ['A', 1] }, no: [{ s: [1] }] } } }, false],
  [{ answers: { deals: { yes: { s: 'A' }, no: ['s', { s: 'B' }, { t: 'A' }] } } }, true],
  [{ answers: { deals: { job: { state: 's' } } } }, false],
  [{ answers: { deals: { job: { done: ['D'] } } } }, false],
  [{ answers: { deals: { job: { state: 's', done: ['D'], failed: ['D'] } } } }, false],
  [{ answers: { deals: { job: { id: ['j'] }, count: [] } } }, true],
  [{ answers: { deals: { job: { id: ['j'], header: 'x-job' } } } }, true],
  [{ answers: { deals: { job: { path: '/jobs/{id}' } } } }, false],
  [{ answers: { deals: { job: { id: ['j'], path: '/jobs' } } } }, false],
  [{ headers: { 'X-Key': '1' } }, 'headers.X-Key: Write another header, in small letters.'],
  [{ outcomes: { create: { '5XX': 'retry' } } }, 'outcomes.create.5XX: Write "409" or "5xx".'],
  [{ answers: { deals: { yes: '200' } } }, 'answers.deals.yes: expected "2xx" or expected values'],
  [{ answers: { deals: { yes: { s: [null] } } } }, 'answers.deals.yes.s.0: expected string or expected number or '],
  [{ balances: { key: '' } }, 'balances.key: It is empty.'],
  [{ token: [{ path: 'a', is: 1 }, { path: 'b' }] }, 'token.1.is: expected string or '],
  [{ paths: { updateCompany: 'PUT /companies/{id}' } }, true],
  [{ paths: { updateCompany: '/companies' } }, false],
  [{ paths: { updateCompany: '/companies/{id}/{dba}' } }, false],
  [{ paths: { addNote: '/{deal}/notes' } }, 'paths.addNote: "deal" has no value here. Write "dealId".'],
  [{ paths: { addNote: '/orgs/{org}/deals/{dealId}/notes' } }, 'paths.addNote: "org" has no value here.'],
  [{ paths: { addNote: '/{status}/notes', addLead: '/{ownColumn}', addDeal: '/{company.id}/deals' } }, true],
  [{ paths: { addDeal: '/{company}/deals' } }, false],
  [{ paths: { addLead: 'PUT /leads/{owner1.ssn}' } }, 'paths.addLead: "owner1.ssn" is personal'],
  [{ paths: { addLead: '/leads/{taxId}' } }, false],
  [{ paths: { getDeal: '/deals' } }, false],
  [{ paths: { health: '/{dealId}' } }, false],
  [{ paths: { getLoanBalances: '/balances?limit=100' } }, true],
  [{ paths: { getLoanBalances: 'POST /balances/search' } }, true],
  [{ paths: { getLoanBalances: 'PUT /balances/search' } }, false],
  [{ paths: { getDeal: 'POST /deals/get' } }, false],
])('%j can be declared together: %s', (contract, isOne) => {
  const [fault] = faultsIn(contractSettingsSchema.safeParse(contract).error?.issues ?? []);
  const said = `${fault?.path.join('.')}: ${fault?.message}`;
  expect(typeof isOne === 'string' ? said.slice(0, isOne.length) : fault === undefined).toBe(isOne);
});

describe('a record that is read back', () => {
  const contractOf = (changes: object): ContractSettings => contractSettingsSchema.parse(changes);
  const read = (changes: object, record: Json) => documentedBy(contractOf(changes).requests.deals.rename)(record);

  it('has its days as the program writes them, by whatever name, and goes out with those of the service', () => {
    const requests = { deals: { rename: { 'owner1.dob': 'owner.born', 'bank.renewal': 'renewal:date' } } };
    const changes = { requests, wire: { date: 'MM/DD/YYYY' } };
    const record = {
      owner: { born: '04/17/1980' },
      company: { businessStartDate: '03/04/2012' },
      renewal: '06/30/2026',
    };
    const documented = {
      owner1: { dob: '1980-04-17' },
      company: { businessStartDate: '2012-03-04' },
      bank: { renewal: '2026-06-30' },
    };
    expect(read(changes, record)).toEqual(documented);
    expect(renamer(contractOf(changes).requests.deals.rename, {})(documented)).toEqual(record);
  });

  it.each<[form: string, there: unknown]>([
    ['DD.MM.YYYY', '30.06.2026'],
    ['YYYY-MM-DDT00:00:00Z', '2026-06-30T00:00:00Z'],
    ['YYYYMMDD', 20260630],
  ])('has a day in the form %s, and what is none as it is', (date, there) => {
    const record = { company: { businessStartDate: there }, owner1: { dob: '06/30/26' } };
    const documented = { company: { businessStartDate: '2026-06-30' }, owner1: { dob: '06/30/26' } };
    expect(read({ wire: { date } }, record)).toEqual(documented);
  });

  it.each([
    [1.2345678e7, 123456.78],
    ['1.5E2', 1.5],
    ['123456789012345678', '1234567890123456.78'],
  ])('has cents as an amount to the last digit: %j', (there, amount) => {
    expect(documentedBy({ stage: 'on:times(100)' })({ on: there })).toEqual({ stage: amount });
  });

  it.each<[to: string, there: Json]>([
    ['on:date(unix)', { on: 1767571200000 }],
    ['on:date(unix)', { on: 1782777601 }],
    ['on:date(unix)', { on: 999999999999 }],
    ['on:words(a=1|b=1)', { on: '1' }],
    ['on:text(/deals/{})', { on: '/deal/7' }],
    ['on:times(100)', { on: 'about 5' }],
    ['on:times(3)', { on: 10 }],
  ])('has as it is what %s does not tell: %j', (to, there) => {
    expect(documentedBy({ stage: to })(there)).toEqual({ stage: there.on });
  });

  it('has no member of the service in the place of a field that has another name there', () => {
    const requests = { deals: { rename: { stage: 'phase' } } };
    expect(read({ requests }, { stage: 7, phase: 'Lead', owner: 'Pat' })).toEqual({ stage: 'Lead', owner: 'Pat' });
  });
});

/** The month by row ids, over real files, a real socket and a real ledger: a person corrects the original, and nothing doubles. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal, serverError } from '../builders/deals-desk.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { StagedMonth } from './staged-month.ts';

const file = folderForEachTest();
let month: StagedMonth;
beforeEach(async () => {
  month = await StagedMonth.open(file);
});
afterEach(() => month.close());

const companies = (...rows: readonly string[]) => ['Ref,Company name,Contact types,Phone', ...rows];
const deals = (...rows: readonly string[]) => ['Amount requested,Company name,Owner last name', ...rows];
const payments = (...rows: readonly string[]) => ['Deal id,Date,Amount,Reference', ...rows];
const requests = (...rows: readonly string[]) => [
  'Amount,Company name,EIN,Owner first name,Owner last name,Owner email',
  ...rows,
];
const merchants = (...rows: readonly string[]) => ['Company name,Contact types,EIN,Phone,Email', ...rows];
const notes = (...rows: readonly string[]) => ['Deal id,Deal status,Note', ...rows];
const fileOf = new Map([
  [companies, 'companies'],
  [merchants, 'companies'],
  [deals, 'deals'],
  [requests, 'deals'],
  [payments, 'transactions'],
  [notes, 'notes'],
]);
const [isIn, isHeld, isChanged] = ['already-loaded', 'possible-correction', 'changed-since-loaded'];

describe('P9: a month whose original is corrected', () => {
  const acme = 'C-1,Acme,Merchant,518-555-0142';
  const bell = 'C-2,Bell,Merchant,518-555-0143';
  const lee = '100,Acme,12-3456789,,Lee,desk@b.example';
  const desk = 'Acme,Merchant,12-3456789,518-555-0142,a@a.example';

  it.each<[what: string, of: typeof deals, before: string[], after: string[], told: string[]]>([
    ['a phone', companies, [acme, bell], [acme.replace('0142', '9999'), bell], [isChanged, isIn]],
    ['the zeros of a Ref', companies, ['001,Acme,Merchant,1'], ['1,Acme,Merchant,2'], [isChanged]],
    [
      'the amount of a payment, and another below',
      payments,
      ['d_1,2026-11-01,5,A-1', 'd_2,2026-11-01,6,A-2'],
      ['d_1,2026-11-01,5.5,A-1', 'd_2,2026-11-01,6,A-2', 'd_3,2026-11-02,7,A-3'],
      [isHeld, isIn, 'accepted'],
    ],
    ['a new reference', payments, ['d_1,2026-11-01,5,'], ['d_1,2026-11-01,5,A-9'], [isHeld]],
    ['a lost reference', payments, ['d_1,2026-11-01,5,A-9'], ['d_1,2026-11-01,5,'], [isHeld]],
    ['the lost zeros of a reference', payments, ['d_1,2026-11-01,5,007'], ['d_1,2026-11-01,6,7'], [isHeld]],
    ['another reference', payments, ['d_1,2026-11-01,5,007'], ['d_1,2026-11-01,5,008'], ['accepted']],
    [
      'the order, and another on top',
      deals,
      ['100,Acme,Moreno', '200,Bell,Shah'],
      ['300,Coral,Cole', '200,Bell,Shah', '100,Acme,Moreno'],
      ['created', isIn, isIn],
    ],
    ['a name', requests, ['100,Akme,,,Lee,ann@a.example'], ['100,Acme,,,Lee,ann@a.example'], [isHeld]],
    ['an EIN', requests, ['100,Acme,12-3456798,,Lee,'], ['300,Acme,12-3456789,,Lee,'], [isHeld]],
    ['an owner', requests, ['100,Acme,,,Le,'], ['100,Acme,,,Lee,'], [isHeld]],
    ['name and EIN', requests, ['100,Akme,12-3456798,Ann,Lee,'], ['100,Acme,12-3456789,Ann,Lee,'], [isHeld]],
    ['another request', requests, ['100,A,,Ann,Lee,ann@a.example'], ['300,B,,Ann,Lee,ann@a.example'], ['created']],
    ['a company of the contact', requests, [lee], ['100,Bell,20-3456789,,Ray,desk@b.example'], ['created']],
    ['an owner of the same last name', requests, ['100,Acme,,,Lee,'], ['100,Bell,,,Lee,'], ['created']],
    ['another of as much', requests, ['100,A,12-3456789,Ann,Lee,'], ['100,B,20-3456789,Bo,Ray,'], ['created']],
    ['a name beside its EIN', merchants, [desk.replace('Acme', 'Akme')], [desk], ['possible-duplicate']],
    ['one that its phone tells', merchants, ['Akme,Merchant,,518-555-0142,'], ['Acme,Merchant,,5185550142,'], [isHeld]],
    [
      'one that its e-mail tells',
      merchants,
      ['Akme,Merchant,,1,a@a.example'],
      ['Acme,Merchant,,2,A@a.example'],
      [isHeld],
    ],
    ['the EIN', merchants, ['Acme,Merchant,12-3456798,,'], ['Acme,Merchant,12-3456789,518-555-0142,'], [isHeld]],
    [
      'another company of the contact',
      merchants,
      [desk],
      [desk.replace('Acme', 'B').replace('12-', '20-')],
      ['created'],
    ],
    [
      'the text of a note, or its status',
      notes,
      ['deal_1,Open,Called the ownr', 'deal_2,Opn,Sent'],
      ['deal_1,Open,Called the owner', 'deal_2,Open,Sent', 'deal_1,Closed,Signed'],
      [isHeld, isHeld, 'created'],
    ],
  ])('tells what is corrected from what is new: %s', async (_, of, before, after, told) => {
    const name = `${fileOf.get(of)}.csv`;
    await month.load(name, of(...before));
    expect((await month.load(name, of(...after))).told).toEqual(told);
    if (!told.includes(isHeld)) return;
    const allowed = await month.load(name, of(...after), ['possible-correction']);
    expect(allowed.told).not.toContain(isHeld);
  });

  it('takes the original for the same file, whatever it is called, where rows of it are the same', async () => {
    await month.load('deals.csv', deals('100,Acme,Moreno', '200,Bell,Shah'));
    const renamed = await month.load('deals (1).csv', deals('100,Acme,Moreno', '250,Bell,Shah', '300,Coral,Cole'));
    expect(renamed.told).toEqual([isIn, isHeld, 'created']);
  });

  const october = [
    'deal_1,2026-10-01,5,A-1',
    'deal_2,2026-10-02,6,',
    'deal_1,2026-10-03,5,A-3',
    'deal_3,2026-10-04,7,',
  ];
  const corrected = (...dates: readonly string[]) =>
    october.map((line) => (dates.some((date) => line.includes(date)) ? line.replace('-10-', '-11-') : line));
  const isNew = 'accepted';

  it.each([
    ['a date is corrected', corrected('10-03'), [isIn, isIn, isHeld, isIn]],
    [
      'all but the deal of one is',
      october.map((line) => line.replace('2026-10-03,5,A-3', '2026-11-03,9,B-3')),
      [isIn, isIn, isHeld, isIn],
    ],
    ['the first and the last are', corrected('10-01', '10-04'), [isHeld, isIn, isIn, isHeld]],
    ['two that follow each other are', corrected('10-02', '10-03'), [isIn, isHeld, isHeld, isIn]],
    ['one is, below a new row', ['deal_9,2026-10-05,8,', ...corrected('10-03')], [isNew, isIn, isIn, isHeld, isIn]],
    ['another takes the place of one', [...october.slice(0, 3), 'd_9,2026-11-04,8,B-1'], [isIn, isIn, isIn, isNew]],
    [
      'more than two thirds are another month',
      corrected('10-02', '10-03', '10-04').map((line) => line.replace('A-3', 'B-3')),
      [isIn, isNew, isNew, isNew],
    ],
    [
      'they are, and one has the reference of this month',
      corrected('10-02', '10-03', '10-04'),
      [isIn, isNew, isHeld, isNew],
    ],
    [
      'rows are taken away above and added below',
      [...october.slice(2), 'deal_1,2026-11-01,5,A-5', 'deal_2,2026-11-02,6,'],
      [isIn, isIn, isNew, isNew],
    ],
  ])('knows a row by its neighbours where %s', async (_, lines, told) => {
    await month.load('transactions.csv', payments(...october));
    expect((await month.load('november.csv', payments(...lines))).told).toEqual(told);
    const again = told.map((one) => (one === isNew ? isIn : one));
    expect((await month.load('november.csv', payments(...lines))).told).toEqual(again);
    const allowed = await month.load('november.csv', payments(...lines), ['possible-correction']);
    expect(allowed.told).toEqual(again.map((one) => (one === isHeld ? isNew : one)));
  });

  const wrong = ['deal_1,2026-10-01,x,A-1', 'deal_2,2026-10-02,x,A-2', 'deal_3,2026-10-03,7,', 'deal_4,,40,'];
  const inOriginal = ['deal_1,2026-10-01,17,A-1', 'deal_2,2026-10-02,27,A-2', wrong[2] ?? '', 'deal_4,2026-10-24,40,'];
  const november = inOriginal.map((line) => line.replace('-10-', '-11-').replace('A-', 'B-'));
  const putRight = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.with(8, row[8] === 'x' ? '5' : (row[8] ?? '')).with(7, row[7] || '2026-10-04'));

  it.each([
    ['three of four were wrong', wrong, inOriginal, [isHeld, isHeld, isIn, isHeld]],
    ['all were', wrong.toSpliced(2, 1), inOriginal.toSpliced(2, 1), [isHeld, isHeld, isHeld]],
    ['its only row was', wrong.slice(3), inOriginal.slice(3), [isHeld]],
    ['another row stands on top', wrong.slice(3), ['deal_9,2026-10-05,8,', ...inOriginal.slice(3)], [isNew, isHeld]],
    ['the file has the rows of another month', wrong, november, [isNew, isNew, isNew, isNew]],
  ])(
    'P9: knows what was put right in the results, and otherwise in the original, where %s',
    async (_, before, after, told) => {
      const first = await month.load('transactions.csv', payments(...before));
      await month.loadResults('transactions.results.csv', first, putRight);
      expect((await month.load('transactions.csv', payments(...after))).told).toEqual(told);
    },
  );

  it.each([
    ['the file is sorted', corrected('10-03'), corrected('10-03').toReversed()],
    ['it was wrong for a while', october.map((line) => line.replace('10-03,5', '10-03,x')), corrected('10-03')],
    ['it is corrected once more', corrected('10-03'), corrected('10-03').map((line) => line.replace('11-03', '12-03'))],
    [
      'so is the one above it, which was held first',
      corrected('10-02', '10-03'),
      corrected('10-02', '10-03').map((line) => line.replace('11-03', '12-03')),
      2,
    ],
  ])('holds such a row still where %s', async (_, before, after, held = 1) => {
    for (const lines of [october, before]) await month.load('transactions.csv', payments(...lines));
    const { told } = await month.load('transactions.csv', payments(...after));
    expect(told.toSorted()).toEqual([isIn, isIn, isIn, isHeld].with(2, held === 2 ? isHeld : isIn));
    expect(month.sent, 'the first row alone, then the others').toBe(2);
  });

  const renamed = (rows: readonly (readonly string[])[]) =>
    rows.map((cells) => cells.map((cell) => ({ Bell: 'Bell Inc', Shah: 'Shaw' })[cell] ?? cell));

  it.each([
    ['comes back', '100,Bell,Shah', '100,Coral,Cole', isIn],
    ['is corrected otherwise', '120,Bell,Shah', '130,Coral,Cole', isHeld],
  ])(
    'holds a row that was put right in a copy under another name, where the original %s',
    async (_, row, last, told) => {
      month.said.set(2, refusal);
      const original = deals('100,Acme,Moreno', '100,Bell,Shah', '100,Coral,Cole');
      const first = await month.load('deals.csv', original);
      const copy = await month.load('deals v2.csv', deals('100,Acme,Moreno', '150,Bell,Shah', last));
      expect(copy.told).toEqual([isIn, 'created', told]);
      const again = await month.load('deals.csv', deals('100,Acme,Moreno', row, '100,Coral,Cole'));
      expect(again.told).toEqual([isIn, isHeld, isIn]);
      expect((await month.loadResults('results.csv', first, renamed)).told).toEqual([isIn, isHeld, isIn]);
    },
  );

  it('sends a row that was refused last month beside the rows of a file that has others by now', async () => {
    month.said.set(2, refusal);
    const june = await month.load('june.csv', deals('100,Acme,Moreno', '100,Bell,Shah', '100,Coral,Cole'));
    const july = deals('100,Coral,Cole', '700,Dune,Lee', '800,Elm,Roe');
    expect((await month.load('july.csv', july)).told).toEqual([isIn, 'created', 'created']);
    expect((await month.loadResults('results.csv', june, renamed)).told).toEqual([isIn, 'created', isIn]);
  });

  it('holds the rows of a longer file whose days are read otherwise than before, and sends what is new', async () => {
    const lines = payments('deal_1,03/04/2026,5,', 'deal_2,05/04/2026,6,');
    await month.load('transactions.csv', lines, [], { dateOrder: 'mdy' });
    const longer = await month.load('transactions.csv', [...lines, 'deal_3,25/04/2026,7,']);
    expect(longer.told).toEqual([isHeld, isHeld, 'accepted']);
  });

  it('knows the record of a Ref again, although the Ref was once in two rows', async () => {
    const acme = 'C-1,Acme,Merchant,518-555-0142';
    const first = await month.load('companies.csv', companies(acme));
    const pasted = ['', '', '', '', '', '', ...acme.split(',')];
    const twice = await month.loadResults('results.csv', first, (rows) => [...rows, pasted]);
    expect(twice.told).toEqual(['already-loaded', 'invalid']);
    const corrected = await month.load('companies.csv', companies('C-1,Acme,Merchant,518-555-9999'));
    expect(corrected.told).toEqual(['changed-since-loaded']);
  });

  it('holds a row in doubt, however it is corrected', async () => {
    month.said.set(1, serverError);
    await month.load('companies.csv', companies('C-1,Acme,Merchant,518-555-0142'));
    const corrected = await month.load('companies.csv', companies('C-1,Acme,Merchant,518-555-9999'));
    expect(corrected.told).toEqual(['in-doubt']);
    expect(month.sent).toBe(1);
  });
});

describe('a results sheet as the next input', () => {
  const idCell = 2;

  it('is one file with the original that is pasted under it', async () => {
    month.said.set(1, refusal);
    const lines = deals('100,Acme,Moreno', '200,Bell,Shah');
    const first = await month.load('deals.csv', lines);
    const pasted = lines.slice(1).map((line) => ['', '', '', '', '', '', ...line.split(',')]);
    const both = await month.loadResults('results.csv', first, (rows) => [...pasted, ...rows]);
    expect(both.told).toEqual(['equal-to-loaded-row', 'equal-to-loaded-row', 'created', 'already-loaded']);
    const again = await month.loadResults('again.csv', both);
    expect(again.told).toEqual(['equal-to-loaded-row', 'equal-to-loaded-row', 'already-loaded', 'already-loaded']);
  });

  it('is one file with the original line, pasted in and corrected in both places', async () => {
    const first = await month.load('deals.csv', deals('much,Acme,Moreno'));
    const pasted = ['', '', '', '', '', '', '100', 'Acme', 'Moreno'];
    const both = await month.loadResults('results.csv', first, ([row = []]) => [pasted, row.with(6, '100')]);
    expect(both.told).toEqual(['equal-to-loaded-row', 'created']);
  });

  it('names the record that a line without a key would double, before a line that says the same', async () => {
    const first = await month.load('deals.csv', deals('100,Acme,Moreno', 'much,Acme,Moreno'));
    const pasted = ['', '', '', '', '', '', '100', 'Acme', 'Moreno'];
    const moved = await month.loadResults('results.csv', first, ([one = [], other = []]) => [
      one.with(6, '200'),
      other.with(6, '100'),
      pasted,
    ]);
    expect(moved.told).toEqual(['changed-since-loaded', 'equal-to-loaded-row', 'equal-to-loaded-row']);
    const same = `The row has the same values as ${first.results[1]?.[idCell]}, from deals.csv`;
    expect(moved.results.slice(2).map(([, problems]) => problems)).toEqual([
      expect.stringContaining(same),
      expect.stringContaining(same),
    ]);
  });

  it('sends a line without a key that says the same, when the person says that both are meant', async () => {
    const first = await month.load('deals.csv', deals('100,Acme,Moreno'));
    const more = (rows: readonly (readonly string[])[]) => [...rows, ['', '', '', '', '', '', '100', 'Acme', 'Moreno']];
    expect((await month.loadResults('more.csv', first, more)).told).toEqual(['already-loaded', 'equal-to-loaded-row']);
    const allowed = await month.loadResults('more.csv', first, more, ['equal-to-loaded-row']);
    expect(allowed.told).toEqual(['already-loaded', 'created']);
  });

  const typed = (row: readonly string[], id: string) => row.map((cell, at) => (at === idCell ? id : cell));

  it('settles a doubt by the id that is typed, and sends what was not created', async () => {
    month.said.set(1, serverError).set(2, serverError);
    const lines = companies('C-1,Acme,Merchant,518-555-0142', 'C-2,Bell,Merchant,518-555-0143');
    const first = await month.load('companies.csv', lines);
    expect(first.told).toEqual(['in-doubt', 'in-doubt']);
    const answered = await month.loadResults('companies.results.csv', first, ([one = [], two = []]) => [
      typed(one, 'rec_77'),
      typed(two, 'not created'),
    ]);
    expect(answered.results.slice(1).map((row) => [row[0], row[idCell]])).toEqual([
      ['Already loaded', 'rec_77'],
      ['Created', 'rec_3'],
    ]);
    const stale = await month.loadResults('old.results.csv', first, ([one = [], two = []]) => [
      one,
      typed(two, 'not created'),
    ]);
    expect(stale.told).toEqual(['already-loaded', 'already-loaded']);
    expect(month.sent).toBe(3);
  });

  it.each([
    ['above', (old: readonly string[], newer: readonly string[]) => [newer, old]],
    ['below', (old: readonly string[], newer: readonly string[]) => [old, newer]],
  ])('takes the answer in the line of the newer run, which stands %s the older one', async (_, order) => {
    month.said.set(1, serverError).set(2, serverError);
    const first = await month.load('companies.csv', companies('C-1,Acme,Merchant,518-555-0142'));
    const second = await month.loadResults('results.csv', first, ([one = []]) => [typed(one, 'not created')]);
    expect(second.told).toEqual(['in-doubt']);
    const pasted = ([newer = []]: readonly (readonly string[])[]) =>
      order(typed(first.results[1] ?? [], 'not created'), typed(newer, 'rec_9'));
    const both = await month.loadResults('both.csv', second, pasted);
    expect(new Set(both.results.slice(1).map((row) => row[idCell]))).toEqual(new Set(['rec_9']));
    expect(month.sent).toBe(2);
  });

  const nameCell = 7;
  const named = (row: readonly string[], name: string) => row.map((cell, at) => (at === nameCell ? name : cell));

  it.each([
    ['was put right in the original too, as something else', deals('100,Anchor,Moreno', '200,Bell,Shah'), isHeld],
    ['was left as it is in the original', deals('100,,Moreno', '200,Bell,Shah', '300,Coral,Cole'), 'created'],
    ["stands in last month's file of the same name", deals('300,Coral,Cole'), 'created'],
  ])('holds a row that %s only where it may be in', async (_, original, told) => {
    const first = await month.load('deals.csv', deals('100,,Moreno', '200,Bell,Shah'));
    expect(first.told).toEqual(['invalid', 'created']);
    await month.load('deals.csv', original);
    const corrected = await month.loadResults('deals.results.csv', first, ([one = [], two = []]) => [
      named(one, 'Acme'),
      two,
    ]);
    expect(corrected.told).toEqual([told, 'already-loaded']);
    const alone = await month.loadResults('wrong.csv', first, ([one = []]) => [named(one, 'Amity')]);
    expect(alone.told).toEqual([told === 'created' ? 'changed-since-loaded' : told]);
  });

  it('is one file with its original, also where the run that wrote it is unknown', async () => {
    const run = '2026-10-01-01-aaaa#deals!';
    const [header = '', ...lines] = deals(
      `Created,,deal_1,,,${run}2,100,Acme,Moreno`,
      `Invalid,,,,,${run}3,much,Bell,Shah`,
    );
    const sheet = [`Status,Problems,ID,Link,Company ID,Run,${header}`, ...lines];
    const trusted = await month.load('deals.results.csv', sheet, [], { trustResults: true });
    await month.load('deals.csv', deals('100,Acme,Moreno', '200,Bell,Shah'));
    const corrected = await month.loadResults('results.csv', trusted, ([one = [], two = []]) => [
      one,
      two.with(6, '250'),
    ]);
    expect(corrected.told).toEqual([isIn, isHeld]);
  });

  it('sends a corrected row, whatever else was sorted or copied', async () => {
    month.said.set(2, refusal);
    const lines = companies('C-1,Acme,Merchant,518-555-0142', 'C-2,Bell,Merchant,518-555-0143');
    const first = await month.load('companies.csv', lines);
    const corrected = await month.loadResults('companies.results.csv', first, ([one = [], two = []]) => [
      two.map((cell) => (cell === '518-555-0143' ? '518-555-9999' : cell)),
      one,
      one,
    ]);
    expect(corrected.told).toEqual(['created', 'already-loaded', 'already-loaded']);
  });
});

const withEin = (...rows: readonly string[]) => ['Ref,Company name,Contact types,EIN', ...rows];

it('a company with the EIN of another one is held over months, until somebody says that both are meant', async () => {
  await month.load('june.csv', withEin('C-1,Acme,Merchant,12-3456789'));
  const july = withEin('C-9,Acme Holdings,Merchant,123456789', 'C-10,Bell,Merchant,98-7654321');
  expect((await month.load('july.csv', july)).told).toEqual(['possible-duplicate', 'created']);
  expect((await month.load('july-2.csv', july, ['possible-duplicate'])).told).toEqual(['created', 'already-loaded']);
});

const withSsn = (...rows: readonly string[]) => ['Amount requested,Company name,Owner last name,Owner 1 SSN', ...rows];
const ownColumns = 6;

it('a row whose cells are hidden is known by what its results show, and is another one when only what is hidden differs', async () => {
  const first = await month.load('deals.csv', withSsn('100,Acme,Moreno,219-09-9999'));
  const shown = first.results.map((row) => row.slice(ownColumns).join(','));
  expect(shown[1]).not.toContain('219-09-9999');
  expect((await month.load('deals-shown.csv', shown)).told).toEqual(['already-loaded']);
  expect((await month.load('deals-2.csv', withSsn('100,Acme,Moreno,219-09-8888'))).told).toEqual(['created']);
});

describe('updates of a company', () => {
  const updates = (...rows: readonly string[]) => ['Company to update,DBA', ...rows];

  it('go out again when they change it back', async () => {
    expect((await month.load('update.csv', updates('cmp_1,Acme'))).told).toEqual(['updated']);
    expect((await month.load('update.csv', updates('cmp_1,Bell'))).told).toEqual(['updated']);
    const again = updates('cmp_1,Acme', 'cmp_2,Coral');
    expect((await month.load('again.csv', again)).told).toEqual(['updated', 'updated']);
    expect((await month.load('once-more.csv', updates('cmp_1,Acme'))).told).toEqual(['already-loaded']);
  });

  it('do not overwrite a later one that is in', async () => {
    month.said.set(1, refusal);
    expect((await month.load('update.csv', updates('cmp_1,Acme', 'cmp_1,Bell'))).told).toEqual(['rejected', 'updated']);
    expect((await month.load('update.csv', updates('cmp_1,Acme', 'cmp_1,Bell'))).told).toEqual([
      'later-update',
      'already-loaded',
    ]);
  });

  it('stay held while a later one is in, however often they and their results are loaded', async () => {
    await month.load('june.csv', updates('cmp_1,Acme'));
    const lines = updates('cmp_1,Bell', 'cmp_1,Acme');
    const held = { told: ['later-update', 'already-loaded'] };
    const first = await month.load('july.csv', lines);
    expect(first).toMatchObject(held);
    const { sent } = month;
    expect(await month.load('july.csv', lines)).toMatchObject(held);
    const again = await month.loadResults('results.csv', first);
    expect(again).toMatchObject(held);
    expect(await month.loadResults('results-2.csv', again)).toMatchObject(held);
    expect(month.sent).toBe(sent);
    expect((await month.load('july.csv', lines, ['later-update'])).told).toEqual(['updated', 'already-loaded']);
  });

  it('are held while nobody knows whether they did', async () => {
    for (let tries = 1; tries <= 5; tries += 1) month.said.set(tries, serverError);
    await month.load('update.csv', updates('cmp_1,Acme'));
    expect((await month.load('update.csv', updates('cmp_1,Acme'))).told).toEqual(['in-doubt']);
  });
});

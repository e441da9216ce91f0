/** What a cell says that cannot be read is part of what its row says: two rows that differ there are two. */
import { beforeEach, describe, expect, it } from 'vitest';
import { resultColumns } from '../../src/workbooks/results.ts';
import { deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';

const desk = deskForEachTest();
const strict = ['--config', 'config.json', '--profile', 'strict'];
beforeEach(() => {
  const contract = { needs: { 'deals.company.dba': 'error' } };
  desk.place.write('config.json', { profiles: { strict: { url: desk.service.url, contract } } });
});

/** A line of May and one of June that differ in one cell at most, which nobody can read, and what is right there. */
interface Lines {
  readonly as: string;
  readonly headers: readonly string[];
  readonly cells: readonly string[];
  readonly at: number;
  readonly said: readonly [may: string, june: string];
  readonly right: readonly [may: string, june: string];
  readonly words?: readonly string[];
}

const dates = ['2026-05-01', '2026-06-01'] as const;
const payment = { as: 'transactions', headers: ['Deal id', 'Date', 'Amount', 'Type'], cells: ['D1', '', '100', 'ACH'] };
const referenced = { ...payment, headers: [...payment.headers, 'Reference'], cells: [...payment.cells, '007'] };
const deal = {
  as: 'deals',
  headers: ['Company name', 'Owner last name', 'Amount requested'],
  cells: ['Zap', 'Lee', ''],
};
const owner = { ...deal, headers: [...deal.headers, 'Owner SSN'], cells: ['Zap', 'Lee', '100', ''] };
const begun = { ...deal, headers: [...deal.headers, 'Company start date'], cells: ['Zap', 'Lee', '100', ''] };
const born = { ...deal, headers: [...deal.headers, 'Owner date of birth'], cells: ['Zap', 'Lee', '100', ''] };
const known = { ...deal, headers: [...deal.headers, 'DBA'], cells: ['Zap', 'Lee', '100', ''], words: strict };
const company = { as: 'companies', headers: ['Company name', 'Contact types', 'DBA'], cells: ['Zap', '', 'Zip'] };

const unlike: readonly (readonly [what: string, lines: Lines])[] = [
  ['a date of a payment', { ...payment, at: 1, said: ['05/01/2026', '06/01/2026'], right: dates }],
  ['that of one with a reference', { ...referenced, at: 1, said: ['05/01/2026', '06/01/2026'], right: dates }],
  ['a date against a blank', { ...payment, at: 1, said: ['05/01/2026', ''], right: dates }],
  ['a blank against a date', { ...payment, at: 1, said: ['', '06/01/2026'], right: dates }],
  ['an amount', { ...deal, at: 2, said: ['50k', '90k'], right: ['50000', '90000'] }],
  ['a word against a blank', { ...deal, at: 2, said: ['soon', ''], right: ['50000', '90000'] }],
  ['a blank against a word', { ...deal, at: 2, said: ['', 'soon'], right: ['50000', '90000'] }],
  ['a date of a deal', { ...begun, at: 3, said: ['05/01/2026', '06/01/2026'], right: dates }],
  ['a date of birth', { ...born, at: 3, said: ['05/01/1980', '06/01/1980'], right: ['1980-05-01', '1980-06-01'] }],
  ['a kind of contact', { ...company, at: 1, said: ['Buyer', 'Seller'], right: ['Merchant', 'Funder'] }],
  ['an SSN', { ...owner, at: 3, said: ['219-09-99', '219-09-88'], right: ['219-09-9999', '219-09-8888'] }],
];
const alike: typeof unlike = [
  ['two blank dates', { ...payment, at: 1, said: ['', ''], right: dates }],
  ['two blank dates of one reference', { ...referenced, at: 1, said: ['', ''], right: dates }],
  ['two blank amounts', { ...deal, at: 2, said: ['', ''], right: ['50000', '90000'] }],
  ['two blanks that one profile refuses', { ...known, at: 3, said: ['', ''], right: ['Zip', 'Zop'] }],
  ['the same word twice', { ...deal, at: 2, said: ['soon', 'soon'], right: ['50000', '90000'] }],
];

const withRefs = (lines: Lines, ...refs: readonly [may: string, june: string]): readonly Lines[] =>
  refs.map((ref) => ({ ...lines, headers: ['Ref', ...lines.headers], cells: [ref, ...lines.cells], at: lines.at + 1 }));

async function load(
  file: string,
  results: string,
  { as, words = [] }: Pick<Lines, 'as' | 'words'>,
  ...further: readonly string[]
) {
  const told = await desk.loadWorkbook(file, '--as', as, '--batch', '1', '--results', results, ...words, ...further);
  const { created = 0, accepted = 0, ...counts } = told.printed?.counts ?? {};
  return { ...told, counts: { ...counts, isIn: created + accepted } };
}

/** Loads a line that is invalid, and beside it a line that says nothing of its own, so that no two files have the same bytes. */
async function loadLine(name: string, lines: Lines, said: string) {
  const { headers, cells, at } = lines;
  desk.write(`${name}.csv`, [
    headers,
    cells.with(at, said),
    headers.map((header) => (at === headers.indexOf(header) ? name : '')),
  ]);
  const told = await expectExit(load(`${name}.csv`, `${name}.out.csv`, lines), 1);
  expect(told.counts, `${name}: ${told.stderr}`).toMatchObject({ invalid: 2, alreadyLoaded: 0 });
}

function correct(name: string, lines: Lines, right: string, ...further: readonly string[]) {
  desk.changeRows(`${name}.out.csv`, ([cells = []]) => [cells.with(resultColumns.length + lines.at, right)]);
  return load(`${name}.out.csv`, `${name}.right.csv`, lines, ...further);
}

/** The originals again, which say what they said, and then what is right. */
async function expectNothingMore(lines: Lines): Promise<void> {
  const sent = desk.posted.length;
  for (const name of ['may', 'june']) {
    const again = await load(`${name}.csv`, `${name}.again.csv`, lines);
    expect(again.counts, `${name}: ${again.stderr}`).toMatchObject({ alreadyLoaded: 1, invalid: 1 });
  }
  expect(desk.posted).toHaveLength(sent);
}

describe('P9: a row that was corrected and is in', () => {
  it.each(unlike)('is not the row of another file that differs by %s', async (_, lines) => {
    await loadLine('may', lines, lines.said[0]);
    expect((await correct('may', lines, lines.right[0])).counts).toMatchObject({ isIn: 1 });
    await loadLine('june', lines, lines.said[1]);
    expect((await correct('june', lines, lines.right[1])).counts).toMatchObject({ isIn: 1 });
    await expectNothingMore(lines);
  });

  it.each(alike)('may be that of another file with %s, which is Invalid and then held', async (_, lines) => {
    await loadLine('may', lines, lines.said[0]);
    expect((await correct('may', lines, lines.right[0])).counts).toMatchObject({ isIn: 1 });
    await loadLine('june', lines, lines.said[1]);
    for (const right of [lines.right[0], lines.right[1]])
      expect((await correct('june', lines, right)).counts).toMatchObject({ notSent: 1 });
    const allowed = await correct('june', lines, lines.right[1], '--allow', 'possible-correction');
    expect(allowed.counts, allowed.stderr).toMatchObject({ isIn: 1 });
    await expectNothingMore(lines);
  });

  it.each([
    ['an amount', { isIn: 1 }],
    ['two blank amounts', { notSent: 1 }],
  ])('is another one than that with a Ref of its own and %s', async (what, counts) => {
    const lines = [...unlike, ...alike].find(([name]) => name === what)?.[1] as Lines;
    const [may, june] = withRefs(lines, 'D-1', 'D-2') as [Lines, Lines];
    await loadLine('may', may, may.said[0]);
    expect((await correct('may', may, may.right[0])).counts).toMatchObject({ isIn: 1 });
    await loadLine('june', june, june.said[1]);
    const told = await correct('june', june, june.right[1], '--skip-loaded');
    expect(told.counts, told.stderr).toMatchObject(counts);
    if ('notSent' in counts) await correct('june', june, june.right[1], '--allow', 'possible-correction');
    await expectNothingMore(june);
  });

  it('has changed where a row with its Ref says something else that nobody can read', async () => {
    const lines = unlike.find(([name]) => name === 'an amount')?.[1] as Lines;
    const [may] = withRefs(lines, 'D-1', 'D-1') as [Lines, Lines];
    await loadLine('may', may, may.said[0]);
    await correct('may', may, may.right[0]);
    desk.write('june.csv', [may.headers, may.cells.with(may.at, may.said[1])]);
    const told = await expectExit(load('june.csv', 'june.out.csv', may), 1);
    expect(told.counts, told.stderr).toMatchObject({ changedSinceLoaded: 1 });
    expect(desk.problemsOf('june.out.csv', 0)).toMatch(/^Cells of this row cannot be read/);
  });
});

it('P9: two rows of two files that lack the same value go out, each as it was corrected', async () => {
  const lines = alike.find(([what]) => what === 'two blank amounts')?.[1] as Lines;
  for (const name of ['may', 'june']) await loadLine(name, lines, '');
  expect((await correct('june', lines, '90000')).counts).toMatchObject({ isIn: 1 });
  expect((await correct('may', lines, '50000')).counts).toMatchObject({ isIn: 1 });
  await expectNothingMore(lines);
});

it('P9: a row that was corrected in the results is Invalid in its longer original, and held once it is corrected there', async () => {
  const lines = alike.find(([what]) => what === 'the same word twice')?.[1] as Lines;
  await loadLine('may', lines, 'soon');
  expect((await correct('may', lines, '50000')).counts).toMatchObject({ isIn: 1 });
  const longer = (amount: string) =>
    desk.write('may.csv', [lines.headers, ['Bell', 'Roe', '100'], lines.cells.with(lines.at, amount)]);
  longer('soon');
  for (const isIn of [1, 0]) {
    const told = await load('may.csv', 'june.out.csv', lines);
    expect(told.counts, told.stderr).toMatchObject({ isIn, invalid: 1 });
  }
  desk.changeRows('june.out.csv', (rows) => rows.toReversed());
  const held = await correct('june', lines, '51000');
  expect(held.counts, held.stderr).toMatchObject({ notSent: 1, isIn: 0 });
  expect(desk.problemsOf('june.right.csv', 0)).toMatch(/^This row may be a correction of /);
  longer('50000');
  const told = await load('may.csv', 'last.csv', lines);
  expect(told.counts, told.stderr).toMatchObject({ alreadyLoaded: 2, isIn: 0 });
});

it('P9: a payment read with an order of dates is not that of another month, whose order nobody knows', async () => {
  const month = (name: string, ...days: readonly string[]) =>
    desk.write(name, [payment.headers, ...days.map((day) => payment.cells.with(1, day))]);
  month('may.csv', '05/01/2026', '05/02/2026');
  expect((await load('may.csv', 'r.csv', payment)).counts).toMatchObject({ invalid: 2 });
  const may = await load('may.csv', 'r2.csv', payment, '--date-order', 'mdy');
  expect(may.counts, may.stderr).toMatchObject({ isIn: 2 });
  month('june.csv', '06/01/2026', '06/02/2026');
  const june = await load('june.csv', 'r3.csv', payment, '--skip-loaded');
  expect([june.exitCode, june.counts]).toMatchObject([1, { invalid: 2 }]);
  const read = await load('june.csv', 'r4.csv', payment, '--skip-loaded', '--date-order', 'mdy');
  expect(read.counts, read.stderr).toMatchObject({ isIn: 2 });
  month('longer.csv', '05/01/2026', '05/02/2026', '05/03/2026');
  const longer = await load('longer.csv', 'r5.csv', payment, '--skip-loaded', '--date-order', 'mdy');
  expect(longer.counts, longer.stderr).toMatchObject({ alreadyLoaded: 2, isIn: 1 });
});

it('P9: a company that lacks a value is that of a copy of its workbook, which only the deals show to be one', async () => {
  const book = (kind: string, ...more: Table) => ({
    Companies: [company.headers, company.cells.with(1, kind)],
    Deals: [deal.headers, ['Mill', 'Lee', 100], ...more],
  });
  const loadBook = (name: string) => desk.loadWorkbook(`${name}.xlsx`, '--results', `${name}.out.xlsx`);
  await writeWorkbook(desk.place.path('june.xlsx'), book(''));
  await expectCounts(loadBook('june'), { created: 1, invalid: 1 });
  await writeWorkbook(desk.place.path('copy.xlsx'), book('', ['Kite', 'Roe', 200]));
  await expectCounts(loadBook('copy'), { alreadyLoaded: 1, created: 1, invalid: 1 });
  for (const [name, kind, counts] of [
    ['june', 'Merchant', { created: 1 }],
    ['copy', 'Funder', { created: 0 }],
  ] as const) {
    const sheets = ['Companies', 'Deals'] as const;
    const tables = await Promise.all(sheets.map((sheet) => readWorkbook(desk.place.path(`${name}.out.xlsx`), sheet)));
    const [companies, deals] = tables.map((rows): Table => {
      const heads = Object.keys(rows[0] ?? {});
      const cellOf = (row: Readonly<Record<string, unknown>>, head: string) =>
        head === 'Contact types' ? kind : ((row[head] ?? '') as string);
      return [heads, ...rows.map((row) => heads.map((head) => cellOf(row, head)))];
    });
    await writeWorkbook(desk.place.path('right.xlsx'), { Companies: companies as Table, Deals: deals as Table });
    await expectCounts(loadBook('right'), counts);
  }
});

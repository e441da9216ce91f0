import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { checkPlace } from '../builders/check-place.ts';
import { type Table, writeWorkbook } from '../builders/tables.ts';
import { foundIn } from './found-codes.ts';

const place = checkPlace();

const payments = ['Deal ID', 'Date', 'Amount', 'Description'];
const deals = ['Ref', 'Company name', 'Owner 1 last name', 'Amount requested'];
const companies = ['Ref', 'Company name', 'Contact types', 'EIN', 'E-mail'];
const paid = ['deal_1', '2026-06-30', 100, 'Debit'];

type Case = readonly [table: Table, found: Readonly<Record<number, readonly string[]>>];

const total = (...cells: Table[number]): Table => [payments, paid, cells];
const labels = ['Total', 'GRAND TOTAL:', 'Sub-total', 'Sum', '— Totals —', 'Running total'];

const cases: { readonly [Kind in RecordKindName]?: Readonly<Record<string, Case>> } = {
  transactions: {
    'a total above its rows, as some reports have it': [
      [payments, ['TOTAL', '', 250, ''], paid],
      { 2: ['warning total-row A'] },
    ],
    'totals below their rows, as Excel writes them, also where they are nested': [
      [payments, paid, ['', '', 100, 'Debit Total'], ['deal_1 Total', '', 100, ''], ['Grand Total', '', 100, '']],
      { 3: ['warning total-row D'], 4: ['warning total-row A'], 5: ['warning total-row A'] },
    ],
    'a total of a day: it has a date, so it is only told': [
      total('Total', '2026-06-30', 100, null),
      { 3: ['warning total-like A'] },
    ],
    'a total of a deal: it names its deal, so it is only told': [
      total('deal_1', null, 100, 'Subtotal'),
      { 3: ['warning total-like D'] },
    ],
    'words behind the label: only told': [total('Total for October', null, 100, null), { 3: ['warning total-like A'] }],
    'a payment for the total of something, of a deal and a day': [
      total('deal_1', '2026-06-30', 100, 'Total payoff'),
      {},
    ],
    'words that only begin like a label': [total(null, '2026-06-30', 100, 'Summit Bank'), {}],
    'equal payments': [
      [payments, paid, ['deal_1', '2026-06-30', 99, 'Debit'], paid, paid],
      { 4: ['warning same-content'], 5: ['warning same-content'] },
    ],
    'no equal rows where a cell is wrong: what is missing in two records is not the same': [
      [payments, ['deal_1', '2026-06-31', 5, ''], ['deal_1', '2026-06-32', 5, '']],
      {},
    ],
  },
  deals: {
    'a deal of a company called Total: a kind without a parent, so it is told': [
      [deals, ['D-1', 'Total', 'Moreno', 100], ['D-2', 'Total Wine', 'Kay', 200]],
      { 2: ['warning total-like B'] },
    ],
    'a total of deals: nothing but a label and figures, which is no deal': [
      [deals, ['D-1', 'Harbor', 'Moreno', 100], ['', 'Grand total', '', '$100.00']],
      { 3: ['warning total-row B'] },
    ],
    'a deal of a company called Total, whose amount is wrong or whose owner is missing: it is only told': [
      [deals, ['D-1', 'Total', 'Moreno', 'much'], ['D-2', 'Total', '', 200]],
      { 2: ['warning total-like B'], 3: ['warning total-like B'] },
    ],
    'a deal that brings along the company of an earlier one': [
      [deals, ['D-1', 'Harbor', 'Moreno', 1], ['D-2', 'harbor', 'Moreno', 2]],
      { 3: ['warning same-company B'] },
    ],
  },
  leads: {
    'the total row of an Excel table, which counts the words of a column, but not a number above its rows': [
      [
        ['Company name', 'Amount requested', 'Owner 1 first name', 'Owner 1 last name'],
        ['Harbor', 100, 'Ada', 'Moreno'],
        ['Total', 100, '', 1],
        ['Sum', 100, '', '51'],
        ['Grand totals (1 record)', 100, '', ''],
        ['Total Wine', 100, 'Bo', ''],
      ],
      { 3: ['warning total-row A'], 4: ['warning total-like A'], 5: ['warning total-like A'] },
    ],
    'lines that are no leads, of three columns that are sent: a heading, the rest of an address': [
      [
        [...deals.slice(1), '(Done)'],
        ['Harbor', 'Roe', '', ''],
        ['ABC:', '', '', 'yes'],
        ['', 'Ste. 4', '', ''],
      ],
      { 3: ['warning lone-value A'], 4: ['warning lone-value B'] },
    ],
  },
  companies: {
    'a company called Total: it is one without figures, too': [
      [companies, ['', 'Total', 'Merchant', '', ''], ['', 'Sum', '', '', '']],
      { 2: ['warning total-like B'], 3: ['warning total-like B'] },
    ],
    'a company called Sum: an EIN, a phone or a Ref is no figure, however many digits it has': [
      [
        [...companies, 'Phone', '(deals)'],
        ['2', 'Sum', '', '123456780', '', '5551234568', ''],
        ['', 'Sum', '', '', '', 5551234568, 3],
        ['', 'Total', '', '', '', '', 3],
      ],
      { 2: ['warning total-like B'], 3: ['warning total-like B'], 4: ['warning total-row B'] },
    ],
    'the same company by name, EIN or e-mail': [
      [
        companies,
        ['', 'Harbor Bakery', 'Merchant', '12-3456789', 'a@harbor.example'],
        ['', 'HARBOR  BAKERY.', 'Broker', '12-3456780', ''],
        ['', 'Kite Toys', 'Merchant', '12-3456789', 'A@harbor.example'],
        ['', 'Mill', 'Merchant', '', ''],
      ],
      { 3: ['warning same-company B'], 4: ['warning same-company D', 'warning same-company E'] },
    ],
    'the same EIN with its dash and without, but no name or e-mail whose signs differ': [
      [
        companies,
        ['', 'A-B Supply', 'Merchant', '12-3456789', 'ab@supply.example'],
        ['', 'AB Supply', 'Merchant', '123456789', 'a-b@supply.example'],
      ],
      { 3: ['warning same-company D'] },
    ],
    'a Ref on two rows': [
      [companies, ['C-1', 'Harbor', 'Merchant', '', ''], ['C-1', 'Kite', 'Merchant', '', '']],
      { 2: ['error ref-repeated A'], 3: ['error ref-repeated A'] },
    ],
    'a Ref on two rows, with another blank between its words': [
      [companies, ['Harbor 1', 'Harbor', 'Merchant', '', ''], ['Harbor\u00a01', 'Kite', 'Merchant', '', '']],
      { 2: ['error ref-repeated A'], 3: ['error ref-repeated A'] },
    ],
  },
  notes: {
    'a Ref of no row, where no service is asked': [
      [
        ['Deal ref', 'Deal status', 'Note'],
        ['D-9', 'Funded', 'Paid off'],
      ],
      { 2: ['warning ref-not-looked-up A'] },
    ],
  },
  attachments: {
    'a file that is not there': [
      [
        ['Deal ID', 'File'],
        ['deal_1', 'june.pdf'],
      ],
      { 2: ['error attachment-file B'] },
    ],
  },
};

describe('what checks find in rows', () => {
  const found = async (table: Table, kind: RecordKindName) =>
    foundIn((await place.checkTable(table, { kind })).problemRows);

  it.each(labels)('a total by its label, in the first column or in one of words: %s', async (label) => {
    expect(await found(total(label, null, 100, null), 'transactions')).toEqual({ 3: ['warning total-row A'] });
    expect(await found(total(null, null, 100, label), 'transactions')).toEqual({ 3: ['warning total-row D'] });
  });

  describe.each(Object.entries(cases))('of %s', (kind, ofKind) => {
    it.each(Object.entries(ofKind))('%s', async (_, [table, expected]) => {
      expect(await found(table, kind as RecordKindName)).toEqual(expected);
    });
  });

  it('no row that was read wrongly at first, as a row further down shows: the first that says the same, in any sheet', async () => {
    const table = (amounts: string[]) => [payments, ...amounts.map((amount) => ['deal_1', '2026-06-30', amount, ''])];
    await writeWorkbook(place.path('two.xlsx'), { One: table(['1,285', '1285', '12,50']), Two: table(['1285']) });
    const found = (await place.check('two.xlsx')).problemRows.flatMap(({ problems }) => problems);
    expect(found.flatMap(({ params: { first = [] } }) => first)).toEqual(['One row 3']);
  });

  it('a row of another sheet that says the same', async () => {
    const rows = [companies.slice(1, 3), ['Harbor', 'Merchant']];
    await writeWorkbook(place.path('two.xlsx'), { Companies: rows, 'Companies 2': rows });
    const { problemRows } = await place.check('two.xlsx');
    expect(problemRows.map(({ sheet }) => sheet)).toEqual(['Companies 2']);
    expect(problemRows[0]?.problems.map(({ code, params }) => [code, params.first])).toEqual([
      ['same-content', 'Companies row 2'],
    ]);
  });

  it('a company of another sheet that a deal brings along again, unless it names that company', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Companies: [companies, ['C-1', 'Harbor', 'Merchant', '12-3456789', '']],
      Deals: [
        [...deals, 'Company ref', 'Company id', 'Company EIN'],
        ['D-1', 'Harbor', 'Moreno', 1, 'C-1', '', '12-3456789'],
        ['D-2', 'Harbor', 'Moreno', 2, '', 'cmp_1', '12-3456789'],
        ['D-3', 'Harbor', 'Moreno', 3, '', '', '12-3456789'],
      ],
    });
    const { problemRows } = await place.check('month.xlsx');
    expect(foundIn(problemRows)).toEqual({ 4: ['warning same-company B', 'warning same-company G'] });
  });

  it('another company than the one that the Ref of a deal names, by EIN before name', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: [
        [...deals, 'Company ref', 'Company EIN'],
        ['D-1', 'Harbor Bakery', 'Moreno', 1, 'C-1', '123456789'],
        ['D-2', 'Mill', 'Kay', 2, 'C-1', '12-3456780'],
        ['D-3', 'Mill', 'Kay', 3, 'C-1', ''],
        ['D-4', 'MILL.', 'Kay', 4, 'C-2', '12-3456781'],
        ['D-5', '', 'Kay', 5, 'C-2', ''],
      ],
      Companies: [companies, ['C-1', 'Harbor', 'Merchant', '12-3456789', ''], ['C-2', 'Mill', 'Merchant', '', '']],
    });
    const { problemRows } = await place.check('month.xlsx');
    expect(foundIn(problemRows)).toEqual({ 3: ['warning other-company F'], 4: ['warning other-company B'] });
  });

  it('a Ref of several deals, where a note names it', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: [deals, ['D-7', 'Harbor', 'Moreno', 1], ['D-7', 'Kite', 'Kay', 2]],
      Notes: [
        ['Deal ref', 'Deal status', 'Note'],
        ['D-7', 'Funded', 'Paid off'],
      ],
    });
    const { problemRows } = await place.check('month.xlsx');
    const ofNotes = problemRows.filter(({ sheet }) => sheet === 'Notes');
    expect(foundIn(ofNotes)).toEqual({ 2: ['error ref-ambiguous A'] });
  });
});

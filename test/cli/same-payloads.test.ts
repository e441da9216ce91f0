import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';

const labels = [
  ...['Amount requested', 'Stage', 'Company name', 'Company phone', 'Company start date', 'Owner 1 first name'],
  ...['Owner 1 SSN', 'Owner 1 ownership', 'Entity type', 'Tags', 'Bank NSFs'],
];
const aliases = [
  ...['FUNDING AMOUNT *', 'deal stage', 'Business legal name', 'merchant telephone', 'Date established'],
  ...['Owner given name', 'Primary Owner - SSN', 'owner ownership %'],
  ...['Legal structure', 'Labels', 'bank nsf count'],
];
const paths = [
  ...['amountRequested', 'stage', 'company.name', 'company.phones[0].number', 'company.businessStartDate'],
  ...['owner1.firstName', 'owner1.ssn', 'owner1.ownership', 'entityType', 'tags', 'bank.nsfs'],
];

const csvRows: Table = [
  [
    ...['1250.5', 'lead', 'Harbor Bakery', '(518) 555-0142', '2015-03-01', 'Ada', '078-05-1120'],
    ...['60', 'llc', 'renewal; food', '0'],
  ],
  ['0', '', 'Çedilla & Söhne', '518-555-0143', '2020-02-29', 'Zoë', '219099999', '12.5', 'S Corporation', 'a,b', '12'],
];
const workbookRows: Table = [
  [
    ...[1250.5, 'lead', 'Harbor Bakery', '(518) 555-0142', new Date('2015-03-01T00:00:00Z'), 'Ada', '078-05-1120'],
    ...[60, 'llc', 'renewal; food', 0],
  ],
  [
    ...[0, null, 'Çedilla & Söhne', '518-555-0143', new Date('2020-02-29T00:00:00Z'), 'Zoë', 219099999],
    ...[12.5, 'S Corporation', 'a,b', 12],
  ],
];

describe('the payloads of a source', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();

  async function payloadsOf(file: string): Promise<readonly string[]> {
    const before = service.requests.length;
    const words = ['import', file, '--as', 'deals', '--url', service.url, '--yes', '--concurrency', '1', '--again'];
    const ended = await place.run(words, {
      env: { DEALSHEET_TOKEN: 'token', DEALSHEET_LEDGER: place.path(`${file}.ledger.db`) },
    });
    expect(ended.exitCode, ended.stderr).toBe(0);
    return service.requests.slice(before).map((request) => request.body);
  }

  it('are the same, byte for byte, from CSV and XLSX, and under labels, aliases and paths', async () => {
    writeCsv(place.path('labels.csv'), [labels, ...csvRows]);
    writeCsv(place.path('aliases.csv'), [aliases, ...csvRows]);
    writeCsv(place.path('paths.csv'), [paths, ...csvRows]);
    await writeWorkbook(place.path('labels.xlsx'), { Deals: [labels, ...workbookRows] });
    await writeWorkbook(place.path('reversed.xlsx'), {
      Deals: [paths, ...workbookRows].map((row) => [...row].reverse()),
    });

    const expected = await payloadsOf('labels.csv');
    expect(JSON.parse(expected[0] ?? '')).toEqual({
      amountRequested: 1250.5,
      stage: 'Lead',
      company: { name: 'Harbor Bakery', phones: [{ number: '(518) 555-0142' }], businessStartDate: '2015-03-01' },
      owner1: { firstName: 'Ada', ssn: '078-05-1120', ownership: 60 },
      entityType: 'LLC',
      bank: { nsfs: 0 },
      tags: ['renewal', 'food'],
    });
    for (const file of ['aliases.csv', 'paths.csv', 'labels.xlsx', 'reversed.xlsx'])
      expect(await payloadsOf(file)).toEqual(expected);
  });

  const formats = [
    ...['General', '00,000', '0,', '0.0,,"M"', '0"."00', '0"000"', '(0)', '0.00" DR"', '0.00" net"'],
    ...['0.00E+00', '# ?/?', '[h]:mm', '0%', '0;-0;;@', '0000-0000', '_($* #,##0.00_);_($* (#,##0.00)'],
  ];

  it('are the same from a workbook as from the results of its check, whatever the formats of its cells', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Transactions');
    sheet.addRow(['Deal id', 'Amount', 'Description', 'Reference', 'Date']);
    for (const [index, numFmt] of formats.entries()) {
      for (const amount of [0, 12, 1250, 125_050, 1_250_000, 12.5]) {
        const row = sheet.addRow([`deal_${index}`, amount, amount, amount, '2026-06-30']);
        for (const column of [2, 3, 4]) row.getCell(column).numFmt = numFmt;
      }
    }
    await book.xlsx.writeFile(place.path('formats.xlsx'));
    const sent = async (file: string, ...further: readonly string[]) => {
      const before = service.requests.length;
      const words = ['import', file, '--url', service.url, '--yes', '--concurrency', '1', ...further];
      await place.run(words, { env: { DEALSHEET_TOKEN: 'token', DEALSHEET_LEDGER: place.path(`${file}.ledger.db`) } });
      return service.requests
        .slice(before)
        .flatMap(({ body }) => (JSON.parse(body) as { transactions: readonly unknown[] }).transactions);
    };
    const direct = await sent('formats.xlsx');
    expect(direct.length).toBeGreaterThan(formats.length);
    await place.run(['check', 'formats.xlsx', '--results', 'checked.xlsx']);
    expect(await sent('checked.xlsx', '--trust-results')).toEqual(direct);
  });
});

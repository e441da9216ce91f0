import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

const labels = [
  'Amount requested',
  'Stage',
  'Company name',
  'Company phone',
  'Company start date',
  'Owner 1 first name',
  'Owner 1 SSN',
  'Owner 1 ownership',
  'Entity type',
  'Tags',
  'Bank NSFs',
];
const aliases = [
  'FUNDING AMOUNT *',
  'deal stage',
  'Business legal name',
  'merchant telephone',
  'Date established',
  'Owner given name',
  'Primary Owner - SSN',
  'owner ownership %',
  'Legal structure',
  'Labels',
  'bank nsf count',
];
const paths = [
  'amountRequested',
  'stage',
  'company.name',
  'company.phones[0].number',
  'company.businessStartDate',
  'owner1.firstName',
  'owner1.ssn',
  'owner1.ownership',
  'entityType',
  'tags',
  'bank.nsfs',
];

const csvRows: Table = [
  [
    '1250.5',
    'lead',
    'Harbor Bakery',
    '(518) 555-0142',
    '2015-03-01',
    'Ada',
    '078-05-1120',
    '60',
    'llc',
    'renewal; food',
    '0',
  ],
  ['0', '', 'Çedilla & Söhne', '518-555-0143', '2020-02-29', 'Zoë', '219099999', '12.5', 'S Corporation', 'a,b', '12'],
];
const workbookRows: Table = [
  [
    1250.5,
    'lead',
    'Harbor Bakery',
    '(518) 555-0142',
    new Date('2015-03-01T00:00:00Z'),
    'Ada',
    '078-05-1120',
    60,
    'llc',
    'renewal; food',
    0,
  ],
  [
    0,
    null,
    'Çedilla & Söhne',
    '518-555-0143',
    new Date('2020-02-29T00:00:00Z'),
    'Zoë',
    219099999,
    12.5,
    'S Corporation',
    'a,b',
    12,
  ],
];

describe('the payloads of a source', () => {
  let place: Workplace;
  let service: RecordingService;

  beforeEach(async () => {
    place = workplaceHere();
    service = await startRecordingService();
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

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
});

/** A month of every record kind as a person keeps it, with Refs between its sheets, and the loading of it by a profile alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import type { contractSettingsSchema } from '../../src/index.ts';
import { type Table, type TableCell, writeWorkbook } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';
import { token } from './stranger.ts';

export type Contract = z.input<typeof contractSettingsSchema>;

/** A company that the service has from before: the one that the updates change. */
export const known = 'known-1';

export const month = {
  Companies: [
    [
      'Ref',
      'Company name',
      'Contact types',
      'DBA',
      'Phone',
      'Phone 2',
      'E-mail',
      'Address line 1',
      'Address city',
      'Address state',
      'Address ZIP',
      'EIN',
    ],
    [
      'C-1',
      'Harbor Bakery LLC',
      'Merchant',
      'Harbor',
      '(518) 555-0142',
      '(518) 555-0177',
      'office@harbor.example',
      '120 Main Street',
      'Albany',
      'NY',
      '12207',
      '12-3456789',
    ],
    ['C-2', 'Northgate Capital', 'Funder; Broker', null, null, null, null, null, null, null, null, null],
  ],
  'Company updates': [
    ['Company to update', 'DBA', 'Phone', 'Address city', 'Note'],
    [known, 'Lantern', '(212) 555-0100', null, 'Moved'],
    [known, null, '<clear>', null, '<clear>'],
  ],
  Leads: [
    ['Ref', 'Amount requested', 'Company name', 'Owner 1 first name', 'Owner 1 last name', 'Owner 1 date of birth'],
    ['L-1', 15000, 'Cedar Supply', 'Ada', 'Moreno', new Date('1980-04-17')],
  ],
  Deals: [
    [
      'Ref',
      'Company ref',
      'Amount requested',
      'Stage',
      'Company name',
      'Company DBA',
      'Company start date',
      'Company phone',
      'Company phone 2',
      'Company address line 1',
      'Company address city',
      'Owner 1 first name',
      'Owner 1 last name',
      'Owner 1 SSN',
      'Owner 1 date of birth',
      'Owner 1 phone',
      'Owner 2 last name',
      'Tags',
      'Gross annual',
    ],
    [
      'D-1',
      'C-1',
      45000.5,
      'Application',
      'Harbor Bakery LLC',
      'Harbor',
      new Date('2012-03-04'),
      '(518) 555-0142',
      '(518) 555-0177',
      '120 Main Street',
      'Albany',
      'Ada',
      'Moreno',
      '219-09-9999',
      new Date('1980-04-17'),
      '(518) 555-0199',
      'Okafor',
      'renewal, june',
      504000,
    ],
    [
      'D-2',
      'C-1',
      20000,
      null,
      'Harbor Bakery LLC',
      'Harbor',
      null,
      null,
      null,
      null,
      null,
      'Ben',
      'Lind',
      null,
      null,
      null,
      null,
      null,
      null,
    ],
  ],
  Notes: [
    ['Deal ref', 'Deal status', 'Note'],
    ['D-1', 'Open', 'Statements received'],
    ['D-2', 'Closed', 'Called back'],
  ],
  Attachments: [
    ['Deal ref', 'File'],
    ['D-1', 'june.txt'],
  ],
  Submissions: [
    ['Ref', 'Deal ref', 'Company ref', 'Submission status', 'Note'],
    ['S-1', 'D-1', 'C-2', 'Submitted', 'Twelve months'],
  ],
  'Submission loans': [
    [
      'Ref',
      'Deal ref',
      'Submission ref',
      'Amount',
      'Term',
      'Factor rate',
      'Payment amount',
      'Payment frequency',
      'Funded date',
    ],
    ['SL-1', 'D-1', 'S-1', 44000, 12, 1.28, 226, 'Daily', new Date('2026-06-15')],
  ],
  Transactions: [
    ['Deal ref', 'Date', 'Amount', 'Type', 'Description', 'Reference'],
    ['D-1', new Date('2026-06-30'), 228.57, 'Payment', 'Daily debit', 'ACH-1'],
    ['D-2', new Date('2026-06-30'), 100, 'Payment', null, 'ACH-2'],
    ['D-1', new Date('2026-07-01'), 228.57, 'Payment', null, 'ACH-3'],
    ['D-2', new Date('2026-07-02'), -25.5, 'Fee', 'Returned', 'ACH-4'],
  ],
} satisfies Record<string, Table>;

export type Month = Readonly<Record<string, Table>>;

/** A sheet of the month with another value in place of one. */
export function withCell(sheet: keyof typeof month, before: TableCell, after: TableCell): Table {
  return (month[sheet] as Table).map((row) => row.map((cell) => (cell === before ? after : cell)));
}

export interface Loaded {
  readonly exitCode: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly told: string;
}

export interface Desk {
  write(name: string, sheets: Month): Promise<void>;
  load(name: string, ...words: readonly string[]): Promise<Loaded>;
  run(...words: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

/** A person who knows the service by its profile alone. */
export function deskFor(place: Workplace, url: string, contract: Contract): Desk {
  writeFileSync(place.path('own.json'), JSON.stringify({ profiles: { stranger: { url, contract } } }));
  writeFileSync(place.path('june.txt'), 'June, all of it.');
  const service = ['--profile', 'stranger', '--config', 'own.json'];
  const run = (...words: readonly string[]) => place.run(words, { env: { DEALSHEET_TOKEN: token } });
  return {
    write: (name, sheets) => writeWorkbook(place.path(name), sheets),
    load: async (name, ...words) => {
      const { exitCode, stdout, stderr } = await run('import', name, ...service, '--yes', '--json', ...words);
      const { counts = {} } = (stdout === '' ? {} : JSON.parse(stdout)) as { counts?: Record<string, number> };
      const seen = Object.entries(counts).filter(([, count]) => count > 0);
      return { exitCode, counts: Object.fromEntries(seen), told: stderr };
    },
    run: (...words) => run(...words, ...service),
  };
}

/** How many rows the month has. */
export const rowsOf = (sheets: Month): number =>
  Object.values(sheets).reduce((rows, table) => rows + table.length - 1, 0);

export function jsonLines(path: string): readonly unknown[] {
  return JSON.parse(readFileSync(path, 'utf8')) as unknown[];
}

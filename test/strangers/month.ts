/** A month of every record kind as a person keeps it, with Refs between its sheets. */
import type { Table, TableCell } from '../builders/tables.ts';
import type { Sheets } from './stranger-load.ts';

/** A company that the service has from before: the one that the updates change. */
export const known = 'known-1';

/** Cells between bars; plain numbers are numbers, ISO days are dates, and nothing is blank. */
function table(...rows: readonly string[]): Table {
  return rows.map((row) => row.split('|').map((cell) => cellOf(cell.trim())));
}

function cellOf(text: string): TableCell {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(text);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text === '' ? null : text;
}

const address = '120 Main Street|Albany';
export const month = {
  Companies: table(
    'Ref|Company name|Contact types|DBA|Phone|Phone 2|E-mail|Address line 1|Address city|Address state|Address ZIP|EIN',
    `C-1|Harbor Bakery LLC|Merchant|Harbor|(518) 555-0142|(518) 555-0177|office@harbor.example|${address}|NY|12207|12-3456789`,
    'C-2|Northgate Capital|Funder; Broker|||||||||',
  ),
  'Company updates': table(
    'Company to update|DBA|Phone|Address city|Note',
    `${known}|Lantern|(212) 555-0100||Moved`,
    `${known}||<clear>||<clear>`,
  ),
  Leads: table(
    'Ref|Amount requested|Company name|Owner 1 first name|Owner 1 last name|Owner 1 date of birth',
    'L-1|15000|Cedar Supply|Ada|Moreno|1980-04-17',
  ),
  Deals: table(
    `Ref|Company ref|Amount requested|Stage|Company name|Company DBA|Company start date|Company phone|Company phone 2
    |Company address line 1|Company address city|Owner 1 first name|Owner 1 last name|Owner 1 SSN|Owner 1 date of birth
    |Owner 1 phone|Owner 2 last name|Tags|Gross annual`,
    `D-1|C-1|45000.5|Application|Harbor Bakery LLC|Harbor|2012-03-04|(518) 555-0142|(518) 555-0177
    |${address}|Ada|Moreno|219-09-9999|1980-04-17
    |(518) 555-0199|Okafor|renewal, june|504000`,
    'D-2|C-1|20000||Harbor Bakery LLC|Harbor||||||Ben|Lind||||||',
  ),
  Notes: table('Deal ref|Deal status|Note', 'D-1|Open|Statements received', 'D-2|Closed|Called back'),
  Attachments: table('Deal ref|File', 'D-1|june.txt'),
  Submissions: table('Ref|Deal ref|Company ref|Submission status|Note', 'S-1|D-1|C-2|Submitted|Twelve months'),
  'Submission loans': table(
    'Ref|Deal ref|Submission ref|Amount|Term|Factor rate|Payment amount|Payment frequency|Funded date',
    'SL-1|D-1|S-1|44000|12|1.28|226|Daily|2026-06-15',
  ),
  Transactions: table(
    'Deal ref|Date|Amount|Type|Description|Reference',
    'D-1|2026-06-30|228.57|Payment|Daily debit|ACH-1',
    'D-2|2026-06-30|100|Payment||ACH-2',
    'D-1|2026-07-01|228.57|Payment||ACH-3',
    'D-2|2026-07-02|-25.5|Fee|Returned|ACH-4',
  ),
};

/** A sheet of the month with another value in place of one. */
export function withCell(sheet: keyof typeof month, before: TableCell, after: TableCell): Table {
  return month[sheet].map((row) => row.map((cell) => (cell === before ? after : cell)));
}

/** How many rows the month has. */
export const rowsOf = (sheets: Sheets): number =>
  Object.values(sheets).reduce((rows, table) => rows + table.length - 1, 0);

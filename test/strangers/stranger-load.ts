/** A person who knows a service by its profile alone, and a workbook with rows of every record kind that refer to one another. */
import { workplaceHere } from '../builders/command-here.ts';
import { oneRow, readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';
import type { Ended } from '../builders/workplace.ts';
import { token } from './stranger.ts';

type Sheets = Readonly<Record<string, Table>>;

/** @param proceeds  what each deal is for, a row for each */
export function everyKind(proceeds: readonly string[] = ['Ovens', 'Chairs', 'Vans']): Sheets {
  const refs = proceeds.map((_, place) => `D-${place + 1}`);
  return {
    Companies: [
      ['Ref', 'Company name', 'Contact types', 'EIN'],
      ['C-1', 'Harbor LLC', 'Merchant', '12-3456789'],
      ['C-2', 'Blue Funding', 'Funder', '98-7654321'],
    ],
    'Company updates': oneRow({ 'Company id': '900', DBA: 'Old Mill' }),
    Leads: [
      ['Company name', 'Amount requested', '{renewal}'],
      ['Kite Toys', 1000, 'yes'],
      ['Pine Movers', 2000.5, 'no'],
    ],
    Deals: [
      ['Ref', 'Company ref', 'Amount requested', 'Owner first name', 'Owner last name', 'Use of proceeds'],
      ...proceeds.map((text, place) => [`D-${place + 1}`, 'C-1', 5000 + place, 'Ada', 'Moreno', text]),
    ],
    Notes: [['Deal ref', 'Deal status', 'Note'], ...refs.map((ref) => [ref, 'In review', `Statements of ${ref}`])],
    Attachments: oneRow({ 'Deal ref': refs[0] ?? null, File: 'june.txt' }),
    Submissions: oneRow({ Ref: 'S-1', 'Deal ref': refs[0] ?? null, 'Company ref': 'C-2', 'Submission status': 'Sent' }),
    'Submission loans': [
      ['Submission ref', 'Deal ref', 'Amount', 'Funded date'],
      ['S-1', refs[0] ?? null, 4500, '2026-06-15'],
    ],
    Transactions: [
      ['Deal ref', 'Date', 'Amount', 'Reference'],
      ...refs.flatMap((ref, place) =>
        [1, 2, 3].map((day) => [ref, `2026-06-0${day}`, 10 * day + place, `ACH-${place + 1}-${day}`]),
      ),
    ],
  };
}

export interface Desk {
  path(name: string): string;
  run(...words: readonly string[]): Promise<Ended>;
  /** Loads `month.xlsx`; its results are `month.results.xlsx`. */
  load(...words: readonly string[]): Promise<Ended>;
  rows(sheet: string): ReturnType<typeof readWorkbook>;
  /** Each row of the results: its status and id. */
  results(sheet: string): Promise<readonly (readonly [status: unknown, id: unknown])[]>;
  remove(): void;
}

export async function deskOf(profile: object, sheets: Sheets): Promise<Desk> {
  const place = workplaceHere();
  place.write('config/dealsheet/dealsheet.config.json', { profiles: { stranger: profile } });
  place.write('june.txt', 'June: 100.00');
  await writeWorkbook(place.path('month.xlsx'), sheets);
  const env: Record<string, string> = 'tokenCommand' in profile ? {} : { DEALSHEET_TOKEN: token };
  const run = (...words: readonly string[]) => place.run(words, { env });
  const rows = (sheet: string) => readWorkbook(place.path('month.results.xlsx'), sheet);
  const importing = ['import', 'month.xlsx', '--profile', 'stranger', '--yes', '--json', '--concurrency', '4'];
  return {
    path: place.path,
    run,
    load: (...words) => run(...importing, ...words),
    rows,
    results: async (sheet) => (await rows(sheet)).map((row) => [row.Status, row.ID]),
    remove: place.remove,
  };
}

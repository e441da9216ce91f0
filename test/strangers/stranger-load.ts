/** A person who knows a service by its profile alone, and a workbook with rows of every record kind that refer to one another. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import type { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';
import type { Ended } from '../builders/workplace.ts';
import { token } from './stranger.ts';

export type Contract = z.input<typeof contractSettingsSchema>;
export type Sheets = Readonly<Record<string, Table>>;

/** @param proceeds  what each deal is for, a row for each */
export function everyKind(proceeds: readonly string[] = ['Ovens', 'Chairs', 'Vans']): Sheets {
  const refs = proceeds.map((_, place) => `D-${place + 1}`);
  return {
    Companies: [
      ['Ref', 'Company name', 'Contact types', 'EIN'],
      ['C-1', 'Harbor LLC', 'Merchant', '12-3456789'],
      ['C-2', 'Blue Funding', 'Funder', '98-7654321'],
    ],
    'Company updates': [
      ['Company id', 'DBA'],
      ['900', 'Old Mill'],
    ],
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
    Attachments: [
      ['Deal ref', 'File'],
      [refs[0] ?? null, 'june.txt'],
    ],
    Submissions: [
      ['Ref', 'Deal ref', 'Company ref', 'Submission status'],
      ['S-1', refs[0] ?? null, 'C-2', 'Sent'],
    ],
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

export interface Loaded extends Ended {
  /** Those that are not 0. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface Desk {
  readonly folder: string;
  path(name: string): string;
  /** Writes `month.xlsx`. */
  write(sheets: Sheets): Promise<void>;
  run(...words: readonly string[]): Promise<Ended>;
  /** Loads `month.xlsx`; its results are `month.results.xlsx`. */
  load(...words: readonly string[]): Promise<Loaded>;
  rows(sheet: string): ReturnType<typeof readWorkbook>;
  /** Each row of the results: its status and id. */
  results(sheet: string): Promise<readonly (readonly [status: unknown, id: unknown])[]>;
  /** What an export gives as JSON. */
  exported(...words: readonly string[]): Promise<readonly unknown[]>;
  remove(): void;
}

/** @param concurrency  one request after another where records are to come in the order of the rows */
export async function deskOf(profile: object, sheets: Sheets, concurrency = 4): Promise<Desk> {
  const place = workplaceHere();
  mkdirSync(place.path('config/dealsheet'), { recursive: true });
  const settings = { profiles: { stranger: profile } };
  writeFileSync(place.path('config/dealsheet/dealsheet.config.json'), JSON.stringify(settings));
  writeFileSync(place.path('june.txt'), 'June: 100.00');
  const write = (written: Sheets) => writeWorkbook(place.path('month.xlsx'), written);
  await write(sheets);
  const env: Record<string, string> = 'tokenCommand' in profile ? {} : { DEALSHEET_TOKEN: token };
  const run = (...words: readonly string[]) => place.run(words, { env });
  const rows = (sheet: string) => readWorkbook(place.path('month.results.xlsx'), sheet);
  const importing = ['import', 'month.xlsx', '--profile', 'stranger', '--yes', '--json'];
  return {
    folder: place.folder,
    path: place.path,
    write,
    run,
    load: async (...words) => {
      const ended = await run(...importing, '--concurrency', String(concurrency), ...words);
      const { counts = {} } = (ended.stdout === '' ? {} : JSON.parse(ended.stdout)) as Partial<Loaded>;
      return { ...ended, counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) };
    },
    rows,
    results: async (sheet) => (await rows(sheet)).map((row) => [row.Status, row.ID]),
    exported: async (...words) => {
      const { exitCode, stderr } = await run('export', ...words, '--profile', 'stranger', '-o', 'out.json');
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(readFileSync(place.path('out.json'), 'utf8')) as readonly unknown[];
    },
    remove: place.remove,
  };
}

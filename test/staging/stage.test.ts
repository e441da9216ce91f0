/** A source is read once into its staging, whatever its rows tell of each other. */

import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { findingText } from '../../src/messages/finding.ts';
import { matchSource } from '../../src/staging/source/matched-source.ts';
import { type StageOptions, stage } from '../../src/staging/stage.ts';
import type { RowData } from '../../src/staging/staged-row.ts';
import { createStaging, type Staging } from '../../src/staging/staging.ts';
import { openSource } from '../../src/tables/open-source.ts';
import type { Source } from '../../src/tables/source.ts';
import { resultColumns } from '../../src/workbooks/results.ts';
import { rowsStaged } from '../builders/staged-rows.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { partsOf, writeParts } from '../tables/xlsx/workbook-parts.ts';

const file = folderForEachTest();
const rowsOfTwoBatches = 700;

function options(folder: string): StageOptions {
  return {
    contract: assumedContract,
    dateOrder: null,
    clues: [],
    checks: {},
    attachments: { folder, privatePaths: [], sourcesFolder: file('private') },
    earlierRefs: null,
    service: null,
    digestOf: (...content) => content.join(),
    onProgress: () => {},
  };
}

interface Read {
  readonly rows: readonly RowData[];
  /** How often the rows of a sheet were read from the source. */
  readonly readings: number;
  readonly staging: Staging;
}

async function staged(lines: readonly string[], name = 'transactions.csv'): Promise<Read> {
  writeFileSync(file(name), lines.join('\n'));
  return stagedFile(name);
}

async function stagedFile(name: string): Promise<Read> {
  const source = await openSource(file(name), { name, encoding: null, delimiter: null });
  try {
    const nothing = { ignoredColumns: [], ignoredSheets: [], mapping: null, contract: assumedContract };
    const matched = await matchSource(source, { file: file(name), kind: null, sheet: null, ...nothing });
    const counted = countReadings(source);
    const staging = createStaging(file('staging'));
    await stage(matched, staging, options(file('.')));
    const all = await rowsStaged(staging);
    const rows = all.map((row) => staging.data(row));
    return { rows, readings: counted.readings, staging };
  } finally {
    await source.close();
  }
}

function countReadings(source: Source): { readings: number } {
  const count = { readings: 0 };
  for (const sheet of source.sheets) {
    const read = sheet.rows.bind(sheet);
    (sheet as { rows: typeof sheet.rows }).rows = (...given) => {
      count.readings += 1;
      return read(...given);
    };
  }
  return count;
}

const payments = (...rows: readonly string[]) => ['Deal id,Date,Amount', ...rows];

describe('the staging of a source', () => {
  it('holds each row as it was mapped and checked', async () => {
    const { rows } = await staged(payments('deal_1,2026-11-01,5', 'deal_1,,6'));
    expect(rows.map(({ row, body, isValid }) => [row, body, isValid])).toEqual([
      [2, { dealId: 'deal_1', date: '2026-11-01', amount: 5 }, true],
      [3, { dealId: 'deal_1', amount: 6 }, false],
    ]);
  });

  it('reads the source once, also where a row below tells the order of the dates above it', async () => {
    const { rows, readings } = await staged(payments('deal_1,03/04/2026,5', 'deal_1,25/04/2026,6'));
    expect(rows.map(({ body }) => body.date)).toEqual(['2026-04-03', '2026-04-25']);
    expect(readings).toBe(1);
  });

  it('tells both carriers of a Ref that stands twice', async () => {
    const { rows, readings } = await staged(['Ref,Name', 'C-1,Acme', 'C-2,Bell', 'C-1,Coral'], 'companies.csv');
    const repeated = rows.map(({ problems }) => problems.some(({ code }) => code === 'ref-repeated'));
    expect(repeated).toEqual([true, false, true]);
    expect(readings).toBe(1);
  });

  it('tells of a row in one batch what it says again in the next', async () => {
    const lines = Array.from(
      { length: rowsOfTwoBatches },
      (_, at) => `deal_${at % (rowsOfTwoBatches - 1)},2026-11-01,5`,
    );
    const { rows } = await staged(payments(...lines));
    expect(rows.at(-1)?.problems.map(findingText)).toEqual([expect.stringContaining('row 2')]);
  });

  it('knows the address to which the Link of each row of a results sheet leads', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const link = (id: string) => `<c t="str"><f>HYPERLINK("https://service.example/${id}","Open")</f><v>Open</v></c>`;
    const inRun = (id: string, row: number) =>
      ['Created', '', id].map(cell).join('') + link(id) + ['', `run#Payments!${row}`, 'deal_1', '5'].map(cell).join('');
    const headers = [...resultColumns, 'Deal id', 'Amount'].map(cell).join('');
    const rows = [headers, inRun('a1', 2), inRun('b2', 3)].map((cells) => `<row>${cells}</row>`);
    await writeParts(file('month.xlsx'), partsOf({ sheets: { Payments: rows.join('') } }));
    const { staging } = await stagedFile('month.xlsx');
    expect((await rowsStaged(staging)).map(({ row, own }) => [row, own?.url])).toEqual([
      [2, 'https://service.example/a1'],
      [3, 'https://service.example/b2'],
    ]);
  });

  it('leaves a total row out', async () => {
    const { rows } = await staged(payments('deal_1,2026-11-01,5', 'Total,,5'));
    expect(rows.map(({ aside }) => aside)).toEqual([null, 'left-out']);
  });

  it('can be read by its owner alone', async () => {
    const { staging } = await staged(payments('deal_1,2026-11-01,5'));
    staging.close();
    const { statSync } = await import('node:fs');
    expect(statSync(file('staging')).mode & 0o777).toBe(0o600);
  });
});

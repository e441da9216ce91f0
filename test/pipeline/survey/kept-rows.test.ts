import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { readingDefaults } from '../../../src/load/defaults.ts';
import { HeldRows } from '../../../src/pipeline/rows/held-rows.ts';
import { dataRows } from '../../../src/staging/source/data-rows.ts';
import { removeSnapshot, takeSnapshot } from '../../../src/staging/source/snapshot.ts';
import type { JudgedRow } from '../../../src/staging/staged-data.ts';
import { KeptRows } from '../../../src/pipeline/survey/kept-rows.ts';
import { openCopy, surveySource } from '../../../src/staging/reading.ts';
import type { Survey, SurveyedSheet } from '../../../src/pipeline/survey/survey.ts';
import { type Table, type TableCell, writeCsv } from '../../builders/tables.ts';
import { folderForEachTest } from '../../builders/temporary-folder.ts';
import { aLoad, newPlace } from '../../ledger/place.ts';

const inFolder = folderForEachTest();
beforeEach(() => {
  mkdirSync(privateFolder());
});

const privateFolder = () => inFolder('private');
const privateFiles = () => readdirSync(privateFolder()).filter((name) => !name.endsWith('.lock'));

/** Checks a file as a load does, and gives what it found to `use` while its rows are kept. */
async function surveyed<Result>(
  file: string,
  use: (survey: Survey) => Promise<Result>,
  { keptIn = privateFolder(), heldRows = null as HeldRows | null } = {},
): Promise<Result> {
  const options = { ...readingDefaults, file: resolve(file), snapshotFolder: inFolder('sources') };
  const snapshot = await takeSnapshot(options.file, options.snapshotFolder, process.stdin);
  const source = await openCopy(snapshot, options);
  const keptRows = new KeptRows(keptIn);
  try {
    const further = { earlierRefs: null, heldRows, service: null, keptRows, onProgress: () => {} };
    return await use(await surveySource(source, snapshot, options, further));
  } finally {
    await keptRows.close();
    await source.close();
    await removeSnapshot(snapshot);
  }
}

async function allOf(rows: AsyncIterable<JudgedRow> | Iterable<JudgedRow>): Promise<readonly JudgedRow[]> {
  const all: JudgedRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function judgedAnew(sheet: SurveyedSheet): Promise<readonly JudgedRow[]> {
  const all: JudgedRow[] = [];
  for await (const row of dataRows(sheet)) all.push(sheet.judge(row));
  return all;
}

/** Rows from memory come at once; those from the source come when it was read. */
const areKept = (sheet: SurveyedSheet) => Symbol.iterator in sheet.judgedRows();

/** What is sent, and what fingerprints are made of, is the JSON of a body: the order of fields counts, and -0 is 0. */
const asSent = (rows: readonly JudgedRow[]) => rows.map((row) => ({ ...row, body: JSON.stringify(row.body) }));

async function expectKeptAsJudged(survey: Survey): Promise<void> {
  for (const sheet of survey.sheets) {
    expect(areKept(sheet)).toBe(!sheet.kind.sending.hasFile);
    expect(asSent(await allOf(sheet.judgedRows()))).toEqual(asSent(await judgedAnew(sheet)));
  }
}

const headers = [
  'Ref',
  'Company name',
  'Amount requested',
  'Owner 1 last name',
  'Company start date',
  'Tags',
  '{bank.x}',
];

function deals(...rows: Table): string {
  const path = inFolder('deals.csv');
  writeCsv(path, [headers, ...rows]);
  return path;
}

/** So long that the rows do not stay in memory. */
const manyDeals = () =>
  deals(
    ...Array.from({ length: 3_000 }, (_, row): TableCell[] => {
      const [name, amount] = row % 7 === 0 ? ['', 'n/a'] : [`Bäckerei "№ ${row}" 🥐`, `$${row}.50`];
      return [`ref ${row % 2_999}`, name, amount, 'Moreno', '3/4/2015', 'a; b', 'it is 5'];
    }),
  );

describe('rows that are kept from the checks', () => {
  it.each(['fixtures/deals.csv', 'fixtures/deals.xlsx', 'fixtures/monthly-load.xlsx'])(
    'of %s are those that judging them again gives',
    async (file) => {
      await surveyed(file, expectKeptAsJudged);
    },
  );

  it('are those that judging them again gives, whatever stands in the cells', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        '',
        '12.5',
        '1.250',
        '3/4/2015',
        '31/12/2015',
        '-0',
        '1e3',
        '#REF!',
        'a;b',
        '***-**-1234',
        '<clear>',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
    );
    const row = fc.array(cell, { minLength: headers.length, maxLength: headers.length });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const path = deals(['r', 'Harbor', '1', 'Moreno', '', '', ''], ...rows);
        await surveyed(path, expectKeptAsJudged);
      }),
      { numRuns: 40 },
    );
  });

  it('are the same when there are so many that they go to a private file, each time they are asked for', async () => {
    await surveyed(manyDeals(), async (survey) => {
      expect(privateFiles()).toHaveLength(1);
      await expectKeptAsJudged(survey);
      await expectKeptAsJudged(survey);
    });
  });

  it('leave nothing on the disk afterwards', async () => {
    await surveyed(manyDeals(), async () => {});
    expect(readdirSync(privateFolder())).toEqual([]);
  });

  it.each<[string, (path: string) => void]>([
    ['was cut off', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['was written into', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('$8.50', '$9.50'))],
  ])('are not given any more when their private file %s', async (_, change) => {
    await surveyed(manyDeals(), async ({ sheets: [sheet] }) => {
      change(join(privateFolder(), privateFiles()[0] ?? ''));
      await expect(allOf(sheet?.judgedRows() ?? [])).rejects.toMatchObject({
        code: 'copy-changed',
        message: expect.stringMatching(/^The private copy of the checked rows, .*, was changed by another program/),
        remedy: expect.stringContaining('dealsheet resume'),
      });
    });
  });

  it('are not given any more from a source that has lost rows, where they are judged from it', async () => {
    const file = inFolder('no folder');
    writeFileSync(file, '');
    await surveyed(
      manyDeals(),
      async ({ sheets: [sheet] }) => {
        const copies = readdirSync(inFolder('sources')).filter((name) => name.endsWith('.source'));
        for (const name of copies) truncateSync(inFolder('sources', name), 1_000);
        await expect(allOf(sheet?.judgedRows() ?? [])).rejects.toThrow('The private copy of the source was changed');
      },
      { keptIn: file },
    );
  });

  it('are judged from the source when there is no place to keep them', async () => {
    const path = manyDeals();
    const file = inFolder('no folder');
    writeFileSync(file, '');
    await surveyed(
      path,
      async ({ sheets: [sheet] }) => {
        assert(sheet !== undefined);
        expect(areKept(sheet)).toBe(false);
        expect(await allOf(sheet.judgedRows())).toEqual(await judgedAnew(sheet));
      },
      { keptIn: file },
    );
  });

  it('are judged from the source when a results sheet says something of one of them', async () => {
    const ledgerPlace = newPlace();
    const ledger = ledgerPlace.open();
    const run = ledger.beginRun(aLoad());
    const path = inFolder('deals.results.csv');
    writeCsv(path, [
      ['Status', 'ID', 'Company ID', 'URL', 'Problems', 'Run', ...headers],
      ['Invalid', '', '', '', '', `${run.id}#Deals!2`, 'r', 'Harbor', 1, 'Moreno', '', '', ''],
    ]);
    const heldRows = new HeldRows(ledger, aLoad().service, { trustResults: false, again: false });
    await surveyed(
      path,
      async ({ sheets: [sheet] }) => {
        assert(sheet !== undefined);
        expect(areKept(sheet)).toBe(false);
      },
      { heldRows },
    );
    ledgerPlace.remove();
  });

  it('go to no file when they are few', async () => {
    await surveyed(deals(['r', 'Harbor', 1, 'Moreno', '', '', '']), async (survey) => {
      expect(privateFiles()).toEqual([]);
      await expectKeptAsJudged(survey);
    });
  });
});

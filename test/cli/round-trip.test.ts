/** Rows corrected in the results workbook with a spreadsheet program that a person uses, and sent again, round after round. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import ExcelJS from 'exceljs';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';
import { hasLibreOffice } from '../builders/tools.ts';
import type { Workplace } from '../builders/workplace.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';

/** A spreadsheet program is started for every round. */
const longestMs = 240_000;
const token = 'sandbox-token';
const rows = 500;
const wrongRows = 60;
const rowsOfCsv = 60;

const headers = [
  ...['Amount requested', 'Company name', 'Owner last name', 'Stage', 'Entity type', 'Owner e-mail'],
  ...['Owner SSN', 'Owner date of birth', 'Company EIN'],
  ...['Use of proceeds', 'Owner address ZIP', 'Company website'],
] as const;
type Header = (typeof headers)[number];

/** Each way to be wrong, with its cell and what stands in it. */
const mistakes: readonly (readonly [Header, string | number])[] = [
  ['Amount requested', -5],
  ['Amount requested', 'twelve'],
  ['Owner date of birth', 'in spring'],
  ['Stage', 'Prospect'],
  ['Entity type', 'LCC'],
  ['Owner e-mail', 'nobody'],
  ['Owner SSN', '219-09-43'],
  ['Owner date of birth', '1980-02-30'],
  ['Company EIN', '12-34567'],
  ['Use of proceeds', 'x'.repeat(251)],
  ['Owner address ZIP', '1220'],
  ['Amount requested', '#N/A'],
];

function goodRow(n: number): Record<Header, string | number> {
  return {
    'Amount requested': 1000 + n,
    'Company name': `Company ${n}`,
    'Owner last name': 'Moreno',
    Stage: 'Lead',
    'Entity type': 'LLC',
    'Owner e-mail': `owner${n}@example.com`,
    'Owner SSN': '219-09-4320',
    'Owner date of birth': '1980-04-17',
    'Company EIN': '12-3456789',
    'Use of proceeds': 'Second oven',
    'Owner address ZIP': '12207',
    'Company website': 'https://harbor.example',
  };
}

/** Wrong rows lie between good ones; each makes the mistakes in turn. */
const mistakeOf = (n: number) =>
  n % 8 === 3 && n < 8 * wrongRows ? mistakes[((n - 3) / 8) % mistakes.length] : undefined;

/** So many rows, of which those with a mistake have it. */
function month(count: number): Table {
  const lines = Array.from({ length: count }, (_, n) => {
    const row = goodRow(n);
    const mistake = mistakeOf(n);
    if (mistake !== undefined) row[mistake[0]] = mistake[1];
    return headers.map((header) => row[header]);
  });
  return [headers, ...lines];
}

/** Has LibreOffice open a file and save it again in its place. */
function saveInLibreOffice(place: Workplace, file: string, format: string): void {
  mkdirSync(place.path('saved'), { recursive: true });
  const profile = `-env:UserInstallation=file://${place.path('profile')}`;
  const words = ['--headless', profile, '--convert-to', format, '--outdir', place.path('saved')];
  execFileSync('soffice', [...words, place.path(file)], { stdio: 'ignore' });
  renameSync(place.path(`saved/${file}`), place.path(file));
}

interface Loaded {
  readonly exitCode: number;
  readonly counts: Record<string, number>;
}

async function load(place: Workplace, service: RunningSandbox, words: readonly string[]): Promise<Loaded> {
  const { exitCode, stdout, stderr } = await place.run(['import', ...words, '--url', service.url, '--yes', '--json'], {
    env: { DEALSHEET_TOKEN: token },
  });
  expect(stdout, stderr).not.toBe('');
  return { exitCode, counts: (JSON.parse(stdout) as Loaded).counts };
}

/** What the service has: the name and the amount of each deal, in the order of the amounts. */
function dealsIn(service: RunningSandbox): readonly (readonly [number, string])[] {
  const deals = [...service.accepted()].map(
    ({ body }) => JSON.parse(body) as { amountRequested: number; company: { name: string } },
  );
  return deals
    .map(({ amountRequested, company }) => [amountRequested, company.name] as const)
    .sort(([one], [other]) => one - other);
}

const dealsOf = (count: number) => Array.from({ length: count }, (_, n) => [1000 + n, `Company ${n}`] as const);

describe.skipIf(!hasLibreOffice())('results that are corrected in LibreOffice', { timeout: longestMs }, () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  /** Puts the right values into the wrong cells of so many rows. */
  async function correctWorkbook(file: string, most: number): Promise<void> {
    const workbook = await new ExcelJS.Workbook().xlsx.readFile(place.path(file));
    const sheet = workbook.getWorksheet('Deals') as ExcelJS.Worksheet;
    const columns = (sheet.getRow(1).values ?? []) as string[];
    let corrected = 0;
    for (let n = 0; n < rows && corrected < most; n += 1) {
      const mistake = mistakeOf(n);
      if (mistake === undefined || sheet.getCell(n + 2, columns.indexOf('Status')).value !== 'Invalid') continue;
      sheet.getCell(n + 2, columns.indexOf(mistake[0])).value = goodRow(n)[mistake[0]];
      corrected += 1;
    }
    await workbook.xlsx.writeFile(place.path(file));
    saveInLibreOffice(place, file, 'xlsx:Calc MS Excel 2007 XML');
  }

  function correctCsv(file: string, most: number): void {
    const [head = [], ...lines] = Papa.parse<string[]>(place.read(file).replace(/^\uFEFF/, ''), {
      skipEmptyLines: true,
    }).data;
    let corrected = 0;
    lines.forEach((line, n) => {
      const mistake = mistakeOf(n);
      if (mistake === undefined || line[head.indexOf('Status')] !== 'Invalid' || corrected === most) return;
      line[head.indexOf(mistake[0])] = String(goodRow(n)[mistake[0]]);
      corrected += 1;
    });
    place.write(file, Papa.unparse([head, ...lines]));
    saveInLibreOffice(place, file, 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false');
  }

  it('bring every row of a workbook in, each once, round after round', async () => {
    await writeWorkbook(place.path('month.xlsx'), { Deals: month(rows) });
    const first = await load(place, service, ['month.xlsx', '--results', 'one.xlsx']);
    expect(first).toMatchObject({ exitCode: 1, counts: { rows, created: rows - wrongRows, invalid: wrongRows } });

    await correctWorkbook('one.xlsx', 40);
    const second = await load(place, service, ['one.xlsx', '--results', 'two.xlsx']);
    expect(second).toMatchObject({
      exitCode: 1,
      counts: { created: 40, invalid: 20, alreadyLoaded: rows - wrongRows },
    });

    await correctWorkbook('two.xlsx', 20);
    const third = await load(place, service, ['two.xlsx', '--results', 'three.xlsx']);
    expect(third).toMatchObject({ exitCode: 0, counts: { created: 20, alreadyLoaded: rows - 20 } });

    const fourth = await load(place, service, ['three.xlsx', '--results', 'four.xlsx']);
    expect(fourth).toMatchObject({ exitCode: 0, counts: { created: 0, alreadyLoaded: rows } });
    expect(dealsIn(service)).toEqual(dealsOf(rows));
  });

  it('bring every row of a CSV file in, each once, round after round', async () => {
    const wrong = Array.from({ length: rowsOfCsv }, (_, n) => mistakeOf(n)).filter(
      (mistake) => mistake !== undefined,
    ).length;
    writeCsv(place.path('month.csv'), month(rowsOfCsv));
    const first = await load(place, service, ['month.csv', '--as', 'deals', '--results', 'one.csv']);
    expect(first).toMatchObject({ exitCode: 1, counts: { created: rowsOfCsv - wrong, invalid: wrong } });

    correctCsv('one.csv', 3);
    const second = await load(place, service, ['one.csv', '--as', 'deals', '--results', 'two.csv']);
    expect(second).toMatchObject({ exitCode: 1, counts: { created: 3, invalid: wrong - 3 } });

    correctCsv('two.csv', wrong);
    const third = await load(place, service, ['two.csv', '--as', 'deals', '--results', 'three.csv']);
    expect(third).toMatchObject({ exitCode: 0, counts: { created: wrong - 3, alreadyLoaded: rowsOfCsv - wrong + 3 } });

    const fourth = await load(place, service, ['three.csv', '--as', 'deals', '--results', 'four.csv']);
    expect(fourth).toMatchObject({ exitCode: 0, counts: { created: 0, alreadyLoaded: rowsOfCsv } });
    expect(dealsIn(service)).toEqual(dealsOf(rowsOfCsv));
  });
});

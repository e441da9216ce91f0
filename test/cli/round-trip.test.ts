/** Rows corrected in the results workbook with a spreadsheet program that a person uses, and sent again, round after round. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSandboxOptions, type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Table, writeWorkbook } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;
const token = 'sandbox-token';
const rows = 500;
const wrongRows = 60;

const headers = [
  'Amount requested',
  'Company name',
  'Owner last name',
  'Stage',
  'Entity type',
  'Owner e-mail',
  'Owner SSN',
  'Owner date of birth',
  'Company EIN',
  'Use of proceeds',
  'Owner address ZIP',
  'Company website',
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

describe.skipIf(!hasLibreOffice)('a results workbook that is corrected in LibreOffice', () => {
  let place: Workplace;
  let service: RunningSandbox;

  beforeEach(async () => {
    place = newWorkplace();
    service = await startSandbox({ ...defaultSandboxOptions, fixedToken: token });
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

  async function load(file: string, results: string): Promise<{ exitCode: number; counts: Record<string, number> }> {
    const words = ['import', file, '--url', service.url, '--yes', '--json', '--results', results];
    const { exitCode, stdout, stderr } = await place.run(words, { env: { DEALSHEET_TOKEN: token } });
    expect(stdout, stderr).not.toBe('');
    return { exitCode, counts: (JSON.parse(stdout) as { counts: Record<string, number> }).counts };
  }

  /** Puts the right values into the wrong cells of so many rows, and has LibreOffice save the file. */
  async function correct(file: string, most: number): Promise<void> {
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(place.path(file));
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
    mkdirSync(place.path('saved'), { recursive: true });
    const profile = `-env:UserInstallation=file://${place.path('profile')}`;
    const words = [
      '--headless',
      profile,
      '--convert-to',
      'xlsx:Calc MS Excel 2007 XML',
      '--outdir',
      place.path('saved'),
    ];
    execFileSync('soffice', [...words, place.path(file)], { stdio: 'ignore' });
    renameSync(place.path(`saved/${file}`), place.path(file));
  }

  it('brings every row in, each once, round after round', async () => {
    const table: Table = [
      headers,
      ...Array.from({ length: rows }, (_, n) => {
        const row = goodRow(n);
        const mistake = mistakeOf(n);
        if (mistake !== undefined) row[mistake[0]] = mistake[1];
        return headers.map((header) => row[header]);
      }),
    ];
    await writeWorkbook(place.path('month.xlsx'), { Deals: table });
    const first = await load('month.xlsx', 'one.xlsx');
    expect(first).toMatchObject({ exitCode: 1, counts: { rows, created: rows - wrongRows, invalid: wrongRows } });

    await correct('one.xlsx', 40);
    const second = await load('one.xlsx', 'two.xlsx');
    expect(second).toMatchObject({
      exitCode: 1,
      counts: { created: 40, invalid: 20, alreadyLoaded: rows - wrongRows },
    });

    await correct('two.xlsx', 20);
    const third = await load('two.xlsx', 'three.xlsx');
    expect(third).toMatchObject({ exitCode: 0, counts: { created: 20, alreadyLoaded: rows - 20 } });

    const fourth = await load('three.xlsx', 'four.xlsx');
    expect(fourth).toMatchObject({ exitCode: 0, counts: { created: 0, alreadyLoaded: rows } });

    const names = [...service.accepted()].map(
      ({ body }) => (JSON.parse(body) as { company: { name: string } }).company.name,
    );
    expect(names).toHaveLength(rows);
    expect(new Set(names).size).toBe(rows);
    const amounts = [...service.accepted()].map(
      ({ body }) => (JSON.parse(body) as { amountRequested: number }).amountRequested,
    );
    expect(amounts.sort((one, other) => one - other)).toEqual(Array.from({ length: rows }, (_, n) => 1000 + n));
  });
});

/** Deals of 33 columns by the hundred thousand, as CSV or XLSX, for benchmarks. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createSheetWriter } from '../../src/report/results-file.ts';

export const sampleHeaders = [
  'Amount requested',
  'Stage',
  'Company name',
  'Company DBA',
  'Company address line 1',
  'Company address city',
  'Company address state',
  'Company address ZIP',
  'Company phone',
  'Company e-mail',
  'Company industry',
  'Company website',
  'Company start date',
  'Company EIN',
  'Company state incorporated',
  'Owner 1 first name',
  'Owner 1 last name',
  'Owner 1 SSN',
  'Owner 1 date of birth',
  'Owner 1 phone',
  'Owner 1 e-mail',
  'Owner 1 address line 1',
  'Owner 1 address city',
  'Owner 1 address state',
  'Owner 1 address ZIP',
  'Owner 1 ownership',
  'Owner 1 credit score',
  'Entity type',
  'Use of proceeds',
  'Average monthly gross',
  'Gross annual',
  'Bank deposits',
  'Tags',
];

export function sampleDeal(number: number): readonly string[] {
  const digits = String(number).padStart(6, '0');
  return [
    String(10_000 + number),
    number % 2 === 0 ? 'Lead' : 'Application',
    `Harbor Bakery ${number} LLC`,
    `Harbor ${number}`,
    `${number} Main Street`,
    'Albany',
    'NY',
    '12207',
    `(518) 555-${digits.slice(-4)}`,
    `office${number}@example.com`,
    'Bakeries',
    `https://bakery${number}.example`,
    '2015-03-01',
    `12-3${digits.slice(-6)}`,
    'NY',
    'Ada',
    `Moreno ${number}`,
    `219-09-${digits.slice(-4) === '0000' ? '0001' : digits.slice(-4)}`,
    '1980-04-17',
    `518-555-${digits.slice(-4)}`,
    `owner${number}@example.com`,
    `${number} Elm Street`,
    'Albany',
    'NY',
    '12208',
    '60',
    '705',
    'LLC',
    'Second oven and a delivery van',
    '42000',
    '504000.5',
    '39000',
    'renewal; food',
  ];
}

/** Writes deals, from a number on, with the writers of the project, in constant memory. */
export async function writeSampleDeals(path: string, rows: number, first = 1): Promise<void> {
  const end = first + rows;
  if (path.endsWith('.csv')) {
    const out = createWriteStream(path);
    out.write(`${sampleHeaders.join(',')}\r\n`);
    for (let number = first; number < end; number += 1) {
      if (!out.write(`${sampleDeal(number).join(',')}\r\n`)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'close');
    return;
  }
  const writer = await createSheetWriter(path, { mode: 0o644, properties: {} });
  const columns = sampleHeaders.map(() => ({ width: 14 }));
  const sheet = await writer.addSheet({
    name: 'Deals',
    columns,
  });
  await sheet.addRow(sampleHeaders);
  const numeric = new Set([0, 25, 26, 29, 30, 31]);
  for (let number = first; number < end; number += 1) {
    const texts = sampleDeal(number);
    await sheet.addRow(texts.map((text, index) => (numeric.has(index) ? Number(text) : text)));
  }
  await writer.finish();
}

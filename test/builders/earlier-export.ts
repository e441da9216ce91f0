/** A small export of last month, which the next one may replace. */
import { readFileSync } from 'node:fs';
import { createXlsxWriter } from '../../src/tables/xlsx/workbook-writer.ts';

const mode = 0o640;
const sheet = { name: 'Balances', columns: [] } as const;

/** @returns its bytes */
export async function writeEarlierExport(path: string, rows: readonly string[][] = []): Promise<Buffer> {
  const properties = { 'dealsheet-export': 'balances' };
  const writer = await createXlsxWriter(path, { mode, properties });
  const written = await writer.addSheet(sheet);
  for (const row of [['loanId', 'balance'], ...rows]) await written.addRow(row);
  await writer.finish();
  return readFileSync(path);
}

/** A small export of last month, which the next one may replace. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { createXlsxWriter } from '../../src/sheets/xlsx/workbook-writer.ts';

const mode = 0o640;
const sheet = { name: 'Balances', columns: [], header: 'plain' } as const;

/** @returns its bytes */
export async function writeEarlierExport(path: string, rows: readonly string[][] = []): Promise<Buffer> {
  switch (extname(path)) {
    case '.json':
      writeFileSync(path, '[\n{"loanId":"loan_0"}\n]\n', { mode });
      break;
    default: {
      const writer = await createXlsxWriter(path, {
        mode,
        compression: 1,
        properties: { 'dealsheet-export': 'balances' },
      });
      const written = await writer.addSheet(sheet);
      for (const row of [['loanId', 'balance'], ...rows]) await written.addRow(row);
      await writer.finish();
    }
  }
  return readFileSync(path);
}

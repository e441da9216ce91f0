/** A table as the project reads it. */
import { openSource } from '../../src/tables/open-source.ts';
import type { SheetRow } from '../../src/tables/row.ts';
import type { SourceOptions } from '../../src/tables/source.ts';

/** The rows of all its sheets, their names, and what is said of the file. */
export async function readTable(path: string, options: Partial<SourceOptions> = {}) {
  const source = await openSource(path, { name: path, encoding: null, delimiter: null, ...options });
  try {
    const rows: SheetRow[] = [];
    for (const sheet of source.sheets) for await (const row of sheet.rows()) rows.push(row);
    return { rows, sheets: source.sheets.map(({ name }) => name), notices: source.notices };
  } finally {
    await source.close();
  }
}

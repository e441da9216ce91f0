/** Makes a template: a workbook with a sheet for each kind, and a guide. Everything comes from the schemas. */
import { extname } from 'node:path';
import { type Field, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { usageError } from '../errors.ts';
import { addGuide } from './template-guide.ts';
import { addTemplateSheet, isByWhichKnown, listsOf, type TemplateOptions, templateHeader } from './template-sheet.ts';

/**
 * The bytes of a template: a workbook, or the header line of one kind if the path ends in .csv.
 *
 * @throws DealsheetError `usage` for a CSV of several kinds
 */
export async function templateBytes(
  kinds: readonly RecordKind[],
  path: string,
  options: TemplateOptions,
): Promise<Buffer> {
  if (extname(path).toLowerCase() === '.csv') return Buffer.from(csvTemplate(kinds, options));
  // Imported only here, because it is large.
  const { Workbook, madeAt } = await import('./excel-workbook.ts');
  const workbook = Object.assign(new Workbook(), { creator: 'Dealsheet', created: madeAt, modified: madeAt });
  addGuide(workbook, kinds, (kind) => shownFields(kind, options));
  const rangeOf = listsOf(workbook);
  for (const kind of kinds) addTemplateSheet(workbook, kind, shownFields(kind, options), options, rangeOf);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** The fields of a kind's template in column order. Those that stay in view come first. */
function shownFields(kind: RecordKind, { columns }: Pick<TemplateOptions, 'columns'>): readonly Field[] {
  if (typeof columns !== 'string') return columns;
  const fields = templateFieldsOf(kind, columns);
  const first = fields.filter((field) => isByWhichKnown(field, kind));
  return [...first, ...fields.filter((field) => !first.includes(field))];
}

function csvTemplate(kinds: readonly RecordKind[], options: TemplateOptions): string {
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    throw usageError('A CSV file has room for one kind.', 'Name one kind, or give -o a name that ends in .xlsx.');
  }
  const fields = shownFields(kind, options);
  const lines = [
    fields.map((field) => templateHeader(field, kind)),
    ...(options.examples ? [fields.map(({ facts }) => facts.example)] : []),
  ];
  const quoted = (cell: string) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `\uFEFF${lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}`;
}

/**
 * Companies as they are, in the columns of an update template. The last column of each row holds what was exported, so
 * that an import can tell what a person has changed: it goes along when rows are sorted, copied, or saved as CSV.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { RecordKind } from '../contract/record-kind.ts';
import { filterButton } from '../sheets/excel-limits.ts';
import type { SheetWriter } from '../sheets/sheet-writer.ts';
import { addExportSheet, type ExportColumn, type ExportRow } from './export-sheet.ts';

/** In parentheses, so that it is no column to load. Hidden in a workbook, where it is of no use to the eye. */
export const exportedHeader = '(As exported: leave this column as it is)';

const exportedSchema = z.object({
  id: z.string(),
  /** The mark of the service that it was read from ({@link serviceMark}); `null` in an export that names none. */
  service: z.string().nullable().default(null),
  /** When it was read (ISO 8601, UTC); `null` in an export of an earlier version. */
  exportedAt: z.string().nullable().default(null),
  /** The text of each cell by the path of its field; blank cells are left out. */
  values: z.record(z.string(), z.string()),
  /** Fields of the body that hold more than the columns show: a list among them cannot be changed here. */
  locked: z.array(z.string()).default([]),
});
export type ExportedCompany = z.output<typeof exportedSchema>;

export interface UpdateColumn {
  readonly path: string;
  /** The label of a field, or an open path in braces. */
  readonly header: string;
}

/** In characters: of a longer text its digest is kept. */
const longestKept = 200;
const hashMark = 'sha256:';
/** Hexadecimal digits: 128 bits tell any two texts apart, 64 the services of one person. */
const digestLength = 32;
const markLength = 16;
const narrowest = 24;

/** The text of the last column. A long value is known by its digest, except in a list, which is sent as a whole. */
export function encodeExported(company: ExportedCompany): string {
  const kept = Object.entries(company.values).map(([path, text]) => [
    path,
    text.length > longestKept && !path.includes('[') ? digestOf(text) : text,
  ]);
  return JSON.stringify({ ...company, values: Object.fromEntries(kept) });
}

/** @returns `null` for a text that was not written here, or was changed */
export function decodeExported(text: string): ExportedCompany | null {
  try {
    return exportedSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** By which an export is known to be of a service, without its address: the file may go to others. */
export function serviceMark(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, markLength);
}

/** Whether a cell still says what was exported, whatever a spreadsheet has done to its line ends and edges. */
export function isAsExported(text: string, exported: string | undefined): boolean {
  if (exported === undefined) return text === '';
  return evened(text) === evened(exported) || digestOf(evened(text)) === exported;
}

export function addUpdateSheet(
  writer: SheetWriter,
  kind: RecordKind,
  columns: readonly UpdateColumn[],
  companies: Iterable<ExportedCompany>,
): Promise<void> {
  function* rows(): Generator<ExportRow> {
    for (const company of companies) {
      const values: Readonly<Record<string, string>> = { companyId: company.id, ...company.values };
      yield [...columns.map(({ path }) => values[path] ?? null), encodeExported(company)];
    }
  }
  const shown = columns.map(({ header }): ExportColumn => {
    return { label: header, look: 'text', width: Math.max(narrowest, header.length + filterButton) };
  });
  const exported = { label: exportedHeader, look: 'text', width: narrowest, hidden: true } as const;
  // The company, and its name, stay in sight.
  const sheet = { name: kind.sheet, columns: [...shown, exported], totals: null, frozenColumns: 2 };
  return addExportSheet(writer, { ...sheet, rows: rows() });
}

function evened(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

function digestOf(text: string): string {
  return hashMark + createHash('sha256').update(evened(text)).digest('hex').slice(0, digestLength);
}

/**
 * Writes existing companies in the columns of an update template. The last column of each row holds its service and what was
 * exported, so that an import detects both even after rows are sorted, copied, or saved as CSV.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { RecordKind } from '../contract/record-kind.ts';
import { filterButton } from '../tables/excel-limits.ts';
import type { SheetWriter } from '../tables/sheet-writer.ts';
import { addExportSheet, type ExportColumn, type ExportRow } from './export-sheet.ts';

/** In parentheses, so that it is not loaded. Hidden in a workbook, because it is not for people. */
export const exportedHeader = '(As exported: leave this column as it is)';

const exportedSchema = z.object({
  id: z.string(),
  /** The mark of the service that it came from ({@link serviceMark}); `null` in an export without one. */
  service: z.string().nullable(),
  /** When it was read (ISO 8601, UTC). */
  exportedAt: z.string().nullable(),
  /** The text of each cell by field path, without blank cells; `null` if the values in the service are unknown. */
  values: z.record(z.string(), z.string()).nullable(),
  /** Fields with more than the columns show. A list among them cannot be changed here. */
  locked: z.array(z.string()),
});
export type ExportedCompany = z.output<typeof exportedSchema>;

/** The cells are by field path. */
export type CompanyRow = readonly [exported: ExportedCompany, cells: Readonly<Record<string, string>>];

export interface UpdateColumn {
  readonly path: string;
  /** The label of a field, or an open path in braces. */
  readonly header: string;
}

/** In characters. Only the digest of a longer text is kept. */
const longestKept = 200;
const hashMark = 'sha256:';
/** In hexadecimal digits: 128 bits distinguish any two texts, 64 bits one person's services. */
const digestLength = 32;
const markLength = 16;
const narrowest = 24;

/** The text of the last column. A long value is stored as a digest, unless it is part of a list, which is sent whole. */
export function encodeExported(company: ExportedCompany): string {
  const kept = Object.entries(company.values ?? {}).map(([path, text]) => [
    path,
    text.length > longestKept && !path.includes('[') ? digestOf(text) : text,
  ]);
  const said = { ...company, values: company.values && Object.fromEntries(kept) };
  return JSON.stringify({ ...said, check: checkOf(said) });
}

/** @returns `null` for a text from elsewhere, or one that was changed, also by a replacement over the whole sheet */
export function decodeExported(text: string): ExportedCompany | null {
  try {
    const { check, ...said } = JSON.parse(text);
    return check === checkOf(said) ? (exportedSchema.safeParse(said).data ?? null) : null;
  } catch {
    return null;
  }
}

const checkOf = (said: object) => serviceMark(JSON.stringify(said));

/** Identifies the service of an export without its address, because the file may be passed on. */
export function serviceMark(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, markLength);
}

/** Whether a cell still has the exported value, apart from line ends and surrounding blanks. */
export function isAsExported(text: string, exported: string | undefined): boolean {
  if (exported === undefined) return text === '';
  return evened(text) === evened(exported) || digestOf(evened(text)) === exported;
}

export function addUpdateSheet(
  writer: SheetWriter,
  kind: RecordKind,
  columns: readonly UpdateColumn[],
  companies: Iterable<CompanyRow>,
): Promise<void> {
  function* rows(): Generator<ExportRow> {
    for (const [exported, cells] of companies) {
      const values: CompanyRow[1] = { companyId: exported.id, ...cells };
      yield [...columns.map(({ path }) => values[path] ?? null), encodeExported(exported)];
    }
  }
  const shown = columns.map(({ header }): ExportColumn => {
    return { label: header, look: 'text', width: Math.max(narrowest, header.length + filterButton) };
  });
  const exported = { label: exportedHeader, look: 'text', width: narrowest, hidden: true } as const;
  // The company's id and name stay in view.
  const sheet = { name: kind.sheet, columns: [...shown, exported], totals: null, frozenColumns: 2 };
  return addExportSheet(writer, { ...sheet, rows: rows() });
}

function evened(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

function digestOf(text: string): string {
  return hashMark + createHash('sha256').update(evened(text)).digest('hex').slice(0, digestLength);
}

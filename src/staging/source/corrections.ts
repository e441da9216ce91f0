/**
 * Corrections that a person made without changing the source: single cells, or a value throughout a column. A private
 * file keeps them, so that a resume reads the rows as they were sent.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { folderOwnerOnly, ownerOnly } from '../../disk/new-file.ts';
import { trimmedText } from '../../mapping/reading.ts';
import { errorOf } from '../../messages/text.ts';
import { type Cell, cellAt, type SheetRow } from '../../tables/row.ts';
import { type Source, withRows } from '../../tables/source.ts';

export const correctionSchema = z.strictObject({
  sheet: z.string(),
  /** From 0. */
  column: z.int().min(0),
  /** One row, or `null` for all below the headers. The cell must show `from`, because the file may change. */
  row: z.int().nullable(),
  below: z.int(),
  from: z.string(),
  to: z.string(),
});
export type Correction = z.output<typeof correctionSchema>;

export interface NamedCorrections {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly corrections: readonly Correction[];
}

const ending = '.corrections';
/** Protects the corrections of a load that has not yet recorded that it needs them. */
const youngMs = 3_600_000;

/** @param folder of the private copies; created if missing */
export function keepCorrections(folder: string, corrections: readonly Correction[]): NamedCorrections {
  const text = JSON.stringify(corrections);
  const digest = hash('sha256', text);
  const path = join(folder, `${digest}${ending}`);
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  writeFileSync(path, text, { mode: ownerOnly });
  return { path, digest, corrections };
}

type Place = Pick<NamedCorrections, 'path' | 'digest'>;

/** Returns `null` if the file is missing or changed. */
export function correctionsAt({ path, digest }: Place): NamedCorrections | null {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (hash('sha256', text) !== digest) return null;
  return { path, digest, corrections: z.array(correctionSchema).parse(JSON.parse(text)) };
}

/** @throws DealsheetError `unreadable-source` if the file is missing or changed */
export function readSameCorrections(place: Place): NamedCorrections {
  const there = correctionsAt(place);
  if (there !== null) return there;
  throw errorOf('corrections-gone', { path: place.path });
}

/** The paths of the corrections that are too old to belong to a load that is starting. */
export function keptCorrections(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const paths = names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  return paths.filter((path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > youngMs);
}

export function corrected(source: Source, named: NamedCorrections | null): Source {
  const sheets = source.sheets.map((sheet) => {
    const ofSheet = (named?.corrections ?? []).filter((one) => one.sheet === sheet.name);
    return ofSheet.length === 0 ? sheet : withRows(sheet, (row) => ofSheet.reduce(correctedRow, row));
  });
  return { ...source, sheets };
}

function correctedRow(row: SheetRow, { column, row: only, below, from, to }: Correction): SheetRow {
  if (only === null ? row.number <= below : row.number !== only) return row;
  const shown = trimmedText(cellAt(row, column));
  if (shown !== from.trim() || (only === null && shown === '')) return row;
  const values: Cell[] = [...row.values, ...new Array<null>(Math.max(0, column + 1 - row.values.length)).fill(null)];
  values[column] = to === '' ? null : to;
  return { ...row, values };
}

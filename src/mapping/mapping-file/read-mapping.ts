/** Reads a mapping from its file, or says what is wrong in it and where. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { contradictionsIn } from './contradictions.ts';
import { type Mapping, mappingSchema } from './mapping.ts';
import { repeatedNames } from './repeated-names.ts';

/** A mapping as a load used it: so that a resume can tell whether it is still the same. */
export interface NamedMapping {
  readonly mapping: Mapping;
  readonly path: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly digest: string;
}

/** @throws DealsheetError `usage` with every fault, each with its place in the file */
export function readMapping(file: string): NamedMapping {
  const path = resolve(file);
  const bytes = bytesOf(path, file);
  const text = bytes.toString('utf8');
  const parsed = mappingSchema.safeParse(jsonOf(text, file));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path: place, message }) => `${place.length === 0 ? 'the file' : placeOf(place)}: ${message}`,
    );
    throw unusable(file, faults);
  }
  const twice = repeatedNames(text).map((name) => `"${name}" stands twice in one place. Keep one of them.`);
  const contradictions = [...twice, ...contradictionsIn(parsed.data)];
  if (contradictions.length > 0) throw unusable(file, contradictions);
  return { mapping: parsed.data, path, digest: createHash('sha256').update(bytes).digest('hex') };
}

/** @throws DealsheetError `usage` when the mapping of an earlier run is not what it was */
export function readSameMapping({ path, digest }: Pick<NamedMapping, 'path' | 'digest'>): NamedMapping {
  const found = readMapping(path);
  if (found.digest === digest) return found;
  throw new DealsheetError(
    'usage',
    `The mapping ${path} has been changed since the run began with it.`,
    'Bring it back as it was, and go on; or import the file again with the new one. Nothing was sent.',
  );
}

function bytesOf(path: string, file: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new DealsheetError(
      'usage',
      `The mapping ${file} cannot be read.`,
      'Name the file that dealsheet map has written. Nothing was sent.',
      { cause },
    );
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw unusable(file, [`it is not JSON: ${cause instanceof Error ? cause.message : 'it cannot be read'}`], cause);
  }
}

function placeOf(place: readonly PropertyKey[]): string {
  return place.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text === '' ? '' : `${text} › `}${String(part)}`,
    '',
  );
}

function unusable(file: string, faults: readonly string[], cause?: unknown): DealsheetError {
  return new DealsheetError(
    'usage',
    `The mapping ${file} cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'Correct it and try again. Nothing was sent.',
    { cause },
  );
}

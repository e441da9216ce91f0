/** Reads a mapping from its file, and reports what is wrong in it and where. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultsIn } from '../../contract/profile-parts.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import type { Message } from '../../messages/message.ts';
import { textIn } from '../../messages/plain-text.ts';
import { errorOf, inPlace, messageOf } from '../../messages/text.ts';
import { placeNamed } from '../headers.ts';
import { valueName } from './made-cells.ts';
import { headerName } from './mapped-sheet.ts';
import { type Mapping, mappingSchema, type SheetMappingRules } from './mapping.ts';

/** A mapping with its digest, so that a resume can tell whether it has changed. */
export interface NamedMapping {
  readonly mapping: Mapping;
  readonly path: string;
  readonly digest: string;
}

/** @throws DealsheetError `usage` with every fault and its place in the file */
export function readMapping(file: string): NamedMapping {
  const path = resolve(file);
  const bytes = bytesOf(path, file);
  const text = textIn(bytes);
  const parsed = mappingSchema.safeParse(jsonOf(text, file));
  if (!parsed.success) {
    const faults = faultsIn(parsed.error.issues).map(({ path: place, message }) =>
      inPlace(placeOf(place) || 'the file', message),
    );
    throw errorOf('mapping-unusable', { file, faults });
  }
  const twice = repeatedNames(text).map((name) => messageOf('mapping-name-twice', { name }));
  const contradictions = [...twice, ...contradictionsIn(parsed.data)];
  if (contradictions.length > 0) throw errorOf('mapping-unusable', { file, faults: contradictions });
  return { mapping: parsed.data, path, digest: hash('sha256', bytes) };
}

/** @throws DealsheetError `usage` when the mapping has changed since the run began */
export function readSameMapping({ path, digest }: Pick<NamedMapping, 'path' | 'digest'>): NamedMapping {
  const found = readMapping(path);
  if (found.digest !== digest) throw errorOf('mapping-changed', { path });
  return found;
}

function bytesOf(path: string, file: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw errorOf('settings-unreadable', { path: file, code: (cause as NodeJS.ErrnoException).code ?? '' }, cause);
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const faults = [messageOf('mapping-no-json', { why: (cause as Error).message })];
    throw errorOf('mapping-unusable', { file, faults }, cause);
  }
}

function placeOf(place: readonly PropertyKey[]): string {
  return place.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text === '' ? '' : `${text} › `}${String(part)}`,
    '',
  );
}

/** Names that occur twice in one object of a JSON text, because parsing silently keeps only the last. */
function repeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = String(JSON.parse(token.slice(0, -colon.length)));
      const names = open.at(-1);
      if (names?.has(name) === true) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}

/** What a mapping declares twice, because one of two rules for the same thing would silently be ignored. */
function contradictionsIn({ sheets, ignoreSheets = [] }: Mapping): readonly Message[] {
  const names = sheets.flatMap(({ sheet }) => sheet ?? []);
  const isNameless = sheets.length > 1 && names.length < sheets.length;
  return [
    ...sameIn('sheets', [...names, ...ignoreSheets], headerName),
    ...(isNameless ? [inPlace('sheets', messageOf('mapping-sheet-nameless'))] : []),
    ...sheets.flatMap((rules, index) => contradictionsOf(rules, `sheets[${index}] ›`)),
  ];
}

function contradictionsOf(rules: SheetMappingRules, place: string): readonly Message[] {
  const { kind, columns, defaults = {}, blanks = [], joins = [] } = rules;
  const strangers = joins.flatMap(({ field, columns: names, minus = [] }) => {
    const joinedNames = names.map(headerName);
    const unknown = minus.filter((name) => !joinedNames.includes(headerName(name)));
    return unknown.map((name) => inPlace(`${place} joins › ${field}`, messageOf('mapping-minus-unjoined', { name })));
  });
  const values = Object.entries(columns).flatMap(([header, rule]) => {
    const pairs = rule === null || typeof rule === 'string' ? [] : Object.entries(rule.values ?? {});
    const taken = pairs.flatMap(([from, to]) => (to === '' || to === null ? [] : [from.trim()]));
    const names = pairs.map(([from]) => from);
    const dead = blanks.filter((word) => taken.includes(word.trim()));
    const at = `${place} columns › ${header} › values`;
    return [
      ...sameIn(at, names, valueName),
      ...dead.map((word) => inPlace(at, messageOf('mapping-value-blank', { word }))),
    ];
  });
  return [
    ...sameIn(`${place} columns`, Object.keys(columns), headerName),
    ...values,
    ...sameIn(`${place} defaults`, Object.keys(defaults), (name) => placeNamed(recordKind(kind), name) ?? name),
    ...strangers,
  ];
}

function sameIn(place: string, names: readonly string[], keyOf: (name: string) => string): readonly Message[] {
  const first = new Map(names.toReversed().map((name) => [keyOf(name), name]));
  const repeated = names.filter((name, index) => names.findIndex((other) => keyOf(other) === keyOf(name)) < index);
  return repeated.map((name) =>
    inPlace(place, messageOf('mapping-names-same', { first: first.get(keyOf(name)) ?? '', name })),
  );
}

/** Makes a mapping from what a person decided about the columns of a file, and stores it. */
import { mkdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { RecordKind } from '../contract/record-kind.ts';
import { folderOwnerOnly, isFree, nextFreeName, ownerOnly } from '../disk/new-file.ts';
import { writeWhole } from '../disk/output-guard.ts';
import type { Mapping } from '../mapping/mapping-file/mapping.ts';
import { type NamedMapping, readMapping } from '../mapping/mapping-file/read-mapping.ts';
import { type ColumnPlace, columnQuestions, type Draft, draftMapping, withRule } from '../staging/draft-mapping.ts';

/** @param said  what the rows of a sheet are, by its name; `null` where it is left out */
export function draftOf(
  file: string,
  kind: RecordKind | null,
  said: ReadonlyMap<string, RecordKind | null> = new Map(),
  before: Mapping | null = null,
  encoding: string | null = null,
): Promise<Draft> {
  const kinds = new Map([...said].flatMap(([name, of]) => (of === null ? [] : [[name, of] as const])));
  const ignoredSheets = [...said].flatMap(([name, of]) => (of === null ? [name] : []));
  return draftMapping({ file, kind, kinds, ignoredSheets, before, encoding, sheet: null, delimiter: null });
}

/** The draft with the decided field of each column; `null` leaves the column out. Undecided values are left to the checks. */
export function decidedMapping(
  { mapping, ruleOf }: Draft,
  decided: readonly (ColumnPlace & { readonly field: string | null })[],
): Mapping {
  const whole = decided.reduce(
    (made, { field, ...place }) => withRule(made, place, field === null ? null : ruleOf(place, field)),
    mapping,
  );
  return { ...whole, sheets: whole.sheets.map((rules) => ({ ...rules, columns: withoutOpen(rules.columns) })) };
}

function withoutOpen(columns: Mapping['sheets'][number]['columns']): Mapping['sheets'][number]['columns'] {
  return Object.fromEntries(
    Object.entries(columns).map(([header, rule]) => {
      if (rule === null || typeof rule === 'string') return [header, rule];
      const { values = {}, samples: _samples, suggestions: _suggestions, ...rest } = rule;
      const known = Object.entries(values).filter(([, to]) => to !== null);
      return [header, known.length === 0 ? rest : { ...rest, values: Object.fromEntries(known) }];
    }),
  );
}

/** `null` unless the field of every column is certain. */
export async function plainMapping(file: string, kind: RecordKind | null): Promise<Mapping | null> {
  const draft = await draftOf(file, kind);
  const isSure = columnQuestions(draft.mapping).length === 0 && draft.unknown.length === 0;
  return isSure ? decidedMapping(draft, []) : null;
}

/** Never overwrites a mapping, because runs read theirs again. */
export function keepMapping(mapping: Mapping, folder: string, file: string): NamedMapping {
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const plain = join(folder, `${basename(file, extname(file))}.json`);
  const path = isFree(plain) ? plain : nextFreeName(plain);
  writeWhole(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx', mode: ownerOnly });
  return readMapping(path);
}

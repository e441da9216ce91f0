/** How a file with other headers is read, as a person says it on the page: the draft of `dealsheet map`, and what was decided. */
import { mkdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { nextFreeName } from '../disk/free-name.ts';
import { DealsheetError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { fieldOfHeader } from '../mapping/headers.ts';
import type { ColumnRule, Mapping } from '../mapping/mapping-file/mapping.ts';
import { type NamedMapping, readMapping } from '../mapping/mapping-file/read-mapping.ts';
import { writeWhole } from '../report/output-guard.ts';
import { columnQuestions, type Draft, draftMapping, withRule } from '../staging/draft-mapping.ts';
import type { ColumnDecided, MappingShown } from './protocol.ts';

export function draftOf(file: string, kind: RecordKind | null): Promise<Draft> {
  const all = { kinds: new Map(), sheet: null, ignoredSheets: [], encoding: null, delimiter: null };
  return draftMapping({ file, kind, ...all });
}

export function mappingShown({ mapping, unknown }: Draft): MappingShown {
  const questions = columnQuestions(mapping);
  const sheets = mapping.sheets.map(({ sheet = '', kind, columns }, at) => ({
    name: sheet,
    fields: fieldsOf(recordKind(kind)).map(({ label }) => label),
    columns: Object.entries(columns).map(([header, rule]) => {
      const asked = questions.find((question) => question.sheet === at && question.header === header);
      const field = typeof rule === 'string' ? rule : (rule?.field ?? null);
      return {
        header,
        samples: asked?.samples ?? [],
        field: asked === undefined ? field : null,
        isOpen: asked !== undefined,
        suggestions: asked?.suggestions.map((one) => one.field) ?? [],
        isMade: typeof rule === 'object' && rule?.split !== undefined,
      };
    }),
  }));
  return { sheets, unknown };
}

/** The draft with what was decided; values that nobody decided are left to the checks. */
export function decidedMapping({ mapping, ruleOf }: Draft, decided: readonly ColumnDecided[]): Mapping {
  const whole = decided.reduce((made, { sheet, header, field }) => {
    const kind = mapping.sheets[sheet]?.kind;
    const found = kind === undefined || field === null ? null : fieldOfHeader(recordKind(kind), field);
    return withRule(made, { sheet, header }, found === null ? null : ruleOf({ sheet, header }, found));
  }, mapping);
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

/** The mapping of a file whose columns leave no question. */
export async function plainMapping(file: string, kind: RecordKind | null): Promise<Mapping> {
  const draft = await draftOf(file, kind);
  if (columnQuestions(draft.mapping).length === 0 && draft.unknown.length === 0) return decidedMapping(draft, []);
  throw new DealsheetError(
    'usage',
    'What each column is has to be said before a value is kept for every month.',
    'Say it under “How it is read”.',
  );
}

export function withValue(
  mapping: Mapping,
  { sheet, header, from, to }: { sheet: string; header: string; from: string; to: string },
): Mapping {
  const named = mapping.sheets.findIndex((rules) => rules.sheet === sheet);
  const at = named < 0 ? 0 : named;
  const rule = mapping.sheets[at]?.columns[header];
  if (rule == null || (typeof rule === 'object' && rule.field == null))
    throw new DealsheetError(
      'usage',
      `The column ${header} is made of several, or left out.`,
      'Replace the value in this file alone.',
    );
  const whole: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
  return withRule(mapping, { sheet: at, header }, { ...whole, values: { ...whole.values, [from]: to } });
}

/** Writes it down under the name of the file, and never over another: runs read theirs again. */
export function keepMapping(mapping: Mapping, folder: string, file: string): NamedMapping {
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const path = nextFreeName(join(folder, `${basename(file, extname(file))}.json`));
  writeWhole(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx', mode: ownerOnly });
  return readMapping(path);
}

/** Converts a draft mapping to what the page shows, and the decisions of the page to a mapping. */
import { fieldsOf, mustBeFilled, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { usageError } from '../errors.ts';
import { decidedMapping } from '../load/kept-mapping.ts';
import { fieldOfHeader } from '../mapping/headers.ts';
import { splitLabel, splitsOf } from '../mapping/mapping-file/draft.ts';
import { headerName, rulesFor } from '../mapping/mapping-file/mapped-sheet.ts';
import type { ColumnRule, Mapping } from '../mapping/mapping-file/mapping.ts';
import { columnQuestions, type Draft, withRule } from '../staging/draft-mapping.ts';
import type { Given, MappingShown } from './protocol.ts';

export function mappingShown({ mapping, sheets, unknown }: Draft): MappingShown {
  const questions = columnQuestions(mapping);
  const shown = sheets.map(({ name, at }) => {
    const { kind = null, columns = {}, constants = {}, joins = [] } = mapping.sheets[at ?? -1] ?? {};
    const fields =
      kind === null
        ? []
        : [
            ...fieldsOf(recordKind(kind)).map((field) => ({
              label: field.label,
              isCommon: templateFieldsOf(recordKind(kind), 'common').includes(field),
            })),
            ...splitsOf(recordKind(kind)),
          ];
    const labels = (common: boolean) => fields.filter(({ isCommon }) => isCommon === common).map(({ label }) => label);
    return {
      name,
      kind,
      isOpen: unknown.includes(name),
      fields: labels(true),
      rareFields: labels(false),
      needed: (kind === null ? [] : neededOf(recordKind(kind)))
        .filter((needed) => joins.every(({ field }) => field !== needed.field))
        .map((needed) => ({ ...needed, value: constants[needed.field] ?? '' })),
      columns: Object.entries(columns).map(([header, rule]) => {
        const asked = questions.find((question) => question.sheet === at && question.header === header);
        const several = typeof rule === 'object' && rule?.split ? splitLabel(rule.split.fields) : null;
        const named = typeof rule === 'string' ? rule : (rule?.field ?? null);
        const field = several ?? labelOf(kind, named);
        return {
          header,
          samples: asked?.samples ?? [],
          field: asked === undefined ? field : null,
          isOpen: asked !== undefined,
          suggestions: asked?.suggestions.map((one) => one.field) ?? [],
        };
      }),
    };
  });
  return { sheets: shown };
}

/** A mapping names a field by label, alias or path. */
function labelOf(kind: RecordKindName | null, name: string | null): string | null {
  const field = kind === null || name === null ? null : fieldOfHeader(recordKind(kind), name);
  return field?.label ?? name;
}

function neededOf(kind: RecordKind) {
  const needed = fieldsOf(kind).filter((field) => mustBeFilled(field, kind));
  return needed.map(({ label, choices }) => ({ field: label, choices: choices ?? [] }));
}

/** The draft with the person's decisions. Decisions about a sheet that is now left out are ignored. */
export function mappingDecided(
  draft: Draft,
  { decided, constants }: Pick<Given<'map'>, 'decided' | 'constants'>,
): Mapping {
  const placeOf = (sheet: string) => draft.sheets.find(({ name }) => name === sheet)?.at ?? null;
  const known = decided.flatMap(({ sheet, ...column }) => {
    const at = placeOf(sheet);
    return at === null ? [] : [{ ...column, sheet: at }];
  });
  const mapping = decidedMapping(draft, known);
  const sheets = mapping.sheets.map((rules, at) => {
    const { constants: before = {}, ...others } = rules;
    const said = constants.flatMap(({ sheet, field, value }) =>
      placeOf(sheet) === at ? [[field, value.trim()] as const] : [],
    );
    const inColumns = Object.values(rules.columns).flatMap(
      (rule) => labelOf(rules.kind, typeof rule === 'string' ? rule : (rule?.field ?? null)) ?? [],
    );
    const same = Object.entries({ ...before, ...Object.fromEntries(said) }).filter(
      ([field, value]) => value !== '' && !inColumns.includes(field),
    );
    return same.length === 0 ? others : { ...others, constants: Object.fromEntries(same) };
  });
  return { ...mapping, sheets };
}

export function withValue(
  mapping: Mapping,
  { sheet, header, from, to }: { sheet: string; header: string; from: string; to: string },
): Mapping {
  const [only, second] = mapping.sheets;
  const rules = second === undefined ? only : rulesFor(mapping, sheet);
  const named = Object.keys(rules?.columns ?? {}).find((name) => headerName(name) === headerName(header)) ?? header;
  const rule = rules?.columns[named];
  if (rules === undefined || rule == null || (typeof rule === 'object' && rule.field == null))
    throw usageError(
      `The column ${header} is joined with others, split, or left out, so its values cannot be replaced for every month.`,
      'Replace the value only in this file.',
    );
  const whole: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
  const place = { sheet: mapping.sheets.indexOf(rules), header: named };
  return withRule(mapping, place, { ...whole, values: { ...whole.values, [from]: to } });
}

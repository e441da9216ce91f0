/** Converts a draft mapping to what the page shows, and the decisions of the page to a mapping. */
import { type Field, fieldsOf, mustBeFilled, type TemplateExtent, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { decidedMapping } from '../load/kept-mapping.ts';
import { fieldOfHeader } from '../mapping/headers.ts';
import { splitLabel, splitsOf } from '../mapping/mapping-file/draft.ts';
import { headerName, rulesFor } from '../mapping/mapping-file/mapped-sheet.ts';
import type { ColumnRule, Mapping } from '../mapping/mapping-file/mapping.ts';
import { errorOf } from '../messages/text.ts';
import { columnQuestions, type Draft, withRule } from '../staging/draft-mapping.ts';
import type { Given, MappingShown } from './protocol.ts';

export function mappingShown({ mapping, sheets, unknown }: Draft): MappingShown {
  const questions = columnQuestions(mapping);
  const shown = sheets.map(({ name, at }) => {
    const { kind = null, columns = {}, constants = {}, joins = [] } = mapping.sheets[at ?? -1] ?? {};
    const offered = kind === null ? [] : fieldsOffered(recordKind(kind));
    const labels = (extent: TemplateExtent | null) =>
      offered.filter((field) => field.extent === extent).map(({ label }) => label);
    return {
      name,
      kind,
      isOpen: unknown.includes(name),
      fields: labels('common'),
      rareFields: labels('every'),
      laterFields: labels(null),
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
          samples: (typeof rule === 'object' && rule?.samples) || [],
          field: asked === undefined ? field : null,
          isOpen: asked !== undefined,
          suggestions: asked?.suggestions.map((one) => one.field) ?? [],
        };
      }),
    };
  });
  return { sheets: shown, refScope: mapping.refScope ?? null };
}

/** The fields and splits of a kind, each with the smallest template that has it; `null` for the second and later parts of a list. */
function fieldsOffered(kind: RecordKind): readonly { label: string; extent: TemplateExtent | null }[] {
  const [common, every] = [templateFieldsOf(kind, 'common'), templateFieldsOf(kind, 'every')];
  const whole = fieldsOf(kind).map((field) => ({ label: field.label, fields: [field] }));
  return [...whole, ...splitsOf(kind)].map(({ label, fields }) => {
    const isIn = (extent: readonly Field[]) => fields.every((field) => extent.includes(field));
    return { label, extent: isIn(common) ? 'common' : isIn(every) ? 'every' : null };
  });
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
  { decided, constants, refScope }: Pick<Given<'map'>, 'decided' | 'constants' | 'refScope'>,
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
  return { ...mapping, sheets, ...(refScope && { refScope }) };
}

/** A value that is sent as another one, every month. */
export interface ValueRule {
  readonly sheet: string;
  readonly header: string;
  readonly from: string;
  readonly to: string;
}

/** The rules of a mapping for values in these sheets. */
export function valueRules(mapping: Mapping, sheets: readonly string[]): readonly ValueRule[] {
  return sheets.flatMap((sheet) =>
    Object.entries(rulesOf(mapping, sheet)?.columns ?? {}).flatMap(([header, rule]) => {
      const { values = {} } = typeof rule === 'object' && rule !== null ? rule : {};
      return Object.entries(values).flatMap(([from, to]) => (to === null ? [] : [{ sheet, header, from, to }]));
    }),
  );
}

export function withValue(mapping: Mapping, { from, to, ...column }: ValueRule): Mapping {
  const [place, { values = {}, ...rule }] = wholeColumn(mapping, column);
  return withRule(mapping, place, { ...rule, values: { ...values, [from]: to } });
}

export function withoutValue(mapping: Mapping, { from, to: _, ...column }: ValueRule): Mapping {
  const [place, { values: { [from]: _gone, ...values } = {}, ...rule }] = wholeColumn(mapping, column);
  return withRule(mapping, place, Object.keys(values).length === 0 ? rule : { ...rule, values });
}

function rulesOf(mapping: Mapping, sheet: string) {
  const [only, second] = mapping.sheets;
  return second === undefined ? only : rulesFor(mapping, sheet);
}

function wholeColumn(mapping: Mapping, { sheet, header }: Pick<ValueRule, 'sheet' | 'header'>) {
  const rules = rulesOf(mapping, sheet);
  const named = Object.keys(rules?.columns ?? {}).find((name) => headerName(name) === headerName(header)) ?? header;
  const rule = rules?.columns[named];
  if (rules === undefined || rule == null || (typeof rule === 'object' && rule.field == null))
    throw errorOf('column-not-alone', { header });
  const whole: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
  return [{ sheet: mapping.sheets.indexOf(rules), header: named }, whole] as const;
}

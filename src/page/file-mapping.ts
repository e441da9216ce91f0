import { fieldsOf } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { usageError } from '../errors.ts';
import { headerName, rulesFor } from '../mapping/mapping-file/mapped-sheet.ts';
import type { ColumnRule, Mapping } from '../mapping/mapping-file/mapping.ts';
import { columnQuestions, type Draft, withRule } from '../staging/draft-mapping.ts';
import type { MappingShown } from './protocol.ts';

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

export function withValue(
  mapping: Mapping,
  { sheet, header, from, to }: { sheet: string; header: string; from: string; to: string },
): Mapping {
  const [only, second] = mapping.sheets;
  const rules = second === undefined ? only : rulesFor(mapping, sheet);
  const named = Object.keys(rules?.columns ?? {}).find((name) => headerName(name) === headerName(header)) ?? header;
  const rule = rules?.columns[named];
  if (rules === undefined || rule == null || (typeof rule === 'object' && rule.field == null))
    throw usageError(`The column ${header} is made of several, or left out.`, 'Replace the value only in this file.');
  const whole: ColumnRule = typeof rule === 'string' ? { field: rule } : rule;
  const place = { sheet: mapping.sheets.indexOf(rules), header: named };
  return withRule(mapping, place, { ...whole, values: { ...whole.values, [from]: to } });
}

/** The columns of a template as a person names them. */
import { type Field, templateFieldsOf, twinOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import { matchHeaders } from './headers.ts';

/**
 * @param names  labels, aliases or paths, as a header would name them
 * @returns those columns in their order, behind the required ones that were not named and have no Ref among them
 * @throws DealsheetError `usage` for a name that is no column of the kind, or names one twice
 */
export function columnsNamed(kind: RecordKind, names: readonly string[]): readonly Field[] {
  const { columns, problems } = matchHeaders(kind, names, [], (name) => `The name "${name}"`);
  const chosen = columns.flatMap((column) => (column.use === 'field' ? [column.field] : []));
  if (problems.length > 0 || chosen.length !== names.length) {
    throw new DealsheetError(
      'usage',
      problems.length === 0 ? 'A template has no columns in braces or parentheses.' : problems.join('\n'),
      `Correct --columns. The columns of ${kind.name} are those of: dealsheet template ${kind.name} --every`,
    );
  }
  const missing = templateFieldsOf(kind, 'every').filter((field) => {
    const columns = [field, twinOf(field, kind)].filter((column) => column !== null);
    return columns.some(({ required }) => required) && !columns.some((column) => chosen.includes(column));
  });
  return [...missing, ...chosen];
}

/**
 * The example row of a template that nobody has taken out: it passes every check, so that a record of an invented company
 * would be made. Its one rule: a rehearsal may have it, and no other service gets it.
 */
import { type Field, fieldsOf } from '../../contract/fields.ts';
import { valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import { isSandbox } from '../rows/sandbox-identity.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

/** So many values are no chance; of fewer, such as "In review" and "Bank statements received", a person's own row may be made. */
const fewestForCertain = 5;
const fewestForNote = 3;

/**
 * @param service  the identity of the one that the rows would go to, or `null` when none is chosen
 * @returns what is to be told of a row, once it was read
 */
export function exampleRows({ kind }: MatchedSheet, service: string | null): (row: CheckedRow) => readonly Finding[] {
  if (service !== null && isSandbox(service)) return () => [];
  const fields = fieldsOf(kind).filter(({ place }) => place === 'body');
  const exampleOf = new Map(fieldsOf(kind).map(({ path, facts }) => [path, facts.example]));
  return ({ body, references }) => {
    if (references.some(({ reference, ref }) => exampleOf.get(reference.column) !== ref)) return [];
    let values = references.length;
    for (const field of fields) {
      const value = valueAt(body, field.segments);
      // In the place of an id stands the ref.
      if (value === undefined || references.some(({ reference }) => reference.fills === field.path)) continue;
      if (!isExample(value, field)) return [];
      values += 1;
    }
    if (values < fewestForNote) return [];
    return [values < fewestForCertain ? likeExample : service === null ? inCheck : inLoad];
  };
}

function isExample(value: unknown, { facts }: Field): boolean {
  if (typeof value === 'number') return value === Number(facts.example);
  return (Array.isArray(value) ? value.join('; ') : value) === facts.example;
}

const likeExample = findingOf(
  'warning',
  asSaid('The row says what the example row of a template says: take it out if it is that row.'),
);
const inCheck = findingOf(
  'warning',
  asSaid('The row is the example row of a template: only a rehearsal (--sandbox) sends it. Take it out.'),
);
const inLoad = findingOf(
  'error',
  asSaid('The row is the example row of a template: only a rehearsal sends it. Take it out.'),
);

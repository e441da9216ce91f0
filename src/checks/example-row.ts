/** The example row of a template that nobody has taken out: it passes every rule, and would make a record of an invented company. */
import { type Field, fieldsOf } from '../contract/fields.ts';
import { valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';

/** So many equal values are no chance; a person's own row may have fewer, such as `In review` and `Bank statements received`. */
const fewestForCertain = 5;
const fewestForNote = 3;

export const exampleRow: Check = {
  codes: ['example-row', 'example-like'],
  begin({ kind }) {
    const fields = fieldsOf(kind).filter(({ place }) => place === 'body');
    const exampleOf = new Map(fieldsOf(kind).map(({ path, facts }) => [path, facts.example]));
    const equalValues = ({ body, references }: CheckedRow): number => {
      if (references.some(({ reference, ref }) => exampleOf.get(reference.column) !== ref)) return 0;
      const filled = fields.filter(({ path, segments }) => {
        const isByRef = references.some(({ reference }) => reference.fills === path);
        return !isByRef && valueAt(body, segments) !== undefined;
      });
      const areExamples = filled.every((field) => isExample(valueAt(body, field.segments), field));
      return areExamples ? filled.length + references.length : 0;
    };
    return {
      *row(row) {
        const equal = equalValues(row);
        if (equal >= fewestForNote)
          yield found(checkMessage(equal >= fewestForCertain ? 'example-row' : 'example-like'));
      },
    };
  },
};

function isExample(value: unknown, { facts }: Field): boolean {
  if (typeof value === 'number') return value === Number(facts.example);
  return (Array.isArray(value) ? value.join('; ') : value) === facts.example;
}

/** The example row of a template that nobody has taken out: it passes every rule, and would make a record of an invented company. */
import { fieldsOf } from '../contract/fields.ts';
import { type CheckedRow, valueAt } from '../mapping/body.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';

/** So many equal values are no chance; a person's own row may have fewer, such as `In review` and `Bank statements received`. */
const fewestForCertain = 5;
const fewestForNote = 3;

export const exampleRow: Check = {
  codes: ['example-row', 'example-like'],
  begin({ kind }) {
    const fields = fieldsOf(kind);
    const exampleOf = new Map(fields.map(({ path, facts }) => [path, facts.example]));
    /** How many values the row has, if all of them are those of the example; else 0. Most rows are told by their first. */
    const equalValues = ({ body, references }: CheckedRow): number => {
      if (references.some(({ reference, ref }) => exampleOf.get(reference.column) !== ref)) return 0;
      let equal = references.length;
      for (const { path, segments, place, facts } of fields) {
        const value = place === 'body' ? valueAt(body, segments) : undefined;
        // In the place of an id stands the ref.
        if (value === undefined || references.some(({ reference }) => reference.fills === path)) continue;
        const text = Array.isArray(value) ? value.join('; ') : value;
        if (text !== facts.example && value !== Number(facts.example)) return 0;
        equal += 1;
      }
      return equal;
    };
    return {
      *row(row) {
        const equal = equalValues(row);
        if (equal < fewestForNote) return;
        yield found(checkMessage(equal >= fewestForCertain ? 'example-row' : 'example-like'));
      },
    };
  },
};

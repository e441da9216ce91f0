/** Finds the template's example row. It passes every rule, and would create a record of an invented company. */
import { fieldsOf } from '../contract/fields.ts';
import { type CheckedRow, valueAt } from '../mapping/body.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Check, found } from './check.ts';

/** This many equal values are no coincidence. A person's own row may have fewer, such as `In review`. */
const fewestForCertain = 5;
const fewestForNote = 3;

export const exampleRow: Check = {
  codes: ['example-row', 'example-like'],
  begin({ kind }) {
    const fields = fieldsOf(kind);
    const exampleOf = new Map(fields.map(({ path, facts }) => [path, facts.example]));
    /** The number of values if all equal the example's, else 0. The first value already decides most rows. */
    const equalValues = ({ body, references }: CheckedRow): number => {
      if (references.some(({ reference, ref }) => exampleOf.get(reference.column) !== ref)) return 0;
      let equal = references.length;
      for (const { path, segments, place, facts } of fields) {
        const value = place === 'body' ? valueAt(body, segments) : undefined;
        // A Ref fills the place of the id.
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

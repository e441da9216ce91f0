/** The Refs of a row: its own, which no other may have, and those of the records that it names. */
import type { NamedReference } from '../mapping/checked-row.ts';
import { checkMessage } from '../messages/checks.ts';
import type { Message } from '../messages/message.ts';
import { type Check, found, type KnownRefs } from './check.ts';

export const refs: Check = {
  codes: ['ref-repeated', 'ref-unknown', 'ref-ambiguous', 'ref-not-in', 'ref-loaded', 'ref-not-looked-up'],
  begin({ kind, columns, originsOf }, { refs: known }) {
    const own = columns.find((column) => column.use === 'field' && column.field.path === 'ref');
    const place = { column: own === undefined ? null : (originsOf(own)[0] ?? null), label: 'Ref' };
    return {
      *row({ ref, references }) {
        const places = ref === null ? null : known.repeated(kind.name, ref);
        if (ref !== null && places !== null)
          yield found(checkMessage('ref-repeated', { ref, kind: kind.sheet.toLowerCase(), places }), place);
        for (const named of references) {
          const message = messageOf(named, known);
          if (message !== null) yield found(message, { column: named.column, label: null });
        }
      },
    };
  },
};

function messageOf({ reference, ref }: NamedReference, known: KnownRefs): Message | null {
  const repeated = known.repeated(reference.to, ref);
  if (repeated !== null) return checkMessage('ref-ambiguous', { ref, places: repeated });
  if (known.has(reference.to, ref)) return null;
  const earlier = known.earlier(reference.to, ref);
  if (earlier === null) return checkMessage('ref-not-looked-up', { ref });
  if (earlier.open !== null) return checkMessage('ref-not-in', { ref, ...earlier.open });
  const [only, second] = earlier.records;
  if (only === undefined) return checkMessage('ref-unknown', { ref });
  if (second === undefined) return checkMessage('ref-loaded', { ref, ...only });
  return checkMessage('ref-ambiguous', { ref, places: earlier.records.map(({ id }) => id).join(', ') });
}

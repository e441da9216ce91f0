/** Reports Refs that repeat, references to Refs that are unknown, ambiguous or not loaded, and attachments that are not there. */
import { fieldsOf } from '../contract/fields.ts';
import type { NamedReference } from '../mapping/body.ts';
import { originOf } from '../mapping/column.ts';
import { type Message, shownValue } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { type Check, type FileToCheck, found } from './check.ts';

export const refs: Check = {
  codes: ['ref-repeated', 'ref-unknown', 'ref-ambiguous', 'ref-not-in', 'ref-loaded', 'ref-not-looked-up'],
  begin({ kind, columns }, file) {
    const columnAt = (path: string) => columns.find((column) => column.path === path);
    const idColumnOf = (fills: string) =>
      columnAt(fills)?.header ?? fieldsOf(kind).find(({ path }) => path === fills)?.label ?? fills;
    const refColumn = columnAt('ref');
    const place = { column: refColumn === undefined ? null : originOf(refColumn), label: 'Ref' };
    return {
      *row({ ref, references }) {
        const places = ref === null ? null : file.refs.repeated(kind.name, ref);
        if (ref !== null && places !== null)
          yield found(
            messageOf('ref-repeated', { ref: shownValue(ref), kind: kind.sheet.toLowerCase(), places }),
            place,
          );
        for (const named of references) {
          const message = aboutRef(named, file, () => idColumnOf(named.reference.fills));
          if (message !== null) yield found(message, { column: named.column, label: null });
        }
      },
    };
  },
};

function aboutRef(
  { reference, ref: written }: NamedReference,
  { refs, earlier: earlierRef }: FileToCheck,
  idColumn: () => string,
): Message | null {
  const ref = shownValue(written);
  const repeated = refs.repeated(reference.to, written);
  if (repeated !== null)
    return messageOf('ref-ambiguous', { ref, places: repeated, areRows: true, idColumn: idColumn() });
  if (refs.has(reference.to, written)) return null;
  if (earlierRef === null) return messageOf('ref-not-looked-up', { ref });
  const earlier = earlierRef(reference.to, written);
  const ids = earlier.records.map(({ id }) => id ?? 'one without a known id').join(', ');
  if (earlier.open !== null) return messageOf('ref-not-in', { ref, ids, idColumn: idColumn(), ...earlier.open });
  const [only, second] = earlier.records;
  if (only === undefined) return messageOf('ref-unknown', { ref, idColumn: idColumn() });
  return second === undefined
    ? messageOf('ref-loaded', { ref, ...only, idColumn: idColumn() })
    : messageOf('ref-ambiguous', { ref, places: ids, areRows: false, idColumn: idColumn() });
}

/** A named attachment that is missing or may not be sent. */
export const attachmentFile: Check = {
  codes: ['attachment-file'],
  begin({ kind, columns }) {
    const column = columns.find((column) => column.path === 'file');
    if (!kind.sending.hasFile || column === undefined) return null;
    const place = { column: originOf(column), label: 'File' };
    return {
      *row({ body }, _, _said, fault) {
        if (fault !== null)
          yield found(messageOf('attachment-file', { file: shownValue(String(body.file)), fault }), place);
      },
    };
  },
};

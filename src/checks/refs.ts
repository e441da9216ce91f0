/** The Refs of a row: its own, which no other may have, and those of the records that it names. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow, NamedReference } from '../mapping/body.ts';
import { originOf } from '../mapping/column.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import { checkMessage } from '../messages/checks.ts';
import { type Message, shortened } from '../messages/message.ts';
import { type Check, type FileToCheck, found } from './check.ts';

export const refs: Check = {
  codes: ['ref-repeated', 'ref-unknown', 'ref-ambiguous', 'ref-not-in', 'ref-loaded', 'ref-not-looked-up'],
  begin({ kind, columns }, known) {
    const own = columns.find((column) => column.use === 'field' && column.field.path === 'ref');
    const place = { column: own === undefined ? null : originOf(own), label: 'Ref' };
    return {
      *row({ ref, references }) {
        const places = ref === null ? null : known.refs.repeated(kind.name, ref);
        if (ref !== null && places !== null)
          yield found(
            checkMessage('ref-repeated', { ref: shortened(ref), kind: kind.sheet.toLowerCase(), places }),
            place,
          );
        for (const named of references) {
          const message = messageOf(named, known);
          if (message !== null) yield found(message, { column: named.column, label: null });
        }
      },
    };
  },
};

function messageOf(
  { reference, ref: written }: NamedReference,
  { refs, earlier: earlierRef }: FileToCheck,
): Message | null {
  const ref = shortened(written);
  const repeated = refs.repeated(reference.to, written);
  if (repeated !== null) return checkMessage('ref-ambiguous', { ref, places: repeated });
  if (refs.has(reference.to, written)) return null;
  if (earlierRef === null) return checkMessage('ref-not-looked-up', { ref });
  const earlier = earlierRef(reference.to, written);
  const ids = earlier.records.map(({ id }) => id).join(', ');
  if (earlier.open !== null) return checkMessage('ref-not-in', { ref, ids, ...earlier.open });
  const [only, second] = earlier.records;
  if (only === undefined) return checkMessage('ref-unknown', { ref });
  return second === undefined
    ? checkMessage('ref-loaded', { ref, ...only })
    : checkMessage('ref-ambiguous', { ref, places: ids });
}

/** The rows that carry a Ref: a text for each of the first ones would take 15 MB of 100,000. */
interface Carriers {
  readonly sheet: string;
  readonly row: number;
  rows: number;
  further: readonly string[] | null;
}

/** A column of keys may say "N/A" on every row. */
const mostPlaces = 3;

export class CarriedRefs {
  readonly #carriers = new Map<RecordKindName, Map<string, Carriers>>();
  #hasDuplicates = false;

  add({ kind, ref: written, sheet, row }: CheckedRow): void {
    if (written === null) return;
    const ref = withoutLostZeros(written);
    const ofKind = this.#carriers.get(kind.name) ?? new Map<string, Carriers>();
    this.#carriers.set(kind.name, ofKind);
    const known = ofKind.get(ref);
    if (known === undefined) {
      ofKind.set(ref, { sheet, row, rows: 1, further: null });
      return;
    }
    this.#hasDuplicates = true;
    known.rows += 1;
    if (known.rows <= mostPlaces) known.further = [...(known.further ?? []), `${sheet} row ${row}`];
  }

  get hasDuplicates(): boolean {
    return this.#hasDuplicates;
  }

  /** The rows that have a Ref in common, in words; `null` where it stands once or nowhere. */
  repeated(kind: RecordKindName, ref: string): string | null {
    const known = this.#carriers.get(kind)?.get(withoutLostZeros(ref));
    if (known === undefined || known.further === null) return null;
    const places = [`${known.sheet} row ${known.row}`, ...known.further];
    const more = known.rows > places.length ? ` and ${known.rows - places.length} more` : '';
    return places.join(', ') + more;
  }

  has(kind: RecordKindName, ref: string): boolean {
    return this.#carriers.get(kind)?.has(withoutLostZeros(ref)) === true;
  }
}

/** The ids that the rows of this load have got, by their refs: what their children wait for. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { isIn } from '../../ledger/entry-state.ts';
import type { EntryState } from '../../ledger/ledger.ts';
import { type Body, segmentsOf, setAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { Message } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import type { ReferenceIndex } from '../survey/reference-index.ts';

/** A row with the ids of its parents, or why they are not known. */
export type ParentsFound =
  | { readonly ready: true; readonly body: Body }
  /** A parent is not in; the message says which. */
  | { readonly ready: false; readonly message: Message };

/** Why a row that is in may not be the one that its ref names. */
type Contradiction = 'cells-moved' | 'may-be-another';

export class Parents {
  readonly #ids = new Map<RecordKindName, Map<string, string | null>>();
  readonly #contradicted = new Map<RecordKindName, Map<string, Contradiction>>();
  readonly #index: ReferenceIndex;

  constructor(index: ReferenceIndex) {
    this.#index = index;
  }

  /** Notes what became of a row, for those that name it. */
  note({ kind, ref }: CheckedRow, state: EntryState, id: string | null): void {
    if (ref !== null && isIn(state)) this.add(kind.name, ref, id);
  }

  /** Notes that the row with this ref is in; `null` when the service gave it no id. */
  add(kind: RecordKindName, ref: string, id: string | null): void {
    const ids = this.#ids.get(kind) ?? new Map<string, string | null>();
    this.#ids.set(kind, ids);
    ids.set(ref, id);
  }

  /** Notes that the row with this ref is in, and that the record it is in by came with another ref: neither is the parent. */
  contradict(kind: RecordKindName, ref: string, contradiction: Contradiction): void {
    const refs = this.#contradicted.get(kind) ?? new Map<string, Contradiction>();
    this.#contradicted.set(kind, refs);
    refs.set(ref, contradiction);
  }

  /** Puts the ids of its parents into the body of a row. */
  resolve(row: CheckedRow): ParentsFound {
    if (row.references.length === 0) return { ready: true, body: row.body };
    const body = structuredClone(row.body);
    for (const { reference, ref } of row.references) {
      const contradiction = this.#contradicted.get(reference.to)?.get(ref);
      if (contradiction !== undefined)
        return { ready: false, message: contradictedMessage(reference.to, ref, contradiction) };
      const id = this.#idOf(reference.to, ref);
      if (typeof id !== 'string') return { ready: false, message: this.#waitingMessage(reference.to, ref, id) };
      setAt(body, segmentsOf(reference.fills), id);
    }
    return { ready: true, body };
  }

  #idOf(kind: RecordKindName, ref: string): string | null | undefined {
    if (this.#index.has(kind, ref)) return this.#ids.get(kind)?.get(ref);
    return this.#index.earlierId(kind, ref) ?? undefined;
  }

  #waitingMessage(kind: RecordKindName, ref: string, id: null | undefined): Message {
    if (id === null) return rowMessage('waits-for-id', { ref, kind });
    return rowMessage('waits-for-row', { ref, kind, earlier: this.#index.earlierId(kind, ref) });
  }
}

function contradictedMessage(kind: RecordKindName, ref: string, contradiction: Contradiction): Message {
  return rowMessage(contradiction === 'cells-moved' ? 'waits-for-moved-row' : 'waits-for-other-record', { ref, kind });
}

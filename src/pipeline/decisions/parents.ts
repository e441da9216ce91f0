/** The ids that the rows of this load have got, by their refs: what their children wait for. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { isIn } from '../../ledger/entry-state.ts';
import type { EntryState } from '../../ledger/ledger.ts';
import { type Body, segmentsOf, setAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { ReferenceIndex } from '../survey/reference-index.ts';

/** A row with the ids of its parents, or why they are not known. */
export type ParentsFound =
  | { readonly ready: true; readonly body: Body }
  /** A parent is not in; the sentence says which. */
  | { readonly ready: false; readonly message: string };

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

  #waitingMessage(kind: RecordKindName, ref: string, id: null | undefined): string {
    const row = `the row with Ref "${ref}" among the ${kind}`;
    if (id === null)
      return `Waits for ${row}: it is in, but the service gave it no id of its own. Look it up there, put its id into this row and import the file again.`;
    const earlier = this.#index.earlierId(kind, ref);
    const known =
      earlier === null ? '' : ` If ${earlier} is meant, which had this Ref in an earlier load, give its id.`;
    return `Waits for ${row}, which is not in yet. See there what to do: this row goes in with it.${known}`;
  }
}

function contradictedMessage(kind: RecordKindName, ref: string, contradiction: Contradiction): string {
  const waits = `Waits for the row with Ref "${ref}" among the ${kind}:`;
  return contradiction === 'cells-moved'
    ? `${waits} the record by which that row is in came with another Ref. Put the cells of that row back as they were, or give the id of the record that is meant in this row.`
    : `${waits} it counts as in by a record that came with another Ref, and may be another one. If it is, load that row in a file of its own with --again, then this file once more; if not, give the id of the record in this row.`;
}

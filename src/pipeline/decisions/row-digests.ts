/** The keyed digests by which the ledger knows a row: nothing of what the row says can be read from them. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import type { Ledger, RowPosition, RunRow } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { refText } from '../survey/earlier-refs.ts';
import { type IdentityWriter, identityWriter } from '../survey/row-identity.ts';

export class RowDigests {
  readonly #ledger: Pick<Ledger, 'fingerprint'>;
  readonly #service: string;
  readonly #run: string;
  readonly #writers = new Map<RecordKindName, IdentityWriter>();

  /** @param run  the run whose rows these are, unless another is named */
  constructor(ledger: Pick<Ledger, 'fingerprint'>, service: string, run: string) {
    this.#ledger = ledger;
    this.#service = service;
    this.#run = run;
  }

  /** What the fingerprint of a row is made of. */
  textOf(identity: string): string {
    return `${this.#service}\n${identity}`;
  }

  /** Of what a results sheet shows of a row. */
  ofShown(shown: string): Buffer {
    return this.#ledger.fingerprint(`shown\n${this.textOf(shown)}`);
  }

  /** Of what a row says with the refs of its parents, whose ids are not known; `null` when it names none. */
  ofWaiting({ kind, pathId, body, references }: CheckedRow): Buffer | null {
    if (references.length === 0) return null;
    const write = this.#writers.get(kind.name) ?? identityWriter(kind);
    this.#writers.set(kind.name, write);
    const refs = references.map(({ reference, ref }) => [reference.fills, ref]);
    return this.#ledger.fingerprint(
      `waiting\n${this.textOf(`${kind.name}\n${pathId ?? ''}\n${JSON.stringify(refs)}\n${write(body)}`)}`,
    );
  }

  /** Of an update, that of its company. */
  ofRef({ kind, ref, pathId }: CheckedRow): Buffer | null {
    const own = kind.sending.isUpdate ? pathId : ref;
    return own === null ? null : this.#ledger.fingerprint(refText(kind.name, own));
  }

  /** The same for the same row of the same run, another in any other ledger, and fit for a header whatever the sheet's name. */
  idempotencyKeyOf({ sheet, row }: RowPosition): string {
    return this.#ledger.fingerprint(`idempotency\n${this.#run}\n${sheet}\n${row}`).toString('hex');
  }

  /** Stands for the fingerprint of a row whose body is not known yet. */
  placeholderOf({ sheet, row }: RowPosition, run = this.#run): Buffer {
    return this.#ledger.fingerprint(`not sent\n${run}\n${sheet}\n${row}`);
  }

  isPlaceholderOf(row: RunRow, fingerprint: Buffer): boolean {
    return fingerprint.equals(this.placeholderOf(row, row.run));
  }
}

/** Rows that would be sent with the ref of a record that is in: to the guard they are new ones, to a person perhaps the same. */
import { isIn } from '../ledger/entry-state.ts';
import type { Ledger, RowPosition } from '../ledger/ledger.ts';
import type { JudgedRow } from './judged-row.ts';

export interface RefInUse extends RowPosition {
  readonly ref: string;
  /** The record that is in under the ref. */
  readonly id: string;
  /** When its load began: ISO 8601, UTC. */
  readonly startedAt: string;
}

export interface RefsFound {
  readonly rows: number;
  /** The first of them. */
  readonly examples: readonly RefInUse[];
}

const mostExamples = 5;

export class RefsInUse {
  readonly #ledger: Pick<Ledger, 'idsOfRef'>;
  readonly #service: string;
  readonly #examples: RefInUse[] = [];
  #rows = 0;

  constructor(ledger: Pick<Ledger, 'idsOfRef'>, service: string) {
    this.#ledger = ledger;
    this.#service = service;
  }

  /**
   * Looks at a row that would be sent.
   * @param digest  the keyed digest of its ref, or `null`
   */
  look({ sheet, row, kind, ref }: JudgedRow, digest: Buffer | null): void {
    if (ref === null || digest === null) return;
    const [newest] = this.#ledger.idsOfRef(this.#service, kind.name, digest).filter(({ state }) => isIn(state));
    if (newest === undefined || newest.id === null) return;
    this.#rows += 1;
    if (this.#examples.length === mostExamples) return;
    this.#examples.push({ sheet, row, ref, id: newest.id, startedAt: newest.startedAt });
  }

  get found(): RefsFound {
    return { rows: this.#rows, examples: this.#examples };
  }
}

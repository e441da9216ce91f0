/**
 * Rows that would be sent with the ref of a record that is in, or may be: to the guard they are new ones, to a person perhaps
 * the same.
 */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import type { Ledger, RowPosition, RowWithRefInUse, RunRecord, RunRow } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type Finding, findingOfValue } from '../../messages/finding.ts';
import { referenceMessage } from '../../messages/references.ts';
import type { Decision } from '../decisions/decision.ts';
import { columnOf, type MatchedSheet } from '../source/matched-sheet.ts';
import type { JudgedRow } from '../survey/judged-row.ts';

export interface RefInUse extends RowPosition {
  readonly ref: string;
  readonly of: HolderOfRef;
}

/** The record that is in under a ref, or else a row in doubt; each with the time when its load began: ISO 8601, UTC. */
export type HolderOfRef =
  | { readonly kind: 'record'; readonly id: string; readonly startedAt: string }
  | { readonly kind: 'doubt'; readonly row: RunRow; readonly startedAt: string };

export interface RefsFound {
  readonly rows: number;
  /** The first of them. */
  readonly examples: readonly RefInUse[];
}

const mostExamples = 5;

type KnownRefs = Pick<Ledger, 'idsOfRef' | 'openWithRef'>;

export class RefsInUse {
  readonly #ledger: KnownRefs;
  readonly #service: string;
  readonly #examples: RefInUse[] = [];
  #rows = 0;

  constructor(ledger: KnownRefs, service: string) {
    this.#ledger = ledger;
    this.#service = service;
  }

  /** Looks at a row that would be sent. */
  look({ sheet, row, kind, ref }: JudgedRow, decision: Pick<Decision & { step: 'send' }, 'ref' | 'settles'>): void {
    if (ref === null || decision.ref === null) return;
    // A doubt that the sheet settles is that of the row itself.
    const isItsDoubt = decision.settles !== null;
    const holder =
      this.#recordWith(kind.name, decision.ref) ?? (isItsDoubt ? null : this.#doubtWith(kind.name, decision.ref));
    if (holder === null) return;
    this.#rows += 1;
    if (this.#examples.length < mostExamples) this.#examples.push({ sheet, row, ref, of: holder });
  }

  #recordWith(kind: RecordKindName, ref: Buffer): HolderOfRef | null {
    const newest = this.#ledger.idsOfRef(this.#service, kind, ref).find(({ state }) => isIn(state));
    if (newest === undefined || newest.id === null) return null;
    return { kind: 'record', id: newest.id, startedAt: newest.startedAt };
  }

  #doubtWith(kind: RecordKindName, ref: Buffer): HolderOfRef | null {
    const open = this.#ledger.openWithRef(this.#service, kind, ref);
    return open !== null && isUnknown(open.state) ? { kind: 'doubt', row: open, startedAt: open.startedAt } : null;
  }

  get found(): RefsFound {
    return { rows: this.#rows, examples: this.#examples };
  }
}

/** The rows of a run that were sent under the ref of another record; there are none in the first run into a service. */
export function refsInUseOf(
  ledger: Pick<Ledger, 'runs' | 'rowsWithRefInUse'>,
  { id, service }: Pick<RunRecord, 'id' | 'service'>,
): (sheet: string) => Iterable<RowWithRefInUse> {
  const isFirst = ledger.runs().every((run) => run.id === id || run.service !== service);
  return isFirst ? () => [] : (sheet) => ledger.rowsWithRefInUse(id, sheet);
}

const noteCode = 'ref-also-of';

/** What the results say of a row that was sent under the ref of another record, or of several. */
export function noteOfRef(sheet: MatchedSheet, { ref }: CheckedRow, { others }: RowWithRefInUse): Finding {
  const records = others.map(({ id, startedAt }) => `${id}, in since ${dayOf(startedAt)}`).join(', and of ');
  const subject = { label: 'Ref', sensitive: false };
  return findingOfValue('warning', columnOf(sheet, 'ref'), subject, ref ?? '', referenceMessage(noteCode, { records }));
}

/** Counts the rows with such a note. */
export class NotesOfRefs {
  #rows = 0;

  look(problems: readonly Finding[]): void {
    if (problems.some(({ code }) => code === noteCode)) this.#rows += 1;
  }

  /** One sentence, or `null` when there are none. */
  get told(): string | null {
    if (this.#rows === 0) return null;
    const were = this.#rows === 1 ? '1 row was sent with the Ref' : `${this.#rows} rows were sent with the Refs`;
    return `${were} of other records that are in: a note in the Problems cell names each. If they are the same ones, they are there twice.`;
  }
}

/** Rows that would not be sent because an equal one is in: how many there are, and the first of them. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { isKnownIn } from '../../ledger/entry-state.ts';
import type { RowPosition } from '../../ledger/ledger.ts';
import { mentions } from '../../messages/message.ts';
import { textOf } from '../../messages/text.ts';
import type { Decision } from '../decisions/decision.ts';
import type { JudgedRow } from '../survey/judged-row.ts';

/** A row that would not be sent because an equal one is in. */
export interface LoadedRow extends RowPosition {
  readonly kind: RecordKindName;
  /** Of a kind of which two equal ones can both be meant. */
  readonly isRepeatable: boolean;
  /** A sentence with the file, the place and the day of the earlier row. */
  readonly message: string;
}

export interface LoadedFound {
  readonly loaded: number;
  /** The first of them, in the order of loading; before all others those that may be another record. */
  readonly examples: readonly LoadedRow[];
  /** Notes and transactions among them: kinds of which two equal ones can both be meant. */
  readonly repeatable: number;
}

const mostExamples = 20;
const repeatableKinds: ReadonlySet<RecordKindName> = new Set(['notes', 'transactions']);

export class LoadedRows {
  readonly #examples: LoadedRow[] = [];
  /** Those that say what a row said before it was corrected. */
  readonly #uncertain: LoadedRow[] = [];
  #loaded = 0;
  #repeatable = 0;

  /** Looks at a row: one that its own results sheet holds is no news to anybody. */
  look({ sheet, row, kind, standing }: JudgedRow, decision: Decision): void {
    if (decision.step !== 'note' || !isKnownIn(decision.note.state) || standing.kind === 'held') return;
    this.#loaded += 1;
    const isRepeatable = repeatableKinds.has(kind.name);
    if (isRepeatable) this.#repeatable += 1;
    const { message } = decision.note;
    const examples = mentions(message, 'like-corrected-row') ? this.#uncertain : this.#examples;
    if (examples.length < mostExamples)
      examples.push({ sheet, row, kind: kind.name, isRepeatable, message: message === null ? '' : textOf(message) });
  }

  get found(): LoadedFound {
    const examples = [...this.#uncertain, ...this.#examples].slice(0, mostExamples);
    return { loaded: this.#loaded, examples, repeatable: this.#repeatable };
  }
}

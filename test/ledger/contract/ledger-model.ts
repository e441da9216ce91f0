/** What a ledger must do, said as plainly as can be: rows, and where they stood. The oracle of the property test. */
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import type { RowState } from '../../../src/contract/row-state.ts';
import type { RowPhase } from '../../../src/ledger/ledger.ts';

export interface ModelRow {
  readonly id: number;
  readonly kind: RecordKindName;
  content: string;
  phase: RowPhase;
  outcome: RowState | null;
  attempt: number;
  /** Where it was sent last, or first met. */
  at: string;
  /** What a person said of this attempt. */
  resolved: boolean | null;
  hasMessage: boolean;
  /** Whether the run that sent it goes on, and may still tell what became of it. */
  isAwaited: boolean;
}

interface Stood {
  readonly row: ModelRow;
  /** What its run tells of it, unless it is what became of it there. */
  told: RowState | null;
  hasMessage: boolean;
}

export interface ModelIntent {
  readonly place: string;
  readonly content: string;
  readonly equals: number;
}

const committed: readonly RowState[] = ['created', 'updated', 'accepted'];
const isUpdate = ({ kind }: ModelRow): boolean => kind === 'company-updates';

/** Places are a run and a row: `2!7`. */
export class LedgerModel {
  readonly rows: ModelRow[] = [];
  readonly stood = new Map<string, Stood>();

  register(place: string, kind: RecordKindName, content: string, known: number | null, note: RowState | null): void {
    let row = this.rows.find(({ id }) => id === known);
    if (row === undefined) {
      const fresh = {
        phase: 'open',
        outcome: null,
        attempt: 0,
        at: place,
        resolved: null,
        hasMessage: false,
        isAwaited: false,
      } as const;
      row = { id: this.rows.length + 1, kind, content, ...fresh };
      this.rows.push(row);
    }
    this.stood.set(place, { row, told: note, hasMessage: note !== null });
  }

  /** Sends what may be sent, and gives the places of the other rows. */
  intend(intents: readonly ModelIntent[]): readonly string[] {
    const refused = intents.filter((intent, at) => {
      const row = this.stood.get(intent.place)?.row;
      if (row === undefined || !(row.phase === 'open' || (row.phase === 'in-doubt' && isUpdate(row)))) return true;
      const before = intents.slice(0, at).filter(({ content }) => content === intent.content).length;
      const live = this.rows.filter((one) => one.content === intent.content && one.phase !== 'open').length;
      return !isUpdate(row) && live + before > intent.equals;
    });
    for (const one of intents) if (!refused.includes(one)) this.#send(one.place, one.content);
    return refused.map(({ place }) => place);
  }

  #send(place: string, content: string): void {
    const { row } = this.stood.get(place) as Stood;
    const before = this.stood.get(row.at);
    if (before?.row === row && before.told === null)
      Object.assign(before, { told: row.outcome ?? 'not-sent', hasMessage: row.hasMessage });
    Object.assign(row, { content, at: place, phase: 'sending', outcome: null, resolved: null, hasMessage: false });
    row.isAwaited = true;
    row.attempt += 1;
    this.stood.set(place, { row, told: null, hasMessage: false });
  }

  /** Gives whether the outcome was due. */
  record(id: number, state: RowState): boolean {
    const row = this.rows.find((one) => one.id === id);
    if (row === undefined || !row.isAwaited) return false;
    const phase = committed.includes(state) ? 'committed' : state === 'in-doubt' ? 'in-doubt' : 'open';
    if (row.phase !== 'sending' && row.phase !== 'in-doubt') return false;
    Object.assign(row, { phase, outcome: state, hasMessage: false, isAwaited: false });
    return true;
  }

  note(place: string, state: RowState): void {
    const stood = this.stood.get(place);
    if (stood !== undefined) Object.assign(stood, { told: state, hasMessage: true });
  }

  /** Gives whether there was something to resolve. */
  resolve(id: number, attempt: number, isCreated: boolean): boolean {
    const row = this.rows.find((one) => one.id === id);
    if (row === undefined || row.attempt !== attempt) return false;
    const mayBeTakenBack = row.resolved !== null && row.phase === (row.resolved ? 'committed' : 'open');
    const isNamed = isCreated && row.phase === 'committed' && row.outcome !== 'created';
    if (row.phase !== 'in-doubt' && !mayBeTakenBack && !isNamed) return false;
    const outcome = isCreated ? (isUpdate(row) ? 'updated' : 'created') : null;
    Object.assign(row, { phase: isCreated ? 'committed' : 'open', outcome, resolved: isCreated, hasMessage: false });
    for (const one of this.stood.values()) {
      const wasResolved = !one.hasMessage && (one.told === 'already-loaded' || one.told === 'not-sent');
      if (one.row === row && (one.told === 'in-doubt' || wasResolved))
        Object.assign(one, { told: isCreated ? 'already-loaded' : 'not-sent', hasMessage: false });
    }
    return true;
  }

  /** A run ends, or its process dies: nothing is on its way any more. */
  leave(): void {
    for (const row of this.rows) row.isAwaited = false;
    for (const row of this.rows.filter(({ phase }) => phase === 'sending'))
      Object.assign(row, { phase: 'in-doubt', outcome: 'in-doubt', hasMessage: true });
  }

  /** What a run tells of a place. */
  told(place: string): RowState {
    const { row, told } = this.stood.get(place) as Stood;
    if (told !== null) return told;
    if (row.at !== place) return 'not-sent';
    return row.phase === 'sending' ? 'in-doubt' : (row.outcome ?? 'not-sent');
  }
}

/** What a ledger must do, said as plainly as can be: a map from rows to what became of them. The oracle of the property test. */
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import type { EntryState, Settlement } from '../../src/ledger/ledger.ts';

export interface ModelEntry {
  run: string;
  row: number;
  kind: RecordKindName;
  text: string;
  state: Exclude<EntryState, 'invalid'>;
  attempts: number;
  earlierAttempts: number;
  /** Whether it keeps equal rows from being sent. */
  guards: boolean;
}

const maybeSentAgain: readonly EntryState[] = ['not-sent', 'waiting', 'failed', 'rejected', 'already-loaded'];
const isIn: readonly EntryState[] = ['created', 'updated', 'accepted', 'already-loaded'];

export class LedgerModel {
  readonly entries = new Map<string, ModelEntry>();

  entry(run: string, row: number): ModelEntry | undefined {
    return this.entries.get(`${run}!${row}`);
  }

  ofRun(run: string): ModelEntry[] {
    return [...this.entries.values()].filter((entry) => entry.run === run).sort((a, b) => a.row - b.row);
  }

  guarding(text: string): ModelEntry[] {
    return [...this.entries.values()].filter((entry) => entry.guards && entry.text === text);
  }

  /** Gives whether the row may be sent. */
  intend(run: string, row: number, kind: RecordKindName, text: string, again: boolean): boolean {
    const own = this.entry(run, row);
    const isUpdate = kind === 'company-updates';
    if (own !== undefined && !maybeSentAgain.includes(own.state)) {
      if (!(own.state === 'in-doubt' && own.kind === 'company-updates')) return false;
    }
    const guarding = isUpdate ? [] : this.guarding(text);
    if (guarding.some(({ state }) => !again || !isIn.includes(state))) return false;
    const attempts = own?.attempts ?? 0;
    const entry = { run, row, kind, text, state: 'sending' as const, attempts, earlierAttempts: attempts };
    this.entries.set(`${run}!${row}`, { ...entry, guards: !isUpdate });
    return true;
  }

  /** Gives whether the outcome was due. */
  settle(run: string, row: number, state: Settlement['state'], attempts: number): boolean {
    const own = this.entry(run, row);
    if (own === undefined) return false;
    const isLive = state === 'in-doubt' || (isIn.includes(state) && state !== 'already-loaded');
    const from: readonly EntryState[] = [
      'sending',
      'in-doubt',
      ...(isLive ? [] : (['rejected', 'failed', 'not-sent'] as const)),
    ];
    if (!from.includes(own.state)) return false;
    own.state = state;
    own.attempts = own.earlierAttempts + attempts;
    if (!isLive) own.guards = false;
    return true;
  }

  /** Gives whether the row may be noted as not sent. */
  record(run: string, row: number, kind: RecordKindName, text: string, state: Settlement['state']): boolean {
    const own = this.entry(run, row);
    const isNotedDoubt = own?.state === 'in-doubt' && !own.guards && own.kind !== 'company-updates';
    if (own !== undefined && !maybeSentAgain.includes(own.state) && !isNotedDoubt) return false;
    const attempts = own?.attempts ?? 0;
    const earlierAttempts = own?.earlierAttempts ?? 0;
    this.entries.set(`${run}!${row}`, { run, row, kind, text, state, attempts, earlierAttempts, guards: false });
    return true;
  }

  /** A run ends, or its process dies: nothing is on its way any more. */
  stop(run: string): void {
    for (const entry of this.ofRun(run)) {
      if (entry.state !== 'sending') continue;
      entry.state = entry.kind === 'company-updates' ? 'not-sent' : 'in-doubt';
    }
  }

  /** Gives whether the row was in doubt. */
  resolve(run: string, row: number, isCreated: boolean): boolean {
    const own = this.entry(run, row);
    if (own?.state !== 'in-doubt') return false;
    const isUpdate = own.kind === 'company-updates';
    const same = [...this.entries.values()].filter(({ state, text }) => state === 'in-doubt' && text === own.text);
    for (const entry of isUpdate ? [own] : same) {
      if (!isCreated) {
        entry.state = 'not-sent';
        entry.guards = false;
      } else if (isUpdate) entry.state = 'updated';
      else entry.state = entry.guards ? 'created' : 'already-loaded';
    }
    return true;
  }
}

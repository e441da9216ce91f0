/** Makes rows ready to be sent. Of a row that is not sent, it writes into the ledger why, and where it went on from. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { isIn } from '../../ledger/entry-state.ts';
import type { EntryState, Intent, KnownRow, Ledger, Run, Settlement } from '../../ledger/ledger.ts';
import type { OutgoingRecord, ServiceClient } from '../../service/client.ts';
import type { SettledDoubt } from '../decisions/decision.ts';
import type { EarlierDoubt } from '../decisions/earlier-doubt.ts';
import type { OutgoingMaker, OutgoingRow } from '../decisions/outgoing.ts';
import type { RowDecisions } from '../decisions/row-decisions.ts';
import type { RowNote } from '../rows/row-note.ts';
import type { JudgedRow } from '../survey/judged-row.ts';

/** A row that can be sent: with it goes whatever it holds open, to be released once. */
export interface Prepared extends Omit<OutgoingRow, 'record'> {
  readonly record: OutgoingRecord;
  readonly intent: Intent;
  readonly earlierDoubt: EarlierDoubt | null;
}

/** What became of a row that is not sent. */
export interface NotedRow {
  readonly sheet: string;
  readonly row: number;
  readonly state: RowNote['state'];
  readonly code: string | null;
}

export interface PreparationEvents {
  readonly onNoted: (row: NotedRow) => void;
  /** A note that could not be written: nothing must be sent any more. */
  readonly onFailure: (error: unknown) => void;
}

const notesOfCommit = 256;

export class RowPreparation {
  readonly #decisions: RowDecisions;
  readonly #ledger: Ledger;
  readonly #run: Run;
  readonly #client: Pick<ServiceClient, 'noteGivenId'>;
  readonly #events: PreparationEvents;
  #noted: Promise<void>[] = [];

  constructor(
    decisions: RowDecisions,
    ledger: Ledger,
    run: Run,
    client: Pick<ServiceClient, 'noteGivenId'>,
    events: PreparationEvents,
  ) {
    this.#decisions = decisions;
    this.#ledger = ledger;
    this.#run = run;
    this.#client = client;
    this.#events = events;
  }

  /** Gives a row that is to be sent, or `null` after noting why it is not. */
  async prepare(row: JudgedRow, make: OutgoingMaker): Promise<Prepared | null> {
    const decision = this.#decisions.decide(row, make);
    if (decision.settles !== null) this.#settleDoubt(decision.settles);
    if (decision.step === 'leave') {
      await this.#comeBack(row);
      return null;
    }
    const { fingerprint, shown, ref } = decision;
    const { sheet, row: number, kind } = row;
    const known = {
      sheet,
      row: number,
      kind: kind.name,
      fingerprint,
      shown: shown(),
      ref,
      supersedes: this.#decisions.supersededBy(row),
    };
    if (decision.step === 'note') {
      this.#noteGivenId(row.kind, decision.note);
      await this.#writeSoon(this.note(known, decision.note));
      return null;
    }
    const { outgoing, repeats, earlierDoubt } = decision;
    return { ...outgoing, record: outgoing.record(), intent: { ...known, repeats }, earlierDoubt };
  }

  async note(known: KnownRow, note: RowNote): Promise<void> {
    const { sheet, row, kind, fingerprint, shown, ref, supersedes } = known;
    await this.#run.record([{ sheet, row, kind, fingerprint, shown, ref, supersedes, ...note }]);
    this.#events.onNoted({ sheet, row, state: note.state, code: note.message?.code ?? null });
  }

  /** Resolves once every note is on the disk. */
  async written(): Promise<void> {
    await Promise.all(this.#noted);
    this.#noted = [];
  }

  /** What the rows of a run that goes on have got before it stopped. */
  noteGivenIds(): void {
    for (const entry of this.#ledger.entriesOfRun(this.#run.id)) this.#noteGivenId(recordKind(entry.kind), entry);
  }

  #noteGivenId(kind: RecordKind, { state, id }: Pick<Settlement, 'id'> & { readonly state: EntryState }): void {
    if (id !== null && isIn(state) && !kind.sending.isUpdate) this.#client.noteGivenId(kind.name, id);
  }

  /** Notes share commits: waiting for each would cost a write to the disk for every row that is passed over. */
  async #writeSoon(writing: Promise<void>): Promise<void> {
    this.#noted.push(writing.catch(this.#events.onFailure));
    if (this.#noted.length >= notesOfCommit) await this.written();
  }

  /** A row with errors has no entry, and yet it is in this run that its correction is to be looked for. */
  async #comeBack(row: JudgedRow): Promise<void> {
    const supersedes = this.#decisions.supersededBy(row);
    if (supersedes !== null)
      await this.#writeSoon(this.#run.comeBack([{ sheet: row.sheet, row: row.row, supersedes }]));
  }

  #settleDoubt({ row, resolution }: SettledDoubt): void {
    if (this.#ledger.entry(row.run, row)?.state === 'in-doubt')
      this.#ledger.settleByHand(row.run, [{ position: row, resolution, said: null }]);
  }
}

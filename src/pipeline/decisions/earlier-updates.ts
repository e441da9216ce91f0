/**
 * Updates that went in with an earlier load of the same file. Its one rule: they have no guard across files, so that one that
 * went in is not sent a second time, and yet another file may have given the company other values since.
 */
import { isIn } from '../../ledger/entry-state.ts';
import type { EarlierEntry, Ledger, RunRecord } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { EarlierRun } from './earlier-runs.ts';

export interface EarlierUpdatesOptions {
  readonly service: string;
  /** The file that is loaded, as a whole path. */
  readonly sourcePath: string;
  /** Earlier runs of the same source, the newest first. */
  readonly earlierRuns: readonly EarlierRun[];
  /** Whether one of them read the source otherwise: the same row may have given the company something else then. */
  readonly wasReadOtherwise: (run: string) => boolean;
}

export class EarlierUpdates {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #options: EarlierUpdatesOptions;
  /** The runs of the service, the newest first; asked for when they are needed. */
  #runs: readonly RunRecord[] | null = null;
  /** By company: the newest run that updated it, of those that were gone through, and what it gave it last. */
  readonly #newest = new Map<string, { readonly index: number; readonly fingerprint: Buffer }>();
  #goneThrough = 0;
  /** The loads of a file of this name, the newest first, with the companies that they updated; asked for when they are needed. */
  #ofFile: readonly { readonly run: RunRecord; readonly companies: ReadonlySet<string | null> }[] | null = null;

  /** @param run  the run that the rows are in now */
  constructor(ledger: Ledger, run: string, options: EarlierUpdatesOptions) {
    this.#ledger = ledger;
    this.#run = run;
    this.#options = options;
  }

  /**
   * The entry by which the same row of the same file is in, or `null`: of several, the one with which it was sent.
   * @param saysSame  whether the row says what has this fingerprint
   */
  of({ sheet, row }: CheckedRow, saysSame: (fingerprint: Buffer) => boolean): EarlierEntry | null {
    let met: EarlierEntry | null = null;
    for (const { id, sourceName, startedAt, positionThen } of this.#options.earlierRuns) {
      const entry = this.#ledger.entry(id, positionThen({ sheet, row }));
      if (entry === null || !isIn(entry.state)) continue;
      if (this.#options.wasReadOtherwise(id) && !saysSame(entry.fingerprint)) continue;
      if (entry.state === 'updated') return { ...entry, sourceName, startedAt };
      met ??= { ...entry, sourceName, startedAt };
    }
    return met;
  }

  /**
   * The newest load that updated a company after a row had gone in; `null` when there is none, or when it gave the company at
   * last what the row says.
   * @param saysSame  whether the row says what has this fingerprint
   */
  since(
    { run, state }: EarlierEntry,
    company: string | null,
    saysSame: (fingerprint: Buffer) => boolean,
  ): RunRecord | null {
    if (state !== 'updated' || company === null) return null;
    this.#runs ??= this.#ledger
      .runs()
      .filter(({ id, service }) => id !== this.#run && service === this.#options.service);
    const before = this.#runs.findIndex(({ id }) => id === run);
    for (; this.#goneThrough < before; this.#goneThrough += 1) this.#goThrough(this.#runs, this.#goneThrough);
    const newest = this.#newest.get(company);
    if (newest === undefined || newest.index >= before || saysSame(newest.fingerprint)) return null;
    return this.#runs[newest.index] ?? null;
  }

  /** The newest load of this very file that updated a company after it was exported into it, or `null`. */
  sinceExport(exportedAt: string, company: string): RunRecord | null {
    const { service, sourcePath } = this.#options;
    this.#ofFile ??= this.#ledger
      .runs()
      .filter((run) => run.id !== this.#run && run.service === service && run.sourcePath === sourcePath)
      .map((run) => ({ run, companies: new Set(this.#companiesOf(run)) }));
    const found = this.#ofFile.find(({ run, companies }) => run.startedAt > exportedAt && companies.has(company));
    return found?.run ?? null;
  }

  *#companiesOf(run: RunRecord): Iterable<string | null> {
    for (const { id } of this.#ledger.entriesInState(run.id, 'updated')) yield id;
  }

  #goThrough(runs: readonly RunRecord[], index: number): void {
    const run = runs[index];
    if (run === undefined) return;
    for (const { id, fingerprint } of this.#ledger.entriesInState(run.id, 'updated')) {
      const known = id === null ? undefined : this.#newest.get(id);
      // Updates of one company go out in the order of their rows.
      if (id !== null && (known?.index ?? index) === index) this.#newest.set(id, { index, fingerprint });
    }
  }
}

/**
 * Rows that went in by later loads of a source, and that no row of this file is. Its one rule: a row that comes back in older results
 * may be any of these, put right in the source itself, unless the two once stood side by side.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { entriesOf, isLater, type Ledger, type LogicalRow, type RowId } from '../ledger/ledger.ts';
import { once } from '../once.ts';
import type { Staging } from '../staging/staging.ts';

type RunsLedger = Pick<Ledger, 'runs' | 'sheets' | 'entries' | 'lookupRows' | 'rowsAtOnce'>;

interface Entered {
  readonly ids: ReadonlySet<RowId>;
  /** Whether a row of this file is among them. */
  readonly isOfFile: boolean;
  /** Of the rows of this run: in which runs they were first met, and the latest of each that is in, or may be, and not in this file. */
  readonly latest: () => Promise<ReadonlyMap<string, LogicalRow | null>>;
}

export class LaterRows {
  readonly #ledger: RunsLedger;
  readonly #staging: Staging;
  readonly #service: string;
  readonly #runs: () => ReturnType<Ledger['runs']>;
  readonly #entered = new Map<string, Promise<Entered>>();

  constructor(ledger: RunsLedger, staging: Staging, service: string) {
    this.#ledger = ledger;
    this.#staging = staging;
    this.#service = service;
    this.#runs = once(() => ledger.runs());
  }

  /** Those that went in after the row, or may have, by loads of rows that stand beside it, or once stood. */
  async after({ id, kind, origin, metIn, at }: LogicalRow): Promise<readonly LogicalRow[]> {
    const runs = await this.#runs();
    const first = runs.find((run) => run.id === at.run)?.number ?? 0;
    const later = runs.filter((run) => run.service === this.#service && run.origin === origin && run.number > first);
    const found: LogicalRow[] = [];
    for (const run of later) {
      const { ids, isOfFile, latest } = await this.#enteredIn(run.id, kind);
      if (ids.has(id)) continue;
      const byMet = await latest();
      if (isOfFile || byMet.has(metIn)) found.push(...[...byMet.values()].filter((row) => row !== null));
    }
    return found.filter((row) => isLater(row.at.order, at.order));
  }

  #enteredIn(run: string, kind: RecordKindName): Promise<Entered> {
    const key = `${kind} ${run}`;
    const entered = this.#entered.get(key) ?? this.#read(run, kind);
    this.#entered.set(key, entered);
    return entered;
  }

  async #read(run: string, kind: RecordKindName): Promise<Entered> {
    const ids = new Set<RowId>();
    for await (const entry of entriesOf(this.#ledger, run)) if (entry.kind === kind) ids.add(entry.id);
    const isOfFile = [...ids].some((id) => this.#staging.claimantOf(id) !== null);
    return { ids, isOfFile, latest: once(() => this.#latestOf([...ids])) };
  }

  async #latestOf(ids: readonly RowId[]): Promise<ReadonlyMap<string, LogicalRow | null>> {
    const latest = new Map<string, LogicalRow | null>();
    const { rowsAtOnce } = this.#ledger;
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const rows = await this.#ledger.lookupRows(ids.slice(from, from + rowsAtOnce));
      for (const row of rows.values()) {
        const other = latest.get(row.metIn) ?? null;
        const isElsewhere = row.standing !== 'open' && this.#staging.claimantOf(row.id) === null;
        const isNewest = isElsewhere && (other === null || isLater(row.at.order, other.at.order));
        latest.set(row.metIn, isNewest ? row : other);
      }
    }
    return latest;
  }
}

/**
 * Rows that went into a service of another address: to the ledger they are new ones in this one. Two names of one service,
 * or a service that has moved, would get every row a second time, so a person is told before anything is sent.
 */
import { rowStates } from '../contract/row-state.ts';
import type { Ledger, RunCounts, RunRecord } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/moments.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';

/** The load that is to begin, and what the ledger knows of others. */
export interface LoadAmongOthers {
  readonly service: string;
  readonly sourceDigest: string;
  /** The newest first. */
  readonly runs: readonly RunRecord[];
  /** The runs that a results sheet names, each with whether one of its rows is in. */
  readonly runsOfSheet: ReadonlyMap<string, boolean>;
  readonly counts: Ledger['counts'];
}

/** @returns whole sentences, the newest load of each other service first; a rehearsal is no matter */
export async function loadedElsewhere(load: LoadAmongOthers): Promise<readonly string[]> {
  const { service, runs, runsOfSheet } = load;
  if (isSandbox(service)) return [];
  const told = new Map<string, string>();
  for (const run of runs) {
    const isOfSheet = runsOfSheet.get(run.id) === true;
    const isElsewhere = run.service !== service && !isSandbox(run.service);
    if (!isElsewhere || told.has(run.service)) continue;
    if (!isOfSheet && !(run.sourceDigest === load.sourceDigest && (await hasRowsIn(load, run.id)))) continue;
    const what = isOfSheet ? 'Rows of this results sheet are' : 'Rows of this very file are';
    told.set(
      run.service,
      `${what} in ${run.service} since ${dayOf(run.startedAt)} (run ${run.id}). To the ledger, ${service} is another service, and they are new there. If the two are one, do not send them.`,
    );
  }
  return [...told.values()];
}

async function hasRowsIn({ counts }: LoadAmongOthers, run: string): Promise<boolean> {
  const states = Object.keys(await counts(run)) as (keyof RunCounts)[];
  return states.some((state) => state !== 'sending' && rowStates[state].isIn);
}

/**
 * Rows that went into a service of another address: to the ledger they are new ones in this one. Two names of one service,
 * or a service that has moved, would get every row a second time, so a person is told before anything is sent.
 */
import { basename } from 'node:path';
import { isIn } from '../../ledger/entry-state.ts';
import type { EntryState, Ledger } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import { originalSource } from '../rows/original-source.ts';
import { isSandbox } from '../rows/sandbox-identity.ts';

/**
 * @param ofSheet  the runs of other services whose rows a results sheet says are in
 * @returns whole sentences, the newest load of each other service first; a rehearsal is no matter
 */
export function loadedElsewhere(
  ledger: Pick<Ledger, 'runs' | 'countsOf'>,
  service: string,
  sourceDigest: string,
  ofSheet: ReadonlySet<string>,
): readonly string[] {
  if (isSandbox(service)) return [];
  const told = new Set<string>();
  return ledger.runs().flatMap((run) => {
    const isOfSheet = ofSheet.has(run.id);
    const isElsewhere = run.service !== service && !isSandbox(run.service);
    if (!isElsewhere || told.has(run.service)) return [];
    if (!isOfSheet && !(run.sourceDigest === sourceDigest && hasRowsIn(ledger, run.id))) return [];
    told.add(run.service);
    const what = isOfSheet ? 'Rows of this results sheet are' : 'Rows of this very file are';
    const day = dayOf(run.startedAt);
    return [
      `${what} in ${run.service} since ${day} (run ${run.id}). To the ledger, ${service} is another service, and they are new there. If the two are one, do not send them.`,
    ];
  });
}

/**
 * A results sheet of a rehearsal has stars where its rows went in, and they cannot be loaded: what is corrected in it is lost.
 *
 * @param ofSheet  the runs whose rows a results sheet says are in
 * @returns a whole sentence for each rehearsal that the sheet came from
 */
export function rehearsedOnly(
  ledger: Pick<Ledger, 'run' | 'runs'>,
  { service, serviceUrl }: { readonly service: string; readonly serviceUrl: string },
  ofSheet: ReadonlySet<string>,
): readonly string[] {
  return [...ofSheet].flatMap((id) => {
    const run = ledger.run(id);
    if (run === null || !isSandbox(run.service)) return [];
    const source = originalSource(ledger, run.sourcePath);
    const what = `This is the results sheet of a rehearsal (run ${id})`;
    if (isSandbox(service))
      return [
        `${what}: what is corrected in it cannot be loaded into another service. Make the corrections in ${basename(source)}, and rehearse that.`,
      ];
    return [
      `${what}. Its ids are those of the sandbox: to ${serviceUrl} its rows are new, and where it has stars for SSN and dates of birth, they cannot be loaded. Load the source itself: ${source}`,
    ];
  });
}

function hasRowsIn(ledger: Pick<Ledger, 'countsOf'>, run: string): boolean {
  return (Object.keys(ledger.countsOf(run)) as EntryState[]).some(isIn);
}

/** The updates that went in with the loads since one of them, or may have: by what they were known, and by their company. */
import type { Entry, Ledger, RunRow } from '../../ledger/ledger.ts';
import { refText } from '../survey/earlier-refs.ts';
import { earlierDoubtIn } from './earlier-doubt.ts';

export type SentBefore = Pick<Ledger, 'runs' | 'first' | 'entriesInState' | 'fingerprint'>;

const kind = 'company-updates';

export interface SentUpdates {
  /** Where updates of this fingerprint that went in stood in the sources that they first came with. */
  ofFingerprint(fingerprint: Buffer): readonly RunRow[];
  /** The same of all updates of a company, also of those that may be in. */
  ofCompany(company: string): readonly RunRow[];
}

/** @param since  the run with which to begin; it reads the entries of that run and of those after it into the same service */
export function sentUpdates(ledger: SentBefore, since: string): SentUpdates {
  const runs = ledger.runs();
  const oldest = runs.findIndex(({ id }) => id === since);
  const service = runs[oldest]?.service;
  const byFingerprint = new Map<string, RunRow[]>();
  const byCompany = new Map<string, RunRow[]>();
  const inDoubt = new Map<string, RunRow[]>();
  for (const { id: run } of runs.slice(0, oldest + 1).filter((each) => each.service === service)) {
    for (const { sheet, row, id, fingerprint } of ledger.entriesInState(run, 'updated')) {
      const here = { run, sheet, row };
      addTo(byFingerprint, fingerprint.toString('hex'), here);
      if (id !== null) addTo(byCompany, id, here);
    }
    for (const { sheet, row, ref } of doubtfulUpdates(ledger, run))
      addTo(inDoubt, ref.toString('hex'), { run, sheet, row });
  }
  const origins = (rows: readonly RunRow[] | undefined) => (rows ?? []).map((row) => ledger.first(row));
  // Asked for with each update of the company that comes back late.
  const originsOfCompany = new Map<string, readonly RunRow[]>();
  return {
    ofFingerprint: (fingerprint) => origins(byFingerprint.get(fingerprint.toString('hex'))),
    ofCompany: (company) => {
      const known = originsOfCompany.get(company) ?? [
        ...origins(byCompany.get(company)),
        ...origins(inDoubt.get(ledger.fingerprint(refText(kind, company)).toString('hex'))),
      ];
      originsOfCompany.set(company, known);
      return known;
    },
  };
}

/** Those in doubt, and those that were on their way when their load was killed. */
function* doubtfulUpdates(ledger: SentBefore, run: string): Iterable<Entry & { readonly ref: Buffer }> {
  for (const state of ['in-doubt', 'not-sent'] as const) {
    for (const entry of ledger.entriesInState(run, state)) {
      const { ref } = entry;
      if (entry.kind === kind && ref !== null && earlierDoubtIn(entry) !== null) yield { ...entry, ref };
    }
  }
}

function addTo(rows: Map<string, RunRow[]>, key: string, row: RunRow): void {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, [row]);
  else known.push(row);
}

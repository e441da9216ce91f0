/** What earlier loads know of the Refs that rows name, asked for in batches and kept for the rows of the file. */
import type { EarlierRef } from '../checks/check.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { rowStates } from '../contract/row-state.ts';
import type { Candidate, Ledger } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/moments.ts';
import type { BatchedRefs } from '../staging/stage.ts';
import { candidatesOf, namedOf, refDigest } from './row-digests.ts';

export function earlierRefsIn(ledger: Pick<Ledger, 'digest' | 'lookup'>, service: string): BatchedRefs {
  const known = new Map<string, EarlierRef>();
  const keyOf = (kind: RecordKindName, ref: string): string => `${kind}\n${ref}`;
  return {
    learn: async (refs) => {
      const asked = refs.filter(({ kind, ref }) => !known.has(keyOf(kind, ref)));
      const digestOf = ({ kind, ref }: (typeof asked)[number]) => [refDigest(ledger, service, kind, ref)];
      const candidates = await candidatesOf({ ledger, service }, asked, digestOf);
      for (const one of asked) known.set(keyOf(one.kind, one.ref), earlierRefOf(candidates(one)));
    },
    of: (kind, ref) => known.get(keyOf(kind, ref)) ?? { records: [], open: null },
  };
}

function earlierRefOf(found: readonly Candidate[]): EarlierRef {
  const candidates = namedOf(found);
  const open = candidates.findLast(({ row }) => row.standing !== 'committed')?.row ?? null;
  return {
    records: candidates.flatMap(({ row: { record, at } }) =>
      record === null ? [] : [{ id: record, load: `${at.sourceName} on ${dayOf(at.startedAt)}` }],
    ),
    open:
      open === null
        ? null
        : {
            place: `${open.at.sourceName}, ${open.at.sheet} row ${open.at.row} (run ${open.at.run})`,
            status: rowStates[open.standing === 'open' ? (open.outcome ?? 'not-sent') : 'in-doubt'].status,
          },
  };
}

/** Refs of earlier loads, which stand in the ledger as keyed digests alone. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { rowStates } from '../../contract/row-state.ts';
import { rowStateOf } from '../../ledger/entry-state.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import type { EarlierRefs } from './reference-index.ts';

/** What the keyed digest of a ref is made of. */
export function refText(kind: RecordKindName, ref: string): string {
  return `ref\n${kind}\n${ref}`;
}

/** What the ledger knows of the refs of earlier loads into a service. */
export function earlierRefsOf(ledger: Ledger, service: string): EarlierRefs {
  return (kind, ref) => {
    const digest = ledger.fingerprint(refText(kind, ref));
    const known = ledger.idsOfRef(service, kind, digest);
    const open = ledger.openWithRef(service, kind, digest);
    return {
      records: known.flatMap(({ id, startedAt, sourceName }) =>
        id === null ? [] : [{ id, load: `${sourceName} on ${dayOf(startedAt)}` }],
      ),
      open: open === null ? null : { place: placeIn(open), status: rowStates[rowStateOf(open.state)].status },
    };
  };
}

function placeIn({ sourceName, sheet, row, run }: NonNullable<ReturnType<Ledger['openWithRef']>>): string {
  return `${sourceName}, ${sheet} row ${row} (run ${run})`;
}

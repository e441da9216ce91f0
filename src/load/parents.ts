/** The ids of the records that rows belong to: by rows of the same file, which went out before, or of earlier loads. */
import type { LogicalRow } from '../ledger/ledger.ts';
import { type Around, hex, refDigest, theOneOf } from '../plan/row-digests.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';

export interface ParentsFound {
  /** The ids of a row's parents by the body paths that get them; `null` when one of them is not in, or is in without an id. */
  readonly ids: ReadonlyMap<string, string> | null;
  readonly isWithoutId: boolean;
}

/** One look-up for a batch: of parents in this file by their rows, of others by their Refs. */
export async function parentIdsOf(
  rows: readonly KnownStaged[],
  { staging, ledger, service }: Around,
  lookupRows: (ids: readonly number[]) => Promise<ReadonlyMap<number, LogicalRow>>,
): Promise<ReadonlyMap<number, ParentsFound>> {
  const named = rows.flatMap(({ parents }) => parents).filter(({ ref }) => ref !== null);
  const here = new Map<NamedParent, number>();
  for (const parent of named) {
    const [number, other] = staging.withRef(parent.kind, parent.ref ?? '');
    const id = number === undefined || other !== undefined ? null : staging.one(number).id;
    if (id !== null) here.set(parent, id);
  }
  const elsewhere = named.filter((parent) => !here.has(parent));
  const digests = elsewhere.map(({ kind, ref }) => refDigest(ledger, service, kind, ref ?? ''));
  const found = await ledger.lookup(service, digests);
  const known = await lookupRows([...here.values()]);
  const rowOf = new Map<NamedParent, LogicalRow | undefined>();
  for (const [parent, id] of here) rowOf.set(parent, known.get(id));
  elsewhere.forEach((parent, at) => {
    rowOf.set(parent, theOneOf(found.get(hex(digests[at]))) ?? undefined);
  });
  return new Map(rows.map((row) => [row.number, idsOf(row.parents, rowOf)]));
}

function idsOf(parents: readonly NamedParent[], rowOf: ReadonlyMap<NamedParent, LogicalRow | undefined>): ParentsFound {
  const ids = new Map<string, string>();
  for (const parent of parents) {
    if (parent.ref === null) continue;
    const row = rowOf.get(parent);
    if (row?.standing !== 'committed' || row.record === null)
      return { ids: null, isWithoutId: row?.standing === 'committed' };
    ids.set(parent.fills, row.record);
  }
  return { ids, isWithoutId: false };
}

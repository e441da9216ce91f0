/** The ids of the records that rows belong to: by rows of the same file, which went out before, or of earlier loads. */
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { parentsOf } from '../plan/parents.ts';
import type { Around } from '../plan/row-digests.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';

export interface ParentsFound {
  /** The ids of a row's parents by the body paths that get them; `null` when one of them is not in, or is in without an id. */
  readonly ids: ReadonlyMap<string, string> | null;
  readonly isWithoutId: boolean;
}

/** One look-up for a batch. */
export async function parentIdsOf(
  rows: readonly KnownStaged[],
  around: Around & { readonly ledger: Pick<Ledger, 'lookupRows'> },
): Promise<(row: KnownStaged) => ParentsFound> {
  const parents = await parentsOf(rows, around);
  const idHere = (parent: NamedParent): number | null => {
    const [number, other] = parents(parent).here;
    return number === undefined || other !== undefined ? null : around.staging.one(number).id;
  };
  const named = rows.flatMap((row) => row.parents);
  const known = await around.ledger.lookupRows(named.flatMap((parent) => idHere(parent) ?? []));
  const rowOf = (parent: NamedParent): LogicalRow | null => {
    const id = idHere(parent);
    return id === null ? parents(parent).row : (known.get(id) ?? null);
  };
  return (row) => {
    const ids = new Map<string, string>();
    for (const parent of row.parents) {
      if (parent.ref === null) continue;
      const found = rowOf(parent);
      if (found?.standing !== 'committed' || found.record === null)
        return { ids: null, isWithoutId: found?.standing === 'committed' };
      ids.set(parent.fills, found.record);
    }
    return { ids, isWithoutId: false };
  };
}

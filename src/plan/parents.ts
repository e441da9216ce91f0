/** What is known of the records that rows belong to: rows of the same file, or of earlier loads. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Candidate, LogicalRow } from '../ledger/ledger.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';
import { type Around, candidatesOf, type FormsOf, marksOf, refDigest, theOneOf } from './row-digests.ts';

export interface FoundParent {
  /** The numbers of the rows of this file that have its Ref. */
  readonly here: readonly number[];
  /** The rows of the ledger that ever had its Ref; none where Refs link the rows of one file alone. */
  readonly known: readonly Candidate[];
  /** The row of the ledger that its Ref or id names. */
  readonly row: LogicalRow | null;
}

export type Parents = (parent: NamedParent) => FoundParent;

const nobody: FoundParent = { here: [], known: [], row: null };

/** One look-up for a batch. */
export async function parentsOf(rows: readonly KnownStaged[], around: Around): Promise<Parents> {
  const { staging, ledger, service, refScope } = around;
  const named = new Map(rows.flatMap(({ parents }) => parents).map((parent) => [nameOf(parent), parent]));
  const all = [...named.values()];
  const knownOf = await candidatesOf(around, all, ({ kind, ref }) =>
    ref === null || refScope === 'file' ? [] : [refDigest(ledger, service, kind, ref)],
  );
  const found = new Map<string, FoundParent>();
  for (const kind of new Set(all.map((parent) => parent.kind))) {
    const ids = all.flatMap((parent) => (parent.kind === kind && parent.id !== null ? [parent.id] : []));
    const byId = ids.length === 0 ? new Map<string, LogicalRow>() : await ledger.lookupRecords(service, kind, ids);
    for (const parent of all.filter((one) => one.kind === kind)) {
      const { ref, id } = parent;
      const known = knownOf(parent);
      const row = id === null ? theOneOf(known) : (byId.get(id) ?? null);
      found.set(nameOf(parent), { here: ref === null ? [] : staging.withRef(kind, ref), known, row });
    }
  }
  return (parent) => found.get(nameOf(parent)) ?? nobody;
}

/** How digests name parents: by their logical rows, and as their cells name them. */
function formsOf(parents: Parents, { staging, refScope, sourceDigest }: Around): FormsOf {
  const scope = refScope === 'file' ? `ref in ${sourceDigest}` : 'ref';
  const rowOf = ({ here, row }: FoundParent): number | null => {
    const [number, other] = here;
    if (number === undefined) return row?.id ?? null;
    return other === undefined ? staging.one(number).id : null;
  };
  const known = new Map<FoundParent, number | null>();
  return (parent) => {
    const { fills, ref, id } = parent;
    const named = `${fills}=${ref === null ? `id ${id}` : `${scope} ${withoutLostZeros(ref)}`}`;
    const found = parents(parent);
    if (!known.has(found)) known.set(found, rowOf(found));
    const row = known.get(found) ?? null;
    return [row === null ? named : `${fills}=row ${row}`, named];
  };
}

/** All by which a batch of rows may be known. */
export async function marksFor(kind: RecordKindName, rows: readonly KnownStaged[], around: Around) {
  const parents = await parentsOf(rows, around);
  const forms = formsOf(parents, around);
  return { parents, forms, marks: marksOf(kind, around, forms) };
}

function nameOf({ kind, ref, id }: NamedParent): string {
  return `${kind}\n${ref ?? ''}\n${id ?? ''}`;
}

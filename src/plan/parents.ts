/** Looks up the parents of rows: in the same file, and in earlier loads. */

import type { EarlierRef } from '../checks/check.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { rowStates } from '../contract/row-state.ts';
import type { LogicalRow, NamedRecord } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/run-records.ts';
import { comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { oncePer } from '../once.ts';
import type { BatchedRefs } from '../staging/stage.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';
import { decisionOf, type PlanOptions, reasonFacts, type WaitReason } from './decision.ts';
import {
  type Around,
  candidatesByRef,
  type FormsOf,
  namedOf,
  type PlanLedger,
  rowDigests,
  theOneOf,
} from './row-digests.ts';

export interface FoundParent {
  /** Numbers of the rows of this file with its Ref. */
  readonly here: readonly number[];
  /** Rows of the ledger that ever had its Ref. Empty where Refs link the rows of one file only. */
  readonly known: readonly LogicalRow[];
  readonly row: LogicalRow | null;
}

export type Parents = (parent: NamedParent) => FoundParent;

const isById = (parent: NamedParent): parent is NamedParent & NamedRecord => parent.id !== null;
const notFound: FoundParent = { here: [], known: [], row: null };

export async function parentsOf(rows: readonly KnownStaged[], around: Around): Promise<Parents> {
  const { staging, ledger, service, refScope } = around;
  const isByRef = (one: NamedParent): one is NamedParent & { ref: string } =>
    one.ref !== null && refScope === 'service';
  const named = new Map(rows.flatMap(({ parents }) => parents).map((parent) => [keyOfParent(parent), parent]));
  const all = [...named.values()];
  const candidates = await candidatesByRef(around, all.filter(isByRef));
  const byId = all.filter(isById);
  const records = new Map((await ledger.lookupRecords(service, byId)).map((row, at) => [byId[at], row]));
  const found = new Map<string, FoundParent>();
  for (const parent of all) {
    const { kind, ref } = parent;
    const known = isByRef(parent) ? candidates(parent) : [];
    const row = isById(parent) ? (records.get(parent) ?? null) : theOneOf(known);
    found.set(keyOfParent(parent), { here: ref === null ? [] : staging.withRef(kind, ref), known, row });
  }
  return (parent) => found.get(keyOfParent(parent)) ?? notFound;
}

/** The two forms of a parent in digests: its logical row, and what the cell names. */
export function formsOf(parents: Parents, { staging, refScope, sourceDigest }: Around): FormsOf {
  const scope = refScope === 'file' ? `ref in ${sourceDigest}` : 'ref';
  const rowOf = oncePer(({ here, row }: FoundParent): number | null => {
    if (here.length === 0) return row?.id ?? null;
    const [id = null, other] = new Set(here.map((number) => staging.one(number).id));
    return other === undefined ? id : null;
  });
  return (parent) => {
    const { fills, ref, id } = parent;
    const named = `${fills}=${ref === null ? `id ${id}` : `${scope} ${comparableKey(ref)}`}`;
    const row = rowOf(parents(parent));
    return [row === null ? named : `${fills}=row ${row}`, named];
  };
}

export async function digestsFor(kind: RecordKindName, rows: readonly KnownStaged[], around: Around) {
  const parents = await parentsOf(rows, around);
  const forms = formsOf(parents, around);
  return { parents, forms, digests: rowDigests(kind, around, forms, (parent) => parents(parent).row) };
}

/**
 * Why a row waits for the record that it belongs to; `null` where that is in, or comes with this file.
 *
 * @param isTurnOver  whether the row is beyond the limit of the load, so that it comes with a parent that is
 */
export function whyWaits(
  parent: NamedParent,
  { staging, takesRefs, refScope, parents }: Around & Pick<PlanOptions, 'takesRefs'> & { readonly parents: Parents },
  isTurnOver: boolean,
): WaitReason | null {
  if (parent.ref === null) return null;
  const { here, known, row } = parents(parent);
  const [number, other] = here;
  if (number !== undefined && other === undefined)
    return whyWaitsFor(staging.one(number), refScope === 'file' ? null : known, isTurnOver);
  if (takesRefs === true && number === undefined) return null;
  if (refScope === 'file' || row?.phase !== 'committed') return 'waits-for-parent';
  return row.record === null ? 'parent-without-id' : null;
}

/** @param known  the rows of the ledger with its Ref; `null` where that proves nothing */
function whyWaitsFor(there: KnownStaged, known: readonly LogicalRow[] | null, isTurnOver: boolean): WaitReason | null {
  const decided = decisionOf(there);
  if (decided === null) return 'waits-for-parent';
  if (decided.do === 'send' || decided.do === 'settle' || (isTurnOver && decided.do === 'leave')) return null;
  const { state, isOfItself } = reasonFacts(decided.why);
  if (isOfItself !== true || state === 'in-doubt') return 'waits-for-parent';
  if (decided.other !== null && decided.other.record === null) return 'parent-without-id';
  const isChanged = decided.why === 'changed-since-loaded' && there.foundBy === 'ref';
  // A record that was sent with another Ref may be a different one: cells get moved, or filled down.
  const hadOtherRef = there.foundBy !== 'trusted' && known?.some(({ id }) => id === there.id) === false;
  return isChanged || hadOtherRef ? 'same-ref' : null;
}

function keyOfParent({ kind, ref, id }: NamedParent): string {
  return `${kind}\n${ref ?? ''}\n${id ?? ''}`;
}

export function earlierRefsIn(ledger: PlanLedger, service: string): BatchedRefs {
  const known = new Map<string, EarlierRef>();
  const keyOf = (kind: RecordKindName, ref: string): string => `${kind}\n${ref}`;
  return {
    learn: async (refs) => {
      const asked = refs.filter(({ kind, ref }) => !known.has(keyOf(kind, ref)));
      const candidates = await candidatesByRef({ ledger, service }, asked);
      for (const named of asked) known.set(keyOf(named.kind, named.ref), earlierRefOf(candidates(named)));
    },
    of: (kind, ref) => known.get(keyOf(kind, ref)) ?? { records: [], open: null },
  };
}

function earlierRefOf(found: readonly LogicalRow[]): EarlierRef {
  const named = namedOf(found);
  const open = named.findLast(({ phase }) => phase !== 'committed') ?? null;
  return {
    records: named.flatMap(({ phase, record: id, at }) =>
      phase === 'committed' ? [{ id, load: `${at.sourceName} on ${dayOf(at.startedAt)}` }] : [],
    ),
    open:
      open === null
        ? null
        : {
            place: `${open.at.sourceName}, ${open.at.sheet} row ${open.at.row} (run ${open.at.run})`,
            status:
              open.phase !== 'open' ? rowStates['in-doubt'].status : open.outcome && rowStates[open.outcome].status,
          },
  };
}

/**
 * The digests by which the ledger knows a row: of what it says, of the values that identify it, of its Ref. Its one rule: two rows
 * have a digest in common only where they tell the same of the same service and kind.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Candidate, Ledger, LogicalRow } from '../ledger/ledger.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import { oncePer } from '../once.ts';
import type { KnownStaged, NamedParent, RowContent } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { PlanOptions } from './decision.ts';

export type Lookups = Pick<Ledger, 'digest' | 'rowsAtOnce' | 'runs' | 'lookup' | 'lookupPlaces' | 'lookupRecords'>;

/** Where digests are made, and what tells the parents of rows. */
export interface Around extends Pick<PlanOptions, 'service' | 'refScope' | 'sourceDigest'> {
  readonly staging: Staging;
  readonly ledger: Lookups;
}

/** The ways in which a parent may be named: by its logical row where that is known, and as the cell names it. */
export type FormsOf = (parent: NamedParent) => readonly [known: string, named: string];

type DigestsOf = (row: KnownStaged) => readonly string[];

export interface RowDigests {
  /** What it says, with its parents as they are known first, then as they are named; with masked cells, what its results showed. */
  readonly content: DigestsOf;
  /** What its results will show of it, where they hide something. */
  readonly masked: DigestsOf;
  readonly identifies: DigestsOf;
  /** Those of rows that agree with it in what identifies both. */
  readonly agrees: DigestsOf;
  readonly ref: DigestsOf;
  /** Its Ref, where Refs count within one file only: with another Ref it is another row, with the same one perhaps the same row. */
  readonly refInFile: DigestsOf;
  readonly unique: DigestsOf;
  /** Of values by which it may be the same record as another row, such as a name. */
  readonly likes: DigestsOf;
  /** All updates of one company have this. */
  readonly updates: DigestsOf;
  /** Every one by which a row of the ledger may have something in common with it. */
  readonly all: DigestsOf;
}

export function rowDigests(
  kind: RecordKindName,
  { staging, ledger, service, refScope }: Around,
  formsOf: FormsOf,
): RowDigests {
  const contentOf = oncePer((row: KnownStaged) => staging.contentOf(row));
  const withParents = (
    use: 'content' | 'masked' | 'identifies' | 'likes',
    content: string,
    { parents }: KnownStaged,
  ) => {
    const ofParents = parents.map(formsOf);
    const ways = ofParents.length === 0 ? [0] : [0, 1];
    const forms = new Set(ways.map((way) => ofParents.map((named) => named[way]).join('\n')));
    return [...forms].map((form) => ledger.digest([use, service, kind, form, content].join('\n')));
  };
  const content = oncePer((row: KnownStaged) =>
    withParents(row.isMasked === true ? 'masked' : 'content', contentOf(row).digest, row),
  );
  const digests: Omit<RowDigests, 'all'> = {
    // Without parents it says the same whenever it is asked.
    content: (row) => (row.content !== null && row.parents.length === 0 ? [row.content] : content(row)),
    masked: (row) => {
      const { maskedDigest } = contentOf(row);
      return maskedDigest === null ? [] : withParents('masked', maskedDigest, row);
    },
    identifies: (row) =>
      [...identifying(contentOf(row), false)].flatMap((values) => withParents('identifies', values, row)),
    agrees: (row) => [...identifying(contentOf(row), true)].flatMap((values) => withParents('identifies', values, row)),
    ref: ({ ref }) => (ref === null || refScope === 'file' ? [] : [refDigest(ledger, service, kind, ref)]),
    refInFile: ({ ref }) =>
      ref === null || refScope !== 'file' ? [] : [refDigest(ledger, service, kind, ref, 'file')],
    unique: (row) => {
      const { unique } = contentOf(row);
      return unique === null ? [] : [ledger.digest(`unique\n${service}\n${kind}\n${unique}`)];
    },
    likes: (row) => contentOf(row).likes.flatMap((values) => withParents('likes', values, row)),
    updates: ({ updates }) => (updates === null ? [] : [updatesDigest(ledger, service, updates)]),
  };
  const asked = [
    digests.content,
    digests.masked,
    digests.agrees,
    digests.unique,
    digests.likes,
    digests.ref,
    digests.updates,
  ];
  return { ...digests, all: (row) => asked.flatMap((digestsOf) => digestsOf(row)) };
}

/**
 * Each group of identifying values, with whether the row has the more telling ones before it; `isAsked`, with those that a row may
 * have there that agrees with it. With what chains begin alike is told once.
 */
function identifying({ identifies }: RowContent, isAsked: boolean): ReadonlySet<string> {
  const groups = identifies.flatMap((chain, at) => {
    let beside: readonly string[] = [''];
    return chain.flatMap((values) => {
      const group = values === null ? [] : beside.map((before) => `${before}\n${values}`);
      const may = isAsked
        ? values === null
          ? ['with', 'without']
          : ['without']
        : [values === null ? 'without' : 'with'];
      beside = beside.flatMap((before) => may.map((one) => `${before || at} ${one}`));
      return group;
    });
  });
  return new Set(groups);
}

export function refDigest(
  ledger: Pick<Ledger, 'digest'>,
  service: string,
  kind: RecordKindName,
  ref: string,
  scope: PlanOptions['refScope'] = 'service',
): string {
  const names = scope === 'service' ? 'ref' : 'ref within a file';
  return ledger.digest(`${names}\n${service}\n${kind}\n${withoutLostZeros(ref)}`);
}

/** That of all updates of a company, by its id. */
export function updatesDigest(ledger: Pick<Ledger, 'digest'>, service: string, company: string): string {
  return ledger.digest(`updates\n${service}\n${company}`);
}

/** One look-up for many digests: gives the rows of the ledger that ever had some of them. */
export async function candidatesOf(
  { ledger, service }: { readonly ledger: Pick<Ledger, 'lookup'>; readonly service: string },
  digests: readonly string[],
): Promise<(some: readonly string[]) => readonly Candidate[]> {
  const found = await ledger.lookup(service, digests);
  return (some) => (found.size === 0 ? [] : some.flatMap((digest) => found.get(digest) ?? []));
}

/** The rows that have a Ref in the whole service or in one file. Where there are both, a Ref does not tell which it names. */
export async function candidatesByRef<Named extends { readonly kind: RecordKindName; readonly ref: string }>(
  around: Pick<Around, 'service'> & { readonly ledger: Pick<Ledger, 'digest' | 'lookup'> },
  refs: readonly Named[],
): Promise<(named: Named) => readonly Candidate[]> {
  const { ledger, service } = around;
  const digestOf = ({ kind, ref }: Named, scope: PlanOptions['refScope']) =>
    refDigest(ledger, service, kind, ref, scope);
  const digests = refs.flatMap((named) => [digestOf(named, 'service'), digestOf(named, 'file')]);
  const candidates = await candidatesOf(around, digests);
  return (named) => {
    const ofService = candidates([digestOf(named, 'service')]);
    const ids = new Set(ofService.map(({ row }) => row.id));
    const ofFiles = ofService.length === 0 ? [] : candidates([digestOf(named, 'file')]);
    return [...ofService, ...ofFiles.filter(({ row }) => !ids.has(row.id))];
  };
}

/** The rows that a Ref names: those that are in, or may be, before those that are not. */
export function namedOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const live = candidates.filter(({ row }) => row.phase !== 'open');
  return live.length > 0 ? live : candidates;
}

/** The row that a Ref names, or `null` for none, or several. */
export function theOneOf(candidates: readonly Candidate[]): LogicalRow | null {
  const [one, other] = namedOf(candidates);
  return one !== undefined && other === undefined ? one.row : null;
}

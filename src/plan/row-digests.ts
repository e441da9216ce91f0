/**
 * The digests by which the ledger knows a row: of what it says, of the values that identify it, of its Ref. Its one rule: two rows
 * have a digest in common only where they tell the same of the same service and kind.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Candidate, Ledger, LogicalRow } from '../ledger/ledger.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';

export type Lookups = Pick<Ledger, 'digest' | 'runs' | 'lookup' | 'lookupPlaces' | 'lookupRecords'>;

export type RefScope = 'service' | 'file';

/** Where digests are made, and what tells the parents of rows. */
export interface Around {
  readonly staging: Staging;
  readonly ledger: Lookups;
  readonly service: string;
  readonly refScope: RefScope;
  /** SHA-256 of the source's bytes: where Refs link the rows of one file alone, they mean nothing outside of it. */
  readonly sourceDigest: string;
}

/**
 * What is told of rows by a digest: all that they say; what their results will show of that, where these hide something; the
 * values that identify them.
 */
export type Told = 'content' | 'shown' | 'identifies';

/** The digests of rows: with their parents as they are known first, then as they are named. */
export async function digestsOf(
  rows: readonly KnownStaged[],
  told: (row: KnownStaged) => readonly (readonly [Told, string])[],
  kind: RecordKindName,
  around: Around,
): Promise<ReadonlyMap<number, readonly Buffer[]>> {
  const { ledger, service, refScope, sourceDigest } = around;
  const parents = await parentsOf(rows, around);
  const scope = refScope === 'file' ? `ref in ${sourceDigest}` : 'ref';
  const digestOf = (...parts: readonly string[]): Buffer => ledger.digest(parts.join('\n'));
  return new Map(
    rows.map((row) => {
      const forms = row.parents.length === 0 ? [''] : formsOf(row.parents, parents, scope);
      const digests = told(row).flatMap(([what, said]) =>
        forms.map((form) => digestOf(what, service, kind, form, said)),
      );
      return [row.number, digests] as const;
    }),
  );
}

/** By what a row is looked up: one with masked cells says no more than its results showed. */
export function saidBy({ says, isMasked }: KnownStaged): readonly (readonly [Told, string])[] {
  return [[isMasked === true ? 'shown' : 'content', says]];
}

/** By what it will be known. */
export function saidFromNowOn(row: KnownStaged): readonly (readonly [Told, string])[] {
  return [...saidBy(row), ...(row.shown == null ? [] : [['shown', row.shown] as const])];
}

export function identifying({ identifies }: KnownStaged): readonly (readonly [Told, string])[] {
  return identifies === null ? [] : [['identifies', identifies]];
}

export function refDigest(ledger: Pick<Ledger, 'digest'>, service: string, kind: RecordKindName, ref: string): Buffer {
  return ledger.digest(`ref\n${service}\n${kind}\n${ref}`);
}

/** By this, records that have a value in common which no two can have. */
export function uniqueDigest(
  ledger: Pick<Ledger, 'digest'>,
  service: string,
  kind: RecordKindName,
  value: string,
): Buffer {
  return ledger.digest(`unique\n${service}\n${kind}\n${value}`);
}

/** By this, all updates of one company are known. */
export function updatesDigest(ledger: Pick<Ledger, 'digest'>, service: string, company: string): Buffer {
  return ledger.digest(`updates\n${service}\n${company}`);
}

/** The updates of companies that rows of a batch update, too, by the company. */
export async function updatesOf(
  rows: readonly KnownStaged[],
  ledger: Lookups,
  service: string,
): Promise<ReadonlyMap<string, readonly LogicalRow[]>> {
  const companies = [...new Set(rows.flatMap(({ updates }) => updates ?? []))];
  const digests = companies.map((company) => updatesDigest(ledger, service, company));
  const found = companies.length === 0 ? new Map() : await ledger.lookup(service, digests);
  return new Map(
    companies.map((company, at) => [company, (found.get(hex(digests[at])) ?? []).map(({ row }: Candidate) => row)]),
  );
}

/** The rows that a Ref names: those that are in, or may be, before those that are not. */
export function namedOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const live = candidates.filter(({ row }) => row.standing !== 'open');
  return live.length > 0 ? live : candidates;
}

/** The row that a Ref names, or `null` for none, or several. */
export function theOneOf(candidates: readonly Candidate[] = []): LogicalRow | null {
  const [one, other] = namedOf(candidates);
  return one !== undefined && other === undefined ? one.row : null;
}

/** The logical rows of parents, by how they are named. */
async function parentsOf(
  rows: readonly KnownStaged[],
  { staging, ledger, service, refScope }: Around,
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  const named = rows.flatMap(({ parents }) => parents);
  const elsewhere: NamedParent[] = [];
  for (const parent of named) {
    if (parent.ref === null || found.has(nameOf(parent))) continue;
    const [number, other] = staging.withRef(parent.kind, parent.ref);
    if (number !== undefined) found.set(nameOf(parent), other === undefined ? staging.one(number).id : null);
    else if (refScope === 'service') elsewhere.push(parent);
  }
  const digests = elsewhere.map(({ kind, ref }) => refDigest(ledger, service, kind, ref ?? ''));
  const byRef = await ledger.lookup(service, digests);
  elsewhere.forEach((parent, at) => {
    found.set(nameOf(parent), theOneOf(byRef.get(hex(digests[at])))?.id ?? null);
  });
  for (const kind of new Set(named.map((parent) => parent.kind))) {
    const ids = named.flatMap((parent) => (parent.kind === kind && parent.id !== null ? [parent.id] : []));
    if (ids.length === 0) continue;
    const byId = await ledger.lookupRecords(service, kind, ids);
    for (const parent of named) {
      if (parent.kind === kind && parent.id !== null) found.set(nameOf(parent), byId.get(parent.id)?.id ?? null);
    }
  }
  return found;
}

/** How a cell names a parent. */
export function nameOf({ kind, ref, id }: NamedParent): string {
  return `${kind}\n${ref ?? ''}\n${id ?? ''}`;
}

/** How the parents of a row may be named: by their logical rows where these are known, and as the cells name them. */
function formsOf(
  parents: readonly NamedParent[],
  rows: ReadonlyMap<string, number | null>,
  scope: string,
): readonly string[] {
  const asNamed = parents.map(({ fills, ref, id }) => `${fills}=${ref === null ? `id ${id}` : `${scope} ${ref}`}`);
  const known = parents.map((parent, at) => {
    const id = rows.get(nameOf(parent)) ?? null;
    return id === null ? (asNamed[at] ?? '') : `${parent.fills}=row ${id}`;
  });
  return [...new Set([known.join('\n'), asNamed.join('\n')])];
}

export function hex(digest: Buffer | null | undefined): string {
  return digest?.toString('hex') ?? '';
}

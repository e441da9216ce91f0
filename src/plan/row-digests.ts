/**
 * The digests by which the ledger knows a row: of what it says, of the values that identify it, of its Ref. Its one rule: two rows
 * have a digest in common only where they tell the same of the same service and kind.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Candidate, Ledger, LogicalRow } from '../ledger/ledger.ts';
import { fieldsSaid } from '../staging/row-says.ts';
import type { KnownStaged, NamedParent } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { SaidField } from './field-digests.ts';

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
  parents?: FormsOf,
): Promise<ReadonlyMap<number, readonly Buffer[]>> {
  const { ledger, service } = around;
  const formsOfParent = parents ?? (await parentFormsOf(rows, around));
  const digestOf = (...parts: readonly string[]): Buffer => ledger.digest(parts.join('\n'));
  return new Map(
    rows.map((row) => {
      const ofParents = row.parents.map(formsOfParent);
      const forms = new Set([0, 1].map((way) => ofParents.map((ways) => ways[way]).join('\n')));
      const digests = told(row).flatMap(([what, said]) =>
        [...forms].map((form) => digestOf(what, service, kind, form, said)),
      );
      return [row.number, digests] as const;
    }),
  );
}

/** By what a row is looked up: one with masked cells says no more than its results showed. */
export function saidBy({ says, isMasked }: KnownStaged): readonly (readonly [Told, string])[] {
  return [[isMasked === true ? 'shown' : 'content', says]];
}

/** What results would show of it: all that is known of a row that was believed by them. */
export function shownOf({ shown, isMasked }: KnownStaged): readonly (readonly [Told, string])[] {
  return isMasked === true || shown == null ? [] : [['shown', shown]];
}

/** By what it will be known. */
export function saidFromNowOn(row: KnownStaged): readonly (readonly [Told, string])[] {
  return [...saidBy(row), ...(row.shown == null ? [] : [['shown', row.shown] as const])];
}

export function identifying({ identifies }: KnownStaged): readonly (readonly [Told, string])[] {
  return identifies === null ? [] : [['identifies', identifies]];
}

/** What it says field by field, its parents in each way in which they may be named. */
export function fieldsOf({ says, parents }: KnownStaged, formsOf: FormsOf): readonly SaidField[] {
  const named = parents.map((parent) => ({ path: parent.fills, forms: formsOf(parent) }));
  return [...named, ...fieldsSaid(says).map(([path, value]) => ({ path, forms: [value] }))];
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

/** The ways in which a parent may be named: by its logical row where that is known, and as the cell names it. */
export type FormsOf = (parent: NamedParent) => readonly [known: string, named: string];

export async function parentFormsOf(rows: readonly KnownStaged[], around: Around): Promise<FormsOf> {
  const { refScope, sourceDigest } = around;
  const scope = refScope === 'file' ? `ref in ${sourceDigest}` : 'ref';
  const found = await parentsOf(rows, around);
  return (parent) => {
    const { fills, ref, id } = parent;
    const named = `${fills}=${ref === null ? `id ${id}` : `${scope} ${ref}`}`;
    const row = found.get(nameOf(parent)) ?? null;
    return [row === null ? named : `${fills}=row ${row}`, named];
  };
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

export function hex(digest: Buffer | null | undefined): string {
  return digest?.toString('hex') ?? '';
}

/**
 * The digests by which the ledger recognizes a row: content, identifying values, Ref. Its one rule: two rows share a digest only
 * if they agree in what it covers, within one service and kind.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { stemOf } from '../disk/new-file.ts';
import { isLater, type Ledger, type LogicalRow } from '../ledger/ledger.ts';
import { comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { isError } from '../messages/finding.ts';
import { oncePer } from '../once.ts';
import type { Reading } from '../staging/stage.ts';
import type { KnownStaged, NamedParent, RowContent, RowData } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { PlanOptions } from './decision.ts';

/** What a plan asks the ledger. */
export type PlanLedger = Pick<
  Ledger,
  | ('digest' | 'rowsAtOnce' | 'runs' | 'sheets' | 'entries' | 'newestResolution')
  | ('lookup' | 'lookupRows' | 'lookupPlaces' | 'lookupRecords' | 'lookupBeside')
>;

export interface Around extends Pick<PlanOptions, 'service' | 'refScope' | 'sourceDigest'> {
  readonly staging: Staging;
  readonly ledger: PlanLedger;
}

/** The two forms of a parent: by its logical row where that is known, and as the cell names it. */
export type FormsOf = (parent: NamedParent) => readonly [known: string, named: string];

type DigestsOf = (row: KnownStaged) => readonly string[];

export type RowDigests = ReturnType<typeof rowDigests>;

/** @param rowOf  the row of the ledger that a parent is; `null` if that is not known */
export function rowDigests(
  kind: RecordKindName,
  around: Around,
  formsOf: FormsOf,
  rowOf: (parent: NamedParent) => LogicalRow | null,
) {
  const { staging, ledger, refScope } = around;
  const contentOf = oncePer((row: KnownStaged) => staging.contentOf(row));
  /** First with the parents as logical rows, then as the cells name them. */
  const withParents = (use: Use, content: string | null, parents: readonly NamedParent[]): readonly string[] => {
    if (content === null) return [];
    const digest = (form: string) => digestOf(around, use, kind, form, content);
    if (parents.length === 0) return [digest('')];
    const ofParents = parents.map(formsOf);
    const forms = new Set([0, 1].map((way) => ofParents.map((named) => named[way]).join('\n')));
    return [...forms].map(digest);
  };
  const identified = (row: KnownStaged, isLookUp: boolean) =>
    [...identifying(contentOf(row), isLookUp)].flatMap((values) => withParents('identifies', values, row.parents));
  const sharing =
    (use: SharedUse): DigestsOf =>
    (row) =>
      contentOf(row).shares.flatMap(({ proves, besideParent, values }) =>
        proves === use ? withParents(use, values, besideParent ? row.parents : []) : [],
      );
  const refIn =
    (scope: Around['refScope']): DigestsOf =>
    ({ ref }) =>
      ref === null || refScope !== scope ? [] : [refDigest(around, { kind, ref }, scope)];
  const made: DigestsOf = oncePer((row) =>
    withParents(row.isMasked === true ? 'masked' : 'content', contentOf(row).digest, row.parents),
  );
  // Without parents, the digest in staging is still valid.
  const content: DigestsOf = (row) => (row.content !== null && row.parents.length === 0 ? [row.content] : made(row));
  const masked: DigestsOf = (row) => withParents('masked', contentOf(row).maskedDigest, row.parents);
  const digests = {
    /** For a row with masked cells, the masked digest. */
    content,
    /** Its content with the references that a spreadsheet program would make of its own. Empty if they are the same. */
    alike: (row) => (row.isMasked === true ? [] : withParents('content', contentOf(row).looseDigest, row.parents)),
    /** What a row says by its key or place once it is committed or in doubt. Nothing was sent for it, so it only hints at the row. */
    since: (row) => [...content(row), ...masked(row)].map((said) => ledger.digest(`since\n${said}`)),
    /** Its content as the results show it, if they mask a value. */
    masked,
    identifies: (row) => identified(row, false),
    /** The `identifies` digests of rows that agree with it in what identifies both. */
    agrees: (row) => identified(row, true),
    numbered: sharing('numbered'),
    unique: sharing('unique'),
    likes: sharing('likes'),
    ref: refIn('service'),
    /** Where Refs link the rows of one file only. Another Ref is another row; the same Ref may be the same row. */
    refInFile: refIn('file'),
    /** The same for all updates of a company. */
    updates: (row) => {
      if (!recordKind(kind).sending.isUpdate) return [];
      const ofCompany = row.parents.flatMap((parent) => updatesOf(rowOf(parent), around));
      return [...new Set([...withParents('updates', '', row.parents), ...ofCompany])];
    },
  } satisfies Readonly<Record<string, DigestsOf>>;
  const allOf =
    (some: readonly (keyof typeof digests)[]): DigestsOf =>
    (row) =>
      some.flatMap((use) => digests[use](row));
  return {
    ...digests,
    /** Every digest that a related row of the ledger may have. */
    all: allOf([...compared, 'since', 'agrees']),
    /** The digests that the ledger keeps of it, its content first. */
    kept: allOf([...compared, 'identifies', 'refInFile']),
  };
}

const compared = ['content', 'alike', 'masked', 'numbered', 'unique', 'likes', 'ref', 'updates'] as const;

/**
 * Each complete group of identifying values, prefixed with which stronger groups of its chain the row has. For a look-up, with the
 * prefixes of all rows that agree with it: where both have the stronger group, that group itself tells. The set merges chains that
 * begin alike.
 */
function identifying({ identifies }: RowContent, isLookUp: boolean): ReadonlySet<string> {
  const groups = identifies.flatMap((chain, at) => {
    let prefixes: readonly string[] = [''];
    return chain.flatMap((values) => {
      const group = values === null ? [] : prefixes.map((prefix) => `${prefix}\n${values}`);
      const [has, agreeing] = values === null ? ['without', ['with', 'without']] : ['with', ['without']];
      prefixes = prefixes.flatMap((prefix) => (isLookUp ? agreeing : [has]).map((one) => `${prefix || at} ${one}`));
      return group;
    });
  });
  return new Set(groups);
}

type Scope = Pick<Around, 'ledger' | 'service'>;
type SharedUse = RowContent['shares'][number]['proves'];
type Use = 'content' | 'masked' | 'identifies' | 'updates' | SharedUse;

function digestOf({ ledger, service }: Scope, use: Use, kind: RecordKindName, form: string, content: string): string {
  return ledger.digest(`${use}\n${service}\n${kind}\n${form}\n${content}`);
}

/** For staging: the digest of a row without parents never changes. */
export function digestsAlone(of: Scope): Reading['digestOf'] {
  return (kind, isMasked, content) => digestOf(of, isMasked ? 'masked' : 'content', kind, '', content);
}

interface NamedRef {
  readonly kind: RecordKindName;
  readonly ref: string;
}

export function refDigest(
  { ledger, service }: { readonly ledger: Pick<Ledger, 'digest'>; readonly service: string },
  { kind, ref }: NamedRef,
  scope: Around['refScope'] = 'service',
) {
  const names = scope === 'service' ? 'ref' : 'ref within a file';
  return ledger.digest(`${names}\n${service}\n${kind}\n${comparableKey(ref)}`);
}

/** Each update of the record has at least one of these digests. Empty for a kind without updates. */
export function updatesOf(row: LogicalRow | null, around: Scope): readonly string[] {
  const { updatedBy } = row === null ? {} : recordKind(row.kind);
  if (row === null || row.record === null || updatedBy === undefined) return [];
  const { id, record } = row;
  return recordKind(updatedBy).references.flatMap(({ fills }) =>
    [`row ${id}`, `id ${record}`].map((named) => digestOf(around, 'updates', updatedBy, `${fills}=${named}`, '')),
  );
}

/** Remembers its last answers: where thousands of rows share a digest, each batch asks for all of them again. */
export function remembering(ledger: PlanLedger): PlanLedger {
  const last: ReadonlyMap<string, readonly LogicalRow[]>[] = [];
  const known = (digest: string) => last.find((one) => one.has(digest))?.get(digest);
  return {
    ...ledger,
    lookup: async (service, digests) => {
      const isNew = (digest: string) => known(digest) === undefined;
      const answer = new Map(await ledger.lookup(service, digests.filter(isNew)));
      for (const digest of digests) answer.set(digest, known(digest) ?? answer.get(digest) ?? []);
      last.unshift(answer);
      last.splice(3);
      return answer;
    },
  };
}

/** Looks up many digests at once. The result maps some of them to the rows of the ledger that ever had one of these. */
export async function candidatesOf(
  { ledger, service }: { readonly ledger: Pick<Ledger, 'lookup'>; readonly service: string },
  digests: readonly string[],
) {
  const found = await ledger.lookup(service, digests);
  return (some: readonly string[]): readonly LogicalRow[] =>
    found.size === 0 ? [] : joined(some.map((digest) => found.get(digest) ?? []));
}

/** Where thousands of rows share a digest, `flat` and `flatMap` take many times as long. */
export function joined<Of>(lists: readonly (readonly Of[])[]): readonly Of[] {
  return ([] as readonly Of[]).concat(...lists);
}

/** Whether two rows are certainly distinct: both were in the run that first registered one of them, or one repeats the other. */
export function areTwo(one: LogicalRow, other: LogicalRow): boolean {
  const wereBeside = one.runs.includes(other.firstRun) || other.runs.includes(one.firstRun);
  return wereBeside || one.repeats === other.id || other.repeats === one.id;
}

/**
 * The rows with a Ref, in the whole service or in one file. Where both exist, the Ref is ambiguous, so both are returned. A row
 * whose Ref was corrected before it was sent has the corrected one only.
 *
 * @param isStill  `false` for the rows that had the Ref before a correction
 */
export async function candidatesByRef(of: Scope, refs: readonly NamedRef[], isStill = true) {
  const digests = refs.flatMap((named) => [refDigest(of, named), refDigest(of, named, 'file')]);
  const candidates = await candidatesOf(of, digests);
  return (named: NamedRef): readonly LogicalRow[] => {
    const digest = refDigest(of, named);
    const ofService = candidates([digest]).filter(({ ref }) => (ref === digest) === isStill);
    const ids = new Set(ofService.map(({ id }) => id));
    const ofFiles = ofService.length === 0 || !isStill ? [] : candidates([refDigest(of, named, 'file')]);
    return [...ofService, ...ofFiles.filter(({ id }) => !ids.has(id))];
  };
}

/**
 * The rows that ever had the content of a row, and that it is by this. Lines that lack a value may be equal and yet mean two records:
 * such a one is a row that was sent with this content, or one of the same file that was never sent.
 */
export async function candidatesByContent(
  {
    origins,
    ...around
  }: Pick<Around, 'ledger' | 'service' | 'staging'> & { readonly origins: ReadonlyMap<string, number> },
  rows: readonly KnownStaged[],
  digestsOf: DigestsOf,
) {
  const candidates = await candidatesOf(around, rows.flatMap(digestsOf));
  return (row: KnownStaged): readonly LogicalRow[] => {
    const asked = digestsOf(row);
    const alike = candidates(asked);
    if (alike.length === 0 || row.isValid || !lacksValue(around.staging.data(row))) return alike;
    const isSent = ({ content }: LogicalRow) => content !== null && asked.includes(content);
    return alike.filter((one) => (isLive(one) ? isSent(one) : origins.has(one.origin)));
  };
}

const missing: ReadonlySet<string> = new Set(['field-missing', 'group-missing', 'assumed-missing', 'attachment-file']);

/** A masked value went out, so it does not lack. */
function lacksValue({ unread, problems }: RowData): boolean {
  return unread.length > 0 || problems.some((problem) => isError(problem) && missing.has(problem.code));
}

/** Committed or in doubt. */
export function isLive({ phase }: LogicalRow): boolean {
  return phase !== 'open';
}

/** The committed and in-doubt rows that a Ref names; the open ones if there are none. */
export function namedOf(rows: readonly LogicalRow[]): readonly LogicalRow[] {
  const live = rows.filter(isLive);
  return live.length > 0 ? live : rows;
}

/** Committed rows first, then those in doubt, then open ones. Each in order of registration. */
export function byState(rows: readonly LogicalRow[]): readonly LogicalRow[] {
  const rank = { committed: 0, 'in-doubt': 1, sending: 1, open: 2 } as const;
  return [...rows].sort((one, other) => rank[one.phase] - rank[other.phase] || one.id - other.id);
}

/** Whether an update may have gone in after an export of its company; always, where there is no export. */
export function mayBeSince({ at }: LogicalRow, exportedAt: string | null): boolean {
  return exportedAt === null || at.endedAt === null || at.endedAt > exportedAt;
}

/** Whether a row was sent last by a file of this name, or by its results. */
export function isOfFile({ at }: LogicalRow, name: string): boolean {
  return at.sourceName === name || stemOf(at.sourceName) === stemOf(name);
}

export function latestIn(rows: readonly LogicalRow[]): LogicalRow | undefined {
  return rows.find(({ at }) => rows.every((other) => !isLater(other.at.order, at.order)));
}

/** `null` if the Ref names no row, or several. */
export function theOneOf(rows: readonly LogicalRow[]): LogicalRow | null {
  const [one, other] = namedOf(rows);
  return one !== undefined && other === undefined ? one : null;
}

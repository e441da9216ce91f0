/** Creates, changes and shows records of every kind, as the contract describes them. */
import { isObject } from '../contract/body-path.ts';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Body, bodyOf, findRecord, idOf, pagePathOf, parentsOf } from './kinds.ts';
import { centsIn, fundingOf } from './loans.ts';
import { fieldErrors, Problem, refuseInvalid } from './problem.ts';
import type { StoredRecord, Tables } from './store.ts';

/** The context of reads and writes: `at` is in milliseconds since 1970, and the `url` of a result begins with `url`. */
export interface Commit {
  readonly tables: Tables;
  readonly at: number;
  readonly url: string;
  readonly takesWholeBatches: boolean;
}

/** The sandbox's own choice: a company that comes with a deal is a merchant. */
const nestedDefaults: Body = { contactTypes: ['Merchant'] };

export function recordAt(kind: RecordKind, id: string, tables: Tables): StoredRecord {
  const record = findRecord(kind, id, tables);
  if (record === undefined) throw new Problem('not-found', { detail: `There is no ${kind.singular} with this id.` });
  return record;
}

/**
 * Adds a record within a commit, writes the log, and returns the result of a create (2.6). By the sandbox's own choice, kinds whose
 * result the interface does not show return the same.
 */
export function addRecord(kind: RecordKind, resolved: Body, text: string, commit: Commit): Body & { id: string } {
  const { tables, at, url } = commit;
  let body = resolved;
  const made: Record<string, object> = {};
  for (const { to, fills } of kind.references) {
    const [outer = '', inner] = fills.split('.');
    const nested = body[outer];
    if (inner === undefined || !isObject(nested)) continue;
    const named = { [inner]: nested[inner] ?? insert(recordKind(to), { ...nested, ...nestedDefaults }, commit) };
    body = { ...body, [outer]: { ...nested, ...named } };
    made[outer] = named;
  }
  const id = insert(kind, body, commit);
  tables.log(kind.endpoint, id, at, text);
  return { success: true, id, ...made, url: `${url}${pagePathOf(kind, id)}` };
}

/** Changes the fields that were sent; `null` empties one. Rules over several fields apply to the resulting record. */
export function changeRecord(kind: RecordKind, id: string, changes: Body, { tables, at, url }: Commit): Body {
  const record = recordAt(kind, id, tables);
  const changed = Object.entries({ ...bodyOf(record), ...changes }).filter(([, value]) => value !== null);
  const body: Body = Object.fromEntries(changed);
  const issues = kind.body.safeParse(body).error?.issues.filter(({ code }) => code === 'custom') ?? [];
  refuseInvalid(fieldErrors(issues, body));
  tables.change(at, JSON.stringify(body), kind.name, record.number);
  return { success: true, id, url: `${url}${pagePathOf(kind, id)}` };
}

export function viewOf(kind: RecordKind, record: StoredRecord, { tables, url }: Commit): Body {
  const id = idOf(kind, record.number);
  const updatedAt = kind.updatedBy === undefined ? {} : { updatedAt: isoTime(record.changed) };
  const own = { id, url: `${url}${pagePathOf(kind, id)}`, createdAt: isoTime(record.at), ...updatedAt };
  const view = { ...own, ...withDefaults(kind, bodyOf(record)), ...own };
  return kind.name === 'deals' ? { ...view, fundedDeal: fundingOf(id, tables) } : view;
}

/** A body with the default of each blank field: "Default `Lead`" (2.1, 3). */
export function withDefaults(kind: RecordKind, body: Body): Body {
  const defaults = fieldsOf(kind).flatMap(({ path, facts, place }) =>
    place === 'body' && facts.blankMeans !== undefined ? [[path, facts.blankMeans]] : [],
  );
  return { ...Object.fromEntries(defaults), ...body };
}

/** The title of a record: its own name, or that of the company it belongs to; empty when there is neither. */
export function titleOf(kind: RecordKind, body: Body, tables: Tables): string {
  const parent = parentsOf(kind, body).find(({ path }) => path.includes('.'));
  const record = parent === undefined ? undefined : findRecord(parent.kind, parent.id, tables);
  if (parent !== undefined && record !== undefined) return titleOf(parent.kind, bodyOf(record), tables);
  const named = isObject(body.company) ? body.company : body;
  return [named.name, named.dba].find((name) => typeof name === 'string' && name !== '')?.toString() ?? '';
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Looks up every parent that a body names, and takes over its parent: a loan of a submission belongs to the submission's deal. */
export function withParents(kind: RecordKind, body: Body, tables: Tables): Body {
  const parents = parentsOf(kind, body).map((parent) => ({
    ...parent,
    record: findRecord(parent.kind, parent.id, tables),
  }));
  refuseInvalid(
    parents.flatMap(({ path, record }) =>
      record === undefined
        ? [{ path, rule: 'unknown-id', message: `${path} names a record that does not exist.` }]
        : [],
    ),
  );
  const inherited = parents.flatMap(({ kind: { references }, record }) =>
    references
      .filter(({ fills, to }) => kind.references.some((own) => own.fills === fills && own.to === to))
      .map(({ fills }) => [fills, record && bodyOf(record)[fills]]),
  );
  return { ...Object.fromEntries(inherited), ...body };
}

function insert(kind: RecordKind, body: Body, { tables, at }: Commit): string {
  const values = { at, cents: centsIn(kind, body), body: JSON.stringify(body) };
  const parents = parentsOf(kind, body).map(({ id }) => id);
  return idOf(kind, tables.add(kind.name, values, parents));
}

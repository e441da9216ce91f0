/** The record kinds of the contract as the sandbox stores them: ids, pages, and parents. */
import { valuesAt } from '../contract/body-path.ts';
import { type Field, fieldsOf } from '../contract/fields.ts';
import { type EndpointName, endpoints, type RecordKind, type RecordKindName } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import type { StoredRecord, Tables } from './store.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Kinds with records of their own. An update changes a record of another kind. */
export const storedKinds: readonly RecordKind[] = recordKinds.filter(({ sending }) => !sending.isUpdate);

export const endpointNames = Object.keys(endpoints) as readonly EndpointName[];

/** Prefixes of ids. Other kinds use their singular name. */
const idPrefixes: Readonly<Partial<Record<RecordKindName, string>>> = {
  companies: 'cmp',
  attachments: 'att',
  submissions: 'sub',
  'submission-loans': 'loan',
  transactions: 'txn',
};

const digits = 6;
const idPattern = /^[a-z]+_(\d{6,15})$/;

/** Turns deal 1 into `deal_000001`, short enough to read aloud. */
export function idOf({ name, singular }: RecordKind, number: number): string {
  const prefix = idPrefixes[name] ?? singular.replace(/[^a-z]/g, '');
  return `${prefix}_${String(number).padStart(digits, '0')}`;
}

export function bodyOf({ body }: StoredRecord): Body {
  return JSON.parse(body) as Body;
}

/** The record with an id; `undefined` for a text that {@link idOf} would not write for this kind. */
export function findRecord(kind: RecordKind, id: string, tables: Tables): StoredRecord | undefined {
  const number = Number(idPattern.exec(id)?.[1]);
  return idOf(kind, number) === id ? tables.record(kind.name, number) : undefined;
}

export function pagePathOf({ name }: RecordKind, id: string): string {
  return `/${name}/${id}`;
}

/** The fields of a request body. In a form, each is the part of the same name. */
export function bodyFieldsOf(kind: RecordKind): readonly Field[] {
  return fieldsOf(kind).filter(({ place }) => place === 'body');
}

export function kindWith(fact: 'endpoint' | 'readBy' | 'updatedBy', value: string): RecordKind | undefined {
  return recordKinds.find((kind) => kind[fact] === value);
}

export function childKindsOf({ name }: RecordKind): readonly RecordKind[] {
  return storedKinds.filter(({ references }) => references.some(({ to }) => to === name));
}

/** The records that a body names by id, each with the path of that id: `dealId`, `company.id`. */
export function parentsOf({ references }: RecordKind, body: Body) {
  return references.flatMap(({ to, fills }) => {
    const [id] = valuesAt(body, fills);
    return typeof id === 'string' ? [{ kind: recordKind(to), path: fills, id }] : [];
  });
}

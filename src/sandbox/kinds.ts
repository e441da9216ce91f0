/** The record kinds of the contract as the sandbox stores them: ids, pages, and parents. */
import { valuesAt } from '../contract/body-path.ts';
import { type Field, fieldsOf, templateFieldsOf } from '../contract/fields.ts';
import { type EndpointName, endpoints, type RecordKind, type RecordKindName } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { oncePer } from '../once.ts';
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
const mostColumns = 6;

/** Turns deal 1 into `deal_000001`, short enough to read aloud. */
export function idOf(kind: RecordKind, number: number): string {
  return `${prefixOf(kind)}_${String(number).padStart(digits, '0')}`;
}

export function bodyOf({ body }: StoredRecord): Body {
  return JSON.parse(body) as Body;
}

/** The record with an id; `undefined` for a text that {@link idOf} would not write for this kind. */
export function findRecord(kind: RecordKind, id: string, tables: Tables): StoredRecord | undefined {
  const number = Number(idPattern.exec(id)?.[1]);
  return idOf(kind, number) === id ? tables.record(kind.name, number) : undefined;
}

function prefixOf({ name, singular }: RecordKind): string {
  return idPrefixes[name] ?? singular.replace(/[^a-z]/g, '');
}

export function pagePathOf({ name }: RecordKind, id: string): string {
  return `/${name}/${id}`;
}

/** The fields of a request body. In a form, each is the part of the same name. */
export function bodyFieldsOf(kind: RecordKind): readonly Field[] {
  return fieldsOf(kind).filter(({ place }) => place === 'body');
}

export function kindSentTo(name: EndpointName): RecordKind | undefined {
  return recordKinds.find(({ endpoint }) => endpoint === name);
}

/** The kind whose records are at a path such as `/v1/deal/{dealId}`. */
export function kindAt(path: string): RecordKind | undefined {
  const collection = path.replace(/\/\{\w+\}$/, '');
  return storedKinds.find(({ endpoint }) => endpoints[endpoint].path === collection);
}

/** Whether a single record of a kind can be read or changed at `{collection}/{id}`. */
export function hasEndpoint(kind: RecordKind, method: 'GET' | 'PATCH'): boolean {
  const collection = endpoints[kind.endpoint].path;
  return endpointNames.some((name) => {
    const { path, method: own } = endpoints[name];
    return own === method && path.startsWith(`${collection}/{`);
  });
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

/** The fields that distinguish records in a list: required and listed ones first, then common ones. */
export const summaryFieldsOf = oncePer((kind: RecordKind): readonly Field[] => {
  const nested = kind.references.map(({ fills }) => fills.split('.')[0]);
  const common = templateFieldsOf(kind, 'common').filter(({ segments }) => segments.length === 1);
  const fields = [...new Set([...templateFieldsOf(kind, 'minimal'), ...common])].filter(
    ({ place, facts, segments: [first] }) => place === 'body' && !facts.sensitive && !nested.includes(String(first)),
  );
  return fields.slice(0, mostColumns);
});

/** The record kinds of the contract as the sandbox keeps them: their ids, their pages, and which of them name which. */
import { valuesAt } from '../contract/body-path.ts';
import { type Field, fieldsOf, templateFieldsOf } from '../contract/fields.ts';
import { type EndpointName, endpoints, type RecordKind, type RecordKindName } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { oncePer } from '../once.ts';
import type { StoredRecord, Tables } from './store.ts';

export type Body = Readonly<Record<string, unknown>>;

/** The kinds whose records are kept. An update changes a record of another kind. */
export const storedKinds: readonly RecordKind[] = recordKinds.filter(({ sending }) => !sending.isUpdate);

export const endpointNames = Object.keys(endpoints) as readonly EndpointName[];

/** Short words that ids begin with; another kind's ids begin with its name. */
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

/** Deals and 1 to `deal_000001`: short enough to be read aloud. */
export function idOf(kind: RecordKind, number: number): string {
  return `${prefixOf(kind)}_${String(number).padStart(digits, '0')}`;
}

export function bodyOf({ body }: StoredRecord): Body {
  return JSON.parse(body) as Body;
}

/** The record of an id; none for a text that is not an id of this kind as {@link idOf} writes it. */
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

/** What is sent of a kind; each field in a part of its name where that is a form. */
export function bodyFieldsOf(kind: RecordKind): readonly Field[] {
  return fieldsOf(kind).filter(({ place }) => place === 'body');
}

export function kindSentTo(name: EndpointName): RecordKind | undefined {
  return recordKinds.find(({ endpoint }) => endpoint === name);
}

/** The kind whose records stand below a path such as `/v1/deal/{dealId}`. */
export function kindAt(path: string): RecordKind | undefined {
  const collection = path.replace(/\/\{\w+\}$/, '');
  return storedKinds.find(({ endpoint }) => endpoints[endpoint].path === collection);
}

/** Whether one record of a kind can be read or changed at `{collection}/{id}`. */
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

/** The records that a body names by their ids, each with the path of its id: `dealId`, `company.id`. */
export function parentsOf({ references }: RecordKind, body: Body) {
  return references.flatMap(({ to, fills }) => {
    const [id] = valuesAt(body, fills);
    return typeof id === 'string' ? [{ kind: recordKind(to), path: fills, id }] : [];
  });
}

/** The fields that tell records of a kind apart in a list: what is required or listed first, then what is common. */
export const summaryFieldsOf = oncePer((kind: RecordKind): readonly Field[] => {
  const nested = kind.references.map(({ fills }) => fills.split('.')[0]);
  const common = templateFieldsOf(kind, 'common').filter(({ segments }) => segments.length === 1);
  const fields = [...new Set([...templateFieldsOf(kind, 'minimal'), ...common])].filter(
    ({ place, facts, segments: [first] }) => place === 'body' && !facts.sensitive && !nested.includes(String(first)),
  );
  return fields.slice(0, mostColumns);
});

/** From a staged row to what the client sends: its body with the ids of its parents, in the form of the wire, and its file. */
import { segmentsOf } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Field, fieldsOf, isSensitiveName, looksSensitive } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { type Body, setAt, wireWriter } from '../mapping/body.ts';
import { checkMessage } from '../messages/checks.ts';
import type { Message } from '../messages/message.ts';
import { formsOf, parentsOf } from '../plan/parents.ts';
import type { Around, FormsOf } from '../plan/row-digests.ts';
import type { OutgoingRecord } from '../service/client.ts';
import type { Secret } from '../service/outcome.ts';
import { type AttachmentPlace, openAttachment } from '../staging/attachment-files.ts';
import type { JudgedRow, KnownStaged, NamedParent } from '../staging/staged-row.ts';

/** A record to send with what it holds open, or why there is none. */
export type Made =
  | { readonly ok: true; readonly record: OutgoingRecord; readonly release: () => void }
  | { readonly ok: false; readonly message: Message };

export type RecordMaker = (row: JudgedRow, parents: ReadonlyMap<string, string>, key: string | null) => Made;

/** @returns the function that makes the records of a kind; `parents` are their ids by the body paths that get them */
export function recordMaker(kind: RecordKind, contract: ContractSettings, attachments: AttachmentPlace): RecordMaker {
  const toWire = wireWriter(kind, contract);
  const fields = new Map(fieldsOf(kind).map((field) => [field.path, field]));
  return (row, parents, idempotencyKey) => {
    const found = kind.sending.hasFile ? openAttachment(attachments, String(row.body.file)) : null;
    if (found?.ok === false) {
      const params = { file: String(row.body.file), fault: found.fault };
      return { ok: false, message: checkMessage('attachment-file', params) };
    }
    const body = parents.size === 0 ? row.body : structuredClone(row.body);
    for (const [fills, id] of parents) setAt(body, segmentsOf(fills), id);
    const wire = toWire(body);
    const file = found?.file ?? null;
    const secrets = () => secretsOf(fields, body);
    const json = JSON.stringify(wire);
    const record = { body: wire, json, pathId: row.pathId, file, idempotencyKey, secrets };
    return { ok: true, record, release: () => file?.close() };
  };
}

/**
 * The values of a row with the names of their columns, by which they are replaced in what a service says. Of equal ones the first
 * counts: those of columns in braces, which are named by their paths, stand behind the others.
 */
function secretsOf(fields: ReadonlyMap<string, Field>, body: Body): readonly Secret[] {
  const [named, others]: [Secret[], Secret[]] = [[], []];
  for (const [path, value] of valuesByPath(body, '')) {
    // A list of words is one field.
    const field = fields.get(path) ?? fields.get(path.replace(/\[\d+\]$/, ''));
    if (field === undefined) others.push({ value, label: path, isSensitive: isSensitive(path, value) });
    else named.push({ value, label: field.label, isSensitive: field.facts.sensitive === true });
  }
  return [...named, ...others];
}

/** Of a column in braces, its name tells, or what it says. */
function isSensitive(path: string, value: string): boolean {
  return looksSensitive(value) || path.split(/[.[]/).some(isSensitiveName);
}

function valuesByPath(held: unknown, path: string): readonly (readonly [path: string, value: string])[] {
  if (typeof held === 'string' || typeof held === 'number') return [[path, String(held)]];
  if (Array.isArray(held)) return held.flatMap((part, index) => valuesByPath(part, `${path}[${index}]`));
  if (typeof held !== 'object' || held === null) return [];
  return Object.entries(held).flatMap(([name, part]) => valuesByPath(part, path === '' ? name : `${path}.${name}`));
}

export interface ParentsFound {
  /** The ids of a row's parents by the body paths that get them; `null` when one of them is not in, or is in without an id. */
  readonly ids: ReadonlyMap<string, string> | null;
  readonly isWithoutId: boolean;
}

export async function parentIdsOf(
  rows: readonly KnownStaged[],
  around: Around & { readonly ledger: Pick<Ledger, 'lookupRows'> },
): Promise<{ readonly parentsOf: (row: KnownStaged) => ParentsFound; readonly forms: FormsOf }> {
  const parents = await parentsOf(rows, around);
  const idHere = (parent: NamedParent): number | null => {
    const [number, other] = parents(parent).here;
    return number === undefined || other !== undefined ? null : around.staging.one(number).id;
  };
  const named = rows.flatMap((row) => row.parents);
  const known = await around.ledger.lookupRows(named.flatMap((parent) => idHere(parent) ?? []));
  const rowOf = (parent: NamedParent): LogicalRow | null => {
    const id = idHere(parent);
    return id === null ? parents(parent).row : (known.get(id) ?? null);
  };
  const found = (row: KnownStaged): ParentsFound => {
    const ids = new Map<string, string>();
    for (const parent of row.parents) {
      if (parent.ref === null) continue;
      const known = rowOf(parent);
      if (known?.standing !== 'committed' || known.record === null)
        return { ids: null, isWithoutId: known?.standing === 'committed' };
      ids.set(parent.fills, known.record);
    }
    return { ids, isWithoutId: false };
  };
  return { parentsOf: found, forms: formsOf(parents, around) };
}

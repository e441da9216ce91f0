/** Turns a staged row into the record to send: its body with the ids of its parents, in the format of the service, and its file. */
import { segmentsOf } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { isWrittenSsn } from '../contract/fields.ts';
import { leavesOf } from '../contract/leaves.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { type Body, setAt, wireWriter } from '../mapping/body.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import type { WaitReason } from '../plan/decision.ts';
import { formsOf, parentsOf } from '../plan/parents.ts';
import type { Around } from '../plan/row-digests.ts';
import type { OutgoingRecord } from '../service/client.ts';
import type { Secret } from '../service/outcome.ts';
import { type AttachmentPlace, type FoundFile, openAttachment } from '../staging/attachment-files.ts';
import type { KnownStaged, NamedParent, RowData } from '../staging/staged-row.ts';

/** A record with its open file, or why it cannot be made. */
export type Made =
  | { readonly ok: true; readonly record: OutgoingRecord; readonly release: () => void }
  | { readonly ok: false; readonly message: Message };

export type RecordMaker = (row: RowData, parents: ReadonlyMap<string, string>, key: string | null) => Made;

/** @returns makes the records of a kind; its `parents` are ids by body path */
export function recordMaker(kind: RecordKind, contract: ContractSettings, attachments: AttachmentPlace): RecordMaker {
  const toWire = wireWriter(kind, contract);
  return (row, parents, idempotencyKey) => {
    const found = kind.sending.hasFile ? checkedFile(attachments, row) : null;
    if (found?.ok === false) {
      const params = { file: String(row.body.file), fault: found.fault };
      return { ok: false, message: messageOf('attachment-file', params) };
    }
    // The parent of an update is in the path of its request.
    const { isUpdate } = kind.sending;
    const [pathId = row.pathId] = isUpdate ? parents.values() : [];
    const body = isUpdate || parents.size === 0 ? row.body : structuredClone(row.body);
    if (!isUpdate) for (const [fills, id] of parents) setAt(body, segmentsOf(fills), id);
    const wire = toWire(body);
    const file = found?.file ?? null;
    const secrets = (which?: 'sensitive') => secretsOf(kind, body, which === 'sensitive');
    const json = JSON.stringify(wire);
    const record = { body: wire, json, pathId, file, idempotencyKey, secrets };
    return { ok: true, record, release: () => file?.close() };
  };
}

/** Opens the file of a row, unless its bytes are no longer those that were checked and shown. */
function checkedFile(attachments: AttachmentPlace, { body, file }: RowData): FoundFile {
  const found = openAttachment(attachments, String(body.file));
  if (!found.ok || found.file.digest === file?.digest) return found;
  found.file.close();
  return { ok: false, fault: messageOf('file-changed') };
}

/**
 * The values of a row with the names of their columns, to redact them in answers of the service. The first of equal values counts,
 * so columns in braces, which have a path instead of a name, come last.
 */
function secretsOf(kind: RecordKind, body: Body, isSensitiveAlone: boolean): readonly Secret[] {
  const [named, others]: [Secret[], Secret[]] = [[], []];
  for (const { place, value: said } of leavesOf(kind, body)) {
    const { path, field } = place;
    for (const value of Array.isArray(said) ? said : [said]) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const isSensitive = field === null ? place.isSensitive || isWrittenSsn(value) : field.facts.sensitive === true;
      if (isSensitiveAlone && !isSensitive) continue;
      const secret = { value: String(value), label: field === null ? path : field.label, isSensitive };
      (field === null ? others : named).push(secret);
    }
  }
  return [...named, ...others];
}

/** @returns for each row the ids of its parents by body path, or why it waits; and the forms of parents in digests */
export async function parentIdsOf(rows: readonly KnownStaged[], around: Around) {
  const parents = await parentsOf(rows, around);
  const rowHere = (parent: NamedParent): number | null => {
    const [number, other] = parents(parent).here;
    return number === undefined || other !== undefined ? null : around.staging.one(number).id;
  };
  const named = rows.flatMap((row) => row.parents);
  const known = await around.ledger.lookupRows(named.flatMap((parent) => rowHere(parent) ?? []));
  const idsOf = (row: KnownStaged): ReadonlyMap<string, string> | WaitReason => {
    const ids = new Map<string, string>();
    for (const parent of row.parents) {
      if (parent.ref === null) continue;
      const here = rowHere(parent);
      const of = here === null ? parents(parent).row : known.get(here);
      if (of?.phase !== 'committed') return 'waits-for-parent';
      if (of.record === null) return 'parent-without-id';
      ids.set(parent.fills, of.record);
    }
    return ids;
  };
  return { idsOf, forms: formsOf(parents, around) };
}

/** From a checked row to what the client sends: the exact JSON, the file, and the digest that makes the row itself. */

import type { ContractSettings } from '../../contract/contract-settings.ts';
import { fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { type Body, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type WireWriter, wireWriter } from '../../mapping/wire.ts';
import type { Message } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import type { OutgoingRecord } from '../../service/client.ts';
import type { Secret } from '../../service/outgoing-record.ts';
import { type AttachmentFile, type AttachmentPlace, openAttachment } from '../survey/attachment-files.ts';
import { identityWriter, sensitiveFields } from '../survey/row-identity.ts';

/** A row that is ready to be sent. */
export interface OutgoingRow {
  readonly row: CheckedRow;
  /** Made for rows that are sent, and not for those that a person is only told of: it is half the work. */
  readonly record: () => OutgoingRecord;
  /** What the fingerprint is made of, without the service and the occurrence. */
  readonly identity: string;
  /** The same of what a results sheet shows of the row, which hides sensitive fields. */
  readonly shown: () => string;
  /** Whether there is anything to hide. */
  readonly hides: boolean;
  /** Gives the file back. */
  readonly release: () => void;
}

export type OutgoingMaker = (row: CheckedRow, body: Body, idempotencyKey: string | null) => OutgoingRow;

/**
 * Makes the function that prepares the rows of one kind.
 *
 * @throws Error from the returned function when a file that was there at the check is gone
 */
export function outgoingMaker(
  kind: RecordKind,
  contract: ContractSettings,
  attachments: AttachmentPlace,
): OutgoingMaker {
  const toWire: WireWriter = wireWriter(kind, contract);
  const writeIdentity = identityWriter(kind);
  const sensitive = sensitiveFields();
  return (row, body, idempotencyKey) => {
    const file = kind.sending.hasFile ? openedFile(attachments, String(body.file)) : null;
    const identityOf = (said: string) => `${kind.name}\n${row.pathId ?? ''}\n${file?.digest() ?? ''}\n${said}`;
    return {
      row,
      identity: identityOf(writeIdentity(body)),
      shown: () => identityOf(sensitive.without(body, writeIdentity)),
      hides: sensitive.areIn(body),
      record: () => {
        const wire = toWire(body);
        const json = JSON.stringify(wire);
        return { body: wire, json, pathId: row.pathId, file, idempotencyKey, secrets: () => valuesOf(kind, body) };
      },
      release: () => file?.close(),
    };
  };
}

/** The values of a row with the names of their columns, by which they are replaced in what a service says. */
function valuesOf(kind: RecordKind, body: Body): readonly Secret[] {
  const ofFields = fieldsOf(kind).flatMap((field) => {
    const found = valueAt(body, field.segments);
    const { label } = field;
    const isSensitive = field.facts.sensitive === true;
    if (typeof found === 'string' || typeof found === 'number') return [{ value: String(found), label, isSensitive }];
    return Array.isArray(found) ? found.map((part) => ({ value: String(part), label, isSensitive })) : [];
  });
  // Of equal ones the first counts: by their paths, those of columns in braces alone are named.
  return [...ofFields, ...valuesByPath(body, '')];
}

function valuesByPath(held: unknown, path: string): readonly Secret[] {
  if (typeof held === 'string' || typeof held === 'number') return [{ value: String(held), label: path }];
  if (Array.isArray(held)) return held.flatMap((part, index) => valuesByPath(part, `${path}[${index}]`));
  if (typeof held !== 'object' || held === null) return [];
  return Object.entries(held).flatMap(([name, part]) => valuesByPath(part, path === '' ? name : `${path}.${name}`));
}

function openedFile(place: AttachmentPlace, name: string): AttachmentFile {
  const found = openAttachment(place, name);
  if (!found.ok) throw new AttachmentGone(rowMessage('attachment-gone', { file: name, fault: found.fault }));
  return found.file;
}

/** A file that was there when the row was checked is not there when it is to be sent. */
export class AttachmentGone extends Error {
  override readonly name = 'AttachmentGone';
  readonly told: Message;

  constructor(told: Message) {
    super(told.code);
    this.told = told;
  }
}

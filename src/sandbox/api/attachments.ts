/**
 * The form of Add a deal attachment (service interface 4.5). Of the file its name, size, type and digest are kept and not the
 * bytes: enough to prove what arrived, and no copies of bank statements on the side.
 */
import { createHash } from 'node:crypto';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import type { Body } from '../kinds.ts';
import { type FieldError, Problem } from '../problem.ts';
import { invalidFields } from '../validation.ts';

/** The sandbox's own limit; the interface shows none (8). */
export const largestAttachment = 25 * 1024 * 1024;

/** The fields of a kind that is sent as a form, each in a part of its name. */
export function formPartsOf(kind: RecordKind): readonly Field[] {
  return fieldsOf(kind).filter(({ place }) => place === 'body');
}

/** What is kept of a form, or a problem that tells of every part that is missing. */
export async function attachmentOf(kind: RecordKind, form: Body): Promise<Body> {
  const files = Object.values(form)
    .flat()
    .filter((value) => value instanceof File);
  const fields = formPartsOf(kind);
  const errors = fields.flatMap(({ path, format }): FieldError[] => {
    const value = form[path];
    const isThere = format === 'file' ? value instanceof File && files.length === 1 : typeof value === 'string';
    if (isThere && value !== '' && (!(value instanceof File) || value.name !== '')) return [];
    const message = `The form must have one part “${path}” with ${format === 'file' ? 'a file' : 'the id'}.`;
    return [{ path, rule: 'required', message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  const kept = fields.map(async ({ path }) => {
    const value = form[path];
    return [path, value instanceof File ? await keptOf(value) : value] as const;
  });
  return Object.fromEntries(await Promise.all(kept));
}

async function keptOf(file: File): Promise<Record<string, unknown>> {
  if (file.size > largestAttachment) {
    throw new Problem('too-large', { detail: `A file may have at most ${largestAttachment} bytes.` });
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: file.name.replaceAll('\0', ''), mediaType: file.type, size: file.size, sha256 };
}

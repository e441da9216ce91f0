/**
 * Add a deal attachment (service interface 4.5): a form with the deal's id and one file. Of the file its name, size, type and
 * digest are kept and not the bytes: enough to prove what arrived, and no copies of bank statements on the side.
 */
import { createHash } from 'node:crypto';
import { assumedContract } from '../../contract/contract-settings.ts';
import { type FieldError, Problem } from '../problem.ts';
import { idOf } from '../record-ids.ts';
import { invalidFields } from '../validation.ts';
import { createdAnswer, type FormEndpoint } from './endpoint.ts';
import { recordNamed } from './known-records.ts';

/** The sandbox's own limit; the interface shows none (8). */
export const largestAttachment = 25 * 1024 * 1024;

/** What is kept of an attachment. */
export interface KeptAttachment {
  readonly dealId: string;
  readonly fileName: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

const { dealId: dealPart, file: filePart } = assumedContract.attachmentParts;

export const addAttachment: FormEndpoint = {
  takes: 'form',
  async prepare({ form }, surroundings) {
    const attachment = await keptOf(form);
    const text = JSON.stringify(attachment);
    return {
      content: text,
      run(tables, at) {
        const deal = recordNamed(tables, 'deal', dealPart, attachment.dealId);
        const number = tables.add('attachment', at, [attachment.fileName], { deal });
        tables.log('addAttachment', idOf('attachment', number), at, text);
        return createdAnswer('attachment', number, surroundings);
      },
    };
  },
};

async function keptOf(form: FormData): Promise<KeptAttachment> {
  const errors: FieldError[] = [];
  const ids = form.getAll(dealPart);
  const files = [...form].filter(([, value]) => typeof value !== 'string');
  const [dealId] = ids;
  const file = form.get(filePart);
  if (ids.length !== 1 || typeof dealId !== 'string' || dealId === '') {
    errors.push({
      path: dealPart,
      rule: 'required',
      message: `The form must have one part “${dealPart}” with the id.`,
    });
  }
  if (files.length !== 1 || file === null || typeof file === 'string' || file.name === '') {
    errors.push({
      path: filePart,
      rule: 'required',
      message: `The form must have one part “${filePart}” with a file.`,
    });
  }
  if (errors.length > 0 || typeof dealId !== 'string' || file === null || typeof file === 'string') {
    throw invalidFields(errors);
  }
  if (file.size > largestAttachment) {
    throw new Problem('too-large', { detail: `A file may have at most ${largestAttachment} bytes.` });
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  return {
    dealId,
    fileName: file.name.replaceAll('\0', ''),
    mediaType: file.type,
    size: file.size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

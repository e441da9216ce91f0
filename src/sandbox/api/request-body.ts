/** Reads a request body up to a limit, by its media type. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isForm, isLines } from '../../contract/contract-settings.ts';
import { formBody } from '../../contract/rename.ts';
import { Problem } from '../problem.ts';
import { largestAttachment } from './operations.ts';

/** The sandbox's own limits, in bytes; the interface shows none (8). A form may exceed its file by the overhead. */
const largestJson = 5 * 1024 * 1024;
const formOverhead = 64 * 1024;

export interface ReceivedBody {
  /** The body as sent; for a form, the JSON of its parts. */
  readonly text: string;
  /** JSON, or the parts of a form by name, with the facts of its files. A repeated part is a list. */
  readonly body: unknown;
}

const readers = {
  json: {
    mediaType: 'application/json',
    pattern: /^application\/(?:(?:(?:[\w.-]+\+)?json|(?:x-)?ndjson|jsonl)\s*(?:;|$)|x-www-form-urlencoded)/i,
    limit: largestJson,
    read: async (bytes: Buffer<ArrayBuffer>, type: string): Promise<ReceivedBody> => {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (isForm(type)) return { text, body: formBody(text) };
      const lines = isLines(type) ? text.trimEnd().split('\n') : null;
      return { text, body: lines?.map((line): unknown => JSON.parse(line)) ?? (JSON.parse(text) as unknown) };
    },
  },
  form: {
    mediaType: 'multipart/form-data',
    pattern: /^multipart\/form-data\s*;/i,
    limit: largestAttachment + formOverhead,
    read: async (bytes: Buffer<ArrayBuffer>, type: string): Promise<ReceivedBody> => {
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
      const parts = [...new Set(form.keys())].map(async (name) => {
        const all = await Promise.all(
          form.getAll(name).map((part) => (typeof part === 'string' ? part : factsOf(part))),
        );
        return [name, all.length > 1 ? all : all[0]] as const;
      });
      const body = Object.fromEntries(await Promise.all(parts));
      return { text: JSON.stringify(body), body };
    },
  },
} as const;

/** Enough to prove which file arrived, without copies of bank statements. */
async function factsOf(file: File) {
  const bytes = Buffer.from(await file.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: file.name.replaceAll('\0', ''), mediaType: file.type, size: file.size, sha256 };
}

export async function readBody(incoming: IncomingMessage, as: keyof typeof readers): Promise<ReceivedBody> {
  const { mediaType, pattern, limit, read } = readers[as];
  const type = incoming.headers['content-type'] ?? '';
  if (!pattern.test(type)) throw new Problem('other-media-type', { detail: `Send the body as ${mediaType}.` });
  const bytes = await readBytes(incoming, limit);
  return read(bytes, type).catch(() => {
    throw new Problem('unreadable-body', { detail: `The body is no whole ${mediaType}.` });
  });
}

/** Of a body above the limit nothing is kept. */
async function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw new Problem('too-large', { detail: `The body may have at most ${limit} bytes.` });
  return Buffer.concat(chunks);
}

/** What an answer holds: its body parsed. Nothing here decides what becomes of a row. */
import type { IncomingHttpHeaders } from 'node:http';

/** A place for the body of an answer that may be larger than memory. */
export interface BodyKeeper {
  /** A body begins: what was kept of an earlier try is dropped. */
  begin(): void;
  /** Keeps the next bytes, decoded. A fault of the place is remembered as {@link failure}. */
  add(chunk: Buffer): void;
  /** Why the bytes could not be kept, or `null`. */
  readonly failure: Error | null;
}

/** The body of an answer, as far as it can be understood. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Buffer }
  | { readonly kind: 'html' | 'text'; readonly text: string }
  | { readonly kind: 'empty' }
  /** JSON by its first and last byte; its keeper has it. `value` is there where it is short. */
  | { readonly kind: 'kept'; readonly value: unknown }
  /** Cut, stalled, too long, or broken; `text` is what came of it. */
  | { readonly kind: 'unreadable'; readonly text: string };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
}

const htmlStart = /^<(?:!doctype\s+html|html|head|body)[\s>]/i;

/**
 * @param body  decoded; the beginning alone where a keeper has it
 * @param kept  of a kept body whether the beginning is all of it, and its last character besides blanks; else `null`
 * @param isWhole  whether it came to its end, could be decoded, and is not too long
 */
export function bodyOf(
  body: Buffer,
  headers: IncomingHttpHeaders,
  kept: { readonly isShort: boolean; readonly last: string } | null,
  isWhole: boolean,
): AnswerBody {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (!isWhole) return { kind: 'unreadable', text };
  const type = headerOf(headers, 'content-type').toLowerCase();
  if (kept === null || !/^\s*[[{]/.test(text)) return readBody(text, type, body);
  if (!/[\]}]/.test(kept.last)) return { kind: 'unreadable', text: '' };
  const short = kept.isShort ? readBody(text, type, body) : null;
  return { kind: 'kept', value: short?.kind === 'json' ? short.value : undefined };
}

function readBody(text: string, type: string, bytes: Buffer): AnswerBody {
  if (text.trim() === '') return { kind: 'empty' };
  try {
    return { kind: 'json', value: JSON.parse(withLongNumbersAsTexts(text)), bytes };
  } catch {
    if (isPage(text) || /^(?:text\/html|application\/xhtml)/.test(type)) return { kind: 'html', text };
    return { kind: type.includes('json') || /^\s*[[{"]/.test(text) ? 'unreadable' : 'text', text };
  }
}

/** Whether a web page begins here, after any comments. */
function isPage(text: string): boolean {
  return htmlStart.test(text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trimStart());
}

/** A whole number of more digits than a number holds exactly may be an id: it is taken as a text. */
function withLongNumbersAsTexts(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

/** The JSON of an answer; `undefined` for none. */
export function jsonIn({ body }: Pick<Answer, 'body'>): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

/** A header's text, several joined; empty when there is none. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  return [headers[name] ?? ''].flat().join(', ');
}

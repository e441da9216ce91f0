/** What an answer holds: its body parsed. Nothing here decides what becomes of a row. */
import type { IncomingHttpHeaders } from 'node:http';
import type { WireAnswer } from './wire/attempt.ts';

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

export function readAnswer({ status, headers, body, kept, isWhole }: WireAnswer): Answer {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (!isWhole) return { status, headers, body: { kind: 'unreadable', text } };
  const type = headerOf(headers, 'content-type').toLowerCase();
  if (kept === null || !/^\s*[[{]/.test(text)) return { status, headers, body: readBody(text, type, body) };
  const short = kept.isWhole ? readBody(text, type, body) : null;
  const isComplete = /[\]}]\s*$/.test(kept.tail.toString('latin1'));
  const value = short?.kind === 'json' ? short.value : undefined;
  return { status, headers, body: isComplete ? { kind: 'kept', value } : { kind: 'unreadable', text: '' } };
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
export function jsonIn({ body }: Answer): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

/** A header's text, several joined; empty when there is none. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  return [headers[name] ?? ''].flat().join(', ');
}

/** What an answer holds: its body decoded and parsed. Nothing here decides what becomes of a row. */
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyEnding, WireAnswer } from './wire/attempt.ts';
import type { KeptEdges } from './wire/body-keeper.ts';
import { layersOf, unpacked } from './wire/content-encoding.ts';

/** The body of an answer, as far as it can be understood. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty' }
  /** JSON by its first and last byte; its keeper has it. `value` is there where it is short. */
  | { readonly kind: 'kept'; readonly value: unknown }
  /** Cut, stalled, too long, or broken; `text` is what came of it. */
  | { readonly kind: 'unreadable'; readonly why: Exclude<BodyEnding, 'whole'> | 'broken'; readonly text: string };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
}

const htmlStart = /^<(?:!doctype\s+html|html|head|body)[\s>]/i;
const longestHtmlStart = 80;

/** @param bodyLimit  the most bytes of the body, also once it is decoded */
export function readAnswer({ status, headers, body, kept, ending }: WireAnswer, bodyLimit: number): Answer {
  return {
    status,
    headers,
    body: kept === null ? readBody(body, headers, ending, bodyLimit) : keptBody(kept, headers, ending, bodyLimit),
  };
}

/** An encoded body shows nothing at its edges: it is judged when it is read. */
function keptBody(kept: KeptEdges, headers: IncomingHttpHeaders, ending: BodyEnding, limit: number): AnswerBody {
  if (ending !== 'whole') return { kind: 'unreadable', why: ending, text: '' };
  const short = kept.isWhole ? readBody(kept.beginning, headers, ending, limit) : null;
  const value = short?.kind === 'json' ? short.value : undefined;
  if (layersOf(headerOf(headers, 'content-encoding'))?.length !== 0) return { kind: 'kept', value };
  const beginning = kept.beginning.toString('utf8').replace(/^\uFEFF/, '');
  if (beginning.trim() === '') return { kind: 'empty' };
  if (/^\s*[[{]/.test(beginning)) {
    const isComplete = /[\]}]\s*$/.test(kept.end.toString('latin1'));
    return isComplete ? { kind: 'kept', value } : { kind: 'unreadable', why: 'broken', text: '' };
  }
  const isWebPage = isPage(beginning) || headerOf(headers, 'content-type').toLowerCase().startsWith('text/html');
  return { kind: isWebPage ? 'html' : 'text', text: beginning };
}

/** Whether a web page begins here, after any comments: these are gone through one by one, however many there are. */
function isPage(text: string): boolean {
  let rest = text.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', '<!--'.length);
    if (end < 0) return false;
    rest = rest.slice(end + '-->'.length).trimStart();
  }
  return htmlStart.test(rest.slice(0, longestHtmlStart));
}

function readBody(bytes: Buffer, headers: IncomingHttpHeaders, ending: BodyEnding, limit: number): AnswerBody {
  const decoded = unpacked(bytes, headerOf(headers, 'content-encoding'), limit);
  if (decoded === 'too-long' || decoded === 'broken') {
    return { kind: 'unreadable', why: ending === 'whole' ? decoded : ending, text: '' };
  }
  const text = decoded.toString('utf8').replace(/^\uFEFF/, '');
  if (ending !== 'whole') return { kind: 'unreadable', why: ending, text };
  if (text.trim() === '') return { kind: 'empty' };
  const type = headerOf(headers, 'content-type').toLowerCase();
  try {
    return { kind: 'json', value: JSON.parse(withLongNumbersAsTexts(text)) };
  } catch {
    if (isPage(text) || type.startsWith('text/html') || type.startsWith('application/xhtml'))
      return { kind: 'html', text };
    return type.includes('json') || /^\s*[[{"]/.test(text)
      ? { kind: 'unreadable', why: 'broken', text }
      : { kind: 'text', text };
  }
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
  const value = headers[name];
  return value === undefined ? '' : Array.isArray(value) ? value.join(', ') : value;
}

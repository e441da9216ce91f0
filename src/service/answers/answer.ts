/** What an answer holds: its body decoded and parsed, its ids. Nothing here decides what becomes of a row. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { namesOfItemIds } from '../../contract/lists-of-rows.ts';
import type { RecordReference } from '../records/outcome.ts';
import { visibleText } from '../text/plain-text.ts';
import type { BodyEnding, WireAnswer } from '../wire/attempt.ts';
import type { KeptEdges } from '../wire/body-keeper.ts';
import { layersOf, unpacked } from '../wire/content-encoding.ts';
import { plainName } from './words-of-answer.ts';

/** The body of an answer, as far as it can be understood. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty' }
  /** JSON by its first and last byte; its keeper has it. */
  | { readonly kind: 'kept' }
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
    body: kept === null ? readBody(body, headers, ending, bodyLimit) : keptBody(kept, headers, ending),
  };
}

/** An encoded body shows nothing at its edges: it is judged when it is read. */
function keptBody(kept: KeptEdges, headers: IncomingHttpHeaders, ending: BodyEnding): AnswerBody {
  if (ending !== 'whole') return { kind: 'unreadable', why: ending, text: '' };
  if (layersOf(headerOf(headers, 'content-encoding'))?.length !== 0) return { kind: 'kept' };
  const beginning = kept.beginning.toString('utf8').replace(/^\uFEFF/, '');
  if (beginning.trim() === '') return { kind: 'empty' };
  if (/^\s*[[{]/.test(beginning)) {
    const isComplete = /[\]}]\s*$/.test(kept.end.toString('latin1'));
    return isComplete ? { kind: 'kept' } : { kind: 'unreadable', why: 'broken', text: '' };
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
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    if (isPage(text) || type.startsWith('text/html') || type.startsWith('application/xhtml'))
      return { kind: 'html', text };
    return type.includes('json') || /^\s*[[{"]/.test(text)
      ? { kind: 'unreadable', why: 'broken', text }
      : { kind: 'text', text };
  }
}

/** A header's text, several joined; empty when there is none. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return value === undefined ? '' : Array.isArray(value) ? value.join(', ') : value;
}

/** The first value other than `undefined` and `null` at any of some dotted paths. */
export function valueAt(value: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const current = memberAt(value, path.includes('.') ? path.split('.') : [path]);
    if (current !== undefined && current !== null) return current;
  }
  return undefined;
}

/** What stands at the names of a path, one within the other. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return current;
}

/** Whether a dotted path is there, whatever it holds. */
export function hasAt(value: unknown, path: string): boolean {
  const names = path.split('.');
  const last = names.pop() ?? path;
  const around = names.length === 0 ? value : valueAt(value, [names.join('.')]);
  return isObject(around) && Object.hasOwn(around, last);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The ids and the address that a body gives for a record. */
export function referenceIn(value: unknown, contract: ContractSettings): RecordReference {
  const { id, companyId, url } = contract.answers;
  return {
    id: identifier(valueAt(value, id)),
    companyId: identifier(valueAt(value, companyId)),
    url: webAddress(valueAt(value, url)),
  };
}

/** What programs write where there is no record: zero, a negative number, a word for nothing, a GUID of zeros. */
const idOfNothing = /^(?:|[-+]?0+|-\d+|null|undefined|none|nil|nan|n\/a|true|false|\[object object\]|\{?[0-]+\}?)$/i;

/** Blanks, dashes and braces alone name nothing. */
const letterOrDigit = /[\p{L}\p{N}]/u;

/** The id of a record in a value of an answer, or `null` when it is none. */
export function identifier(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  return typeof value === 'string' && letterOrDigit.test(value) && !idOfNothing.test(value.trim()) && isPlain(value)
    ? value
    : null;
}

/**
 * The id of an item that is called by another name than the contract's: `transactionId`, `_id`.
 * @param sent  what the row sent, if it is known: a name of its own is none of the service's
 */
export function idUnderAnyName(item: unknown, sent: Readonly<Record<string, unknown>> = {}): string | null {
  if (!isObject(item)) return null;
  for (const [name, held] of Object.entries(item)) {
    const isId = namesOfItemIds.test(plainName(name)) && !Object.hasOwn(sent, name);
    const id = isId ? identifier(held) : null;
    if (id !== null) return id;
  }
  return null;
}

/** Only an address of the web becomes a link in a results sheet; one from the root on is of the service itself. */
function webAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\s*(?:https?:|\/)/i.test(value) || !isPlain(value)) return null;
  return URL.canParse(value, 'https://service.invalid') ? value : null;
}

/** What a terminal would obey is part of no id and no address. */
function isPlain(text: string): boolean {
  return visibleText(text) === text;
}

/**
 * One sentence that a person can use from an error answer of any shape: the interface shows none (7.1). The shapes that
 * services use are looked for in turn; what names a field is kept apart, as the service wrote it.
 */

import type { FieldMessage } from '../records/outcome.ts';
import type { Secret } from '../records/outgoing-record.ts';
import { masked } from '../text/masking.ts';
import { asSentence, shortened } from '../text/plain-text.ts';
import type { AnswerBody } from './answer.ts';
import { isObject } from './answer.ts';

export interface ErrorText {
  /** A whole sentence, without values of the row. */
  readonly message: string;
  readonly fields: readonly FieldMessage[];
}

const longestMessage = 300;
const longestPath = 120;
const mostFields = 20;
/** Fields that are told in the sentence itself; the others are in the list. */
const mostFieldsInSentence = 4;
/** An error text is not looked at beyond this: long enough for any, short enough for the masking to be quick. */
const longestSource = 20_000;
/** Errors inside errors are followed so far. */
const deepest = 4;

const messageNames = [
  'detail',
  'message',
  'msg',
  'error_description',
  'errorMessage',
  'description',
  'reason',
  'faultstring',
  'statusMessage',
  'title',
] as const;
const pathNames = [
  'field',
  'path',
  'param',
  'parameter',
  'property',
  'propertyPath',
  'pointer',
  'loc',
  'name',
  'key',
  'target',
] as const;
const listNames = [
  'errors',
  'details',
  'invalid-params',
  'invalidParams',
  'validationErrors',
  'violations',
  'issues',
  'fieldErrors',
  'messages',
] as const;
const wrapperNames = ['error', 'errors', 'fault', 'problem', 'data', 'response'] as const;

/**
 * @param status  the status of the answer, for when its body says nothing
 * @param secrets  values that must not be repeated
 */
export function errorTextOf(status: number, body: AnswerBody, secrets: readonly Secret[]): ErrorText {
  const found = nothingFound(secrets);
  if (body.kind === 'json') collect(body.value, found, 0);
  else if (body.kind === 'text') found.messages.push(body.text);
  else if (body.kind === 'html') found.messages.push(titleOf(body.text));
  return composed(found, body, status, secrets);
}

/**
 * What a body, or one item of it, gives as a reason; `null` when it gives none.
 *
 * @param secrets  values that must not be repeated, of what the reason is about
 * @param others  further ones
 */
export function reasonGivenIn(
  item: unknown,
  secrets: readonly Secret[],
  others: readonly Secret[] = [],
): ErrorText | null {
  const found = nothingFound(secrets);
  collect(item, found, 0);
  if (found.messages.length === 0 && found.fields.length === 0) return null;
  return composed(found, { kind: 'empty' }, null, secrets, others);
}

interface Found {
  readonly messages: string[];
  readonly fields: FieldMessage[];
  /** What the row sent: an answer that repeats the record gives no reason by it. */
  readonly sent: ReadonlySet<string>;
}

function nothingFound(secrets: readonly Secret[]): Found {
  return { messages: [], fields: [], sent: new Set(secrets.map(({ value }) => value.trim())) };
}

function composed(
  found: Found,
  body: AnswerBody,
  status: number | null,
  secrets: readonly Secret[],
  others: readonly Secret[] = [],
): ErrorText {
  const clean = (text: string): string => {
    const own = masked(text.slice(0, longestSource), secrets);
    // Most are values of the row itself: what is left then holds few others, and each that is looked for takes its time.
    return others.length === 0 ? own : masked(own, others);
  };
  const named = found.fields.slice(0, mostFields).map(({ path, message }) => ({
    path: shortened(clean(path), longestPath),
    message: shortened(clean(message), longestMessage),
  }));
  const fields = named.map(({ path, message }) => ({ path, message: asSentence(message) }));
  const general = [...new Set(found.messages.map(clean).filter((text) => text !== ''))].join('; ');
  const specific = named
    .slice(0, mostFieldsInSentence)
    .map(({ path, message }) => `${path}: ${message.replace(/\.$/, '')}`);
  if (named.length > mostFieldsInSentence) specific.push(`and ${named.length - mostFieldsInSentence} more`);
  if (general === '' && specific.length === 0) return { message: asSentence(silence(status, body)), fields };
  // A path at the front stays as the service wrote it.
  if (general === '') return { message: shortened(`${specific.join('; ')}.`, longestMessage), fields };
  const said = specific.length === 0 ? general : `${general.replace(/[.:]$/, '')}: ${specific.join('; ')}`;
  return { message: asSentence(shortened(said, longestMessage - 1)), fields };
}

function silence(status: number | null, body: AnswerBody): string {
  const answered = status === null ? 'The service refused it' : `The service answered ${status}`;
  return body.kind === 'empty' || body.kind === 'json'
    ? `${answered} and gave no reason`
    : `${answered} with a body that gives no readable reason`;
}

/** Follows the shapes of errors into their depth, the general text first. */
function collect(value: unknown, found: Found, depth: number): void {
  if (typeof value === 'string') {
    found.messages.push(value);
  } else if (Array.isArray(value)) {
    if (depth < deepest) for (const item of value.slice(0, mostFields)) collect(item, found, depth + 1);
  } else if (isObject(value) && depth < deepest) {
    collectObject(value, found, depth);
  }
}

function collectObject(value: Readonly<Record<string, unknown>>, found: Found, depth: number): void {
  const message = firstText(value, [...messageNames, 'error'], found.sent);
  const path = depth === 0 ? null : pathIn(value);
  if (message !== null && path !== null) found.fields.push({ path, message });
  else if (message !== null) found.messages.push(message);
  for (const name of listNames) {
    const list = value[name];
    if (Array.isArray(list)) collect(list, found, depth + 1);
    else if (isObject(list)) collectByField(list, found, depth + 1);
  }
  if (Array.isArray(value.detail)) collect(value.detail, found, depth + 1);
  for (const name of wrapperNames) {
    const inner = value[name];
    if (isObject(inner) && !(listNames as readonly string[]).includes(name)) collect(inner, found, depth + 1);
  }
}

/** `{ "name": ["is required"], "company.ein": "is not valid" }` */
function collectByField(errors: Readonly<Record<string, unknown>>, found: Found, depth: number): void {
  for (const [path, value] of Object.entries(errors).slice(0, mostFields)) {
    const texts = (Array.isArray(value) ? value : [value]).flatMap((part: unknown) => {
      if (typeof part === 'string') return [part];
      return isObject(part) ? (firstText(part, messageNames, found.sent) ?? []) : [];
    });
    if (texts.length > 0) found.fields.push({ path, message: texts.join('; ') });
    else if (depth < deepest) collect(value, found, depth + 1);
  }
}

function firstText(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
  except: ReadonlySet<string> = new Set(),
): string | null {
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string' && text.trim() !== '' && !except.has(text.trim())) return text;
  }
  return null;
}

function pathIn(value: Readonly<Record<string, unknown>>): string | null {
  for (const name of pathNames) {
    const path = value[name];
    if (typeof path === 'string' && path !== '') return path;
    if (Array.isArray(path) && path.length > 0) return path.map(String).join('.');
  }
  const { source } = value;
  return isObject(source) ? firstText(source, ['pointer', 'parameter', 'header']) : null;
}

/** The title of a web page, else its words. */
function titleOf(html: string): string {
  const head = html.slice(0, longestSource);
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(head)?.[1];
  const text = title ?? head.replace(/<(script|style)[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>/g, ' ');
  return text.replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ' ');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * One sentence that a person can use from an error answer of any shape: the interface shows none (7.1). The shapes that
 * services use are looked for in turn; what names a field is kept apart, as the service wrote it.
 */

import { inspect } from 'node:util';
import type { FieldMessage } from '../records/outcome.ts';
import type { Secret } from '../records/outgoing-record.ts';
import { masked } from '../text/masking.ts';
import { asSentence, shortened } from '../text/plain-text.ts';
import type { AnswerBody } from './answer.ts';
import { isObject } from './answer.ts';
import { plainName } from './words-of-answer.ts';

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

/** Of an answer, without case and punctuation; the likeliest first. */
const messageNames = [
  ...['detail', 'message', 'msg', 'errordescription', 'errormessage', 'description', 'reason', 'faultstring'],
  ...['statusmessage', 'defaultmessage', 'title', 'exception'],
] as const;
const pathNames = [
  ...['field', 'path', 'param', 'parameter', 'property', 'propertypath', 'pointer', 'loc', 'name', 'key', 'target'],
] as const;
const listNames = [
  ...['errors', 'details', 'invalidparams', 'validationerrors', 'violations', 'issues', 'fielderrors', 'messages'],
  ...['message', 'detail', 'modelstate', 'servermessages', 'exc'],
] as const;
const wrapperNames = ['error', 'fault', 'problem', 'data', 'response'] as const;

/**
 * @param status  the status of the answer, for when its body says nothing
 * @param secrets  values that must not be repeated
 */
export function errorTextOf(status: number, body: AnswerBody, secrets: readonly Secret[]): ErrorText {
  const found = nothingFound(secrets);
  if (body.kind === 'json') collectWhole(body.value, found);
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

/** What has none of the usual shapes is shown by its fields (`{ "ein": ["is wrong"] }`), else as it is. */
function collectWhole(value: unknown, found: Found): void {
  collect(value, found, 0);
  if (!isObject(value) || found.messages.length > 0 || found.fields.length > 0) return;
  collectByField(Object.fromEntries(Object.entries(value).filter(([, held]) => Array.isArray(held))), found, deepest);
  if (found.fields.length === 0 && Object.keys(value).length > 0) found.messages.push(inspect(value, shownAsItIs));
}

const shownAsItIs = { breakLength: Number.POSITIVE_INFINITY, depth: deepest, maxStringLength: longestSource } as const;

/** Follows the shapes of errors into their depth, the general text first. */
function collect(value: unknown, found: Found, depth: number): void {
  if (typeof value === 'string') {
    const inner = depth < deepest ? jsonIn(value) : null;
    if (inner !== null) collect(inner, found, depth);
    else found.messages.push(/^Traceback /.test(value) ? (value.trim().split('\n').at(-1) ?? value) : value);
  } else if (Array.isArray(value)) {
    if (depth < deepest) for (const item of value.slice(0, mostFields)) collect(item, found, depth + 1);
  } else if (isObject(value) && depth < deepest) {
    collectObject(membersOf(value), found, depth);
  }
}

/** A list or an object that stands in a text as JSON. */
function jsonIn(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || text.length > longestSource) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** What an object holds, by its names without case and punctuation. */
type Members = ReadonlyMap<string, unknown>;

function membersOf(value: object): Members {
  return new Map(
    Object.entries(value)
      .toReversed()
      .map(([name, held]) => [plainName(name), held]),
  );
}

function collectObject(members: Members, found: Found, depth: number): void {
  const message = firstText(members, [...messageNames, 'error'], found.sent);
  const path = depth === 0 ? null : pathIn(members);
  if (message !== null && path !== null) found.fields.push({ path, message });
  else if (message !== null) found.messages.push(message);
  for (const name of listNames) {
    const list = members.get(name);
    const isText = typeof list === 'string' && jsonIn(list) !== null && list !== message;
    if (Array.isArray(list) || isText) collect(list, found, depth + 1);
    else if (isObject(list) && name !== 'message' && name !== 'detail') collectByField(list, found, depth + 1);
  }
  for (const name of wrapperNames) {
    const inner = members.get(name);
    if (isObject(inner)) collect(inner, found, depth + 1);
  }
}

/** `{ "name": ["is required"], "company.ein": "is not valid" }` */
function collectByField(errors: object, found: Found, depth: number): void {
  for (const [path, value] of Object.entries(errors).slice(0, mostFields)) {
    const texts = (Array.isArray(value) ? value : [value]).flatMap((part: unknown) => {
      if (typeof part === 'string') return [part];
      return isObject(part) ? (firstText(membersOf(part), messageNames, found.sent) ?? []) : [];
    });
    if (texts.length > 0) found.fields.push({ path, message: texts.join('; ') });
    else if (depth < deepest) collect(value, found, depth + 1);
  }
}

function firstText(members: Members, names: readonly string[], except: ReadonlySet<string> = new Set()): string | null {
  for (const name of names) {
    const held = members.get(name);
    // `{ "message": { "lang": "en", "value": "…" } }`
    const text = isObject(held) && !Array.isArray(held) ? membersOf(held).get('value') : held;
    if (typeof text === 'string' && text.trim() !== '' && !except.has(text.trim())) return text;
  }
  return null;
}

function pathIn(members: Members): string | null {
  for (const name of pathNames) {
    const path = members.get(name);
    if (typeof path === 'string' && path !== '') return path;
    if (Array.isArray(path) && path.length > 0) return path.map(String).join('.');
  }
  const source = members.get('source');
  return isObject(source) ? firstText(membersOf(source), ['pointer', 'parameter', 'header']) : null;
}

/** The title of a web page, else its words. */
function titleOf(html: string): string {
  const head = html.slice(0, longestSource);
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(head)?.[1];
  const text = title ?? head.replace(/<(script|style)[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>/g, ' ');
  return text.replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ' ');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The reason that an answer gives, for a person: what stands at the declared paths, else in the members that services commonly
 * use for it, else the beginning of the raw text. Nothing is decided by it.
 */
import { isObject, valuesAt } from '../contract/body-path.ts';
import type { AnswerBody } from './answer.ts';
import { asSentence, plainText, shortened } from './plain-text.ts';

/** Names of members that hold a reason, in plain letters. */
const reasonNames = new Set(
  [
    'message messages msg error errors err detail details title description reason reasons fault faultstring faultcode',
    'exception exc modelstate violations issues problems failures warnings invalidparams innererror usererrors',
    'servermessages statusmessage defaultmessage errormessage errormessages errordescription errordetail errordetails',
    'errortext validationerrors fielderrors validation value developermessage usermessage localizedmessage nonfielderrors',
  ].flatMap((names) => names.split(' ')),
);
/** Names of members that say which field is meant. */
const placeNames = new Set('field fieldname path property propertypath param parameter pointer loc target'.split(' '));

const longestReason = 300;
/** What of an answer is looked at: enough for any reason, and little for a hostile one. */
const longestRaw = 20_000;
const deepest = 5;
const mostParts = 5;

/** @returns one sentence of at most 300 characters, not redacted; `null` when the body gives no reason */
export function reasonIn(body: unknown, paths: readonly string[]): string | null {
  const declared = paths.flatMap((path) => valuesAt(body, path).flatMap((value) => textsOf(value, null, 0)));
  return joined(declared.length > 0 ? declared : commonReasons(body, 0));
}

/** The same of a whole answer, down to its raw text. */
export function reasonOfAnswer(body: AnswerBody, paths: readonly string[]): string | null {
  if (body.kind === 'json') return reasonIn(body.value, paths) ?? rawText(body.value);
  if (body.kind === 'text') return joined([body.text.slice(0, longestRaw)]);
  return body.kind === 'html' ? joined([titleOf(body.text)]) : null;
}

/** The keys and types of a body without any of its values, to show what would have to be declared. */
export function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth + 1)}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  if (depth > deepest) return 'object';
  const members = Object.entries(value).slice(0, mostMembers);
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, held]) => `${plainText(name).slice(0, 40)}: ${shapeOf(held, depth + 1)}`).join(', ')} }`;
}
const mostMembers = 20;

function commonReasons(value: unknown, depth: number): readonly string[] {
  if (Array.isArray(value)) return value.slice(0, mostParts).flatMap((part) => commonReasons(part, depth + 1));
  if (!isObject(value) || depth > deepest) return [];
  const found = Object.entries(value).flatMap(([name, held]) => (isReasonName(name) ? textsOf(held, null, depth) : []));
  if (found.length > 0) return withPlace(found, value);
  return Object.values(value).flatMap((held) => commonReasons(held, depth + 1));
}

/** The texts below a member that holds a reason; the names on the way say which field is meant. */
function textsOf(value: unknown, label: string | null, depth: number): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : textsOfString(value, label, depth);
  if (depth > deepest || !isObject(value)) return [];
  if (Array.isArray(value)) return value.slice(0, mostParts).flatMap((part) => textsOf(part, label, depth + 1));
  const common = commonReasons(value, depth + 1);
  if (common.length > 0) return common;
  return Object.entries(value)
    .slice(0, mostParts)
    .flatMap(([name, held]) => (isPlace(name) ? [] : textsOf(held, isNumber(name) ? label : name, depth + 1)));
}

/** Some services write JSON into their texts. */
function textsOfString(text: string, label: string | null, depth: number): readonly string[] {
  if (/^\s*[[{]/.test(text) && text.length < longestRaw) {
    try {
      const inner = textsOf(JSON.parse(text), label, depth + 1);
      if (inner.length > 0) return inner;
    } catch {
      // It only looks like JSON: it is told as it is.
    }
  }
  const plain = plainText(text.slice(0, longestRaw));
  return [label === null ? plain : `${label}: ${plain}`];
}

function withPlace(texts: readonly string[], around: Readonly<Record<string, unknown>>): readonly string[] {
  for (const [name, held] of Object.entries({ ...around, ...(isObject(around.source) ? around.source : {}) })) {
    if (!isPlace(name)) continue;
    const place = Array.isArray(held) ? held.join('.') : held;
    if (typeof place === 'string' && place !== '') return texts.map((text) => `${place}: ${text}`);
  }
  return texts;
}

function joined(texts: readonly string[]): string | null {
  const different = [...new Set(texts.map((text) => plainText(text)).filter((text) => text !== ''))];
  const told = different.slice(0, mostParts).map((text) => text.replace(/[.;]$/, ''));
  return told.length === 0 ? null : shortened(asSentence(told.join('; ')), longestReason);
}

function rawText(value: unknown): string | null {
  const text = JSON.stringify(value);
  return text === undefined || /^(?:null|true|false|\{\}|\[\]|"")$/.test(text)
    ? null
    : shortened(plainText(text), longestReason);
}

function titleOf(page: string): string {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,500})/i.exec(page.slice(0, longestRaw)) ?? [];
  return title;
}

/** Whether a member of this name usually holds a reason. */
export function isReasonName(name: string): boolean {
  return reasonNames.has(plainName(name));
}

/** Names are compared without case and punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function isPlace(name: string): boolean {
  return placeNames.has(plainName(name));
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

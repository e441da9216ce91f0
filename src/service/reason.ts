/**
 * The reason that an answer gives, for a person: what stands at the declared paths, else in the members that services commonly
 * use for it, else the beginning of the raw text. Nothing is decided by it.
 */
import { isObject, plainName, valuesAt } from '../contract/body-path.ts';
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
const deepest = 8;
const mostParts = 5;
const mostMembers = 20;

/** @returns one sentence of at most 300 characters, not redacted; `null` when the body gives no reason */
export function reasonIn(body: unknown, paths: readonly string[]): string | null {
  const declared = paths.flatMap((path) => valuesAt(body, path).flatMap((value) => textsOf(value, true, 0)));
  return joined(declared.length > 0 ? declared : textsOf(body, false, 0));
}

/** The same of a whole answer, down to its raw text. */
export function reasonOfAnswer(body: AnswerBody, paths: readonly string[]): string | null {
  if (body.kind === 'json') return reasonIn(body.value, paths) ?? rawText(body.value);
  if (body.kind === 'text') return joined([body.text.slice(0, longestRaw)]);
  if (body.kind !== 'html') return null;
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,500})/i.exec(body.text.slice(0, longestRaw)) ?? [];
  return joined([title]);
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

/** Whether a member of this name usually holds a reason. */
export function isReasonName(name: string): boolean {
  return reasonNames.has(plainName(name));
}

/** The texts of members that hold a reason, with the field that is meant; within such a member all of its texts. */
function textsOf(value: unknown, isReason: boolean, depth: number): readonly string[] {
  if (typeof value === 'string') return isReason ? textsOfString(value, depth) : [];
  if (!isObject(value) || depth > deepest) return [];
  if (Array.isArray(value)) return value.slice(0, mostParts).flatMap((part) => textsOf(part, isReason, depth + 1));
  const members = Object.entries(value);
  const found = members.flatMap(([name, held]) => (isReasonName(name) ? textsOf(held, true, depth + 1) : []));
  if (found.length > 0) return withPlace(found, placeIn(value) ?? placeIn(value.source));
  if (!isReason) return members.flatMap(([, held]) => textsOf(held, false, depth + 1));
  return members
    .slice(0, mostParts)
    .filter(([name]) => !placeNames.has(plainName(name)))
    .flatMap(([name, held]) => withPlace(textsOf(held, true, depth + 1), /^\d+$/.test(name) ? null : name));
}

/** Some services write JSON into their texts. */
function textsOfString(text: string, depth: number): readonly string[] {
  if (/^\s*[[{]/.test(text) && text.length < longestRaw) {
    try {
      const inner = textsOf(JSON.parse(text), true, depth + 1);
      if (inner.length > 0) return inner;
    } catch {
      // It only looks like JSON: it is told as it is.
    }
  }
  const plain = plainText(text.slice(0, longestRaw));
  return plain === '' ? [] : [plain];
}

function placeIn(value: unknown): string | null {
  const held = Object.entries(isObject(value) ? value : {}).find(([name]) => placeNames.has(plainName(name)))?.[1];
  const place = Array.isArray(held) ? held.join('.') : held;
  return typeof place === 'string' && place !== '' ? place : null;
}

function withPlace(texts: readonly string[], place: string | null): readonly string[] {
  return place === null ? texts : texts.map((text) => `${place}: ${text}`);
}

function joined(texts: readonly string[]): string | null {
  const different = [...new Set(texts.map((text) => plainText(text)).filter((text) => text !== ''))];
  const told = different.slice(0, mostParts).map((text) => text.replace(/[.;]$/, ''));
  return told.length === 0 ? null : shortened(asSentence(told.join('; ')), longestReason);
}

function rawText(value: unknown): string | null {
  const text = JSON.stringify(value);
  const saysNothing = text === undefined || /^(?:null|true|false|\{\}|\[\]|"")$/.test(text);
  return saysNothing ? null : shortened(plainText(text), longestReason);
}

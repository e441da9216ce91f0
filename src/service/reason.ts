/** The reason that an answer gives, for a person alone; and what of such a text must not be shown. */
import { isObject, plainName, valuesAt } from '../contract/body-path.ts';
import { asSentence, digitsOf, literal, plainText, shortened } from '../messages/plain-text.ts';
import type { AnswerBody } from './answer.ts';
import type { Secret } from './outcome.ts';

const reasonNames = new Set(
  [
    'message messages msg error errors err detail details title description reason reasons fault faultstring faultcode',
    'exception exc modelstate violations issues problems failures warnings invalidparams innererror usererrors',
    'servermessages statusmessage defaultmessage errormessage errormessages errordescription errordetail errordetails',
    'errortext validationerrors fielderrors validation value developermessage usermessage localizedmessage',
  ].flatMap((names) => names.split(' ')),
);
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

export function reasonOfAnswer(body: AnswerBody, paths: readonly string[]): string | null {
  if (body.kind === 'json') {
    const text = JSON.stringify(body.value);
    const saysNothing = text === undefined || /^(?:null|true|false|\{\}|\[\]|"")$/.test(text);
    return reasonIn(body.value, paths) ?? (saysNothing ? null : shortened(plainText(text), longestReason));
  }
  if (body.kind === 'text' || body.kind === 'unreadable') return joined([body.text.slice(0, longestRaw)]);
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

export function isReasonName(name: string): boolean {
  return reasonNames.has(plainName(name));
}

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
  const shown = different.slice(0, mostParts).map((text) => text.replace(/[.;]$/, ''));
  return shown.length === 0 ? null : shortened(asSentence(shown.join('; ')), longestReason);
}

export const tokenLabel = 'token';

/** Shorter values are words of any message, and tell nothing. */
const shortestValue = 4;
/** So much of a token tells too much already. */
const beginningOfToken = 8;
const longestText = 20_000;

/** A number of four digits and more, in whatever script, and whatever stands between its digits. */
const digitRun = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){3,}/gu;
/** What looks like an SSN is one, whichever row it belongs to. */
const socialSecurityNumber = /(?<!\p{Nd})\p{Nd}{3}[^\p{L}\p{N},]{1,3}\p{Nd}{2}[^\p{L}\p{N},]{1,3}\p{Nd}{4}(?!\p{Nd})/gu;

/**
 * The text on one line, without control characters and without what must not be shown. It is coarse on purpose: the row's own values
 * as they are, and where the row has an SSN or a date of birth, every run of four digits and more.
 */
export function redacted(text: string, secrets: readonly Secret[]): string {
  const labels: string[] = [];
  // Until the end, each label is one character of the private use area: nothing is found inside it.
  const mark = (label: string): string => {
    const known = labels.indexOf(label);
    return String.fromCharCode(firstMark + (known < 0 ? labels.push(label) - 1 : known));
  };
  let shown = plainText(decoded(text.slice(0, longestText))).replace(marks, '');
  let folded = caseless(shown);
  for (const { value, label, isSensitive } of longestFirst(secrets)) {
    for (const form of formsOf(value, label, isSensitive === true)) {
      // To look takes far less than a pattern, and few values of a row are repeated.
      if (!folded.includes(caseless(form))) continue;
      shown = shown.replaceAll(patternOf(form, label), () => mark(label));
      folded = caseless(shown);
    }
  }
  shown = shown.replace(socialSecurityNumber, () => mark('SSN'));
  if (secrets.some(({ isSensitive }) => isSensitive)) shown = shown.replace(digitRun, () => mark('number'));
  return shown.replace(marks, (found) => `[${labels[found.charCodeAt(0) - firstMark] ?? ''}]`);
}

const firstMark = 0xe000;
const marks = /[\uE000-\uF8FF]/g;

function longestFirst(secrets: readonly Secret[]): readonly Secret[] {
  const different = new Map(secrets.toReversed().map((secret) => [secret.value, secret]));
  return [...different.values()]
    .filter(({ value }) => value.trim().length >= shortestValue)
    .sort((one, other) => other.value.length - one.value.length);
}

function formsOf(value: string, label: string, isSensitive: boolean): readonly string[] {
  const plain = plainText(value);
  if (label === tokenLabel) return [plain.slice(0, beginningOfToken)];
  const forms = [plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)];
  if (isSensitive) forms.push(...[plain, digitsOf(plain)].filter((text) => text !== '').map(base64));
  return [...new Set(forms)];
}

/** In characters. A longer pattern may be too much for the engine, and its value is looked for to the letter. */
const longestPattern = 1000;

function patternOf(form: string, label: string): RegExp | string {
  if (label === tokenLabel) return new RegExp(`${literal(form)}[\\w~+/=-]*(?:\\.[\\w~+/=-]+)*`, 'giu');
  if (form.length > longestPattern) return form;
  return new RegExp(`${edge(form, 0, '<!')}${literal(form)}${edge(form, -1, '!')}`, 'giu');
}

/** Letters that a pattern takes for the same in another case are the same here. */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** `Open` is not meant in "opened", nor `1200` in "12000". */
function edge(form: string, at: number, look: '<!' | '!'): string {
  return /[\p{L}\p{N}]/u.test(form.at(at) ?? '') ? `(?${look}[\\p{L}\\p{N}])` : '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '');
}

/** Signs that are written by their numbers, as addresses, JSON and web pages do: a dash between digits may be one. */
function decoded(text: string): string {
  return text.replace(
    /%([0-7][0-9a-f])|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});|&#(\d{1,5});/gi,
    (_, byAddress?: string, byJson?: string, byHex?: string, byNumber?: string) => {
      const hex = byAddress ?? byJson ?? byHex;
      return String.fromCharCode(hex === undefined ? Number(byNumber) : Number.parseInt(hex, 16));
    },
  );
}

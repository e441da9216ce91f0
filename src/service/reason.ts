/** Extracts the reason from an answer, for people only, and redacts what must not be shown. */
import { isObject, plainName, valuesAt } from '../contract/body-path.ts';
import { asSentence, digitsOf, literal, plainText, shortened } from '../messages/plain-text.ts';
import { type AnswerBody, plainTextOf } from './answer.ts';
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
/** Characters that are examined: enough for any reason, and a bound for a hostile answer. */
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
  const [, title = plainTextOf(body) ?? ''] =
    /<title[^>]{0,200}>([^<]{0,500})/i.exec(body.text.slice(0, longestRaw)) ?? [];
  return joined([title.slice(0, longestRaw)]);
}

/** The keys and types of a body without its values, to show what needs to be declared. */
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
  const reasons = members.filter(([name]) => isReasonName(name));
  // Beside another reason, `value` repeats the input.
  const named = reasons.length > 1 ? reasons.filter(([name]) => plainName(name) !== 'value') : reasons;
  const found = named.flatMap(([, held]) => textsOf(held, true, depth + 1));
  if (found.length > 0) return withPlace(found, placeIn(value) ?? placeIn(value.source));
  if (!isReason) return members.flatMap(([, held]) => textsOf(held, false, depth + 1));
  return members
    .slice(0, mostParts)
    .filter(([name]) => !placeNames.has(plainName(name)))
    .flatMap(([name, held]) => withPlace(textsOf(held, true, depth + 1), /^\d+$/.test(name) ? null : name));
}

/** Some services put JSON into their strings. */
function textsOfString(text: string, depth: number): readonly string[] {
  if (/^\s*[[{]/.test(text) && text.length < longestRaw) {
    try {
      const inner = textsOf(JSON.parse(text), true, depth + 1);
      if (inner.length > 0) return inner;
    } catch {
      // Not JSON after all: the text is used as is.
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
  return texts.map((text) =>
    place === null || text.startsWith(`${place} `) || text.startsWith(`${place}:`) ? text : `${place}: ${text}`,
  );
}

function joined(texts: readonly string[]): string | null {
  const different = [...new Set(texts.map((text) => plainText(text)).filter((text) => text !== ''))];
  const shown = different.slice(0, mostParts).map((text) => text.replace(/[.;]$/, ''));
  return shown.length === 0 ? null : shortened(asSentence(shown.join('; ')), longestReason);
}

export const tokenLabel = 'token';

/** Shorter values are ordinary words, and reveal nothing. */
const shortestValue = 4;
/** This many characters already reveal too much of a token. */
const beginningOfToken = 8;

/** Four or more digits in any script, with any separators between them. */
const digitRun = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){3,}/gu;
/** Redacted in every text, whichever row it belongs to. */
const socialSecurityNumber = /(?<!\p{Nd})\p{Nd}{3}[^\p{L}\p{N},]{1,3}\p{Nd}{2}[^\p{L}\p{N},]{1,3}\p{Nd}{4}(?!\p{Nd})/gu;

/**
 * Puts text on one line, without control characters and without what must not be shown. Coarse on purpose: the row's own values are
 * replaced literally. If the row has an SSN or a date of birth, so is every run of four or more digits.
 */
export function redacted(text: string, secrets: readonly Secret[]): string {
  const labels: string[] = [];
  // Until the end each label is one private-use character, so that no pattern matches inside a label.
  const mark = (label: string): string => {
    const known = labels.indexOf(label);
    return String.fromCharCode(firstMark + (known < 0 ? labels.push(label) - 1 : known));
  };
  let shown = plainText(decoded(text.slice(0, longestRaw))).replace(marks, '');
  let folded = caseless(shown);
  for (const { value, label, isSensitive } of longestFirst(secrets)) {
    for (const form of formsOf(value, label, isSensitive === true)) {
      // A substring search is much cheaper than a pattern, and few values occur.
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

/** In characters. The engine may reject a longer pattern, so its value is matched literally. */
const longestPattern = 1000;

function patternOf(form: string, label: string): RegExp | string {
  if (label === tokenLabel) return new RegExp(`${literal(form)}[\\w~+/=-]*(?:\\.[\\w~+/=-]+)*`, 'giu');
  if (form.length > longestPattern) return form;
  return new RegExp(`${edge(form, 0, '<!')}${literal(form)}${edge(form, -1, '!')}`, 'giu');
}

/** Folds case in the same way as a case-insensitive pattern. */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** Word boundaries: `Open` must not match "opened", nor `1200` match "12000". */
function edge(form: string, at: number, look: '<!' | '!'): string {
  return /[\p{L}\p{N}]/u.test(form.at(at) ?? '') ? `(?${look}[\\p{L}\\p{N}])` : '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '');
}

/** Decodes URL, JSON and HTML escapes, because the dash inside an SSN may be escaped. */
function decoded(text: string): string {
  return text.replace(
    /%([0-7][0-9a-f])|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});|&#(\d{1,5});/gi,
    (_, byAddress?: string, byJson?: string, byHex?: string, byNumber?: string) => {
      const hex = byAddress ?? byJson ?? byHex;
      return String.fromCharCode(hex === undefined ? Number(byNumber) : Number.parseInt(hex, 16));
    },
  );
}

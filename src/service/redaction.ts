/**
 * Takes values of a row, and tokens, out of what a service says. It is coarse on purpose: the row's own values as they are, and
 * where the row has an SSN or a date of birth, every run of four digits and more.
 */
import type { Secret } from './outcome.ts';
import { plainText } from './plain-text.ts';

/** The label of a token. */
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

/** The text on one line, without control characters and without what must not be shown. */
export function redacted(text: string, secrets: readonly Secret[]): string {
  const labels: string[] = [];
  // A letter of the private use area stands for each label, so that nothing is found inside a label.
  const mark = (label: string): string => {
    const known = labels.indexOf(label);
    return String.fromCharCode(firstMark + (known < 0 ? labels.push(label) - 1 : known));
  };
  let shown = plainText(decoded(text.slice(0, longestText))).replace(marks, '');
  for (const { value, label, isSensitive } of longestFirst(secrets)) {
    for (const form of formsOf(value, label, isSensitive === true)) shown = shown.replace(form, () => mark(label));
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

function formsOf(value: string, label: string, isSensitive: boolean): readonly RegExp[] {
  const plain = plainText(value);
  const forms = [plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)];
  if (isSensitive) forms.push(...[plain, plain.replace(/\D/g, '')].filter((text) => text !== '').map(base64));
  if (label === tokenLabel)
    return [new RegExp(`${literal(plain.slice(0, beginningOfToken))}[\\w~+/=-]*(?:\\.[\\w~+/=-]+)*`, 'giu')];
  return [...new Set(forms)].map(
    (form) => new RegExp(`${edge(form, 0, '<!')}${literal(form)}${edge(form, -1, '!')}`, 'giu'),
  );
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

function literal(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

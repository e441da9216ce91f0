/** Parses an answer and reads its declared paths: id, yes, no, count. Decides nothing. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerRules, Said } from '../contract/answer-rules.ts';
import { firstAt, isObject, type Segment, segmentsOf, valuesAt } from '../contract/body-path.ts';
import { visibleText } from '../messages/plain-text.ts';
import { idInAddress } from './address.ts';

export interface BodyKeeper {
  begin(): void;
  /** Keeps the next decoded bytes. A write failure is stored in {@link failure}, not thrown. */
  add(chunk: Buffer): void;
  readonly failure: Error | null;
}

export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Buffer }
  | { readonly kind: 'html' | 'text'; readonly text: string }
  | { readonly kind: 'empty' }
  /** JSON, judging by its first and last byte; the keeper has the bytes. `value` is set only for a short body. */
  | { readonly kind: 'kept'; readonly value: unknown }
  /** Cut, stalled, too long or malformed. `text` is the part that arrived. */
  | { readonly kind: 'unreadable'; readonly text: string };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
}

const htmlStart = /^<(?:!doctype\s+html|html|head|body)[\s>]/i;

/**
 * @param body  decoded; only the beginning when a keeper has the rest
 * @param kept  for a kept body, whether `body` is all of it, and its last non-blank character; else `null`
 * @param isWhole  whether the body was complete, decodable and within the limit
 */
export function bodyOf(
  body: Buffer,
  headers: IncomingHttpHeaders,
  kept: { readonly isShort: boolean; readonly last: string } | null,
  isWhole: boolean,
): AnswerBody {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (!isWhole) return { kind: 'unreadable', text };
  const type = headerOf(headers, 'content-type').toLowerCase();
  if (kept === null || !/^\s*[[{]/.test(text)) return readBody(text, type, body);
  if (!/[\]}]/.test(kept.last)) return { kind: 'unreadable', text: '' };
  const short = kept.isShort ? readBody(text, type, body) : null;
  return { kind: 'kept', value: short?.kind === 'json' ? short.value : undefined };
}

function readBody(text: string, type: string, bytes: Buffer): AnswerBody {
  if (text.trim() === '') return { kind: 'empty' };
  try {
    const value: unknown = JSON.parse(withLongNumbersAsTexts(text));
    return text.length > deepest && isTooDeep(value) ? { kind: 'unreadable', text } : { kind: 'json', value, bytes };
  } catch {
    const begun = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trimStart();
    if (htmlStart.test(begun) || /^(?:text\/html|application\/xhtml)/.test(type)) return { kind: 'html', text };
    return { kind: type.includes('json') || /^\s*[[{"]/.test(text) ? 'unreadable' : 'text', text };
  }
}

/** In levels. A deeper value could overflow the stack of a recursive walk. */
const deepest = 500;

function isTooDeep(value: unknown, left = deepest): boolean {
  return isObject(value) && (left === 0 || Object.values(value).some((held) => isTooDeep(held, left - 1)));
}

/** Reads integers of 16 or more digits as text: they may be ids that a number cannot hold exactly. */
export function withLongNumbersAsTexts(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

export function jsonIn({ body }: Pick<Answer, 'body'>): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

/** The value that rules apply to: JSON, or plain text when a rule names `.`, the whole body. */
export function valueIn(body: AnswerBody, rules: Pick<AnswerRules, 'id' | 'yes' | 'no'>): unknown {
  return namesIn(rules).includes('.') ? (plainTextOf(body) ?? jsonIn({ body })) : jsonIn({ body });
}

/** Markup in any language may say no, so it is never read as plain text. PHP calls every text HTML, also one without any. */
export function plainTextOf(body: AnswerBody): string | undefined {
  if (body.kind !== 'text' && body.kind !== 'html') return undefined;
  const isMarkup = body.kind === 'html' ? body.text.includes('<') : body.text.trimStart().startsWith('<');
  return isMarkup ? undefined : body.text.trim();
}

function namesIn({ id, yes, no }: Pick<AnswerRules, 'id' | 'yes' | 'no'>): readonly string[] {
  const said = no.flatMap((each) => (typeof each === 'string' ? [each] : Object.keys(each)));
  return [...id, ...said, ...Object.keys(yes === '2xx' ? {} : yes)];
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const given = headers[name] ?? '';
  return typeof given === 'string' ? given : given.join(', ');
}

export function identifier(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  const isId = typeof value === 'string' && letterOrDigit.test(value) && !idOfNothing.test(value.trim());
  // A terminal would obey control characters, and of bytes that are not UTF-8 nothing is left: both are U+FFFD here.
  return isId && !visibleText(value).includes('\uFFFD') ? value : null;
}

export function referenceIn(
  body: unknown,
  rules: Pick<AnswerRules, 'record' | 'id' | 'idIf' | 'companyId' | 'url' | 'idInUrl'>,
) {
  if (rules.idIf !== null && !hintsYes(body, rules.idIf)) return { id: null, companyId: null, url: null };
  const record = recordIn(body, rules);
  const given = firstAt(record, rules.url);
  // A template (RFC 6570) is an address without its optional part: `/deals/7{?projection}`.
  const said = typeof given === 'string' ? given.replace(/\{[?&#][^}]*\}/g, '').trim() : '';
  const url = said === '' ? null : said;
  const id =
    firstAt(record, rules.id) ?? (url === null || rules.idInUrl === null ? null : idInAddress(url, rules.idInUrl));
  // A word or a sentence in place of a whole record may well be an error.
  const isText = typeof record === 'string' && !wholeId.test(record);
  return { id: isText ? null : identifier(id), companyId: identifier(firstAt(record, rules.companyId)), url };
}

/**
 * A no is a declared no, or a value at a declared yes path that is of the declared type but not declared. `unclear` is a value of
 * another type there, or an undeclared word such as "queued" at a path that also declares its own no.
 */
export function stanceOf(
  body: unknown,
  { yes, no }: Pick<AnswerRules, 'yes' | 'no'>,
): 'no' | 'unclear' | 'yes' | 'nothing' {
  const isSaid = no.some((each) =>
    typeof each === 'string' ? valuesAt(body, each).some(holdsSomething) : placesOf(body, each).some(holdsWanted),
  );
  const stances = (yes === '2xx' ? [] : placesOf(body, yes)).flatMap(({ path, wanted, held }) =>
    held.map((value) => {
      if (wanted.includes(value as never)) return 'yes';
      const isOfItsType = wanted.some((each) => typeof each === typeof value);
      const hasOwnNo = no.some((each) => typeof each !== 'string' && Object.hasOwn(each, path));
      return isOfItsType && !hasOwnNo ? 'no' : 'unclear';
    }),
  );
  if (isSaid || stances.includes('no')) return 'no';
  if (stances.includes('unclear')) return 'unclear';
  return hintsYes(body, yes) ? 'yes' : 'nothing';
}

export function hintsYes(body: unknown, yes: AnswerRules['yes']): boolean {
  if (yes === '2xx') return true;
  const places = placesOf(body, yes);
  return places.length > 0 && places.every(holdsWanted);
}

function placesOf(body: unknown, said: Said) {
  return Object.entries(said).map(([path, values]) => ({
    path,
    wanted: values,
    held: valuesAt(body, path).filter((held) => held !== undefined && held !== null),
  }));
}

function holdsWanted({ wanted, held }: ReturnType<typeof placesOf>[number]): boolean {
  return held.some((value) => wanted.includes(value as never));
}

export function countIn(body: unknown, rules: AnswerRules): number | null {
  const counts = rules.count.map((path) => valuesAt(body, path)).find((values) => values.length > 0);
  if (counts === undefined || counts[0] === null) return null;
  return counts.reduce<number>((sum, count) => sum + (numberOf(count) ?? Number.NaN), 0);
}

/** A number, also in digits as a text. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' ? number : null;
}

/**
 * Whether something undeclared stands beside the declared yes: `posted: 2`, `committed: false`, a list of statuses.
 * @param withTexts  whether texts count too: in the answer to several rows, a text may be about some of them
 */
export function tellsMore(body: unknown, rules: AnswerRules, withTexts: boolean): boolean {
  return undeclaredIn(body, rules).some((held) => {
    if (typeof held === 'boolean' || typeof held === 'number' || Array.isArray(held)) return true;
    return (withTexts || typeof held !== 'string') && holdsSomething(held);
  });
}

/**
 * Whether a no to several rows has a number or list beside it that may count rows that were taken after all. Without declared
 * answers, a list of errors counts too, because it may cover only some rows. The list of items is read item by item.
 */
export function tellsOfSome(body: unknown, rules: AnswerRules, rows: number): boolean {
  if (!isObject(body)) return false;
  const lists = (rules.items?.at ?? []).flatMap((path) => valuesAt(body, path)).filter(isObject);
  const members = Array.isArray(body) ? { '[]': body } : body;
  const isList = (held: unknown): boolean =>
    isObject(held) && (lists.includes(held) || (holdsSomething(held) && Object.values(held).every(isList)));
  const undeclared = undeclaredIn(members, rules);
  const groups = rules.isDeclared ? undeclared : Object.values(members);
  const isGroup = groups.some((held) => isObject(held) && holdsSomething(held) && !isList(held));
  return isGroup || undeclared.some((held) => (numberOf(held) ?? 0) > 0 && (numberOf(held) ?? 0) <= rows);
}

function undeclaredIn(body: unknown, rules: AnswerRules): readonly unknown[] {
  const { reason, url, companyId, count, unrelated } = rules;
  const paths = [...namesIn(rules), ...reason, ...url, ...companyId, ...count, ...unrelated];
  return besidePaths(body, paths.map(segmentsOf));
}

/** What stands beside the paths, at each of their levels. A list on the way of a path belongs to it. */
function besidePaths(value: unknown, paths: readonly (readonly Segment[])[]): readonly unknown[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, held]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (below.length === 0) return [held];
    return Array.isArray(held) || below.some(({ length }) => length === 0) ? [] : besidePaths(held, below);
  });
}

export function isJob(body: unknown, status: number, { job }: AnswerRules, isNamed = false): boolean {
  if (job === null) return false;
  if (job.status !== null) return job.status.includes(status);
  return isNamed || status === 202 || firstAt(body, [...job.id, ...job.address]) !== undefined;
}

export function hasUnusableId(body: unknown, rules: AnswerRules): boolean {
  const record = recordIn(body, rules);
  if (rules.idIf !== null && !hintsYes(body, rules.idIf)) return false;
  return rules.id.some((path) => valuesAt(record, path).some((held) => identifier(held) === null));
}

function recordIn(body: unknown, { record }: Pick<AnswerRules, 'record'>): unknown {
  return firstAt(body, record) ?? (record.includes('.') ? body : undefined);
}

export function holdsSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** What programs write in place of an id: zero, a negative number, a null word, a GUID of zeros, a mask. */
const idOfNothing =
  /^(?:|[-+]?0+|-\d+|null|undefined|none|nil|nan|n\/a|true|false|\[object object\]|\{?[0-]+\}?|.*(?:\*\*|[•●]).*|x[x-]{3,}\w{0,4})$/i;
const letterOrDigit = /[\p{L}\p{N}]/u;
const wholeId = /^(?=.*\d)[\w.:/={}()+-]+$/;

/** What is read from the service: one record, the balances, its health. */
import { readRulesOf } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { documentedBy, wirePathOf } from '../contract/rename.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import type { ServiceAddress } from './address.ts';
import { type Answer, headerOf, identifier, stanceOf } from './answer.ts';
import { networkFaults } from './circuit-breaker.ts';
import { type CallEnd, goodJsonIn } from './conversation.ts';
import type { StopReason } from './outcome.ts';
import { reasonIn, reasonOfAnswer, shapeOf } from './reason.ts';

interface FoundRecord {
  readonly path: string | null;
  readonly record: object | null;
  /** What the body is instead of the record that was asked for; `null` when it is that. */
  readonly noRecord: Message | null;
}

export type ReadResult =
  | ({
      readonly state: 'found';
      readonly httpStatus: number;
      /** The body as it came, with the digits of its numbers. */
      readonly bytes: Buffer;
    } & FoundRecord)
  | { readonly state: 'not-found'; readonly httpStatus: number; readonly message: Message }
  | {
      readonly state: 'failed';
      readonly httpStatus: number | null;
      readonly message: Message;
      /** Why no further read makes sense, or `null` when only this one failed. */
      readonly stopReason: StopReason | null;
    };

export type KeptRequest =
  | { readonly query: readonly (readonly [name: string, value: string])[] }
  | { readonly page: string };

export type KeptResult =
  | {
      readonly state: 'kept';
      /** Where the body came from, with its query, from the root of the origin on. */
      readonly path: string;
      /** The next page as the `Link` header names it, whatever its origin. */
      readonly nextPage: string | null;
      readonly total: number | null;
      readonly isPart: boolean;
      readonly about: Readonly<Record<string, string>>;
    }
  | Exclude<ReadResult, { state: 'found' }>;

export type HealthResult =
  | { readonly state: 'ok'; readonly httpStatus: number; readonly milliseconds: number }
  /** An answer, but not a good one. A load may go on. */
  | { readonly state: 'warning'; readonly httpStatus: number | null; readonly message: Message }
  | { readonly state: 'blocked'; readonly reason: StopReason };

export interface Asked {
  readonly stopReason: StopReason | null;
  readonly shown: (text: string) => string;
}

export function readResultOf(
  end: CallEnd,
  kind: RecordKind,
  id: string,
  contract: ContractSettings,
  asked: Asked,
): ReadResult {
  const value = goodJsonIn(end);
  if (end.kind !== 'answer' || end.answer.body.kind !== 'json' || value === undefined) return failedReadOf(end, asked);
  const { status, body } = end.answer;
  const found = foundIn(value, kind, id, contract, asked.shown);
  return { state: 'found', httpStatus: status, bytes: body.bytes, ...found };
}

export function keptResultOf(end: CallEnd, path: string, address: ServiceAddress, asked: Asked): KeptResult {
  if (end.kind !== 'answer' || end.means !== 'success' || end.answer.body.kind !== 'kept') {
    return failedReadOf(end, asked);
  }
  const { answer } = end;
  const { headers, status } = answer;
  const [, range] = /\/(\d{1,12})$/.exec(headerOf(headers, 'content-range').trim()) ?? [];
  const total = range ?? headerOf(headers, 'x-total-count').trim();
  const about = Object.keys(headers).filter((name) => aboutPages.test(name));
  return {
    ...{ state: 'kept', path, isPart: status === 206, nextPage: nextPageOf(answer, path, address) },
    total: /^\d{1,12}$/.test(total) ? Number(total) : null,
    about: Object.fromEntries(about.map((name) => [name, headerOf(headers, name)])),
  };
}

function failedReadOf(end: CallEnd, { stopReason, shown }: Asked): Exclude<ReadResult, { state: 'found' }> {
  if (end.kind === 'no-answer')
    return { state: 'failed', httpStatus: end.httpStatus, message: end.message, stopReason };
  const { status, body } = end.answer;
  const isRefusal = end.means !== 'success';
  const message = isRefusal
    ? serviceMessage('refused', { status, reason: reasonFor(body, shown) })
    : serviceMessage('read-unreadable', { status });
  if (isRefusal && (status === 404 || status === 410)) return { state: 'not-found', httpStatus: status, message };
  return { state: 'failed', httpStatus: status, message: stopReason?.message ?? message, stopReason };
}

function reasonFor(body: Answer['body'], shown: Asked['shown']): string | null {
  const reason = reasonOfAnswer(body, []);
  return reason === null ? null : shown(reason);
}

const aboutPages = /^(?!.*(?:rate|limit|retry)).*\b(?:total|next|more|pages|pagination)\b/;

/** The target of `rel="next"` in a `Link` header. One at another origin is given as it is, to be refused by name. */
function nextPageOf({ headers }: Answer, path: string, address: ServiceAddress): string | null {
  for (const link of headerOf(headers, 'link').split(/,(?=\s*<)/)) {
    const [, target] = /^\s*<([^>]*)>/.exec(link) ?? [];
    if (target === undefined || !/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?=[\s";]|$)/i.test(link)) continue;
    return address.sameOrigin(target, path)?.href ?? target;
  }
  return null;
}

export function healthResultOf(end: CallEnd, { stopReason, shown }: Asked, milliseconds: number): HealthResult {
  const isUnreached = stopReason !== null && stopReason.message.code in networkFaults;
  if (stopReason !== null && (stopReason.code === 'token-refused' || isUnreached))
    return { state: 'blocked', reason: stopReason };
  if (end.kind === 'no-answer') return { state: 'warning', httpStatus: end.httpStatus, message: end.message };
  const { status, body } = end.answer;
  if (end.means === 'success' && body.kind !== 'unreadable') return { state: 'ok', httpStatus: status, milliseconds };
  const reason = reasonFor(body, shown) ?? `It answered ${status}.`;
  return { state: 'warning', httpStatus: status, message: serviceMessage('health-unclear', { reason }) };
}

/**
 * The record in a body: at the first place that has one of its fields, else at the first that is an object. What may be a no, or
 * another record, is not taken for the record, for an id that is taken for that of a row settles the row.
 */
export function foundIn(
  body: unknown,
  kind: RecordKind,
  id: string,
  contract: ContractSettings,
  shown: Asked['shown'],
): FoundRecord {
  const rules = readRulesOf(kind, contract.answers);
  const { rename } = contract.requests[kind.name];
  const fields = fieldsOf(kind).flatMap(({ place, path }) =>
    place === 'body' ? (wirePathOf(path, rename) ?? []) : [],
  );
  const places = recordPaths(kind, rules.record).flatMap((path) => {
    const record = valuesAt(body, path)[0];
    if (!isObject(record) || Array.isArray(record)) return [];
    const holdsField = fields.some((field) => valuesAt(record, field).some(isFilled));
    return [{ path, record, holdsField, id: identifier(firstAt(record, rules.id))?.trim() ?? null }];
  });
  const best = places.find(({ holdsField }) => holdsField) ?? places[0];
  const record = best === undefined ? null : documentedBy(rename)(best.record);
  const found = (noRecord: Message | null): FoundRecord => ({ path: best?.path ?? null, record, noRecord });
  const stance = stanceOf(body, rules, rules.yes);
  if (stance === 'no' || stance === 'unclear')
    return found(serviceMessage('read-says-no', { told: shown(reasonIn(body, rules.reason) ?? shapeOf(body)) }));
  const given = places.flatMap((place) => place.id ?? []);
  // A service may know an id in capitals and give it in small letters, as is usual for GUIDs.
  if (given.some((each) => each.toLowerCase() === id.toLowerCase())) return found(null);
  const [other] = given;
  if (other !== undefined) return found(serviceMessage('read-other-record', { other: shown(other) }));
  if (best?.holdsField === true) return found(null);
  return found(serviceMessage('read-without-record', { shape: shown(shapeOf(body)) }));
}

/** Declared places, what is in an envelope, the attributes of JSON:API, and the body itself: the innermost first. */
function recordPaths({ singular }: RecordKind, declared: readonly string[]): readonly string[] {
  const within = ['data', 'record', 'result', 'response', 'payload'].flatMap((envelope) => [
    `${envelope}.attributes`,
    `${envelope}.${singular}`,
    envelope,
  ]);
  return [...declared.filter((path) => path !== '.'), ...within, singular, '.'];
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';
}

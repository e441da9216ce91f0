/** What is read from the service: one record, the balances, its health. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { type Answer, headerOf } from './answers/answer.ts';
import { errorTextOf } from './answers/error-message.ts';
import type { SignReader } from './answers/sign-reader.ts';
import { noRecordIn } from './record-read.ts';
import type { StopReason } from './records/outcome.ts';
import type { ServiceAddress } from './sending/address.ts';
import type { CallEnd } from './sending/call-end.ts';
import { masked } from './text/masking.ts';
import { plainText, shortened } from './text/plain-text.ts';
import type { Secrets } from './verdicts/verdict.ts';

export type ReadEndpoint = Extract<EndpointName, 'getDeal' | 'getCompany' | 'getLoanBalances'>;

export interface ReadOptions {
  /** The id in the path, or `null` where the path has none. */
  readonly id: string | null;
  readonly query: readonly (readonly [name: string, value: string])[];
}

export type ReadResult =
  | {
      readonly state: 'found';
      readonly body: unknown;
      readonly httpStatus: number;
      /** What the answer is instead of the record that was asked for, as whole sentences; `null` when it is that. */
      readonly noRecord: string | null;
    }
  | { readonly state: 'not-found'; readonly httpStatus: number; readonly message: string }
  | {
      readonly state: 'failed';
      readonly httpStatus: number | null;
      readonly message: string;
      /** Why no further read makes sense, or `null` when only this one failed. */
      readonly stopReason: StopReason | null;
    };

/** What a kept read asks for: an endpoint, or a further page by the address that an answer gave. */
export type KeptRequest = (ReadOptions & { readonly endpoint: ReadEndpoint }) | { readonly page: string };

export type KeptResult =
  | {
      readonly state: 'kept';
      /** Where the body came from, with its query, from the root of the origin on. */
      readonly path: string;
      /** The `Content-Encoding` of the kept bytes; empty for none. */
      readonly encoding: string;
      /** The next page as the `Link` header names it, whatever its origin. */
      readonly nextPage: string | null;
      /** How many records there are in all, where a header says so (`X-Total-Count`, `Content-Range`). */
      readonly total: number | null;
    }
  | Exclude<ReadResult, { state: 'found' }>;

export type HealthResult =
  | { readonly state: 'ok'; readonly httpStatus: number; readonly milliseconds: number }
  /** An answer, but not a good one. A load may go on. */
  | { readonly state: 'warning'; readonly httpStatus: number | null; readonly message: string }
  /** The token is refused, or there is no connection. */
  | { readonly state: 'blocked'; readonly reason: StopReason };

const notFound = [404, 410];
/** Of what an answer says that is not the record. */
const longestTold = 300;

/** What is known around a question. */
export interface Asked {
  readonly stopReason: StopReason | null;
  /** What must not be repeated of what was sent: the token. */
  readonly secrets: Secrets;
}

/** What a read asked for, and by which contract its answer is read. */
export interface AskedFor {
  readonly endpoint: ReadEndpoint;
  readonly id: string | null;
  readonly contract: ContractSettings;
  readonly signs: SignReader;
}

export function readResultOf(end: CallEnd, asked: Asked, askedFor: AskedFor): ReadResult {
  if (end.kind === 'answer' && end.verdict === 'success' && end.answer.body.kind === 'json') {
    const { value } = end.answer.body;
    return { state: 'found', body: value, httpStatus: end.answer.status, noRecord: noRecordOf(value, asked, askedFor) };
  }
  return failedReadOf(end, asked);
}

function noRecordOf(value: unknown, { secrets }: Asked, { endpoint, id, contract, signs }: AskedFor): string | null {
  if (endpoint === 'getLoanBalances' || id === null) return null;
  const told = noRecordIn(value, endpoint, id, contract, signs);
  return told === null ? null : shortened(plainText(masked(told, secrets())), longestTold);
}

export function keptResultOf(end: CallEnd, path: string, address: ServiceAddress, asked: Asked): KeptResult {
  if (end.kind !== 'answer' || end.verdict !== 'success' || end.answer.body.kind !== 'kept') {
    return failedReadOf(end, asked);
  }
  const encoding = headerOf(end.answer.headers, 'content-encoding').toLowerCase();
  return { state: 'kept', path, encoding, nextPage: nextPageOf(end.answer, path, address), total: totalOf(end.answer) };
}

function failedReadOf(end: CallEnd, { stopReason, secrets }: Asked): Exclude<ReadResult, { state: 'found' }> {
  if (end.kind === 'no-answer') {
    return { state: 'failed', httpStatus: end.httpStatus, message: end.message, stopReason };
  }
  const { status, body } = end.answer;
  if (end.verdict === 'success') {
    const message = stopReason?.message ?? `The service answered ${status}, but what it sent could not be read.`;
    return { state: 'failed', httpStatus: status, message, stopReason };
  }
  const { message } = errorTextOf(status, body, secrets());
  if (notFound.includes(status)) return { state: 'not-found', httpStatus: status, message };
  return { state: 'failed', httpStatus: status, message: stopReason?.message ?? message, stopReason };
}

function totalOf({ headers }: Answer): number | null {
  const [, range] = /\/(\d{1,12})$/.exec(headerOf(headers, 'content-range').trim()) ?? [];
  const total = range ?? headerOf(headers, 'x-total-count').trim();
  return /^\d{1,12}$/.test(total) ? Number(total) : null;
}

/** The target of `rel="next"` in a `Link` header. One at another origin is given as it is, to be refused by name. */
function nextPageOf({ headers }: Answer, path: string, address: ServiceAddress): string | null {
  for (const link of headerOf(headers, 'link').split(/,(?=\s*<)/)) {
    const [, target] = /^\s*<([^>]*)>/.exec(link) ?? [];
    if (target === undefined || !/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?=[\s";]|$)/i.test(link)) continue;
    return address.sameOrigin(target, path)?.href ?? target;
  }
  return null;
}

/** The reasons that block a load at its health check; any other is a warning there. */
const blockingKinds: readonly StopReason['kind'][] = ['token-refused', 'unreachable', 'certificate'];

export function healthResultOf(end: CallEnd, { stopReason, secrets }: Asked, milliseconds: number): HealthResult {
  if (stopReason !== null && blockingKinds.includes(stopReason.kind))
    return { state: 'blocked', reason: { ...stopReason, remedy: stopReason.remedyOfRead } };
  if (end.kind === 'no-answer') {
    const { httpStatus } = end;
    const message = httpStatus === null ? end.message : `The service answered ${httpStatus} to its health check.`;
    return { state: 'warning', httpStatus, message };
  }
  const { status, body } = end.answer;
  if (end.verdict === 'success' && body.kind !== 'unreadable') return { state: 'ok', httpStatus: status, milliseconds };
  const message = `The health check of the service did not say that all is well: ${errorTextOf(status, body, secrets()).message}`;
  return { state: 'warning', httpStatus: status, message };
}

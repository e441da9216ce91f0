/**
 * A request and its answer as a person may see them. Of the row its own values are hidden behind the names of their columns; of the
 * answer everything that is neither an id, nor an address, nor a word of programs, nor a reason. The token is in neither.
 */
import type { DeclaredAnswers } from '../contract/answer-rules.ts';
import { isObject } from '../contract/body-path.ts';
import { isSensitiveName } from '../contract/sensitive-names.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { Secret } from './outcome.ts';
import { isIdName } from './proposal.ts';
import { isReasonName } from './reason.ts';
import { redacted } from './redaction.ts';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The body of the request, or the parts of a form; `null` for none. */
  readonly request: unknown;
  readonly status: number;
  /** The body of the answer; a text where it is no JSON. */
  readonly answer: unknown;
  /** What could be declared for the kind, or `null`. */
  readonly proposal: DeclaredAnswers | null;
}

/** @param secrets  the values of the row, and the token */
export async function exchangeOf(
  { method, path, form, body }: Call,
  answer: Answer,
  secrets: readonly Secret[],
  proposal: DeclaredAnswers | null,
): Promise<Exchange> {
  const sent = form === undefined ? await body() : null;
  const request = form ?? (typeof sent === 'string' ? (JSON.parse(sent) as unknown) : null);
  return {
    method,
    path,
    request: mapped(request, (value) => withoutSecrets(value, secrets)),
    status: answer.status,
    // What is read is a record, and its texts are no reasons.
    answer: shownAnswer(answer, secrets, method !== 'GET' || answer.status >= firstRefusal),
    proposal,
  };
}

const firstRefusal = 400;

function shownAnswer({ body }: Answer, secrets: readonly Secret[], givesReasons: boolean): unknown {
  if (body.kind !== 'json') return 'text' in body && givesReasons ? redacted(body.text, secrets) : null;
  return mapped(body.value, (value, name) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const shown = withoutSecrets(value, secrets);
    const isTold = isIdName(name) || (givesReasons && isReasonName(name)) || tellsNothing.test(String(value));
    if (isTold && !isSensitiveName(name)) return shown;
    const isColumnAlone = shown !== value && /^\[[^[\]]*\]$/.test(String(shown));
    return isColumnAlone ? shown : `[${typeof value === 'number' ? 'number' : 'text'}]`;
  });
}

/** A word of programs, an address, a number of too few digits to be an SSN, a phone or an account. */
const tellsNothing = /^(?:|[a-z_-]{1,20}|[A-Z_-]{1,20}|(?:https?:\/\/|\/)[\w./:#?=-]+|-?\d{1,3}(?:\.\d+)?)$/;

function withoutSecrets(value: unknown, secrets: readonly Secret[]): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = redacted(String(value), secrets);
  return text === String(value) ? value : text;
}

function mapped(value: unknown, show: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((part) => mapped(part, show, name));
  if (!isObject(value)) return show(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([inner, held]) => [String(show(inner, 'id')), mapped(held, show, inner)]),
  );
}

/**
 * The one error shape of the sandbox: RFC 9457 problem details with a list of field errors. The service interface shows no error
 * body (7.1), so the shape is the sandbox's own choice. Values are never repeated: they may be personal.
 */
import type * as z from 'zod';
import { isObject, pathOf, valuesAt } from '../contract/body-path.ts';

/** One error in a request. */
export interface FieldError {
  /** `company.phones[0].number`; empty for the whole body. */
  readonly path: string;
  /** A code for programs: `required`, `type`, `maximum`, `unknown-id`, … */
  readonly rule: string;
  readonly message: string;
}

export const problemKinds = {
  'unreadable-body': { status: 400, title: 'The body cannot be read' },
  'token-refused': { status: 401, title: 'A valid bearer token is needed' },
  'key-refused': { status: 401, title: 'The key of this sandbox is needed' },
  'not-from-here': { status: 403, title: 'This is only for the same machine' },
  'not-found': { status: 404, title: 'There is no such record' },
  'no-such-address': { status: 404, title: 'There is nothing at this address, or not by this method' },
  'too-large': { status: 413, title: 'The request is too large' },
  'other-media-type': { status: 415, title: 'The body has another media type than this address takes' },
  'invalid-fields': { status: 422, title: 'The fields are not as they should be' },
  'key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'requested-fault': { status: 500, title: 'A fault that was asked for' },
  'unexpected-failure': { status: 500, title: 'The sandbox failed' },
  'store-busy': { status: 503, title: 'The data file is in use' },
} as const;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as is, anything else as JSON. */
  readonly body: unknown;
}

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return { status, headers: { 'content-type': type, ...headers }, body };
}

export function textOf({ body }: Answer): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function responseOf(answer: Answer): Response {
  return new Response(textOf(answer), { status: answer.status, headers: answer.headers });
}

interface ProblemDetails extends Partial<Pick<Answer, 'status' | 'headers'>> {
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** Thrown to refuse a request, and caught by the one place that answers. Nothing has been written by then. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: keyof typeof problemKinds;
  readonly details: ProblemDetails;

  constructor(kind: keyof typeof problemKinds, details: ProblemDetails) {
    super(details.detail);
    this.kind = kind;
    this.details = details;
  }

  answer(): Answer {
    const { status: usual, title } = problemKinds[this.kind];
    const { detail, errors = [], headers, status = usual } = this.details;
    const body = { type: this.kind, title, status, detail, errors };
    return jsonAnswer(status, body, { 'content-type': 'application/problem+json', ...headers });
  }
}

const mostErrors = 100;

/** @throws Problem (422) that lists every error */
export function checked<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  // Rules may look into the value.
  if (!isObject(value) || Array.isArray(value))
    throw invalidFields([{ path: '', rule: 'type', message: 'The body must be an object.' }]);
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) refuseInvalid(fieldErrors(error.issues, value));
  return data as z.output<Schema>;
}

/** @throws Problem (422) when there are errors */
export function refuseInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}

export function invalidFields(errors: readonly FieldError[]): Problem {
  const first = errors[0]?.message ?? 'Something is not as it should be.';
  const detail = errors.length <= 1 ? first : `${errors.length} things are not as they should be. The first: ${first}`;
  return new Problem('invalid-fields', { detail, errors: errors.slice(0, mostErrors) });
}

const rules: Readonly<Partial<Record<z.core.$ZodIssue['code'], string>>> = {
  invalid_type: 'type',
  invalid_union: 'type',
  invalid_value: 'allowed-values',
  too_big: 'maximum',
  too_small: 'minimum',
  invalid_format: 'format',
  custom: 'rule',
};

export function fieldErrors(issues: readonly z.core.$ZodIssue[], body: unknown): FieldError[] {
  return issues.map(({ code, message, path: place }) => {
    const path = pathOf(place.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment)));
    const [value] = valuesAt(body, path === '' ? '.' : path);
    const isMissing = value === undefined || value === '';
    const [rule, text] = isMissing ? ['required', `${path} is required`] : [rules[code] ?? code, `${path}: ${message}`];
    return { path, rule, message: `${text}.`.replace(/\.+$/, '.') };
  });
}

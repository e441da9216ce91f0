/**
 * Who may speak to the page's server: this machine, the page that it serves, and the one session that was begun with the code.
 * Its one rule: what is asked for is looked at only after all of this.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';

export type PageContext = Context<{ Bindings: HttpBindings }>;
type Middleware = MiddlewareHandler<{ Bindings: HttpBindings }>;

const secretBytes = 32;
const keyHeader = 'x-dealsheet-key';

/** Nothing but what this server gives is run, shown or asked for, and no other page may frame it or know of it. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'none'",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export const withHeaders: Middleware = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
};

export function refused(context: PageContext, status: 400 | 401 | 403 | 404 | 409 | 413, message: string): Response {
  return context.json({ message, remedy: '' }, status);
}

/**
 * A page of another name that was pointed at this address has another Host, a page from elsewhere another Origin. A browser says
 * of each request where it comes from: only the document itself may be asked for from outside.
 *
 * @param host  the address with its port, exactly as a browser sends it
 */
export function ownPageOnly(host: string): Middleware {
  return async (context, next) => {
    const { req } = context;
    if (req.header('host') !== host) return refused(context, 403, 'This page is for the computer that it runs on.');
    const origin = req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`)
      return refused(context, 403, 'Another page asked for this.');
    const site = req.header('sec-fetch-site') ?? 'same-origin';
    const isDocument = req.method === 'GET' && req.path === '/' && req.header('sec-fetch-dest') === 'document';
    if (site === 'same-origin' || isDocument || (site === 'none' && !req.path.startsWith('/api/'))) return next();
    return refused(context, 403, 'Another page asked for this.');
  };
}

/** So many wrong codes and the code is worth nothing any more. */
const mostGuesses = 5;

/** The one session of a server. Its code opens it once. */
export class Session {
  readonly code = secret();
  readonly #key = secret();
  #guesses = 0;
  #isBegun = false;

  /** @returns the key, or `null` for a code that is wrong, was used, or was guessed at too often */
  begin(code: string): string | null {
    if (this.#isBegun || this.#guesses >= mostGuesses) return null;
    if (!isSame(code, this.code)) {
      this.#guesses += 1;
      return null;
    }
    this.#isBegun = true;
    return this.#key;
  }

  /** A form cannot send the header, and another page not without being asked first. */
  readonly only: Middleware = async (context, next) => {
    const key = context.req.header(keyHeader);
    if (key !== undefined && this.#isBegun && isSame(key, this.#key)) return next();
    return refused(context, 401, 'This page has ended. Open it again.');
  };
}

function secret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

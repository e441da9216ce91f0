/**
 * Access to everything beside the interface. Pages are for this machine only and mask personal values. Controls hand out tokens and
 * whole bodies, so they also require the key that the sandbox prints at its start.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { Problem } from './problem.ts';

type Middleware = MiddlewareHandler<{ Bindings: HttpBindings }>;

const loopback = /^(?:localhost|\[?::1\]?|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const secretBytes = 24;

export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/**
 * Lets a request through when it comes from loopback, has this machine as its host, and was not sent by a foreign page. The host
 * check stops DNS rebinding, where a foreign name points at 127.0.0.1.
 */
export const sameMachineOnly: Middleware = async (context, next) => {
  const peer = context.env.incoming.socket.remoteAddress ?? '';
  const origin = context.req.header('origin');
  const isFromHere = loopback.test(peer) && isOurs(`http://${context.req.header('host') ?? ''}`);
  if (isFromHere && (origin === undefined || isOurs(origin))) return next();
  const detail = 'Pages and controls of the sandbox are for the machine that it runs on.';
  throw new Problem('not-from-here', { detail });
};

function isOurs(url: string): boolean {
  return loopback.test(URL.canParse(url) ? new URL(url).hostname : '');
}

export function withKeyOnly(key: string): Middleware {
  return async (context, next) => {
    const given = bearerOf(context.req.header('authorization'));
    if (given !== undefined && isSameSecret(given, key)) return next();
    const detail = 'Send the key that the sandbox printed when it started as “Authorization: Bearer …”.';
    const headers = { 'www-authenticate': 'Bearer realm="sandbox control"' };
    throw new Problem('key-refused', { detail, headers });
  };
}

export type Tokens = ReturnType<typeof openTokens>;

const millisecondsInSecond = 1000;

/**
 * The tokens that are valid while the sandbox runs.
 *
 * @param fixedToken  a token that is always valid, or `null`
 * @param lifetimeSeconds  of issued tokens; `null` for no expiry
 * @param clock  milliseconds since 1970
 */
export function openTokens(fixedToken: string | null, lifetimeSeconds: number | null, clock: () => number) {
  const expiries = new Map<string, number>();
  const lifetime = lifetimeSeconds === null ? Number.POSITIVE_INFINITY : lifetimeSeconds * millisecondsInSecond;
  return {
    lifetimeSeconds,
    issue(): string {
      const token = newSecret('sandbox');
      expiries.set(digestOf(token), clock() + lifetime);
      return token;
    },
    accepts(token: string): boolean {
      if (fixedToken !== null && isSameSecret(token, fixedToken)) return true;
      return clock() < (expiries.get(digestOf(token)) ?? Number.NEGATIVE_INFINITY);
    },
    /** Revokes every issued token. The fixed one stays. */
    revokeAll: () => expiries.clear(),
  };
}

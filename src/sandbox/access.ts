/**
 * Who may reach what stands beside the interface. Pages are for this machine alone, and show personal values masked;
 * controls, which hand out tokens and whole bodies, also want the key that the sandbox tells at its start.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { Problem, responseOf } from './problem.ts';

type Middleware = MiddlewareHandler<{ Bindings: HttpBindings }>;

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const secretBytes = 24;

export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}

/** What stands behind `Bearer` in an Authorization header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/**
 * Lets a request through when it comes from loopback, names this machine as its host (a page of another name that was
 * pointed at 127.0.0.1 does not), and was not sent by a page from elsewhere.
 *
 * @param publicUrl  its host is a name of this machine too
 */
export function sameMachineOnly(publicUrl: string): Middleware {
  const names = new Set([...loopbackNames, new URL(publicUrl).hostname]);
  return async (context, next) => {
    const peer = context.env.incoming.socket.remoteAddress ?? '';
    const origin = context.req.header('origin');
    const isFromHere = isLoopback(peer) && names.has(hostnameOf(`http://${context.req.header('host') ?? ''}`));
    if (isFromHere && (origin === undefined || names.has(hostnameOf(origin)))) return next();
    const detail = 'Pages and controls of the sandbox are for the machine that it runs on.';
    return responseOf(new Problem('not-from-here', { detail }).answer());
  };
}

export function withKeyOnly(key: string): Middleware {
  return async (context, next) => {
    const given = bearerOf(context.req.header('authorization'));
    if (given !== undefined && isSameSecret(given, key)) return next();
    const detail = 'Send the key that the sandbox told when it started as “Authorization: Bearer …”.';
    const headers = { 'www-authenticate': 'Bearer realm="sandbox control"' };
    return responseOf(new Problem('key-refused', { detail, headers }).answer());
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

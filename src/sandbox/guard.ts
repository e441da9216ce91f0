/**
 * Keeps pages and controls for the machine that the sandbox runs on. They need no token, and the records may be real ones, so
 * neither another machine nor a web page that a browser shows from elsewhere may reach them.
 */
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { Problem } from './problem.ts';

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Lets a request through when it comes from loopback, names this machine as its host (a page of another name that was
 * pointed at 127.0.0.1 does not), and was not sent by a page from elsewhere.
 *
 * @param publicUrl  its host is a name of this machine too
 */
export function sameMachineOnly(publicUrl: string): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const names = new Set([...loopbackNames, new URL(publicUrl).hostname]);
  return async (context, next) => {
    const peer = context.env.incoming.socket.remoteAddress ?? '';
    const origin = context.req.header('origin');
    const isFromHere = isLoopback(peer) && names.has(hostnameOf(`http://${context.req.header('host') ?? ''}`));
    if (isFromHere && (origin === undefined || names.has(hostnameOf(origin)))) return next();
    const { status, headers, text } = new Problem('not-from-here', {
      detail: 'Pages and controls of the sandbox are for the machine that it runs on.',
    }).answer();
    return new Response(text, { status, headers });
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

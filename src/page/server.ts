/**
 * Serves the page, its state, its requests, uploads and downloads. Accepts only requests from this machine, from its
 * own page, and from the one session that the code started.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type DealsheetError, isDealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { fileNameIn, keepUpload } from './page-folder.ts';
import type { Wanted } from './protocol.ts';
import type { PageWorker } from './worker-client.ts';

export interface ServerParts {
  readonly room: Pick<PageWorker, 'ask' | 'open' | 'file' | 'state'>;
  readonly clientFolder: string;
  readonly uploads: string;
}

const host = '127.0.0.1';
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Dealsheet</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="page"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`;
const files: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export async function startPageServer({ room, clientFolder, uploads }: ServerParts) {
  const session = new Session();
  const app = new Hono<{ Bindings: HttpBindings }>();
  const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server;
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  app.use('*', withHeaders);
  app.use('*', ownPageOnly(`${host}:${port}`));
  app.get('/', (context) => context.html(page));
  for (const [name, type] of Object.entries(files))
    app.get(`/${name}`, (context) =>
      context.body(readFileSync(join(clientFolder, name)), 200, { 'content-type': type }),
    );
  app.post('/api/session', async (context) => {
    const { code } = await bodyOf<{ code?: unknown }>(context);
    const key = session.begin(String(code ?? ''));
    return key === null ? refused(context, 401, errorOf('page-code-wrong')) : context.json({ key });
  });
  app.use('/api/*', session.only);
  app.get('/api/state', async (context) => context.json(await room.state(Number(context.req.query('after') ?? 0))));
  app.post('/api/ask/:name', async (context) =>
    context.json(await room.ask(context.req.param('name'), await bodyOf(context))),
  );
  app.put('/api/file/:name', async (context) => {
    const name = fileNameIn(context.req.param('name'));
    await room.open(await keepUpload(name, context.env.incoming, uploads));
    return context.json(null);
  });
  app.post('/api/want', async (context) => {
    const { path, isPassing, notices } = await room.file(await bodyOf<Wanted>(context));
    context.header('content-type', 'application/octet-stream');
    context.header('x-file-name', encodeURIComponent(basename(path)));
    context.header('x-notices', encodeURIComponent(JSON.stringify(notices)));
    const file = createReadStream(path);
    if (isPassing) file.once('close', () => rmSync(dirname(path), { recursive: true, force: true }));
    return context.body(Readable.toWeb(file) as ReadableStream);
  });
  app.notFound((context) => refused(context, 404, errorOf('page-without-address')));
  app.onError((error, context) =>
    isDealsheetError(error) ? refused(context, 409, error) : refused(context, 400, errorOf('page-not-understood')),
  );

  return {
    /** `http://127.0.0.1:52113`, without a trailing slash. */
    url: `http://${host}:${port}`,
    session,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** JSON only, because another page's form cannot send it. */
async function bodyOf<Body>(context: PageContext): Promise<Body> {
  if (context.req.header('content-type') !== 'application/json') throw new Error('Not JSON.');
  return context.req.json<Body>();
}

type PageContext = Context<{ Bindings: HttpBindings }>;
type Middleware = MiddlewareHandler<{ Bindings: HttpBindings }>;

const secretBytes = 32;
const keyHeader = 'x-dealsheet-key';

/** Only resources of this server may run, load or connect, and no other page may frame or reference it. */
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

const withHeaders: Middleware = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
};

function refused(
  context: PageContext,
  status: 400 | 401 | 403 | 404 | 409,
  { message, remedy }: DealsheetError,
): Response {
  return context.json({ message, remedy }, status);
}

/**
 * Refuses requests from other pages: DNS rebinding shows in Host, a foreign page in Origin and Sec-Fetch-Site. From
 * outside, a browser may open only the document.
 *
 * @param host the address with its port, exactly as a browser sends it
 */
function ownPageOnly(host: string): Middleware {
  return async (context, next) => {
    const { req } = context;
    if (req.header('host') !== host) return refused(context, 403, errorOf('page-of-other-computer'));
    const origin = req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`)
      return refused(context, 403, errorOf('page-elsewhere-asked'));
    const site = req.header('sec-fetch-site') ?? 'same-origin';
    const isDocument = req.method === 'GET' && req.path === '/' && req.header('sec-fetch-dest') === 'document';
    if (site === 'same-origin' || isDocument || (site === 'none' && !req.path.startsWith('/api/'))) return next();
    return refused(context, 403, errorOf('page-elsewhere-asked'));
  };
}

/** After this many wrong codes, the code is invalid. */
const mostGuesses = 5;

/** The server's only session. Its code works once. */
export class Session {
  readonly code = secret();
  readonly #key = secret();
  #guesses = 0;
  #isBegun = false;

  /** @returns the key, or `null` for a code that is wrong, already used, or guessed too often */
  begin(code: string): string | null {
    if (this.#isBegun || this.#guesses >= mostGuesses) return null;
    if (!isSame(code, this.code)) {
      this.#guesses += 1;
      return null;
    }
    this.#isBegun = true;
    return this.#key;
  }

  /** A form cannot send the header, and another page would need a CORS preflight. */
  readonly only: Middleware = async (context, next) => {
    const key = context.req.header(keyHeader);
    if (key !== undefined && this.#isBegun && isSame(key, this.#key)) return next();
    return refused(context, 401, errorOf('page-has-ended'));
  };
}

function secret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

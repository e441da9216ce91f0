/** The page's server, on this machine alone: the page itself, its state, its questions, files in and files out. */
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { isDealsheetError } from '../errors.ts';
import { ownPageOnly, type PageContext, refused, Session, withHeaders } from './guard.ts';
import { fileNameIn, keepUpload } from './page-folder.ts';
import type { Wanted } from './protocol.ts';
import type { Workroom } from './workroom.ts';

export interface PageServer {
  /** `http://127.0.0.1:52113`, without a slash at the end. */
  readonly url: string;
  readonly session: Session;
  close(): Promise<void>;
}

export interface ServerParts {
  readonly room: Pick<Workroom, 'ask' | 'open' | 'file' | 'state'>;
  /** Where the page's own script and style lie. */
  readonly clientFolder: string;
  /** Where dropped files are kept. */
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

/** Starts the server on a free port. */
export async function startPageServer({ room, clientFolder, uploads }: ServerParts): Promise<PageServer> {
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
    return key === null
      ? refused(context, 401, 'This code was used already, or is wrong. Open the page again.')
      : context.json({ key });
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
  app.notFound((context) => refused(context, 404, 'There is nothing here.'));
  app.onError((error, context) =>
    isDealsheetError(error)
      ? context.json({ message: error.message, remedy: error.remedy }, 409)
      : refused(context, 400, 'That could not be understood.'),
  );

  return {
    url: `http://${host}:${port}`,
    session,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Of our own page alone: a form of another page can send no JSON. */
async function bodyOf<Body>(context: PageContext): Promise<Body> {
  if (context.req.header('content-type') !== 'application/json') throw new Error('Not JSON.');
  return context.req.json<Body>();
}

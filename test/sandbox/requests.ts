/** Plain HTTP to a sandbox, past the project's own client. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; an empty object when it is not. */
  readonly body: Record<string, unknown>;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it stands. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** That of the target, or its key below /sandbox; `null` for none. */
  readonly token?: string | null;
}

export interface Target {
  readonly url: string;
  readonly token: string;
  readonly key: string;
}

const newConnections = new Agent({ keepAlive: false });

export function send(target: Target, sent: Sent, agent = newConnections): Promise<Received> {
  const raw = sent.raw ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json));
  const usual = sent.path.startsWith('/sandbox/') ? target.key : target.token;
  const token = sent.token === undefined ? usual : sent.token;
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(raw === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(raw)) }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(sent.path, target.url), { method: sent.method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: jsonOf(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(raw);
  });
}

export const post = (target: Target, path: string, json: unknown) => send(target, { method: 'POST', path, json });
export const patch = (target: Target, path: string, json: unknown) => send(target, { method: 'PATCH', path, json });
export const get = (target: Target, path: string) => send(target, { method: 'GET', path });

/** Sends one that must be made, and gives its id. */
export async function made(target: Target, path: string, json: unknown): Promise<string> {
  const { status, body, text } = await post(target, path, json);
  if (status !== 201 || typeof body.id !== 'string') throw new Error(`${path} answered ${status}: ${text}`);
  return body.id;
}

export interface ToldError {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly value?: unknown;
}

/** The errors of a problem. */
export function errorsOf({ body }: Received): readonly ToldError[] {
  return (body.errors ?? []) as readonly ToldError[];
}

/** `path rule` of each error. */
export function rulesOf(received: Received): string[] {
  return errorsOf(received).map(({ path, rule }) => `${path} ${rule}`);
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

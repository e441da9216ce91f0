/**
 * How the page calls its server. It exchanges the code in the address for a key once, and sends the key with each
 * request. The key is stored for this origin, so that a closed tab can be opened again, and expires with the server.
 */
import type { Fault, Given, Gives, PageState, Question, Wanted } from '../protocol.ts';

const keyHeader = 'x-dealsheet-key';
const storedKey = 'dealsheet-key';
const json = { 'content-type': 'application/json' };
const ended: Fault = {
  message: 'This page has ended.',
  remedy: 'Open Dealsheet again. A load that was under way can then go on.',
};

/** A request that failed, with the reason. */
export class Refusal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

let tellFault: (fault: Fault | null) => void = () => {};

/** @param tell called with the reason of a failure, and with `null` before the next attempt */
export function onFault(tell: typeof tellFault): void {
  tellFault = tell;
}

/** Runs an action and shows why it failed. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  tellFault(null);
  try {
    await work();
  } catch (error) {
    tellFault(error instanceof Refusal ? error.fault : ended);
  }
}

export async function begin(): Promise<boolean> {
  const code = location.hash.slice(1);
  history.replaceState(null, '', '/');
  if (code !== '') {
    const answer = await fetch('/api/session', { method: 'POST', headers: json, body: JSON.stringify({ code }) });
    if (answer.ok) localStorage.setItem(storedKey, (await answer.json()).key);
  }
  return localStorage.getItem(storedKey) !== null;
}

async function call(path: string, options: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const key = localStorage.getItem(storedKey) ?? '';
  const answer = await fetch(path, { ...options, headers: { ...options.headers, [keyHeader]: key } }).catch(() => null);
  if (answer === null) throw new Refusal(ended);
  if (answer.ok) return answer;
  throw new Refusal(await answer.json().catch(() => ended));
}

function post(path: string, body: unknown): Promise<Response> {
  return call(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
}

/** The version of the newest state. */
let shown = 0;
let correcting: Promise<unknown> | null = null;

/** A load goes after the corrections that are on their way, and not at all if one is refused. */
export async function ask<Name extends Question>(
  name: Name,
  given: Omit<Given<Name>, 'version'>,
  version = shown,
): Promise<Gives<Name>> {
  if (name === 'load') await correcting;
  const answer = post(`/api/ask/${name}`, { ...given, version });
  if (name !== 'correct') return (await answer).json();
  correcting = answer;
  try {
    return (await answer).json();
  } finally {
    if (correcting === answer) correcting = null;
  }
}

export async function sendFile(files: FileList | null | undefined): Promise<void> {
  const [file, another] = files ?? [];
  if (file === undefined) return;
  if (another !== undefined) throw new Refusal({ message: 'Only one file is open at a time.', remedy: 'Drop one.' });
  // A failed upload looks the same as a server that is gone, so this tests whether the file is readable.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      const remedy = 'If it is a folder, drop a file of it. If another program has it open, close it there.';
      throw new Refusal({ message: `${file.name} cannot be read.`, remedy });
    });
  await call(`/api/file/${encodeURIComponent(file.name)}`, { method: 'PUT', body: file });
}

/** Downloads a file, and returns its notices. */
export async function fetchFile(wanted: Wanted): Promise<readonly string[]> {
  const answer = await post('/api/want', wanted);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = decodeURIComponent(answer.headers.get('x-file-name') ?? 'dealsheet.xlsx');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return JSON.parse(decodeURIComponent(answer.headers.get('x-notices') ?? '%5B%5D'));
}

const againMs = 1000;

/** Calls back with every new state until the server refuses. While it cannot be reached, it is asked again. */
export async function watch(onState: (state: PageState) => void): Promise<void> {
  for (let isLost = false; ; ) {
    try {
      const state: PageState | null = await (await call(`/api/state?after=${shown}`)).json();
      if (isLost) tellFault(null);
      isLost = false;
      if (state === null || state.version === shown) continue;
      shown = state.version;
      onState(state);
    } catch (error) {
      if (error instanceof Refusal && error.fault !== ended) throw error;
      tellFault(ended);
      isLost = true;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/**
 * How the page speaks to its server: the code of the address is exchanged for a key once, and every question carries the key. It is
 * kept for this address alone, so that a tab that was closed can be opened again; it is worth nothing once the server has ended.
 */
import type { Fault, Given, Gives, PageState, Question, Wanted } from '../protocol.ts';

const keyHeader = 'x-dealsheet-key';
const storedKey = 'dealsheet-key';
const json = { 'content-type': 'application/json' };
const ended: Fault = {
  message: 'This page has ended.',
  remedy: 'Open Dealsheet again. A load that was under way can then go on.',
};

/** What comes to nothing, and why. */
export class Refusal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

let tellFault: (fault: Fault | null) => void = () => {};

/** @param tell  hears why something came to nothing, and `null` once something else is tried */
export function onFault(tell: typeof tellFault): void {
  tellFault = tell;
}

/** Does something, and shows why when it comes to nothing. */
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

export async function ask<Name extends Question>(name: Name, given: Given<Name>): Promise<Gives<Name>> {
  return (await post(`/api/ask/${name}`, given)).json();
}

export async function sendFile(files: FileList | null | undefined): Promise<void> {
  const [file, another] = files ?? [];
  if (file === undefined) return;
  if (another !== undefined) throw new Refusal({ message: 'Only one file is open at a time.', remedy: 'Drop one.' });
  // The request itself fails in the same way when the server is gone.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      const remedy = 'If it is a folder, drop a file of it. If another program has it open, close it there.';
      throw new Refusal({ message: `${file.name} cannot be read.`, remedy });
    });
  await call(`/api/file/${encodeURIComponent(file.name)}`, { method: 'PUT', body: file });
}

/** Has the browser keep a file, and gives what there is to know of it. */
export async function fetchFile(wanted: Wanted): Promise<readonly string[]> {
  const answer = await post('/api/want', wanted);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = decodeURIComponent(answer.headers.get('x-file-name') ?? 'dealsheet.xlsx');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return JSON.parse(decodeURIComponent(answer.headers.get('x-notices') ?? '%5B%5D'));
}

/** Tells every state from now on, until the server is gone. */
export async function watch(onState: (state: PageState) => void): Promise<void> {
  for (let version = 0; ; ) {
    const state: PageState | null = await (await call(`/api/state?after=${version}`)).json();
    if (state !== null && state.version !== version) onState(state);
    version = state?.version ?? version;
  }
}

/** The server's side of the page's worker: sends requests, and receives answers and states. */
import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import type { GivenFile } from './past-runs.ts';
import type { Fault, PageState, Wanted } from './protocol.ts';
import type { News, Order, WorkerData } from './worker.ts';

const longestWaitMs = 20_000;

export class PageWorker {
  readonly #worker: Worker;
  readonly #asked = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  readonly #news = new EventEmitter().setMaxListeners(0);
  #state: PageState | null = null;
  #last = 0;
  #end: Fault | null = null;

  constructor(place: URL, data: WorkerData) {
    this.#worker = new Worker(place, { workerData: data, execArgv: [] });
    this.#worker.on('message', (news: News) => this.#hear(news));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('It has ended.')));
  }

  ask(name: string, given: unknown): Promise<unknown> {
    return this.#order('page', name, given);
  }

  async open(path: string): Promise<void> {
    await this.#order('server', 'open', path);
  }

  async file(wanted: Wanted): Promise<GivenFile> {
    return (await this.#order('server', 'file', wanted)) as GivenFile;
  }

  /** Resolves with the state once it is newer than `version`, or after a time-out. */
  async state(version: number): Promise<PageState | null> {
    const isNews = this.#state !== null && this.#state.version > version;
    if (!isNews && this.#end === null) {
      const soon = AbortSignal.timeout(longestWaitMs);
      await once(this.#news, 'news', { signal: soon }).catch(() => {});
    }
    const fault = this.#end;
    if (fault !== null && this.#state === null) throw toldBy(fault);
    return fault === null || this.#state === null ? this.#state : { ...this.#state, phase: 'failed', fault };
  }

  /** Lets a running load end properly. */
  async close(): Promise<void> {
    await this.#order('server', 'close', null).catch(() => {});
    await this.#worker.terminate();
  }

  #order(from: Order['from'], ask: string, given: unknown): Promise<unknown> {
    if (this.#end !== null) return Promise.reject(toldBy(this.#end));
    this.#last += 1;
    const order: Order = { id: this.#last, from, ask, given };
    return new Promise((resolve, reject) => {
      this.#asked.set(order.id, { resolve, reject });
      this.#worker.postMessage(order);
    });
  }

  #hear(news: News): void {
    if ('state' in news) {
      this.#state = news.state;
      this.#news.emit('news');
      return;
    }
    const asked = this.#asked.get(news.id);
    this.#asked.delete(news.id);
    if ('fault' in news) asked?.reject(toldBy(news.fault));
    else asked?.resolve(news.answer);
  }

  #fail(error: Error & Partial<Fault>): void {
    // A DealsheetError loses its class between threads, but keeps its members.
    const { message, remedy = '' } = error.remedy === undefined ? errorOf('page-worker-failed') : error;
    this.#end ??= { message, remedy };
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
    this.#news.emit('news');
  }
}

function toldBy({ message, remedy }: Fault): DealsheetError {
  return errorOf('page-worker-said', { said: message, remedy });
}

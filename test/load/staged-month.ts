/** A month at a desk by the library: files are loaded into a real service over a socket, with a real ledger. */
import { readFileSync, writeFileSync } from 'node:fs';
import Papa from 'papaparse';
import { vi } from 'vitest';
import type { CheckCode } from '../../src/contract/check-codes.ts';
import { type Dealsheet, type ImportChoices, openDealsheet } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import {
  type CannedAnswer,
  created,
  type RecordingService,
  startRecordingService,
} from '../builders/recording-service.ts';
import type { InFolder } from '../builders/temporary-folder.ts';

export interface Loaded {
  /** By row, what the results tell: `created`, or the code of a message. */
  readonly told: readonly string[];
  /** The rows of its results sheet, its header first. */
  readonly results: readonly (readonly string[])[];
  /** The codes that its preview found. */
  readonly found: readonly string[];
}

export class StagedMonth {
  /** Answers by the number of their request, where they are not a yes. */
  readonly said: Map<number, CannedAnswer>;
  readonly #service: RecordingService;
  readonly #file: InFolder;
  readonly #desk: Dealsheet;

  private constructor(file: InFolder, service: RecordingService, said: Map<number, CannedAnswer>) {
    this.#file = file;
    this.#service = service;
    this.said = said;
    this.#desk = openDealsheet({ url: service.url, token: 'token', ledger: file('ledger.db'), concurrency: 4 });
    vi.spyOn(Math, 'random').mockReturnValue(0.01);
  }

  static async open(file: InFolder): Promise<StagedMonth> {
    const said = new Map<number, CannedAnswer>();
    let sent = 0;
    const service = await startRecordingService(({ method, path }) => {
      if (method === 'GET') return { status: 200, body: JSON.stringify({ id: path.split('/').at(-1) }) };
      sent += 1;
      return said.get(sent) ?? created(sent);
    });
    return new StagedMonth(file, service, said);
  }

  async close(): Promise<void> {
    vi.restoreAllMocks();
    await this.#desk.close();
    await this.#service.stop();
  }

  /** How many records the service was sent. */
  get sent(): number {
    return this.#service.requests.filter(({ method }) => method !== 'GET').length;
  }

  /** Loads a results sheet again, as a person has changed its rows. */
  loadResults(
    name: string,
    { results: [header = [], ...rows] }: Loaded,
    changed: (rows: readonly (readonly string[])[]) => readonly (readonly string[])[] = (same) => same,
    allow: readonly CheckCode[] = [],
  ): Promise<Loaded> {
    return this.load(name, Papa.unparse([header, ...changed(rows)] as string[][]).split('\r\n'), allow);
  }

  async load(
    name: string,
    lines: readonly string[],
    allow: readonly CheckCode[] = [],
    further: ImportChoices = {},
  ): Promise<Loaded> {
    writeFileSync(this.#file(name), lines.join('\n'));
    const results = this.#file(`results of ${name}.csv`);
    const checks = Object.fromEntries(allow.map((code) => [code, 'warning' as const]));
    const loaded = await this.#desk.import(this.#file(name), { results, checks, ...further });
    const ledger = openLedger(this.#file('ledger.db'));
    const sheet = name.replace(/\.csv$/, '');
    const entries = await ledger.entries(loaded?.run ?? '', sheet, 0, 1000);
    await ledger.close();
    const told = entries.map(({ state, message }) => (state === 'not-sent' && message ? message.code : state));
    const text = readFileSync(loaded?.results ?? '', 'utf8').replace(/^\ufeff/, '');
    const found = loaded?.findings.map(({ code }) => code) ?? [];
    return { told, found, results: Papa.parse<string[]>(text, { skipEmptyLines: true }).data };
  }
}

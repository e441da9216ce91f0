/** What a person of a made-up month works with: a folder, a sandbox, commands that may die, and the sheets that they leave. */
import { afterAll, beforeAll, expect } from 'vitest';
import { noFaults } from '../../src/sandbox/faults.ts';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import type { AcceptedEntry } from '../../src/sandbox/store.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { type Ended, newWorkplace, type Workplace } from '../builders/workplace.ts';
import { type Circumstances, faultsOf, type Illness } from './circumstances.ts';
import { runLoad, startService } from './loads.ts';
import type { Store, StoredLedger } from './stores.ts';

const token = 'sandbox-token';
const ended = [0, 1, 2, 3, 4, 5, 6];

/** What the months of one file of tests share. */
export interface Surroundings {
  readonly home: Workplace;
  readonly service: RunningSandbox;
  readonly command: (words: readonly string[]) => Promise<Ended>;
  readonly store: Awaited<ReturnType<Store['start']>>;
}

/** To be called once, where the tests are described. */
export function surroundingsOfTests(
  kept: Store,
  prepare: (url: string) => Promise<void> = async () => {},
): { readonly here: Surroundings } {
  let here: Surroundings | null = null;
  beforeAll(async () => {
    const [home, service, store] = [workplaceHere(), await startService(), await kept.start()];
    await prepare(service.url);
    here = { home, service, store, command: (words) => home.run(words, { env: { DEALSHEET_TOKEN: token } }) };
  });
  afterAll(async () => {
    await here?.service.stop();
    await here?.store.stop();
    here?.home.remove();
  });
  return {
    get here() {
      if (here === null) throw new Error('Nothing is there before the first test begins.');
      return here;
    },
  };
}

/** A person at work, of whom a month can be told. */
export interface Desk<Step> {
  take(step: Step): Promise<void>;
  /** The service is well again, and all that was left is done. */
  endMonth(): Promise<void>;
}

export class Office {
  readonly place: Workplace = newWorkplace();
  readonly service: RunningSandbox;
  readonly command: Surroundings['command'];
  /** The results sheets that have rows, the oldest first. */
  readonly sheets: string[] = [];
  /** How much the service had taken before this month. */
  readonly #before: number;
  readonly #surroundings: Surroundings;
  #stored: StoredLedger | null = null;
  #files = 0;

  constructor(surroundings: Surroundings) {
    const { service, command } = surroundings;
    this.#surroundings = surroundings;
    this.service = service;
    this.command = command;
    this.#before = [...service.accepted()].length;
  }

  /** Lives through a month at the desk that is opened in it, and leaves nothing. */
  async live<Step>(open: (office: Office) => Desk<Step> | Promise<Desk<Step>>, steps: readonly Step[]): Promise<void> {
    try {
      this.#stored = await this.#surroundings.store.begin(this.place, this.#surroundings.home);
      const desk = await open(this);
      for (const step of steps) await desk.take(step);
      await desk.endMonth();
    } finally {
      this.place.remove();
    }
  }

  /** Words of a command that say where the ledger of the month is. */
  get ledger(): readonly string[] {
    return ['--ledger', this.stored.name];
  }

  get stored(): StoredLedger {
    if (this.#stored === null) throw new Error('The ledger of the month is there once it is lived.');
    return this.#stored;
  }

  /** What the service has taken in this month, the oldest first. */
  get accepted(): readonly AcceptedEntry[] {
    return [...this.service.accepted()].slice(this.#before);
  }

  /** @param age  counted back from the newest, and on from there; `null` while there is none */
  sheetOf({ age }: { readonly age: number }): string | null {
    return this.sheets.at(-1 - (age % Math.max(1, this.sheets.length))) ?? null;
  }

  /**
   * Runs a command that sends, at a service that may be ill.
   *
   * @param name  a name for its results sheet, with the ending
   * @returns where the results sheet is, if the command has lived to write it, and what it told
   */
  async send(
    name: `${string}.${'csv' | 'xlsx'}`,
    given: readonly string[],
    { service, dies }: Circumstances,
    illness: Illness,
  ): Promise<{ readonly sheet: string; readonly told: string }> {
    this.service.change({ faults: faultsOf(service, illness) });
    this.#files += 1;
    const sheet = name.replace('.', `-${this.#files}.`);
    const words = [...given, '--results', this.place.path(sheet), ...this.ledger];
    let told = '';
    if (dies === null) {
      const { exitCode, stderr } = await this.command(words);
      expect(ended, stderr).toContain(exitCode);
      told = stderr;
    } else {
      await runLoad(this.place, words, {
        env: { DEALSHEET_STOP_AT: dies, XDG_DATA_HOME: this.#surroundings.home.path('data') },
      });
      await this.stored.letTimePass();
    }
    this.service.change({ faults: noFaults });
    return { sheet, told };
  }

  /** The newest run that has a row in doubt, or `null`. */
  async runInDoubt(): Promise<string | null> {
    if ((await this.stored.read('SELECT 1 FROM runs')).length === 0) return null;
    const { stdout } = await this.command(['runs', '--json', ...this.ledger]);
    const { runs } = JSON.parse(stdout) as { runs: { run: string; counts: Record<string, number> }[] };
    return runs.find(({ counts }) => (counts.inDoubt ?? 0) > 0)?.run ?? null;
  }

  /** Settles a row in doubt by the id that a person has found, or by that there is none. */
  async settle(run: string, row: string, id: string | null): Promise<void> {
    const answer = id === null ? ['--not-created'] : ['--created', id, '--changed-since'];
    const { exitCode, stderr } = await this.command(['resolve', run, '--row', row, ...answer, ...this.ledger]);
    expect(exitCode, stderr).toBe(0);
  }
}

/** Words of a load that sends as many rows at most. */
export function limitOf({ limit }: { readonly limit: number | null }): readonly string[] {
  return limit === null ? [] : ['--limit', String(limit)];
}

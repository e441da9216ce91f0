import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { type RowState, rowStates } from '../../../src/contract/row-state.ts';
import type { Ledger, Run } from '../../../src/ledger/ledger.ts';
import { aLoad, anOutcome, type Place, service } from '../place.ts';
import { LedgerModel } from './ledger-model.ts';

const fewRows = 4;

const row = fc.integer({ min: 1, max: fewRows });
const kind = fc.constantFrom<RecordKindName>('deals', 'deals', 'company-updates');
const says = fc.constantFrom('a', 'b');
const outcome = fc.constantFrom<RowState>(
  'created',
  'created',
  'updated',
  'rejected',
  'failed',
  'in-doubt',
  'not-sent',
);
const noted = fc.constantFrom<RowState>('waiting', 'not-sent', 'already-loaded', 'in-doubt');
const how = fc.constantFrom('end', 'crash');
const anIntent = fc.record({ row, says, equals: fc.nat(2) });

const arbitraries = {
  register: [5, fc.record({ row, kind, says, known: fc.option(fc.nat(9)), note: fc.option(noted) })],
  intend: [
    6,
    fc.record({ intents: fc.uniqueArray(anIntent, { minLength: 1, maxLength: 3, selector: (one) => one.row }) }),
  ],
  record: [6, fc.record({ row, state: outcome })],
  note: [1, fc.record({ row, state: noted })],
  resolve: [
    6,
    fc.record({ id: fc.integer({ min: 1, max: 5 }), earlier: fc.constantFrom(0, 0, 0, 1), created: fc.boolean() }),
  ],
  next: [1, fc.record({ how })],
  resume: [1, fc.record({ how, run: fc.nat(5) })],
} as const;
type Steps = {
  [Name in keyof typeof arbitraries]: (typeof arbitraries)[Name][1] extends fc.Arbitrary<infer Value> ? Value : never;
};
type Step = { [Name in keyof Steps]: { readonly do: Name } & Steps[Name] }[keyof Steps];
const step = fc.oneof(
  ...Object.entries(arbitraries).map(([name, [weight, arbitrary]]) => ({
    weight,
    arbitrary: (arbitrary as fc.Arbitrary<object>).map((value) => ({ do: name, ...value }) as Step),
  })),
);

/** A ledger and its model, made to do the same. */
class Pair {
  readonly #place: Place;
  readonly #model = new LedgerModel();
  readonly #runs: string[] = [];
  #ledger: Ledger;
  #run: Run;

  constructor(place: Place, ledger: Ledger, run: Run) {
    [this.#place, this.#ledger, this.#run] = [place, ledger, run];
    this.#runs.push(run.id);
  }

  async take(step: Step): Promise<void> {
    const model = this.#model;
    if (step.do === 'register') await this.#register(step);
    else if (step.do === 'intend') await this.#intend(step);
    else if (step.do === 'record') {
      const id = this.#id(step.row);
      const due = model.record(id, step.state);
      expect(await succeeds(this.#run.record([anOutcome(id, step.state)]))).toBe(due);
    } else if (step.do === 'note') {
      model.note(this.#at(step.row), step.state);
      const message = { code: 'no', params: {} };
      await this.#run.note([{ sheet: 'Deals', row: step.row, state: step.state, message }]);
    } else if (step.do === 'resolve') {
      const [id, isCreated] = [step.id, step.created];
      const attempt = (model.rows.find((one) => one.id === id)?.attempt ?? 0) - step.earlier;
      const due = model.resolve(id, attempt, isCreated);
      const record = isCreated ? 'by hand' : null;
      expect(await succeeds(this.#ledger.resolve([{ id, attempt, isCreated, record, person: 'pat' }]))).toBe(due);
    } else await this.#goOn(step);
  }

  async #register({ row, kind, says, known, note }: Steps['register']): Promise<void> {
    const { rows, stood } = this.#model;
    const here = stood.get(this.#at(row));
    const isElsewhere = (id: number) =>
      [...this.#placesOf(this.#run.id)].some((place) => stood.get(place)?.row.id === id);
    const chosen = rows.find((one) => one.id === known && one.kind === kind && !isElsewhere(one.id));
    // A row that has its place in this run keeps it, and is noted only while nothing is sent for it.
    if (here !== undefined && here.told === null) return;
    const own = here?.row ?? chosen;
    const of = own?.kind ?? kind;
    this.#model.register(this.#at(row), of, `${of} ${says}`, own?.id ?? null, note);
    const digests = [this.#ledger.digest(`${of} ${says}`)];
    const told = note === null ? null : { state: note, message: { code: 'no', params: {} } };
    const entered = { sheet: 'Deals', row, kind: of, id: own?.id ?? null, digests, note: told };
    expect(await this.#run.register([entered])).toEqual([own?.id ?? rows.length]);
  }

  async #intend({ intents }: Steps['intend']): Promise<void> {
    const wanted = intents.map(({ row, says, equals }) => {
      const kind = this.#model.stood.get(this.#at(row))?.row.kind ?? 'deals';
      return { place: this.#at(row), row, content: `${kind} ${says}`, equals, id: this.#id(row) };
    });
    const refused = this.#model.intend(wanted);
    const written = await this.#run.intend(
      wanted.map(({ content, ...intent }) => ({
        ...intent,
        sheet: 'Deals',
        content: this.#ledger.digest(content),
        fields: null,
      })),
    );
    expect(wanted.flatMap(({ id, place }) => (written.has(id) ? [] : [place]))).toEqual(refused);
  }

  async #goOn(step: Extract<Step, { do: 'next' | 'resume' }>): Promise<void> {
    this.#model.leave();
    if (step.how === 'end') await this.#run.end('ended');
    else {
      await this.#ledger.close();
      this.#ledger = this.#place.open();
    }
    if (step.do === 'resume') this.#run = await this.#ledger.resume(this.#runs[step.run % this.#runs.length] ?? '');
    else {
      this.#run = await this.#ledger.begin(aLoad());
      this.#runs.push(this.#run.id);
    }
  }

  async expectSame(): Promise<void> {
    const { rows, stood } = this.#model;
    const known = await this.#ledger.lookupRows(rows.map(({ id }) => id));
    const alike = [...known.values()].map(({ id, kind, phase, outcome, attempt, at }) => ({
      ...{ id, kind, phase, outcome, attempt },
      at: this.#at(at.row, at.run),
    }));
    expect(alike).toEqual(rows.map(({ content: _, resolved: _r, hasMessage: _m, isAwaited: _a, ...row }) => row));
    for (const run of this.#runs) {
      const told = (await this.#ledger.entries(run, 'Deals', 0, 99)).map(({ row, id, state, phase, since }) => ({
        ...{ place: this.#at(row, run), id, state, phase },
        since: since === null ? null : `${this.#runs.indexOf(since)}`,
      }));
      const places = this.#placesOf(run).sort();
      const modelled = places.map((place) => {
        const { id, phase, at } = (stood.get(place) as { row: (typeof rows)[number] }).row;
        const [sent] = at.split('!');
        const isLive = phase === 'committed' || phase === 'in-doubt';
        const state = this.#model.told(place);
        const isElsewhere = isLive && !place.startsWith(`${sent}!`) && !rowStates[state].isIn;
        return { place, id, state, phase, since: isElsewhere ? sent : null };
      });
      expect(told).toEqual(modelled);
    }
    for (const content of ['deals a', 'deals b']) await this.#expectFound(content);
  }

  /** Every live row is found by what was sent for it. */
  async #expectFound(content: string): Promise<void> {
    const digest = this.#ledger.digest(content);
    const found = (await this.#ledger.lookup(service, [digest])).get(digest) ?? [];
    const live = this.#model.rows.filter((row) => row.content === content && row.phase !== 'open');
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(live.map(({ id }) => id)));
  }

  #at(row: number, run = this.#run.id): string {
    return `${this.#runs.indexOf(run)}!${row}`;
  }

  #placesOf(run: string): string[] {
    return [...this.#model.stood.keys()].filter((place) => place.startsWith(this.#at(0, run).replace(/0$/, '')));
  }

  #id(row: number): number {
    return this.#model.stood.get(this.#at(row))?.row.id ?? 0;
  }
}

async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

/** On a machine that is busy with other things, a server answers late. */
const longestMs = 300_000;

export function model(newPlace: () => Place | Promise<Place>, histories: number): void {
  it(
    'does what its model does, through whatever history',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
          const place = await newPlace();
          try {
            const ledger = place.open();
            const pair = new Pair(place, ledger, await ledger.begin(aLoad()));
            for (const step of steps) {
              await pair.take(step);
              await pair.expectSame();
            }
          } finally {
            await place.remove();
          }
        }),
        { numRuns: histories },
      );
    },
    longestMs,
  );
}

/** What the page reads of a file to show some of its rows: no more of a long file than of a short one. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Ledger, RunEntry } from '../../src/ledger/ledger.ts';
import { holdFile, type OpenFile } from '../../src/page/held-file.ts';
import type { Filter } from '../../src/page/protocol.ts';
import { RowWindow } from '../../src/page/row-window.ts';
import { firstCells } from '../../src/report/result-row.ts';
import type { Staging } from '../../src/staging/staging.ts';
import { importDefaults } from '../builders/default-options.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const [few, many, inSight] = [500, 2000, 40];

describe('the rows in sight', () => {
  const path = folderForEachTest();

  /** Payments, of which every fifth has an amount that is none, and the last but one a date that there is not. */
  function withPayments<Result>(count: number, use: (file: OpenFile) => Promise<Result>): Promise<Result> {
    const lines = Array.from({ length: count }, (_, at) => {
      const date = at === count - 2 ? '2026-02-31' : '2026-06-30';
      return `deal_${at},${date},${at % 5 === 0 ? 'much' : '228.57'},ACH-${at}`;
    });
    return withFile(`payments-${count}.csv`, ['Deal id,Date,Amount,Reference', ...lines], use);
  }

  async function withFile<Result>(
    name: string,
    lines: readonly string[],
    use: (file: OpenFile) => Promise<Result>,
  ): Promise<Result> {
    const file = path(name);
    writeFileSync(file, lines.join('\n'));
    const flags = { ledger: path('ledger.db'), config: undefined, sandboxData: undefined };
    const options = { ...importDefaults, file, service: 'a', serviceUrl: 'http://a', sourcesFolder: path('sources') };
    const held = holdFile(
      flags,
      async (signal) => ({ ...options, signal }),
      () => {},
    );
    try {
      const open = await held.opened;
      if (open === null) throw new Error('It was not opened.');
      return await use(open);
    } finally {
      await held.leave();
    }
  }

  it.each<[string, (count: number) => number, Filter]>([
    ['the first', () => 0, {}],
    ['the last', (count) => count - inSight, {}],
    ['the first of many with a finding', () => 0, { finding: 0 }],
    ['the last of them', (count) => count / 5 - inSight, { finding: 0 }],
    ['the only one with a finding', () => 0, { finding: 1 }],
  ])('cost as much in a long file as in a short one: %s', async (_, from, filter) => {
    const [short, long] = await Promise.all(
      [few, many].map((count) =>
        withPayments(count, async ({ planned, ...file }) => {
          const counted = new CountedStaging(planned.staging);
          const window = new RowWindow({ ...file, planned: { ...planned, staging: counted.staging } });
          const sheet = `payments-${count}`;
          const shown = await window.rows({ sheet, from: from(count), count: inSight, filter });
          return { ...shown, count, read: counted.read };
        }),
      ),
    );
    expect(long?.read).toBe(short?.read);
    for (const shown of [short, long]) {
      const { total = 0, rows = [], count = 0 } = shown ?? {};
      expect(rows).toHaveLength(Math.min(total, inSight));
      expect(total).toBe(filter.finding === undefined ? count : filter.finding === 0 ? count / 5 : 1);
      if (filter.finding === 0) expect(rows.every(({ cells }) => cells[2] === 'much')).toBe(true);
      if (filter.finding === 1) expect(rows.map(({ row }) => row)).toEqual([count]);
    }
  });

  it('are told by their first filled cells, without what is sensitive', () =>
    withFile(
      'notes.csv',
      [
        'Deal id,(SSN),Text,(Month),(Who),(Team),(Office),(Source)',
        ',219-09-9999,SSN 219-09-9999,June',
        'D-1,,Called,6,Ann,A,NY,web',
      ],
      async ({ planned: { staging, staged } }) => {
        const [of] = staged.sheets;
        const says = [2, 3].map((row) => {
          const found = of === undefined ? null : staging.at(of.number, row);
          return of === undefined || found === null ? '' : firstCells(found, staging, of);
        });
        expect(says).toEqual([
          '(SSN) “***-**-****”, Text “*** ***-**-****”, (Month) “June”',
          'Deal id “D-1”, Text “Called”, (Month) “6”, (Who) “Ann”, (Team) “A”, (Office) “NY”',
        ]);
      },
    ));

  it('call no row in doubt or not sent while its answer or its turn is still to come', () =>
    withPayments(few, async (file) => {
      const entry = (row: number, phase: RunEntry['phase'], state: RunEntry['state'] = 'in-doubt') => ({
        row,
        phase,
        state,
        message: null,
        since: null,
      });
      const entries = [entry(3, 'sending'), entry(4, 'in-doubt'), entry(5, 'open', 'not-sent')] as RunEntry[];
      const window = new RowWindow({ ...file, ledger: { entries: async () => entries } as unknown as Ledger });
      const states = async () => {
        const { rows } = await window.rows({ sheet: `payments-${few}`, from: 1, count: 3, filter: {} });
        return rows.map(({ state }) => state);
      };
      window.follow('2026-06-30-01-abcd');
      expect(await states()).toEqual(['ready', 'in-doubt', 'ready']);
      window.rest();
      expect(await states()).toEqual(['in-doubt', 'in-doubt', 'not-sent']);
    }));
});

/** A staging that counts the rows that are read from it. */
class CountedStaging {
  read = 0;
  readonly staging: Staging;

  constructor(staging: Staging) {
    this.staging = new Proxy(staging, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => this.#counted(value.apply(target, given));
      },
    });
  }

  #counted(answer: unknown): unknown {
    if (answer === null || typeof answer !== 'object' || 'count' in answer) return answer;
    if (Symbol.asyncIterator in answer) return this.#each(answer as AsyncIterable<readonly unknown[]>);
    this.read += Array.isArray(answer) ? answer.length : 1;
    return answer;
  }

  async *#each(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<readonly unknown[]> {
    for await (const rows of batches) {
      this.read += rows.length;
      yield rows;
    }
  }
}

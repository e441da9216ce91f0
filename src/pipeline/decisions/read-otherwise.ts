/**
 * Rows that went in with an earlier load of the very same file and would be sent again only because the file is read otherwise:
 * with another order of dates, another mapping. To the guard they are new rows; to a person they are the same ones.
 */
import { basename } from 'node:path';
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import type { Ledger, RowPosition } from '../../ledger/ledger.ts';
import { type HowRead, recordedOptionsOf } from '../options/run-options.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { EarlierRun } from './earlier-runs.ts';

export interface ReadOtherwise {
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** How the file was read before and is read now, as far as these differ: `with --date-order mdy`. */
  readonly before: string;
  readonly now: string;
  /** Rows that would be sent, and are in by that run or may be. */
  readonly rows: number;
  readonly first: RowPosition;
}

interface OtherReading extends Pick<ReadOtherwise, 'before' | 'now'> {
  readonly run: EarlierRun;
  rows: number;
  first: RowPosition | null;
}

export class RowsReadOtherwise {
  readonly #ledger: Ledger;
  readonly #readings: readonly OtherReading[];

  /**
   * @param earlierRuns  those of the same bytes and service, the newest first
   * @param now          how the file is read, or `null` to look for nothing
   */
  constructor(ledger: Ledger, earlierRuns: readonly EarlierRun[], now: HowRead | null) {
    this.#ledger = ledger;
    this.#readings = earlierRuns.flatMap((run) => {
      const differences = differencesOf(run, now);
      if (differences.length === 0) return [];
      const inWords = (side: 'before' | 'now') => differences.map((difference) => difference[side]).join(', ');
      return [{ run, before: inWords('before'), now: inWords('now'), rows: 0, first: null }];
    });
  }

  /** Looks at a row that would be sent. */
  look({ sheet, row, kind }: JudgedRow): void {
    for (const reading of this.#readings) {
      const entry = this.#ledger.entry(reading.run.id, reading.run.positionThen({ sheet, row }));
      if (entry === null || entry.kind !== kind.name || !(isIn(entry.state) || isUnknown(entry.state))) continue;
      reading.rows += 1;
      reading.first ??= { sheet, row };
      return;
    }
  }

  get found(): readonly ReadOtherwise[] {
    return this.#readings.flatMap(({ run, before, now, rows, first }) =>
      first === null ? [] : [{ run: run.id, startedAt: run.startedAt, before, now, rows, first }],
    );
  }
}

/** Those of the runs that read the same bytes otherwise. */
export function runsReadOtherwise(earlierRuns: readonly EarlierRun[], now: HowRead | null): ReadonlySet<string> {
  return new Set(earlierRuns.filter((run) => differencesOf(run, now).length > 0).map(({ id }) => id));
}

interface Difference {
  readonly before: string;
  readonly now: string;
}

function differencesOf(run: EarlierRun, now: HowRead | null): readonly Difference[] {
  const before = recordedOptionsOf(run);
  if (before === null || now === null) return [];
  const flags = [
    flagDifference('--date-order', before.dateOrder, now.dateOrder),
    mappingDifference(before.mapping, now.mapping),
    flagDifference('--ignore-columns', listOf(before.ignoredColumns), listOf(now.ignoredColumns)),
    flagDifference('--encoding', before.encoding, now.encoding),
    flagDifference('--delimiter', before.delimiter, now.delimiter),
  ];
  const isSameContract = before.contract === null || before.contract === now.contract;
  const contract = isSameContract ? null : { before: 'under another contract', now: 'under the contract of now' };
  return [...flags, contract].filter((difference) => difference !== null);
}

function flagDifference(flag: string, before: string | null, now: string | null): Difference | null {
  const inWords = (value: string | null) => (value === null ? `without ${flag}` : `with ${flag} ${value}`);
  return before === now ? null : { before: inWords(before), now: inWords(now) };
}

type RecordedMapping = HowRead['mapping'];

function mappingDifference(before: RecordedMapping, now: RecordedMapping): Difference | null {
  if (before?.digest === now?.digest) return null;
  const nameOf = (mapping: RecordedMapping) => (mapping === null ? null : basename(mapping.path));
  const difference = flagDifference('--mapping', nameOf(before), nameOf(now));
  if (difference !== null) return difference;
  const same = `with --mapping ${nameOf(now)}`;
  return { before: `${same} as it was`, now: `${same} as it is now` };
}

function listOf(names: HowRead['ignoredColumns']): string | null {
  if (names === 'all') return names;
  return names.length === 0 ? null : [...names].sort().join(',');
}

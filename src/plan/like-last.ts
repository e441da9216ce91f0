/** Whether a file holds about as much as the last one of its sort: half a month, or two, is easily the wrong file. */
import { basename, extname } from 'node:path';
import Big from 'big.js';
import { plainName } from '../disk/free-name.ts';
import { DealsheetError } from '../errors.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { dayOf } from '../ledger/moments.ts';
import { sameButForMonth } from '../mapping/mapping-file/mapped-sheet.ts';
import { type Held, recordedOptionsOf } from './options.ts';
import type { Preview } from './preview.ts';

/** A file, and what it holds. */
export interface FileHeld {
  readonly service: string;
  readonly sourceDigest: string;
  readonly sourceName: string;
  /** The path of its mapping. */
  readonly mapping: string | null;
  readonly held: Held;
}

/** Rows and exact amounts by record kind, without what is left out. */
export function heldBy({ sheets }: Pick<Preview, 'sheets'>): Held {
  const held: Record<string, Held[string]> = {};
  for (const { kind, rows, staying, amount } of sheets) {
    const before = held[kind.name] ?? { rows: 0, amount: null };
    held[kind.name] = {
      rows: before.rows + rows - (staying['left-out'] ?? 0),
      amount: amount === null ? before.amount : new Big(before.amount ?? 0).plus(amount).toFixed(),
    };
  }
  return held;
}

/** What a run held, or `null` where its options cannot be read. */
export function heldByRun(run: RunRecord): FileHeld | null {
  const recorded = recordedOptionsOf(run);
  return recorded === null ? null : { ...run, mapping: recorded.mapping?.path ?? null, held: recorded.held };
}

/**
 * What differs by more than the share from the last load of another file of this name but for its month or number, or, where
 * there is none, of this mapping. `null` when there is no such load.
 *
 * @param runs  the newest first
 * @param share  0.2 for a fifth
 */
export function unlikeLast(file: FileHeld, runs: readonly RunRecord[], share: number): readonly string[] | null {
  const earlier = runs.flatMap((run) => {
    const before = heldByRun(run);
    const isOther = run.service === file.service && run.sourceDigest !== file.sourceDigest;
    return isOther && before !== null && Object.keys(before.held).length > 0 ? [{ run, ...before }] : [];
  });
  const last =
    earlier.find(({ sourceName }) => haveSameName(sourceName, file.sourceName)) ??
    earlier.find(({ mapping }) => mapping !== null && mapping === file.mapping);
  if (last === undefined) return null;
  const before = `in ${last.sourceName} of ${dayOf(last.run.startedAt)}`;
  const kinds = [...new Set([...Object.keys(last.held), ...Object.keys(file.held)])];
  return kinds.flatMap((kind) => {
    const [was, is] = [last.held[kind], file.held[kind]];
    const rows = difference(was?.rows ?? 0, is?.rows ?? 0, share);
    const amount = difference(was?.amount ?? 0, is?.amount ?? 0, share);
    return [
      ...(rows === null ? [] : [`${kind}: ${is?.rows ?? 0} rows, and ${was?.rows ?? 0} ${before} (${rows}).`]),
      ...(amount === null
        ? []
        : [`${kind}: a total of ${is?.amount ?? 0}, and ${was?.amount ?? 0} ${before} (${amount}).`]),
    ];
  });
}

/** @throws DealsheetError `usage` with all that differs by more than the share, or when there is nothing to compare with */
export function needLikeLast(file: FileHeld, runs: readonly RunRecord[], share: number): void {
  const faults = unlikeLast(file, runs, share);
  if (faults === null)
    throw new DealsheetError(
      'usage',
      `There is no earlier load to compare ${file.sourceName} with: none of a file with this name but for its month, and none by its mapping.`,
      'Load it once without --expect-like-last. Nothing was sent.',
    );
  if (faults.length === 0) return;
  throw new DealsheetError(
    'usage',
    `The file is not like the last one:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    'Look whether it is the right file, and whole. If it is, load it without --expect-like-last. Nothing was sent.',
  );
}

/** `67 % less`, or `null` where the difference is within the share. */
function difference(was: string | number, is: string | number, share: number): string | null {
  const more = new Big(is).minus(was);
  const base = new Big(was).abs();
  if (more.abs().lte(base.times(share))) return null;
  if (base.eq(0)) return 'new';
  return `${more.abs().div(base).times(100).toFixed(0)} % ${more.gt(0) ? 'more' : 'less'}`;
}

function haveSameName(one: string, other: string): boolean {
  const [stem, otherStem] = [stemOf(one), stemOf(other)];
  return numberless(stem) === numberless(otherStem) || sameButForMonth(stem, otherStem);
}

/** Results are the next input: they go by the name of their source. */
function stemOf(name: string): string {
  return basename(plainName(name), extname(name)).replace(/\.results$/, '');
}

/** What tells the files of one sort from each other by a name: a pattern. */
export function numberless(stem: string): string {
  return stem.toLowerCase().replace(/\d+/g, '#');
}

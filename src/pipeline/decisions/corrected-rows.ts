/**
 * Rows that a person corrected in a results sheet, and that another file has as they were before: the source of that sheet
 * with more rows below, or the same rows as CSV. Its one rule: the two are one row, which is in once.
 */
import { isIn, isUnknown } from '../../ledger/entry-state.ts';
import {
  type CorrectedRow,
  type EarlierEntry,
  type Entry,
  isSameRow,
  type Ledger,
  type RowPosition,
  type RunRecord,
  type RunRow,
} from '../../ledger/ledger.ts';
import type { Message } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import { recordedOptionsOf } from '../options/run-options.ts';
import type { Standing } from '../rows/held-rows.ts';
import { noteOfEarlier, noteOfOtherDoubt, noteWith, type RowNote } from '../rows/row-note.ts';
import { rowOf } from '../rows/row-place.ts';
import { type Claims, isRecordOfAnother } from '../survey/claims.ts';
import type { Siblings } from './siblings.ts';
import type { GoneOn } from './succession.ts';

export interface CorrectedRowsOptions {
  readonly service: string;
  /** The run that the rows are in now. */
  readonly run: string;
  /** The file that is loaded, as a whole path. */
  readonly sourcePath: string;
  readonly claims: Claims;
  readonly siblings: Siblings;
  readonly recordOf: (run: string) => RunRecord | null;
}

/** A row that could be sent. */
export interface RowToSend {
  readonly place: RowPosition;
  readonly standing: Standing;
  /** What made it itself in its own earlier run, or `null`. */
  readonly own: Buffer | null;
  /** What makes it itself now. */
  readonly fingerprint: Buffer;
  /** The keyed digest of its ref, or `null`. */
  readonly ref: Buffer | null;
  /** What it is known by as long as it waits, or `null`. */
  readonly saidWaiting: () => Buffer | null;
  /** Whether it says what has a fingerprint. */
  readonly saysSame: (fingerprint: Buffer) => boolean;
}

/** By the row of an earlier run that it comes from, or by its place in a source. */
type RowWithoutRecord = Pick<RowToSend, 'saysSame'> & ({ readonly from: RunRow } | Pick<RowToSend, 'place' | 'ref'>);

/** A row that counts as in by the record of a corrected one. */
export interface InCorrected extends GoneOn {
  /** Whether the Ref says otherwise. */
  readonly isPerhapsAnother: boolean;
}

export class CorrectedRows {
  readonly #ledger: Ledger;
  readonly #options: CorrectedRowsOptions;
  /** By what they were before, in hexadecimal; asked for when a row could be sent. */
  #corrected: ReadonlyMap<string, readonly RunRow[]> | null = null;
  /** The ids of all runs; asked for when they are needed. */
  #newestFirst: readonly string[] | null = null;

  constructor(ledger: Ledger, options: CorrectedRowsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** As what a row went out with another file, as it was corrected, or as it was before; else `null`. */
  of(row: RowToSend): InCorrected | null {
    const { place, standing, own, fingerprint, ref, saysSame } = row;
    if (standing.kind !== 'free') return null;
    const from = standing.earlier?.row ?? null;
    const corrected = this.#corrections();
    const waiting = corrected.size === 0 ? null : row.saidWaiting();
    const now = waiting === null ? [fingerprint] : [fingerprint, waiting];
    if (from === null) return this.#correctionOf(now, { place, ref, saysSame });
    const all = [own, standing.earlier?.shown ?? null, ...this.#saidOnTheWayTo(from)];
    const before = all.flatMap((said) => (said === null || saysSame(said) ? [] : [said]));
    for (const said of before) {
      const uncorrected = this.#uncorrectedOf(said, from);
      if (uncorrected !== null) return uncorrected;
    }
    return this.#correctionOf([...now, ...before], { from, saysSame });
  }

  /** Where a row that was refused in this run is in by another file that has it too, or may be; else `null`. */
  refusedOf({ fingerprint, sheet, row }: Entry): GoneOn | null {
    const live = this.#liveElsewhere(fingerprint, { run: this.#options.run, sheet, row });
    return live === null ? null : { note: noteOfEarlier(live), knownBy: rowOf(live), fingerprint };
  }

  /** What a row was in the runs in which it came back before it was in. */
  #saidOnTheWayTo(row: RunRow): readonly Buffer[] {
    return this.#ledger.cameFrom(row).flatMap((place) => {
      const entry = this.#ledger.entry(place.run, place);
      return entry === null || isIn(entry.state) || isUnknown(entry.state) ? [] : [saidBy(entry)];
    });
  }

  #corrections(): ReadonlyMap<string, readonly RunRow[]> {
    this.#corrected ??= byFingerprint(this.#ledger.correctedRows(this.#options.service));
    return this.#corrected;
  }

  #correctionOf(said: readonly Buffer[], row: RowWithoutRecord): InCorrected | null {
    const corrected = this.#corrections();
    if (corrected.size === 0) return null;
    for (const before of said.flatMap((one) => corrected.get(one.toString('hex')) ?? [])) {
      const correction = this.#inCorrected(before, row);
      if (correction !== null) return correction;
    }
    return null;
  }

  #inCorrected(before: RunRow, row: RowWithoutRecord): InCorrected | null {
    const { run, claims, recordOf } = this.#options;
    const latest = this.#ledger.latest(before);
    const record = latest.run === run ? null : recordOf(latest.run);
    const entry = record === null ? null : this.#ledger.entry(latest.run, latest);
    if (record === null || entry === null || !(isIn(entry.state) || isUnknown(entry.state))) return null;
    // One that only waited for its parent went in as it was: its equal is another.
    if (row.saysSame(entry.fingerprint) || this.#hasCellsOfSibling(before, entry)) return null;
    const isAnother =
      'from' in row
        ? isSameRow(latest, row.from) || !this.#mayBeOf(latest, row.from)
        : // The corrected row stands in this source too.
          claims.has(entry.fingerprint);
    if (isAnother) return null;
    const { sourceName, startedAt } = record;
    const earlier = { ...entry, sourceName, startedAt };
    const known = { knownBy: latest, fingerprint: entry.fingerprint };
    if ('from' in row)
      return { note: noteOf(earlier, rowMessage('changed-since-loaded')), ...known, isPerhapsAnother: false };
    const isOldFile = this.#isAtItsPlace(row.place, before) && !isRecordOfAnother(this.#ledger, before, entry);
    const note = noteOf(
      earlier,
      isOldFile ? rowMessage('loaded-otherwise-or-another') : rowMessage('like-corrected-row'),
    );
    return { note, ...known, isPerhapsAnother: !isOldFile && this.#hasAnotherRef(row.ref, before, entry) };
  }

  /** Whether a row was given the cells of another row of its source, and is in by the record of that one alone. */
  #hasCellsOfSibling(before: RunRow, entry: Entry): boolean {
    if (!isRecordOfAnother(this.#ledger, before, entry)) return false;
    const { service, siblings } = this.#options;
    const live = this.#ledger.liveEntry(service, entry.fingerprint);
    return live === null || siblings.isSibling(siblings.sourceRowOf(before), live);
  }

  /** A row at its place in its own file is what it was; that of another file may be another record, and a person must know. */
  #isAtItsPlace({ sheet, row }: RowPosition, before: RunRow): boolean {
    const { recordOf, sourcePath } = this.#options;
    const first = this.#ledger.first(before);
    return first.sheet === sheet && first.row === row && recordOf(first.run)?.sourcePath === sourcePath;
  }

  /** Whether a row has a ref that the corrected one had neither before nor when it went in. */
  #hasAnotherRef(ref: Buffer | null, before: RunRow, { ref: now }: Entry): boolean {
    const then = this.#ledger.entry(before.run, before)?.ref ?? null;
    return ref !== null && [then, now].every((known) => known?.equals(ref) !== true);
  }

  /** @param earlier  the row in the run that it comes from */
  #uncorrectedOf(fingerprint: Buffer, earlier: RunRow): InCorrected | null {
    const live = this.#liveElsewhere(fingerprint, earlier);
    if (live === null) return null;
    return {
      note: noteOf(live, rowMessage('changed-since-loaded')),
      knownBy: rowOf(live),
      fingerprint,
      isPerhapsAnother: false,
    };
  }

  #liveElsewhere(fingerprint: Buffer, from: RunRow): EarlierEntry | null {
    const { service, run } = this.#options;
    const live = this.#ledger.liveEntry(service, fingerprint);
    return live === null || live.run === run || !this.#mayBeOf(live, from) ? null : live;
  }

  /**
   * Whether what is in by one row may be another: of equal rows of one source, the record of one is not that of another; and
   * with --again, one that was in before was known, and the row was to be sent once more.
   */
  #mayBeOf(row: RunRow, from: RunRow): boolean {
    const { siblings } = this.#options;
    const mayBeMeant = this.#isNewer(row.run, from.run) || !this.#wasToBeSentOnceMore(from);
    return mayBeMeant && !siblings.isSibling(siblings.sourceRowOf(from), row);
  }

  #wasToBeSentOnceMore(row: RunRow): boolean {
    return [row, ...this.#ledger.cameFrom(row)].some(({ run }) => {
      const record = this.#options.recordOf(run);
      return record === null || recordedOptionsOf(record)?.again !== false;
    });
  }

  #isNewer(run: string, than: string): boolean {
    this.#newestFirst ??= this.#ledger.runs().map(({ id }) => id);
    return this.#newestFirst.indexOf(run) < this.#newestFirst.indexOf(than);
  }
}

function saidBy({ state, shown, fingerprint }: Entry): Buffer {
  return state === 'waiting' && shown !== null ? shown : fingerprint;
}

/** Several files may have had a row that said the same. */
function byFingerprint(rows: readonly CorrectedRow[]): ReadonlyMap<string, readonly RunRow[]> {
  const groups = new Map<string, CorrectedRow[]>();
  for (const row of rows) {
    const fingerprint = row.fingerprint.toString('hex');
    const group = groups.get(fingerprint);
    if (group === undefined) groups.set(fingerprint, [row]);
    else group.push(row);
  }
  return groups;
}

function noteOf(known: EarlierEntry, toldOfOneIn: Message): RowNote {
  if (!isIn(known.state)) return noteOfOtherDoubt(known);
  return noteWith(noteOfEarlier(known), toldOfOneIn);
}

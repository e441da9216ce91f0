/** The refs of a source: which row carries which, which stand twice, and which a row names that nobody carries. */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { rowStates } from '../../contract/row-state.ts';
import { rowStateOf } from '../../ledger/entry-state.ts';
import type { EarlierEntry } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import { NearRefs } from './near-refs.ts';

/** What earlier loads into the same service know of a ref. */
export interface EarlierRef {
  /** The records that it was the Ref of. */
  readonly records: readonly { readonly id: string; readonly startedAt: string; readonly sourceName: string }[];
  /** A row that came with it after them and is not in, or `null`. */
  readonly open: Pick<EarlierEntry, 'run' | 'sheet' | 'row' | 'state' | 'sourceName'> | null;
}

export type EarlierRefs = (kind: RecordKindName, ref: string) => EarlierRef;

interface Carrier {
  readonly sheet: string;
  readonly row: number;
}

/** A ref that stands on several rows. */
interface Repeated {
  /** The first of them. */
  readonly places: Carrier[];
  rows: number;
}

/** A column of keys may say "N/A" on every row. */
const mostPlaces = 3;

export class ReferenceIndex {
  readonly #carriers = new Map<RecordKindName, Map<string, Carrier>>();
  readonly #duplicates = new Map<RecordKindName, Map<string, Repeated>>();
  /** Made once all rows were added: it is asked where a ref is carried by none. */
  readonly #near = new Map<RecordKindName, NearRefs>();
  /** `null` where no ledger is asked (a check without a service). */
  readonly #earlier: EarlierRefs | null;

  constructor(earlier: EarlierRefs | null) {
    this.#earlier = earlier;
  }

  /** Whether a Ref was found twice, so that rows judged before are to be judged again. */
  get hasDuplicates(): boolean {
    return this.#duplicates.size > 0;
  }

  add(row: CheckedRow): void {
    if (row.ref === null) return;
    const carriers = this.#carriers.get(row.kind.name) ?? new Map<string, Carrier>();
    this.#carriers.set(row.kind.name, carriers);
    const first = carriers.get(row.ref);
    if (first === undefined) {
      carriers.set(row.ref, { sheet: row.sheet, row: row.row });
      return;
    }
    const duplicates = this.#duplicates.get(row.kind.name) ?? new Map<string, Repeated>();
    this.#duplicates.set(row.kind.name, duplicates);
    const repeated = duplicates.get(row.ref) ?? { places: [first], rows: 1 };
    duplicates.set(row.ref, repeated);
    repeated.rows += 1;
    if (repeated.places.length < mostPlaces) repeated.places.push({ sheet: row.sheet, row: row.row });
  }

  /** Whether a row of this source carries the ref. */
  has(kind: RecordKindName, ref: string): boolean {
    return this.#carriers.get(kind)?.has(ref) === true;
  }

  /** The one id that earlier loads know for a ref, or `null`. */
  earlierId(kind: RecordKindName, ref: string): string | null {
    const known = this.#earlier?.(kind, ref);
    return known?.open === null && known.records.length === 1 ? (known.records[0]?.id ?? null) : null;
  }

  /** What is wrong with the refs of a row. */
  problemsOf(row: CheckedRow, refColumn: number | null): Finding[] {
    return [
      ...this.#duplicateProblem(row, refColumn),
      ...row.references.flatMap((named) => this.#unknownProblem(named)),
    ];
  }

  #duplicateProblem(row: CheckedRow, column: number | null): Finding[] {
    const repeated = row.ref === null ? undefined : this.#duplicates.get(row.kind.name)?.get(row.ref);
    if (repeated === undefined) return [];
    const message = `Ref "${row.ref}" stands more than once among the ${row.kind.sheet.toLowerCase()}: ${placesIn(repeated)}. Give each row its own.`;
    return [findingOf('error', asSaid(message, 'A Ref stands more than once.'), { column, label: 'Ref' })];
  }

  #unknownProblem(named: CheckedRow['references'][number]): Finding[] {
    const { reference, ref, column } = named;
    const repeated = this.#duplicates.get(reference.to)?.get(ref);
    if (repeated !== undefined) {
      const message = `"${ref}" is the Ref of several rows: ${placesIn(repeated)}. Give the id of the one that is meant.`;
      return [findingOf('error', asSaid(message, 'A ref is that of several rows.'), { column, label: null })];
    }
    if (this.has(reference.to, ref)) return [];
    if (this.#earlier === null) {
      const message = `"${ref}" is the Ref of no row of this file.${this.#suggestionFor(reference.to, ref)} It will be looked up among earlier loads when the file is loaded.`;
      return [
        findingOf('warning', asSaid(message, 'A ref is looked up when the file is loaded.'), { column, label: null }),
      ];
    }
    const { records: known, open } = this.#earlier(reference.to, ref);
    const [only] = known;
    if (open !== null) {
      const message = notInYet(ref, known, open);
      return [findingOf('error', asSaid(message, 'A ref is that of a row that is not in.'), { column, label: null })];
    }
    if (known.length === 1 && only !== undefined) {
      const { id, sourceName, startedAt } = only;
      const load = `loaded from ${sourceName} on ${dayOf(startedAt)}`;
      const message = `"${ref}" is the Ref of ${id}, which was ${load}.`;
      const reason = `A ref is that of a record ${load}.`;
      return [findingOf('warning', asSaid(message, reason, 'as-said-before'), { column, label: null })];
    }
    const message =
      known.length === 0
        ? `"${ref}" is the Ref of no row of this file, and of none that was loaded before.${this.#suggestionFor(reference.to, ref)} Correct it, or give the id.`
        : `"${ref}" was the Ref of several records in earlier loads (${known.map((entry) => entry.id).join(', ')}). Give the id of the one that is meant.`;
    const reason = known.length === 0 ? 'A ref is known of no row.' : 'A ref is known of several records.';
    return [findingOf('error', asSaid(message, reason), { column, label: null })];
  }

  #suggestionFor(kind: RecordKindName, ref: string): string {
    const near = this.#near.get(kind) ?? new NearRefs(this.#carriers.get(kind)?.keys() ?? []);
    this.#near.set(kind, near);
    const found = near.nearestTo(ref);
    return found === null ? '' : ` Did you mean "${found}"?`;
  }
}

function placesIn({ places, rows }: Repeated): string {
  const told = places.map((place) => `${place.sheet} row ${place.row}`).join(', ');
  return rows === places.length ? told : `${told} and ${rows - places.length} more`;
}

function notInYet(ref: string, known: EarlierRef['records'], open: NonNullable<EarlierRef['open']>): string {
  const { run, sheet, row, state, sourceName } = open;
  const { status } = rowStates[rowStateOf(state)];
  const place = `${sourceName}, ${sheet} row ${row} (run ${run}), and that row is not in: ${status}`;
  return known.length === 0
    ? `"${ref}" came with ${place}. Bring it in first, or give the id.`
    : `"${ref}" is the Ref of ${known.map(({ id }) => id).join(', ')}, and came also with ${place}. Bring it in first, or give the id of the one that is meant.`;
}

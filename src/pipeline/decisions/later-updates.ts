/**
 * Updates of one company that give a field other values. Its one rule: a row that comes back late is not written over one that
 * stands below it in the same source and is in, or goes out before it.
 */
import { fieldsOf } from '../../contract/fields.ts';
import type { RunRow } from '../../ledger/ledger.ts';
import { type Body, valueAt } from '../../mapping/body.ts';
import type { EarlierRow } from '../rows/held-rows.ts';
import type { Rival } from '../rows/row-note.ts';
import { keyOf, placeOf } from '../rows/row-place.ts';
import type { JudgedRow } from '../survey/judged-row.ts';
import type { SurveyedSheet } from '../survey/survey.ts';
import { type SentBefore, type SentUpdates, sentUpdates } from './sent-updates.ts';

/** Whether an update is in, or may be: with the values that it has here, or with others. */
export type UpdateStanding = 'not-there' | 'as-here' | 'otherwise';

/** An update that is in, or may be. */
interface UpdateThere {
  /** Its row in this run. */
  readonly here: RunRow;
  /** Its row in an earlier run, if it came back with a results sheet. */
  readonly earlier: EarlierRow | null;
  /** `null` where it went in otherwise: what it gave stands in no ledger. */
  readonly body: Body | null;
}

interface PlacedUpdate {
  readonly body: Body | null;
  readonly place: RunRow;
}

/** The updates of a company that are in, or may be, by where they stood in the source of one run. */
interface Placed {
  /** The last of them first. */
  readonly updates: readonly PlacedUpdate[];
  readonly places: ReadonlySet<string>;
}

export class LaterUpdates {
  readonly #ledger: SentBefore;
  readonly #run: string;
  /** Of companies with an update that is not in yet. */
  readonly #ofCompany = new Map<string, UpdateThere[]>();
  /** The companies to which rows give contradicting values. */
  readonly #contradicted = new Set<string>();
  /** Of these, what goes out with this load. */
  readonly #goingOut = new Map<string, PlacedUpdate[]>();
  /** Where updates that are not in, and come back here, stood in the sources that they first came with: these go out in turn. */
  readonly #cameBack = new Set<string>();
  /** The sheets of updates, in the order in which they are loaded. */
  readonly #sheets: string[] = [];
  /** By the run since which they went in. */
  readonly #sent = new Map<string, SentUpdates>();
  /** By the run and the company: a file may hold thousands of updates of one. */
  readonly #placed = new Map<string, Placed>();

  /** @param run  the run that the rows are in now */
  constructor(ledger: SentBefore, run: string) {
    this.#ledger = ledger;
    this.#run = run;
  }

  /**
   * Goes through the sheets in which an update may stand above one that is in: in most there are none.
   * @param cameBack  whether rows of this source came back in a results sheet: they may have been corrected there
   */
  async look(
    sheets: readonly SurveyedSheet[],
    cameBack: boolean,
    standingOf: (row: JudgedRow) => UpdateStanding,
  ): Promise<void> {
    const updates = sheets.filter(({ kind }) => kind.sending.isUpdate);
    for (const { contradicted } of updates) for (const company of contradicted) this.#contradicted.add(company);
    const isSuspect = this.#contradicted.size > 0 || updates.some(({ heldRows }) => heldRows > 0);
    if (!isSuspect && !cameBack && updates.length < 2) return;
    for (const { name, judgedRows } of updates) {
      this.#sheets.push(name);
      for await (const row of judgedRows()) if (standingOf(row) === 'not-there') this.#notThere(row);
    }
    if (this.#ofCompany.size === 0) return;
    for (const { judgedRows } of updates) {
      for await (const row of judgedRows()) this.#there(row, standingOf);
    }
  }

  #notThere({ pathId, standing }: JudgedRow): void {
    if (pathId === null) return;
    this.#ofCompany.set(pathId, []);
    if (standing.earlier !== null) this.#cameBack.add(keyOf(this.#ledger.first(standing.earlier.row)));
  }

  #there(row: JudgedRow, standingOf: (row: JudgedRow) => UpdateStanding): void {
    const known = this.#ofCompany.get(row.pathId ?? '');
    const standing = known === undefined ? 'not-there' : standingOf(row);
    if (known === undefined || standing === 'not-there') return;
    const body = standing === 'as-here' ? row.body : null;
    known.push({ here: this.#placeOf(row), earlier: row.standing.earlier, body });
  }

  /** Is told of an update that goes out: a results sheet may be sorted, and a row that stands above another here, below it there. */
  goesOut({ pathId, standing, body }: JudgedRow): void {
    if (pathId === null || standing.earlier === null || !this.#contradicted.has(pathId)) return;
    const updates = this.#goingOut.get(pathId) ?? [];
    updates.push({ body, place: this.#ledger.first(standing.earlier.row) });
    this.#goingOut.set(pathId, updates);
  }

  rivalOf(row: JudgedRow): Rival | null {
    const { pathId, standing } = row;
    if (pathId === null) return null;
    const origin = standing.earlier === null ? this.#placeOf(row) : this.#ledger.first(standing.earlier.row);
    const { updates, places } = this.#placedOf(pathId, origin.run);
    const later = updates.filter(({ place }) => this.#isBelow(place, origin));
    const differing = differenceIn(later, row);
    if (differing !== null)
      return { ...placeBeside(origin, differing.place), gave: { other: differing.label, isIn: true } };
    const goingOut = (this.#goingOut.get(pathId) ?? []).filter(({ place }) => this.#isBelow(place, origin));
    const overtaken = differenceIn(goingOut.sort(this.#lastFirst), row);
    if (overtaken !== null)
      return { ...placeBeside(origin, overtaken.place), gave: { other: overtaken.label, isIn: false } };
    const otherwise = later.find(({ body }) => body === null);
    if (otherwise !== undefined) return { ...placeBeside(origin, otherwise.place), gave: 'not-what-it-says' };
    const absent = this.#sentBelow(origin, pathId).find(
      (one) => !places.has(placeOf(one)) && !this.#cameBack.has(keyOf(one)),
    );
    return absent === undefined ? null : { ...placeBeside(origin, absent), gave: 'not-in-file' };
  }

  #placedOf(company: string, run: string): Placed {
    const key = `${run}\n${company}`;
    const known = this.#placed.get(key);
    if (known !== undefined) return known;
    const updates = (this.#ofCompany.get(company) ?? [])
      .flatMap((one) => this.#originsOf(one, run).map((place) => ({ body: one.body, place })))
      .filter(({ place }) => place.run === run)
      .sort(this.#lastFirst);
    const placed = { updates, places: new Set(updates.map(({ place }) => placeOf(place))) };
    this.#placed.set(key, placed);
    return placed;
  }

  /** Updates of a company that went in from the same source, or are in doubt; what they gave stands in no ledger. */
  #sentBelow(origin: RunRow, company: string): readonly RunRow[] {
    if (origin.run === this.#run) return [];
    const sent = this.#sentSince(origin.run).ofCompany(company);
    return sent.filter((one) => this.#isBelow(one, origin));
  }

  /** A row that is in stays with the run in which it went in: when it comes back, its fingerprint alone tells which that is. */
  #originsOf({ here, earlier }: UpdateThere, run: string): readonly RunRow[] {
    if (earlier === null) return [here];
    const own = this.#ledger.first(earlier.row);
    if (own.run === run || run === this.#run || earlier.fingerprint === null) return [own];
    return this.#sentSince(run).ofFingerprint(earlier.fingerprint);
  }

  #sentSince(run: string): SentUpdates {
    const known = this.#sent.get(run) ?? sentUpdates(this.#ledger, run);
    this.#sent.set(run, known);
    return known;
  }

  /** Whether a row goes out after another one of its source: sheet by sheet, and row by row. */
  #isBelow(row: RunRow, other: RunRow): boolean {
    if (row.run !== other.run) return false;
    if (row.sheet === other.sheet) return row.row > other.row;
    return this.#sheets.indexOf(row.sheet) > this.#sheets.indexOf(other.sheet);
  }

  readonly #lastFirst = (one: PlacedUpdate, other: PlacedUpdate): number =>
    Number(this.#isBelow(other.place, one.place)) - Number(this.#isBelow(one.place, other.place));

  #placeOf({ sheet, row }: JudgedRow): RunRow {
    return { run: this.#run, sheet, row };
  }
}

function placeBeside(here: RunRow, { sheet, row }: RunRow): Pick<Rival, 'sheet' | 'row'> {
  return { sheet: sheet === here.sheet ? null : sheet, row };
}

/**
 * Where the last of some updates that fills a field of a row gives it another value.
 * @param updates  the last of them first
 */
function differenceIn(
  updates: readonly PlacedUpdate[],
  row: JudgedRow,
): { readonly place: RunRow; readonly label: string } | null {
  for (const name in row.body) {
    const last = updates.find(({ body }) => body?.[name] !== undefined);
    if (!last?.body || JSON.stringify(last.body[name]) === JSON.stringify(row.body[name])) continue;
    return { place: last.place, label: labelOf(row, last.body, name) };
  }
  return null;
}

/** The field whose values differ: an address is one part of a body, and has several. */
function labelOf({ kind, body }: JudgedRow, other: Body, name: string): string {
  const fields = fieldsOf(kind).filter(({ segments }) => segments[0] === name);
  const differing = fields.find(({ segments }) => valueAt(body, segments) !== valueAt(other, segments));
  return (differing ?? fields[0])?.label ?? name;
}

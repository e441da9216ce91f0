/** The steps of `resolve`: a person has looked up rows in doubt, and says which of them the service has. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Appearance,
  entriesOf,
  type Ledger,
  type LogicalRow,
  type RunEntry,
  type RunRecord,
} from '../ledger/ledger.ts';
import { personHere } from '../ledger/run-records.ts';
import { once } from '../once.ts';
import { firstCells } from '../report/result-row.ts';
import type { ServiceClient } from '../service/client.ts';
import { placeOf } from '../staging/own-columns.ts';
import type { ClearAnswer, RowData } from '../staging/staged-row.ts';
import type { AnsweredRow } from './doubt-list.ts';
import { namesAndAmountOf } from './record-likeness.ts';
import { type ReadAgainOptions, rowsReadAgain } from './run-source.ts';
import { checkIds, type IdFinding, refuseFaults } from './typed-answers.ts';

export interface ResolveOptions extends ReadAgainOptions {
  readonly connect: () => Promise<ServiceClient>;
  /** Accepts a record with other values than its row, because it was changed in the service since. */
  readonly changedSince: boolean;
}

/** How many rows were resolved, and notices about them in whole sentences. */
export interface Resolved {
  readonly rows: number;
  readonly corrections: readonly string[];
  readonly found: readonly string[];
  readonly unsure: readonly string[];
}

/**
 * Resolves all rows, or none if one of them cannot be. The id of a deal or a company is read from the service first and compared
 * with the row; other kinds cannot be read. A row that was resolved in the same way before is skipped; one that was resolved
 * otherwise is resolved again.
 *
 * @throws DealsheetError `usage` that lists every row not in doubt, and every id that cannot belong to its row
 */
export async function resolveDoubts(
  ledger: Ledger,
  run: RunRecord,
  answers: readonly AnsweredRow[],
  options: ResolveOptions,
): Promise<Resolved> {
  const { open, faults } = await openRows(ledger, run, answers);
  const positions = open.map(({ position }) => position);
  const rows = await rowsReadAgain(run, ledger, positions, options, (row, staging) => staging.data(row));
  const ids = new Set(open.map(({ row }) => row.id));
  const typed = open.flatMap(({ place, row: { kind }, said: { id = null } }) =>
    id === null ? [] : [{ place, kind, id, row: rows.get(place) ?? null }],
  );
  const checked = await checkIds(typed, {
    ledger,
    service: run.service,
    client: once(options.connect),
    changedSince: options.changedSince,
    losesId: ({ id }) => ids.has(id),
  });
  refuseFaults([...faults.map((text) => ({ is: 'wrong', text }) as const), ...checked], run.id);
  const corrections = open.flatMap(correctionOf);
  const person = personHere();
  const resolutions = open.map(({ row: { id, attempt }, said }) => {
    return { id, attempt, isCreated: said.kind === 'created', record: said.id ?? null, person };
  });
  await ledger.resolve(resolutions);
  const textsOf = (is: IdFinding['is']) => checked.flatMap((one) => (one.is === is ? [one.text] : []));
  const found = [...valuesOfNotCreated(open, rows, run), ...textsOf('found')];
  return { rows: open.length, corrections, found, unsure: textsOf('unsure') };
}

/** Titles and blank rows of the source shift the row numbers of a results sheet, so the values show which row was meant. */
function valuesOfNotCreated(
  [only, ...others]: readonly OpenRow[],
  rows: ReadonlyMap<string, RowData>,
  { sourceName }: RunRecord,
): readonly string[] {
  const row =
    only === undefined || others.length > 0 || only.said.kind === 'created' ? undefined : rows.get(only.place);
  const says = row === undefined ? '' : namesAndAmountOf(row);
  return says === '' ? [] : [`As not created: ${only?.place} of ${sourceName}, with ${says}.`];
}

/** The rows in doubt that a run has sent, in the order of its sheets. */
export async function doubtsIn(ledger: Ledger, { id }: RunRecord): Promise<readonly RunEntry[]> {
  const doubts: RunEntry[] = [];
  if ((await ledger.counts(id))['in-doubt'] === undefined) return doubts;
  for await (const entry of entriesOf(ledger, id))
    if (entry.state === 'in-doubt' && entry.phase === 'in-doubt') doubts.push(entry);
  return doubts;
}

/** A row in doubt, with its first cells; without them if its source cannot be read. */
export interface DescribedDoubt extends RunEntry {
  readonly says: string;
}

export async function describedDoubts(
  ledger: Ledger,
  run: RunRecord,
  options: ReadAgainOptions,
): Promise<readonly DescribedDoubt[]> {
  const doubts = await doubtsIn(ledger, run);
  const says = await rowsReadAgain(run, ledger, doubts, options, firstCells);
  return doubts.map((doubt) => ({ ...doubt, says: says.get(placeOf(doubt)) ?? '' }));
}

interface OpenRow extends Omit<AnsweredRow, 'attempt'> {
  readonly place: string;
  readonly row: LogicalRow;
}

/** Skips rows that were resolved in the same way before. A different answer is accepted until the row is sent again. */
async function openRows(ledger: Ledger, run: RunRecord, answers: readonly AnsweredRow[]) {
  const faults: string[] = [];
  const open: OpenRow[] = [];
  const answered = new Map<string, ClearAnswer>();
  const found = await ledger.lookupPlaces(answers.map(({ position }) => ({ run: run.id, ...position })));
  answers.forEach(({ position, said, attempt: asked }, at) => {
    const place = placeOf(position);
    const known = aboutAttempt(found[at] ?? null, asked);
    const attemptOfPlace = `${place}~${known?.attempt}`;
    const twin = answered.get(attemptOfPlace);
    answered.set(attemptOfPlace, twin ?? said);
    if (known === null) faults.push(`${place} is not in doubt in the run ${run.id}.`);
    else if (typeof asked === 'number' && asked > Math.max(known.attempt, 1))
      faults.push(`${place} has no try ${asked} in the run ${run.id}: its last there is try ${known.attempt}.`);
    else if (twin !== undefined) {
      if (!isDeepStrictEqual(twin, said)) faults.push(`${place} is settled in two ways.`);
    } else if (!isSettledSo(known, said)) {
      const { row, attempt, wasResolved, wasResolvedBefore } = known;
      const { run: last, sourceName } = row.at;
      const way =
        last === run.id ? `write ${placeOf(row.at)}~${row.attempt}, or take its newer results` : 'settle it there';
      if (row.attempt !== attempt)
        faults.push(`${place} was sent again since, from ${sourceName} (run ${last}): ${way}.`);
      else if (asked === 'only' && wasResolvedBefore)
        faults.push(
          `${place} was settled once and sent again, and a list does not say which of the two it is about: write ${place}~${attempt} for the last.`,
        );
      else if (row.phase === 'in-doubt' || wasResolved) open.push({ place, position, said, row });
      else faults.push(`${place} is not in doubt in the run ${run.id}.`);
    }
  });
  return { open, faults };
}

function aboutAttempt(known: Appearance | null, asked: AnsweredRow['attempt']): Appearance | null {
  return known === null || typeof asked !== 'number' ? known : { ...known, attempt: Math.min(asked, known.attempt) };
}

/** A list is often used twice. The second time, its answers are already true. */
function isSettledSo({ row, attempt, wasResolved }: Appearance, said: ClearAnswer): boolean {
  if (row.phase === 'in-doubt' || row.attempt !== attempt) return false;
  return said.kind === 'created' ? row.record === said.id : wasResolved && row.phase === 'open';
}

function correctionOf({ place, said, row }: OpenRow): readonly string[] {
  if (row.phase === 'in-doubt') return [];
  const before = row.phase === 'committed' ? (row.record ?? 'created') : 'not created';
  const now = said.kind === 'created' ? (said.id ?? 'created') : 'not created';
  // The ledger does not store which parent a row was sent with.
  const children =
    row.phase === 'committed' && row.record !== null
      ? ` Rows that name it by its Ref may have been sent for ${row.record} in the meantime. Import their files again unchanged: the results show which rows these are, and none is sent a second time.`
      : '';
  return [`${place} was settled as ${before} before; now it is ${now}.${children}`];
}

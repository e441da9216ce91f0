/** The story of `resolve`: a person looked rows in doubt up, and says which of them the service has. */

import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import {
  type Appearance,
  entriesOf,
  type Ledger,
  type LogicalRow,
  type RunEntry,
  type RunRecord,
} from '../ledger/ledger.ts';
import { personHere } from '../ledger/person.ts';
import { commandText } from '../messages/commands.ts';
import type { ServiceClient } from '../service/client.ts';
import type { TypedId } from '../staging/own-columns.ts';
import { placeOf, type RowPosition } from '../staging/row-place.ts';
import { amountOf, type JudgedRow } from '../staging/staged-data.ts';
import type { AnsweredRow, SaidOfDoubt } from './doubt-list.ts';
import { couldNotAsk, type JudgedIds, judgeIds } from './judge-ids.ts';
import { type ReadAgainOptions, rowsReadAgain } from './read-again.ts';
import { saidBy } from './record-likeness.ts';

export interface ResolveOptions extends ReadAgainOptions {
  /** Makes a client, when one is needed. */
  readonly connect: () => Promise<ServiceClient>;
  /** Take a record that says something else than its row: it was changed in the service since. */
  readonly changedSince: boolean;
}

/** What was settled, and what a person should know of it: whole sentences. */
export interface Resolved {
  readonly rows: number;
  /** Rows that a person had settled otherwise before. */
  readonly corrections: readonly string[];
  /** What the service says of the ids, and what the one row says that it does not have. */
  readonly found: readonly string[];
  /** What could not be made sure of. */
  readonly unsure: readonly string[];
}

/**
 * Settles rows: all of them, or none when one of them cannot be. An id of a deal or a company is read from the service
 * first, and compared with the row; other kinds cannot be read. A row that was settled in the same way before is passed
 * over, and one that a person settled in another way is settled anew.
 *
 * @throws DealsheetError `usage` with every row that is not in doubt and every id that cannot be that of its row
 */
export async function resolveDoubts(
  ledger: Ledger,
  run: RunRecord,
  answers: readonly AnsweredRow[],
  options: ResolveOptions,
): Promise<Resolved> {
  const { open, faults } = await openRows(ledger, run, answers);
  const [only] = open;
  const isOneAlone = open.length === 1 && only !== undefined;
  const notThere = isOneAlone && faults.length === 0 ? await saidByNotCreated(only, run, ledger, options) : [];
  const ids = new Set(open.map(({ row }) => row.id));
  const judged = await judgeIds(await typedIdsOf(open, run, ledger, options), {
    ledger,
    service: run.service,
    client: once(options.connect),
    changedSince: options.changedSince,
    losesId: ({ id }) => ids.has(id),
  });
  faults.push(...judged.faults);
  if (faults.length > 0 && judged.unread === faults.length) throw couldNotAsk(faults, 'No row was settled.');
  if (faults.length > 0) throw refusal(faults, judged, run);
  const corrections = open.flatMap(correctionOf);
  await ledger.resolve(open.map(resolutionOf));
  const found = [...notThere, ...judged.found];
  return { rows: open.length, corrections, found, unsure: judged.unsure };
}

function resolutionOf({ row: { id, attempt }, said }: OpenRow) {
  const person = personHere();
  if (said === 'not-created') return { id, attempt, isCreated: false, record: null, person };
  return { id, attempt, isCreated: true, record: said.created, person };
}

/** A row has other numbers in its results sheet where titles and blank rows stood above it: a person sees which one it is. */
async function saidByNotCreated(
  { place, position, said }: OpenRow,
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
): Promise<readonly string[]> {
  if (said !== 'not-created') return [];
  const row = (await rowsIfReadable(run, ledger, [position], options))?.get(place);
  const says = row === undefined ? '' : saidBy(row);
  return says === '' ? [] : [`${place} of ${run.sourceName} says ${says}.`];
}

/** Settles every row in doubt of a run as not created, and gives their number. */
export async function resolveAllAsNotCreated(ledger: Ledger, run: RunRecord): Promise<number> {
  const doubts = await doubtsIn(ledger, run);
  const rows = await ledger.lookupRows(doubts.map(({ id }) => id));
  const person = personHere();
  await ledger.resolve(
    [...rows.values()].map(({ id, attempt }) => ({ id, attempt, isCreated: false, record: null, person })),
  );
  return doubts.length;
}

/** The rows in doubt that a run has sent, in the order of its sheets. */
export async function doubtsIn(
  ledger: Pick<Ledger, 'sheets' | 'entries' | 'counts'>,
  { id }: RunRecord,
): Promise<readonly RunEntry[]> {
  const doubts: RunEntry[] = [];
  if ((await ledger.counts(id))['in-doubt'] === undefined) return doubts;
  for await (const entry of entriesOf(ledger, id))
    if (entry.state === 'in-doubt' && entry.standing === 'in-doubt') doubts.push(entry);
  return doubts;
}

/** The rows of a run that are in doubt. */
export interface DoubtsOfRun {
  readonly rows: number;
  /** The exact sum of their amounts, or `null` when it is not known of each of them. */
  readonly amount: string | null;
}

export async function doubtsOfRun(ledger: Ledger, run: RunRecord, options: ReadAgainOptions): Promise<DoubtsOfRun> {
  const doubts = (await doubtsIn(ledger, run)).map(({ sheet, place: row }) => ({ sheet, row }));
  const rows = doubts.length === 0 ? null : await rowsIfReadable(run, ledger, doubts, options);
  let sum = new Big(0);
  for (const doubt of doubts) {
    const row = rows?.get(placeOf(doubt));
    const amount = row === undefined ? null : amountOf(row);
    if (amount === null) return { rows: doubts.length, amount: null };
    sum = sum.plus(amount);
  }
  return { rows: doubts.length, amount: sum.toFixed() };
}

/** A row that is to be settled. */
interface OpenRow extends AnsweredRow {
  readonly place: string;
  readonly row: LogicalRow;
}

async function openRows(ledger: Ledger, run: RunRecord, answers: readonly AnsweredRow[]) {
  const faults: string[] = [];
  const open: OpenRow[] = [];
  const asked = new Map<string, SaidOfDoubt>();
  const places = answers.map(({ position }) => ({ run: run.id, ...position }));
  const found = await ledger.lookupPlaces(places);
  answers.forEach(({ position, said }, at) => {
    const place = placeOf(position);
    const twin = asked.get(place);
    asked.set(place, twin ?? said);
    if (twin !== undefined) {
      if (!isSame(twin, said)) faults.push(`${place} is settled in two ways.`);
      return;
    }
    const known = found[at] ?? null;
    if (known === null) faults.push(`${place} is not in doubt in the run ${run.id}.`);
    else if (!isSettledSo(known, said)) addOpen({ place, position, said, known }, run, { open, faults });
  });
  return { open, faults };
}

/** What a person said before is corrected until the row is sent once more. */
function addOpen(
  { place, position, said, known }: AnsweredRow & { readonly place: string; readonly known: Appearance },
  run: RunRecord,
  { open, faults }: { readonly open: OpenRow[]; readonly faults: string[] },
): void {
  const { row, attempt, wasResolved } = known;
  if (row.attempt !== attempt)
    faults.push(`${place} was sent again since, from ${row.at.sourceName} (run ${row.at.run}): settle it there.`);
  else if (row.standing === 'in-doubt' || wasResolved) open.push({ place, position, said, row });
  else faults.push(`${place} is not in doubt in the run ${run.id}.`);
}

async function typedIdsOf(
  open: readonly OpenRow[],
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
): Promise<readonly TypedId[]> {
  const withIds = open.flatMap(({ place, position, row, said }) =>
    said === 'not-created' || said.created === null ? [] : [{ place, position, kind: row.kind, id: said.created }],
  );
  if (withIds.length === 0) return [];
  const positions = withIds.map(({ position }) => position);
  const rows = await rowsIfReadable(run, ledger, positions, options);
  return withIds.map((typed) => ({ ...typed, row: rows?.get(typed.place) ?? null }));
}

/** What a person has found in the service counts, whether or not the source can still be read. */
async function rowsIfReadable(
  run: RunRecord,
  ledger: Ledger,
  positions: readonly RowPosition[],
  options: ReadAgainOptions,
): Promise<ReadonlyMap<string, JudgedRow> | null> {
  try {
    return await rowsReadAgain(run, ledger, positions, options);
  } catch (error) {
    if (error instanceof DealsheetError && error.code !== 'ledger-refused') return null;
    throw error;
  }
}

/** A list is often written once and used twice: what it says is then true already. */
function isSettledSo({ row, attempt, wasResolved }: Appearance, said: SaidOfDoubt): boolean {
  if (row.standing === 'in-doubt' || row.attempt !== attempt) return false;
  return said === 'not-created' ? wasResolved && row.standing === 'open' : row.record === said.created;
}

function isSame(one: SaidOfDoubt, other: SaidOfDoubt): boolean {
  if (one === 'not-created' || other === 'not-created') return one === other;
  return one.created === other.created;
}

function correctionOf({ place, said, row }: OpenRow): string[] {
  if (row.standing === 'in-doubt') return [];
  const before = row.standing === 'committed' ? (row.record ?? 'created') : 'not created';
  // The ledger does not keep which record a row named.
  const children =
    row.standing === 'committed' && row.record !== null
      ? ` Rows that name it by its Ref may have gone out for ${row.record} meanwhile: import their files again as they are, which sends none of those a second time and says which they are.`
      : '';
  return [
    `${place} was settled as ${before} before; now it is ${said === 'not-created' ? 'not created' : (said.created ?? 'created')}.${children}`,
  ];
}

function refusal(faults: readonly string[], { differs, unread }: JudgedIds, run: RunRecord): DealsheetError {
  const [only] = faults;
  const message =
    faults.length === 1 && only !== undefined
      ? only
      : `${faults.length} rows cannot be settled:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  const changed = differs
    ? ' If a record is the right one and was changed in the service since, add --changed-since.'
    : '';
  const again = unread > 0 ? ' What could not be looked up is tried again with the same command.' : '';
  return new DealsheetError(
    'usage',
    message,
    `No row was settled. Check the rows and the ids that you gave; ${commandText('runs', run.id)} lists the rows in doubt.${again}${changed}`,
  );
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

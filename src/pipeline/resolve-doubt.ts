/** The story of `resolve`: a person looked rows in doubt up, and says which of them the service has. */

import Big from 'big.js';
import { DealsheetError } from '../errors.ts';
import type {
  Entry,
  Ledger,
  Resolution,
  RowPosition,
  RunRecord,
  SaidByHand,
  SettledByHand,
  SettledRow,
} from '../ledger/ledger.ts';
import { dayOf } from '../ledger/moments.ts';
import { commandText } from '../messages/commands.ts';
import type { ServiceClient } from '../service/client.ts';
import { type ReadAgainOptions, rowsReadAgain } from './load/read-again.ts';
import { couldNotAsk, type JudgedIds, judgeIds } from './rows/judge-ids.ts';
import { saidBy } from './rows/record-likeness.ts';
import { placeOf } from './rows/row-place.ts';
import type { TypedId } from './rows/typed-ids.ts';
import { amountOf, type JudgedRow } from './survey/judged-row.ts';

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
  answers: readonly SettledRow[],
  options: ResolveOptions,
): Promise<Resolved> {
  const { open, faults } = openRows(ledger, run, answers);
  const settledByHand = new Set(
    open.flatMap(({ entry, said }) => (said === null ? [] : [entry.fingerprint.toString('hex')])),
  );
  const [only] = open;
  const isOneAlone = open.length === 1 && only !== undefined;
  const notThere = isOneAlone && faults.length === 0 ? await saidByNotCreated(only, run, ledger, options) : [];
  const judged = await judgeIds(await typedIdsOf(open, run, ledger, options), {
    ledger,
    service: run.service,
    client: once(options.connect),
    changedSince: options.changedSince,
    losesId: (row) => settledByHand.has(ledger.entry(row.run, row)?.fingerprint.toString('hex') ?? ''),
  });
  faults.push(...judged.faults);
  if (faults.length > 0 && judged.unread === faults.length) throw couldNotAsk(faults, 'No row was settled.');
  if (faults.length > 0) throw refusal(faults, judged, run);
  ledger.settleByHand(run.id, open);
  const found = [...notThere, ...judged.found];
  return { rows: open.length, corrections: open.flatMap(correctionOf), found, unsure: judged.unsure };
}

/** A row has other numbers in its results sheet where titles and blank rows stood above it: a person sees which one it is. */
async function saidByNotCreated(
  { place, position, resolution }: OpenRow,
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
): Promise<readonly string[]> {
  if (resolution !== 'not-created') return [];
  const row = (await rowsIfReadable(run, ledger, [position], options))?.get(place);
  const says = row === undefined ? '' : saidBy(row);
  return says === '' ? [] : [`${place} of ${run.sourceName} says ${says}.`];
}

/** Settles every row in doubt of a run as not created, and gives their number. */
export function resolveAllAsNotCreated(ledger: Ledger, run: RunRecord): number {
  const doubts = [...ledger.entriesInState(run.id, 'in-doubt')];
  const settled = doubts.map((position) => ({ position, resolution: 'not-created' as const, said: null }));
  ledger.settleByHand(run.id, settled);
  return doubts.length;
}

/** The rows of a run that are in doubt. */
export interface DoubtsOfRun {
  readonly rows: number;
  /** The exact sum of their amounts, or `null` when it is not known of each of them. */
  readonly amount: string | null;
}

export async function doubtsOfRun(ledger: Ledger, run: RunRecord, options: ReadAgainOptions): Promise<DoubtsOfRun> {
  const doubts = [...ledger.entriesInState(run.id, 'in-doubt')];
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
interface OpenRow extends SettledByHand {
  readonly place: string;
  readonly entry: Entry;
}

function openRows(ledger: Ledger, run: RunRecord, answers: readonly SettledRow[]) {
  const faults: string[] = [];
  const asked = new Map<string, SettledRow & { readonly entry: Entry | null }>();
  for (const answer of answers) {
    const place = placeOf(answer.position);
    const twin = asked.get(place);
    if (twin !== undefined) {
      if (!isSame(twin.resolution, answer.resolution)) faults.push(`${place} is settled in two ways.`);
      continue;
    }
    const entry = ledger.entry(run.id, answer.position);
    if (!isSettledSo(entry, answer.resolution)) asked.set(place, { ...answer, entry });
  }
  const open: OpenRow[] = [];
  const saidOf = ledger.saidByHand(run.id, positionsOf([...asked.values()].filter(({ entry }) => !isInDoubt(entry))));
  for (const [place, { position, resolution, entry }] of asked) {
    const said = saidOf.get(position) ?? null;
    if (entry !== null && (isInDoubt(entry) || said?.holds === true)) {
      open.push({ position, resolution, said, place, entry });
    } else {
      faults.push(said === null ? `${place} is not in doubt in the run ${run.id}.` : staysSo(place, said));
    }
  }
  return { open, faults };
}

function isInDoubt(entry: Entry | null): boolean {
  return entry?.state === 'in-doubt';
}

function positionsOf(rows: readonly { readonly position: RowPosition }[]): readonly RowPosition[] {
  return rows.map(({ position }) => position);
}

async function typedIdsOf(
  open: readonly OpenRow[],
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions,
): Promise<readonly TypedId[]> {
  const withIds = open.flatMap(({ place, position, entry, resolution }) =>
    resolution === 'not-created' ? [] : [{ place, position, kind: entry.kind, id: resolution.created }],
  );
  if (withIds.length === 0) return [];
  const rows = await rowsIfReadable(run, ledger, positionsOf(withIds), options);
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
function isSettledSo(entry: Entry | null, resolution: Resolution): boolean {
  if (entry === null || entry.state === 'in-doubt') return false;
  return resolution === 'not-created' ? entry.state === 'not-sent' : entry.id === resolution.created;
}

function isSame(one: Resolution, other: Resolution): boolean {
  if (one === 'not-created' || other === 'not-created') return one === other;
  return one.created === other.created;
}

function correctionOf({ place, resolution, said, entry }: OpenRow): string[] {
  if (said === null) return [];
  const children =
    entry.ref === null || said.resolution === 'not-created' ? '' : ` ${ofChildren(said.resolution.created)}`;
  return [
    `${place} was settled as ${inWords(said.resolution)} on ${dayOf(said.at)}; now it is ${inWords(resolution)}.${children}`,
  ];
}

/** The ledger does not keep which record a row named. */
function ofChildren(id: string): string {
  return `Rows that name it by its Ref may have gone out for ${id} meanwhile: import their files again as they are, which sends none of those a second time and says which they are.`;
}

function staysSo(place: string, said: SaidByHand): string {
  return said.resolution === 'not-created'
    ? `${place} was settled as not created on ${dayOf(said.at)}, and was taken up again since: what became of it then stays.`
    : `${place} was settled as ${said.resolution.created} on ${dayOf(said.at)}, and the ledger says something else since.`;
}

function inWords(resolution: Resolution): string {
  return resolution === 'not-created' ? 'not created' : resolution.created;
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

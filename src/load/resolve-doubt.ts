/** The steps of `resolve`: a person has looked up rows in doubt, and says which of them the service has. */
import { isDeepStrictEqual } from 'node:util';
import { hasRefs } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import {
  type Appearance,
  entriesOf,
  type Ledger,
  type LogicalRow,
  type RunEntry,
  type RunRecord,
  takesAnswer,
} from '../ledger/ledger.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
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

/** How many rows were resolved, and what the person is told of them. */
export interface Resolved {
  readonly rows: number;
  readonly corrections: readonly Message[];
  readonly found: readonly Message[];
  readonly unsure: readonly Message[];
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
  const { resolvable, faults } = await rowsToResolve(ledger, run, answers);
  const positions = resolvable.map(({ position }) => position);
  const rows = await rowsReadAgain(run, ledger, positions, options, (row, staging) => staging.data(row));
  const ids = new Set(resolvable.map(({ row }) => row.id));
  const typed = resolvable.flatMap(({ place, row: { kind }, said: { id = null } }) =>
    id === null ? [] : [{ place, kind, id, row: rows.get(place) ?? null }],
  );
  const checked = await checkIds(typed, {
    ledger,
    service: run.service,
    client: once(options.connect),
    changedSince: options.changedSince,
    losesId: ({ id }) => ids.has(id),
  });
  refuseFaults([...faults.map((said) => ({ is: 'wrong', said }) as const), ...checked], run.id);
  const corrections = resolvable.flatMap(correctionOf);
  const { person } = ledger;
  const resolutions = resolvable.map(({ row: { id, attempt }, said }) => {
    return { id, attempt, isCreated: said.kind === 'created', record: said.id ?? null, person };
  });
  await ledger.resolve(resolutions);
  const saidOf = (is: IdFinding['is']) => checked.flatMap((one) => (one.is === is ? [one.said] : []));
  const found = [...valuesOfNotCreated(resolvable, rows, run), ...saidOf('found')];
  return { rows: resolvable.length, corrections, found, unsure: saidOf('unsure') };
}

/** Titles and blank rows of the source shift the row numbers of a results sheet, so the values show which row was meant. */
function valuesOfNotCreated(
  [only, ...others]: readonly RowToResolve[],
  rows: ReadonlyMap<string, RowData>,
  { sourceName: name }: RunRecord,
): readonly Message[] {
  if (only === undefined || others.length > 0 || only.said.kind === 'created') return [];
  const { place } = only;
  const row = rows.get(place);
  const says = row === undefined ? '' : namesAndAmountOf(row);
  return says === '' ? [] : [messageOf('row-not-created', { place, name, says })];
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

interface RowToResolve extends Pick<AnsweredRow, 'position' | 'said'> {
  readonly place: string;
  readonly row: LogicalRow;
  readonly wasResolved: boolean;
}

/** Skips rows that were resolved in the same way before. A different answer is accepted until the row is sent again. */
async function rowsToResolve(ledger: Ledger, run: RunRecord, answers: readonly AnsweredRow[]) {
  const faults: Message[] = [];
  const resolvable: RowToResolve[] = [];
  const answered = new Map<string, ClearAnswer>();
  const found = await ledger.lookupPlaces(answers.map(({ position }) => ({ run: run.id, ...position })));
  answers.forEach(({ position, said, attempt: asked, mayBeOld }, at) => {
    const place = placeOf(position);
    const known = aboutAttempt(found[at] ?? null, asked);
    const attemptOfPlace = `${place}~${known?.attempt}`;
    const twin = answered.get(attemptOfPlace);
    answered.set(attemptOfPlace, twin ?? said);
    if (known === null) faults.push(messageOf('row-not-in-doubt', { place, run: run.id }));
    else if (typeof asked === 'number' && asked > Math.max(known.attempt, 1))
      faults.push(messageOf('no-such-try', { place, asked, run: run.id, last: known.attempt }));
    else if (twin !== undefined) {
      if (!isDeepStrictEqual(twin, said)) faults.push(messageOf('settled-twice', { place }));
    } else if (!isSettledSo(known, said)) {
      const { row, attempt, wasResolved, wasResolvedBefore } = known;
      const { run: last, sourceName: name } = row.at;
      const there = last === run.id ? `${placeOf(row.at)}~${row.attempt}` : null;
      if (row.attempt !== attempt) faults.push(messageOf('sent-since', { place, name, run: last, there }));
      else if (asked === 'only' && wasResolvedBefore)
        faults.push(messageOf('sent-after-settling', { place, last: `${place}~${attempt}` }));
      // Once that is taken back, the row is sent again.
      else if (mayBeOld && wasResolved && said.kind !== 'created' && row.phase === 'committed')
        faults.push(messageOf('settled-as-in', { place, id: row.record, run: run.id }));
      else if (takesAnswer(row, said.kind === 'created') || wasResolved)
        resolvable.push({ place, position, said, row, wasResolved });
      else faults.push(messageOf('row-not-in-doubt', { place, run: run.id }));
    }
  });
  return { resolvable, faults };
}

function aboutAttempt(known: Appearance | null, asked: AnsweredRow['attempt']): Appearance | null {
  return known === null || typeof asked !== 'number' ? known : { ...known, attempt: Math.min(asked, known.attempt) };
}

/** A list is often used twice. The second time, its answers are already true. */
function isSettledSo({ row, attempt, wasResolved }: Appearance, said: ClearAnswer): boolean {
  if (row.phase === 'in-doubt' || row.attempt !== attempt) return false;
  return said.kind === 'created'
    ? row.phase === 'committed' && row.record === said.id
    : wasResolved && row.phase === 'open';
}

function correctionOf({ place, said, row, wasResolved }: RowToResolve): readonly Message[] {
  if (!wasResolved) return [];
  const before = row.phase === 'committed' ? (row.record ?? 'created') : 'not created';
  const now = said.kind === 'created' ? (said.id ?? 'created') : 'not created';
  // The ledger does not store which parent a row was sent with.
  const parent = row.phase === 'committed' && hasRefs(recordKind(row.kind)) ? row.record : null;
  return [messageOf('settled-otherwise', { place, before, now, parent })];
}

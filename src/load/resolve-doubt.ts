/** The story of `resolve`: a person looked rows in doubt up, and says which of them the service has. */
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
import { commandText } from '../messages/commands.ts';
import { once } from '../once.ts';
import type { ServiceClient } from '../service/client.ts';
import { placeOf } from '../staging/own-columns.ts';
import type { RowData } from '../staging/staged-row.ts';
import type { AnsweredRow, SaidOfDoubt } from './doubt-list.ts';
import { saidBy } from './record-likeness.ts';
import { type ReadAgainOptions, rowsReadAgain } from './run-source.ts';
import { checkIds, type IdFinding, refuseFaults } from './typed-answers.ts';

export interface ResolveOptions extends ReadAgainOptions {
  readonly connect: () => Promise<ServiceClient>;
  /** Take a record that says something else than its row: it was changed in the service since. */
  readonly changedSince: boolean;
}

/** What was settled, and what a person should know of it: whole sentences. */
export interface Resolved {
  readonly rows: number;
  readonly corrections: readonly string[];
  readonly found: readonly string[];
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
  const rows = await rowsReadAgain(
    run,
    ledger,
    open.map(({ position }) => position),
    options,
    (row, staging) => staging.data(row),
  );
  const ids = new Set(open.map(({ row }) => row.id));
  const typed = open.flatMap(({ place, row, said }) =>
    said === 'not-created' || said.created === null
      ? []
      : [{ place, kind: row.kind, id: said.created, row: rows.get(place) ?? null }],
  );
  const checked = await checkIds(typed, {
    ledger,
    service: run.service,
    client: once(options.connect),
    changedSince: options.changedSince,
    losesId: ({ id }) => ids.has(id),
  });
  refuseFaults(
    [...faults.map((text) => ({ is: 'wrong', text }) as const), ...checked],
    `No row was settled. ${commandText('runs', run.id)} lists the rows in doubt.`,
    'add --changed-since',
  );
  const corrections = open.flatMap(correctionOf);
  const person = personHere();
  await ledger.resolve(
    open.map(({ row: { id, attempt }, said }) => {
      const record = said === 'not-created' ? null : said.created;
      return { id, attempt, isCreated: said !== 'not-created', record, person };
    }),
  );
  const textsOf = (is: IdFinding['is']) => checked.flatMap((one) => (one.is === is ? [one.text] : []));
  const found = [...saidByNotCreated(open, rows, run), ...textsOf('found')];
  return { rows: open.length, corrections, found, unsure: textsOf('unsure') };
}

/** A row has other numbers in its results sheet where titles and blank rows stood above it: a person sees which one it is. */
function saidByNotCreated(
  [only, ...others]: readonly OpenRow[],
  rows: ReadonlyMap<string, RowData>,
  { sourceName }: RunRecord,
): readonly string[] {
  const row = only === undefined || others.length > 0 || only.said !== 'not-created' ? undefined : rows.get(only.place);
  const says = row === undefined ? '' : saidBy(row);
  return says === '' ? [] : [`${only?.place} of ${sourceName} says ${says}.`];
}

/** The rows in doubt that a run has sent, in the order of its sheets. */
export async function doubtsIn(
  ledger: Pick<Ledger, 'sheets' | 'entries' | 'counts' | 'rowsAtOnce'>,
  { id }: RunRecord,
): Promise<readonly RunEntry[]> {
  const doubts: RunEntry[] = [];
  if ((await ledger.counts(id))['in-doubt'] === undefined) return doubts;
  for await (const entry of entriesOf(ledger, id))
    if (entry.state === 'in-doubt' && entry.phase === 'in-doubt') doubts.push(entry);
  return doubts;
}

interface OpenRow extends AnsweredRow {
  readonly place: string;
  readonly row: LogicalRow;
}

/** Rows that were settled in the same way before are passed over; what was said otherwise is corrected until the row is sent once more. */
async function openRows(ledger: Ledger, run: RunRecord, answers: readonly AnsweredRow[]) {
  const faults: string[] = [];
  const open: OpenRow[] = [];
  const asked = new Map<string, SaidOfDoubt>();
  const found = await ledger.lookupPlaces(answers.map(({ position }) => ({ run: run.id, ...position })));
  answers.forEach(({ position, said }, at) => {
    const place = placeOf(position);
    const twin = asked.get(place);
    asked.set(place, twin ?? said);
    const known = found[at] ?? null;
    if (twin !== undefined) {
      if (!isDeepStrictEqual(twin, said)) faults.push(`${place} is settled in two ways.`);
    } else if (known === null) faults.push(`${place} is not in doubt in the run ${run.id}.`);
    else if (!isSettledSo(known, said)) {
      const { row, attempt, wasResolved } = known;
      if (row.attempt !== attempt)
        faults.push(`${place} was sent again since, from ${row.at.sourceName} (run ${row.at.run}): settle it there.`);
      else if (row.phase === 'in-doubt' || wasResolved) open.push({ place, position, said, row });
      else faults.push(`${place} is not in doubt in the run ${run.id}.`);
    }
  });
  return { open, faults };
}

/** A list is often written once and used twice: what it says is then true already. */
function isSettledSo({ row, attempt, wasResolved }: Appearance, said: SaidOfDoubt): boolean {
  if (row.phase === 'in-doubt' || row.attempt !== attempt) return false;
  return said === 'not-created' ? wasResolved && row.phase === 'open' : row.record === said.created;
}

function correctionOf({ place, said, row }: OpenRow): readonly string[] {
  if (row.phase === 'in-doubt') return [];
  const before = row.phase === 'committed' ? (row.record ?? 'created') : 'not created';
  const now = said === 'not-created' ? 'not created' : (said.created ?? 'created');
  // The ledger does not keep which record a row named.
  const children =
    row.phase === 'committed' && row.record !== null
      ? ` Rows that name it by its Ref may have gone out for ${row.record} meanwhile: import their files again as they are, which sends none of those a second time and says which they are.`
      : '';
  return [`${place} was settled as ${before} before; now it is ${now}.${children}`];
}

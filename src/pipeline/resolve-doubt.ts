/** The story of `resolve`: a person looked rows in doubt up, and says which of them the service has. */
import { DealsheetError } from '../errors.ts';
import type { Entry, Ledger, Resolution, RowPosition, RunRecord } from '../ledger/ledger.ts';
import type { ServiceClient } from '../service/client.ts';
import type { SettledRow } from './doubt-list.ts';
import { judgeIds, type TypedId } from './typed-ids.ts';

/** What was settled, and what could not be made sure of. */
export interface Resolved {
  readonly rows: number;
  /** Whole sentences. */
  readonly unsure: readonly string[];
}

/**
 * Settles rows: all of them, or none when one of them cannot be. An id of a deal or a company is read from the service
 * first; other kinds cannot be read. A row that was settled in the same way before is passed over.
 *
 * @param connect  makes a client, when one is needed
 * @throws DealsheetError `usage` with every row that is not in doubt and every id that the service does not know
 */
export async function resolveDoubts(
  ledger: Ledger,
  run: RunRecord,
  settledRows: readonly SettledRow[],
  connect: () => Promise<ServiceClient>,
): Promise<Resolved> {
  const client = once(connect);
  const faults: string[] = [];
  const typed: TypedId[] = [];
  const open = new Map<string, SettledRow>();
  for (const settled of settledRows) {
    const place = placeOf(settled.position);
    const twin = open.get(place);
    if (twin !== undefined) {
      if (!isSame(twin.resolution, settled.resolution)) faults.push(`${place} is settled in two ways.`);
      continue;
    }
    const entry = ledger.entry(run.id, settled.position);
    if (isSettledSo(entry, settled.resolution)) continue;
    open.set(place, settled);
    if (entry?.state !== 'in-doubt') faults.push(`${place} is not in doubt in the run ${run.id}.`);
    else if (settled.resolution !== 'not-created') {
      typed.push({ place, kind: entry.kind, id: settled.resolution.created });
    }
  }
  const judged = await judgeIds(typed, ledger, run.service, client);
  faults.push(...judged.faults);
  if (faults.length > 0) throw refusal(faults, run);
  for (const { position, resolution } of open.values()) ledger.resolveDoubt(run.id, position, resolution);
  return { rows: open.size, unsure: judged.unsure };
}

/** Settles every row in doubt of a run as not created, and gives their number. */
export function resolveAllAsNotCreated(ledger: Ledger, run: RunRecord): number {
  const doubts = [...ledger.entriesInState(run.id, 'in-doubt')];
  for (const doubt of doubts) ledger.resolveDoubt(run.id, doubt, 'not-created');
  return doubts.length;
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

function refusal(faults: readonly string[], run: RunRecord): DealsheetError {
  const [only] = faults;
  const message =
    faults.length === 1 && only !== undefined
      ? only
      : `${faults.length} rows cannot be settled:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  return new DealsheetError(
    'usage',
    message,
    `No row was settled. Look them up once more, and correct them; dealsheet runs ${run.id} lists the rows in doubt.`,
  );
}

function placeOf({ sheet, row }: RowPosition): string {
  return `${sheet}!${row}`;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

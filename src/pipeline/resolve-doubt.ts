/** The story of `resolve`: a person looked a row in doubt up, and says whether the service has it. */
import { DealsheetError } from '../errors.ts';
import type { Entry, Ledger, RowPosition, RunRecord } from '../ledger/ledger.ts';
import type { ReadEndpoint, ServiceClient } from '../service/client.ts';

export type Resolution = { readonly created: string } | 'not-created';

/**
 * Settles one row. An id of a deal or a company is read from the service first; other kinds cannot be read.
 *
 * @param connect  makes a client, when one is needed
 * @returns what could not be made sure of, as a sentence, or `null`
 * @throws DealsheetError `usage` when the row is not in doubt, or the service does not know the id
 */
export async function resolveDoubt(
  ledger: Ledger,
  run: RunRecord,
  position: RowPosition,
  resolution: Resolution,
  connect: () => Promise<ServiceClient>,
): Promise<string | null> {
  const entry = ledger.entry(run.id, position);
  if (entry?.state !== 'in-doubt') {
    throw new DealsheetError(
      'usage',
      `${position.sheet} row ${position.row} is not in doubt in the run ${run.id}.`,
      `dealsheet runs ${run.id} lists its rows in doubt.`,
    );
  }
  const unsure = resolution === 'not-created' ? null : await readFirst(entry, resolution.created, connect);
  ledger.resolveDoubt(run.id, position, resolution);
  return unsure;
}

/** Settles every row in doubt of a run as not created, and gives their number. */
export function resolveAllAsNotCreated(ledger: Ledger, run: RunRecord): number {
  const doubts = [...ledger.entriesInState(run.id, 'in-doubt')];
  for (const doubt of doubts) ledger.resolveDoubt(run.id, doubt, 'not-created');
  return doubts.length;
}

const readable: Readonly<Partial<Record<Entry['kind'], ReadEndpoint>>> = { deals: 'getDeal', companies: 'getCompany' };

async function readFirst(entry: Entry, id: string, connect: () => Promise<ServiceClient>): Promise<string | null> {
  const endpoint = readable[entry.kind];
  if (endpoint === undefined) return `Records of this kind cannot be read from the service: ${id} is taken as it is.`;
  const client = await connect();
  const found = await client.read(endpoint, { id, query: [] });
  if (found.state === 'found') return null;
  if (found.state === 'failed') return `The record ${id} could not be read, and is taken as it is: ${found.message}`;
  throw new DealsheetError(
    'usage',
    `The service has no record ${id}.`,
    'Look the row up once more, and correct the id.',
  );
}

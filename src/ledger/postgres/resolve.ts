/** What a person says of a row in doubt, in a team's ledger. */
import type { ClientBase } from 'pg';
import { DealsheetError } from '../../errors.ts';
import type { Resolution } from '../ledger.ts';
import { mayBeResolved, resolving } from '../row-writes.ts';
import { updates } from '../schema.ts';
import { rowsOf } from './connections.ts';

/** How long the requests of the load that sent a row may still arrive, where it was cut off. */
const stillUnderWay = `SELECT ceil(extract(epoch FROM u.silent_from - clock_timestamp()))::int
  FROM rows r JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run
  WHERE r.id = ?1 AND u.silent_from > clock_timestamp()`;

/** Within a transaction. Gives `false` for a row about which there is nothing to resolve. */
export async function resolve(client: ClientBase, resolution: Resolution, now: string): Promise<boolean> {
  const { id, attempt, isCreated, record, person } = resolution;
  const [found] = await rowsOf(client, `${resolving.find} FOR UPDATE`, [id]);
  const [said] = await rowsOf(client, resolving.said, [id, attempt]);
  if (!mayBeResolved(found, said, attempt)) return false;
  const [, , kind, known] = found ?? [];
  if (isCreated) {
    const outcome = kind === updates ? 'updated' : 'created';
    await rowsOf(client, resolving.created, [outcome, kind === updates ? known : record, id]);
  } else {
    const [[seconds] = []] = await rowsOf(client, stillUnderWay, [id]);
    if (seconds !== undefined) throw tooEarly(Number(seconds));
    await rowsOf(client, resolving.notCreated, [id]);
  }
  await rowsOf(client, resolving.met, [isCreated ? 'already-loaded' : 'not-sent', id]);
  await rowsOf(client, resolving.write, [id, attempt, isCreated ? (record ?? '') : null, person, now]);
  return true;
}

function tooEarly(seconds: number): DealsheetError {
  return new DealsheetError(
    'usage',
    `The load of this row was cut off, and its request may still arrive at the service for ${seconds} s.`,
    'Look the row up in the service after that time, then say again that it was not created.',
  );
}

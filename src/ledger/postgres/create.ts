/** Makes the ledger of a team in a database that has none. */
import type { KeyObject } from 'node:crypto';
import type { ClientBase } from 'pg';
import { DealsheetError } from '../../errors.ts';
import { keyCheck, makeKeyBeside } from '../ledger-key.ts';
import { Connections, rowsOf, type TeamPlace } from './connections.ts';
import { teamSchema, writeLedger } from './schema.ts';

/**
 * @param key  of the ledger that moves there; without one, a new key is made on this computer first
 * @param fill  writes what it begins with, in the same transaction
 * @throws DealsheetError `usage` where there is a ledger already
 */
export async function createTeamLedger(
  place: TeamPlace,
  key: KeyObject | null = null,
  fill: (client: ClientBase) => Promise<void> = async () => {},
): Promise<void> {
  const connections = new Connections(place);
  try {
    await connections.transaction(async (client) => {
      const [[isThere] = []] = await rowsOf(client, `SELECT to_regnamespace('dealsheet') IS NOT NULL`);
      if (isThere === true) throw alreadyThere(place.address.shown);
      await client.query(teamSchema);
      await rowsOf(client, writeLedger, [keyCheck(place.key?.() ?? makeKeyBeside(place.files, key))]);
      await fill(client);
    });
  } finally {
    await connections.close();
  }
}

function alreadyThere(shown: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `There is a ledger in ${shown} already. Nothing was changed.`,
    'Use it, or name another database.',
  );
}

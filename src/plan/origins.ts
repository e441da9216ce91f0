/** The user's own file that a source is, or is a copy of. */
import type { RunRecord } from '../ledger/ledger.ts';
import type { Staging } from '../staging/staging.ts';

/** The name of the user's own file: the origin of the newest run that its rows name, else the name of the source. */
export function originNamedIn(staging: Staging, newestFirst: readonly RunRecord[], sourceName: string): string {
  const named = staging.runsNamed();
  return newestFirst.find(({ id }) => named.has(id))?.origin ?? sourceName;
}

/** The file that the source is a copy of. If no row comes from a file of its own name, it is the one that most of its rows come from. */
export function likeliestOrigin(origins: ReadonlyMap<string, number>, staging: Staging, own: string): string {
  if (origins.get(own) !== 0) return own;
  const rows = staging.sheets.reduce((sum, { number }) => sum + staging.numbersOf(number).count, 0);
  const [most = own, count = 0] = [...origins].reduce((one, other) => (other[1] > one[1] ? other : one));
  return 2 * count > rows ? most : own;
}

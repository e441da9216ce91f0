/** What an entry of an earlier run is made of, wherever it is looked for. */
import type { EarlierEntry, EntryState } from './ledger.ts';

/** With the joins that it needs, what an {@link EarlierEntry} is made of. */
export const earlierColumns = 'r.id, s.name, e.row, e.state, e.id, e.company_id, e.url, r.source_name, r.started_at';
export const earlierJoins = 'JOIN sheets s ON s.number = e.sheet JOIN runs r ON r.number = s.run';

export type EarlierColumns = [
  string,
  string,
  number,
  EntryState,
  string | null,
  string | null,
  string | null,
  string,
  string,
];

export function earlierOf(columns: EarlierColumns): EarlierEntry {
  const [run, sheet, row, state, id, companyId, url, sourceName, startedAt] = columns;
  return { run, sheet, row, state, id, companyId, url, sourceName, startedAt };
}

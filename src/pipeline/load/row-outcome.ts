/** What came back for rows that were sent, and what the ledger is to keep of it. */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { Settlement } from '../../ledger/ledger.ts';
import type { Room } from '../../service/client.ts';
import type { Outcome } from '../../service/outcome.ts';
import { afterEarlierSending } from '../decisions/earlier-doubt.ts';
import type { Prepared } from './row-preparation.ts';

/** Sends rows of one kind in one request, and gives what became of each, in their order. */
export async function outcomesOf(room: Room, kind: RecordKind, rows: readonly Prepared[]): Promise<readonly Outcome[]> {
  const records = rows.map((row) => row.record);
  return room.send(kind, records);
}

/** @throws when nothing came back for the row: one outcome is owed to each */
export function settlementOf({ intent, earlierDoubt }: Prepared, answered: Outcome | undefined): Settlement {
  const { sheet, row } = intent;
  if (answered === undefined) throw new Error(`No outcome for ${sheet} row ${row}.`);
  const outcome = afterEarlierSending(answered, earlierDoubt);
  const { state, attempts, httpStatus } = outcome;
  const isYes = !('message' in outcome);
  return {
    sheet,
    row,
    state,
    attempts,
    httpStatus,
    id: isYes ? outcome.id : null,
    companyId: isYes ? outcome.companyId : null,
    url: isYes ? outcome.url : null,
    message: isYes ? null : outcome.message,
  };
}

/** Enters the staged rows of a kind into the ledger when a run begins: from then on each has its id, whatever becomes of it. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { RowState } from '../contract/row-state.ts';
import type { Registration, RowId, Run } from '../ledger/next/ledger.ts';
import type { KnownStaged, Staging } from '../staging/staging.ts';
import { digestsOf, type Lookups, refDigest } from './identity.ts';
import type { StagedDecision } from './plan.ts';

const rowsOfBatch = 512;

/** Parents come first: what a child says hangs on the ids of their rows. Gives the ids in the order of the rows. */
export async function registerKind(
  run: Run,
  staging: Staging,
  ledger: Lookups,
  kind: RecordKindName,
  service: string,
): Promise<readonly RowId[]> {
  const names = new Map(staging.sheets.map(({ number, name }) => [number, name]));
  const all: RowId[] = [];
  for (const rows of staging.batches(kind, rowsOfBatch)) {
    const around = { staging, ledger, service };
    const contents = await digestsOf(rows, 'content', kind, around);
    const identifying = await digestsOf(rows, 'identifies', kind, around);
    const registrations = rows.map((row): Registration => {
      const ref = row.ref === null ? [] : [refDigest(ledger, service, kind, row.ref)];
      const digests = [...(contents.get(row.number) ?? []), ...(identifying.get(row.number) ?? []), ...ref];
      const id = row.id !== null && row.id > 0 ? row.id : null;
      return { sheet: names.get(row.sheet) ?? '', row: row.row, kind, id, digests, note: noteOf(row) };
    });
    const ids = await run.register(registrations);
    staging.write(() => {
      rows.forEach((row, at) => {
        const content = contents.get(row.number)?.[0];
        if (content !== undefined) staging.setContent(row.number, content);
        staging.claim(row.number, { ...row, id: ids[at] ?? null });
      });
    });
    all.push(...ids);
  }
  return all;
}

/** What the results tell of a row for which nothing is sent. */
function noteOf({ decision }: KnownStaged): Registration['note'] {
  const decided = decision === null ? null : (JSON.parse(decision) as StagedDecision);
  if (decided === null || !('why' in decided)) return null;
  return { state: stateOf(decided), message: null };
}

function stateOf({ do: what, why, other }: Extract<StagedDecision, { readonly why: unknown }>): RowState {
  if (what === 'invalid' || what === 'wait') return what === 'wait' ? 'waiting' : 'invalid';
  if (what === 'skip') return why === 'copy-of-row' ? 'not-sent' : 'already-loaded';
  return other !== null && other.standing !== 'committed' && why.startsWith('in-doubt') ? 'in-doubt' : 'not-sent';
}

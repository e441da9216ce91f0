/** What ID cells say of rows in doubt goes into the ledger before the first row is sent. */
import { recordKind } from '../contract/record-kinds.ts';
import type { Ledger, Resolution } from '../ledger/ledger.ts';
import { decisionOf } from '../plan/decision.ts';
import type { TypedId } from '../staging/own-columns.ts';
import { placeOf } from '../staging/row-place.ts';
import { rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';

const rowsOfBatch = 512;
const hasAnswer = `r.decision ->> '$.do' = 'settle' OR r.decision ->> '$.settles' = 'not-created'`;

/** @throws DealsheetError `usage` when a row is not in doubt any more */
export async function takeAnswers(staging: Staging, ledger: Ledger, person: string): Promise<void> {
  for (const { number } of staging.sheets) {
    for await (const rows of staging.batches(number, rowsOfBatch, hasAnswer)) {
      const known = await ledger.lookupRows(rows.flatMap(({ id }) => id ?? []));
      const attemptOf = (id: number): number => known.get(id)?.attempt ?? 0;
      const isOpen = ({ id }: KnownStaged): boolean => known.get(id ?? 0)?.standing === 'in-doubt';
      await ledger.resolve(rows.filter(isOpen).flatMap((row) => resolutionOf(row, attemptOf, person)));
    }
  }
}

/** For a doubt that the ledger knows, or that results tell of which are believed. */
const isTyped = `(r.how <> 'trusted' AND r.decision ->> '$.do' = 'settle') OR (r.how = 'trusted' AND r.own ->> '$.saysDoubt')`;

/** The ids that were typed for rows in doubt, before any of them is taken. */
export async function typedIdsIn(staging: Staging): Promise<readonly TypedId[]> {
  const typed: TypedId[] = [];
  for (const { number, name, kind } of staging.sheets) {
    for await (const rows of staging.batches(number, rowsOfBatch, isTyped)) {
      for (const { own, row, data } of rows) {
        if (own?.answer?.kind !== 'created' || own.answer.id === null) continue;
        const position = { sheet: name, row };
        const judged = rowOfData(data, { kind: recordKind(kind), ...position });
        typed.push({ place: placeOf(position), kind, id: own.answer.id, row: judged });
      }
    }
  }
  return typed;
}

function resolutionOf(row: KnownStaged, attemptOf: (id: number) => number, person: string): readonly Resolution[] {
  const decision = decisionOf(row);
  if (decision === null || row.id === null) return [];
  const said = { id: row.id, attempt: attemptOf(row.id), person };
  if (decision.do === 'settle') return [{ ...said, isCreated: true, record: decision.id }];
  return [{ ...said, isCreated: false, record: null }];
}

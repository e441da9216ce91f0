/**
 * Checks the ids that a person typed for rows in doubt, with the ledger and the service, and records the answers before the first
 * row is sent. Its one rule: where the service can be asked, an id that it does not know is never accepted.
 */
import { refScopes } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Ledger, type LogicalRow, type NamedRecord, takesAnswer } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/body.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, inPlace, messageOf } from '../messages/text.ts';
import { decisionOf } from '../plan/decision.ts';
import { candidatesOf, refDigest } from '../plan/row-digests.ts';
import type { ServiceClient } from '../service/client.ts';
import { placeOf } from '../staging/own-columns.ts';
import type { Staging } from '../staging/staging.ts';
import { likenessOf } from './record-likeness.ts';

/** An id that a person typed for a row in doubt, before it is checked. */
export interface TypedId extends NamedRecord {
  readonly place: string;
  /** The values of the row; `null` when its source is gone. */
  readonly row: CheckedRow | null;
}

/** A finding about a typed id. */
export interface IdFinding {
  /**
   * `found`: what the service has under the id. `unsure`: the id could not be verified. The others are faults. `differs`: the
   * record has other values than the row. `unread`: the service could not be asked.
   */
  readonly is: 'found' | 'unsure' | 'wrong' | 'differs' | 'unread';
  readonly said: Message;
}

export interface IdChecking {
  readonly ledger: Pick<Ledger, 'lookup' | 'lookupRecords' | 'digest'>;
  readonly service: string;
  readonly client: () => Promise<ServiceClient>;
  /** Accepts a record with other values than its row: the person says that it was changed in the service since. */
  readonly changedSince: boolean;
  /** Whether the row that has an id is about to lose it. */
  readonly losesId: (row: LogicalRow) => boolean;
}

/** Each id may belong to one row only, and must belong to an existing record with the same values. */
export async function checkIds(typed: readonly TypedId[], checking: IdChecking): Promise<readonly IdFinding[]> {
  const findings: IdFinding[] = [];
  const placeOfId = new Map<string, string>();
  // An update creates no record: its id is that of a company, which may have any number of updates.
  const isUpdate = ({ kind }: TypedId) => recordKind(kind).sending.isUpdate;
  const known = await checking.ledger.lookupRecords(checking.service, typed);
  const refOf = (one: TypedId) => (isUpdate(one) ? (one.row?.references[0]?.ref ?? null) : null);
  const digestsOf = (ref: string | null) =>
    ref === null ? [] : refScopes.map((scope) => refDigest(checking, { kind: 'companies', ref }, scope));
  const withRef = await candidatesOf(checking, typed.map(refOf).flatMap(digestsOf));
  for (const [at, one] of typed.entries()) {
    const { place, kind, id } = one;
    const key = `${kind}\n${id}`;
    const isOfRecord = !isUpdate(one);
    const twin = isOfRecord ? placeOfId.get(key) : undefined;
    placeOfId.set(key, twin ?? place);
    const other = known[at] ?? null;
    const isOfOther = isOfRecord && other !== null && !checking.losesId(other);
    const wrong = (said: Message) => findings.push({ is: 'wrong', said });
    const pathId = isOfRecord ? null : (one.row?.pathId ?? null);
    const companies = pathId === null ? withRef(digestsOf(refOf(one))).flatMap(({ record }) => record ?? []) : [pathId];
    if (companies.length > 0 && !companies.includes(id))
      wrong(inPlace(place, messageOf('id-of-other-company', { company: pathId ?? refOf(one) ?? '', id })));
    if (twin !== undefined) wrong(messageOf('id-of-two-rows', { place, twin, id }));
    if (isOfOther) {
      const { run, sheet, row } = other.at;
      wrong(inPlace(place, messageOf('id-of-other-row', { id, sheet, row, run })));
    }
    if (twin === undefined && !isOfOther)
      findings.push(...(await lookUp(one, checking)).map(({ is, said }) => ({ is, said: inPlace(place, said) })));
  }
  return findings;
}

/** Forbidden, not allowed, not implemented: a retry does not help. */
const neverReadable: readonly (number | null)[] = [403, 405, 501];

async function lookUp({ kind, id, row }: TypedId, checking: IdChecking): Promise<readonly IdFinding[]> {
  const found = (is: IdFinding['is'], said: Message): readonly IdFinding[] => [{ is, said }];
  if (recordKind(kind).readBy === undefined) return found('unsure', messageOf('id-not-readable', { id }));
  const read = await (await checking.client()).read(recordKind(kind), id);
  if (read.state === 'failed')
    return neverReadable.includes(read.httpStatus)
      ? found('unsure', messageOf('id-not-allowed', { id, why: read.message }))
      : found('unread', messageOf('id-not-read', { id, why: read.message }));
  const instead = read.state === 'found' ? read.noRecord : null;
  if (read.state !== 'found' || instead !== null) return found('wrong', messageOf('id-of-nothing', { id, instead }));
  const { says, compared, differences } = likenessOf(kind, read.record, row);
  if (differences.length > 0 && !checking.changedSince)
    return found('differs', messageOf('id-of-other-record', { id, differences }));
  return [
    ...(says === '' ? [] : found('found', messageOf('record-found', { id, says }))),
    ...(compared === 0 ? found('unsure', messageOf('record-not-compared', { id, isRowThere: row !== null })) : []),
  ];
}

/**
 * @param run  whose rows a person settles; `null` in a load
 * @throws DealsheetError `usage` that lists every fault; `service-unusable` if the service could not be asked for any of them
 */
export function refuseFaults(findings: readonly IdFinding[], run: string | null): void {
  const against = findings.filter(({ is }) => is !== 'found' && is !== 'unsure');
  const [faults, kinds] = [against.map(({ said }) => said), new Set(against.map(({ is }) => is))];
  const [unread, differs] = [kinds.has('unread'), kinds.has('differs')];
  if (unread && kinds.size === 1) throw errorOf('ids-not-looked-up', { faults, run });
  if (kinds.size > 0) throw errorOf('doubts-unsettled', { faults, run, unread, differs });
}

const hasAnswer = `r.decision ->> '$.do' = 'settle' OR r.decision ->> '$.settles' = 'not-created'`;

/** @throws DealsheetError `usage` when a row is no longer in doubt */
export async function takeAnswers(staging: Staging, ledger: Ledger): Promise<void> {
  for (const { number } of staging.sheets) {
    for await (const rows of staging.batches(number, hasAnswer)) {
      const known = await ledger.lookupRows(rows.flatMap(({ id }) => id ?? []));
      const resolutions = rows.flatMap((row) => {
        const [decision, doubt] = [decisionOf(row), known.get(row.id ?? 0)];
        const said = decision?.do === 'settle' ? decision : null;
        if (doubt === undefined || !takesAnswer(doubt, said !== null)) return [];
        const { id, attempt } = doubt;
        return [{ id, attempt, isCreated: said !== null, record: said?.id ?? null, person: ledger.person }];
      });
      await ledger.resolve(resolutions);
    }
  }
}

/** An answer about a doubt in the ledger, or in a trusted results sheet. */
const isTyped = `(r.foundBy <> 'trusted' AND r.decision ->> '$.do' = 'settle') OR (r.foundBy = 'trusted' AND r.own ->> '$.saysDoubt')`;

export async function typedIdsIn(staging: Staging): Promise<readonly TypedId[]> {
  const typed: TypedId[] = [];
  for (const { number, name, kind } of staging.sheets) {
    for await (const rows of staging.batches(number, isTyped)) {
      for (const row of rows) {
        const { answer } = row.own ?? {};
        if (answer?.kind !== 'created' || answer.id === null) continue;
        typed.push({ place: placeOf({ sheet: name, row: row.row }), kind, id: answer.id, row: staging.data(row) });
      }
    }
  }
  return typed;
}

/**
 * Whether ids that a person typed for rows in doubt may be those of the rows: by the ledger, and by the service. Its one rule:
 * nothing is taken for an id that the service, where it can be asked, does not know.
 */

import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { commandText } from '../messages/commands.ts';
import { textOf } from '../messages/text.ts';
import type { RecordEndpoint, ServiceClient } from '../service/client.ts';
import { notCreatedMark, type TypedId } from '../staging/own-columns.ts';
import { placeOf } from '../staging/row-place.ts';
import { likenessOf } from './record-likeness.ts';

/** What is wrong with ids, what the service says of them, and what could not be made sure of: whole sentences. */
export interface JudgedIds {
  readonly faults: string[];
  /** How many of the faults are that the service could not be asked. */
  unread: number;
  /** Whether one of the faults is that a record says something else than its row. */
  differs: boolean;
  readonly found: string[];
  readonly unsure: string[];
}

export interface Judging {
  readonly ledger: Pick<Ledger, 'lookupRecords'>;
  readonly service: string;
  /** Makes the client, when one is needed. */
  readonly client: () => Promise<ServiceClient>;
  /** A record may say something else than its row: a person says that it was changed in the service since. */
  readonly changedSince: boolean;
  /** Whether the row that has an id is about to lose it. */
  readonly losesId: (row: LogicalRow) => boolean;
}

/** Asks the ledger and the service for ids: each may stand for one row alone, and for a record that is there and says the same. */
export async function judgeIds(typed: readonly TypedId[], judging: Judging): Promise<JudgedIds> {
  const judged: JudgedIds = { faults: [], unread: 0, differs: false, found: [], unsure: [] };
  const placeOfId = new Map<string, string>();
  const known = new Map<string, LogicalRow>();
  const ofRecords = typed.filter(isOfRecord);
  for (const kind of new Set(ofRecords.map((one) => one.kind))) {
    const ids = ofRecords.flatMap((one) => (one.kind === kind ? [one.id] : []));
    const found = await judging.ledger.lookupRecords(judging.service, kind, ids);
    for (const [id, row] of found) known.set(`${kind}\n${id}`, row);
  }
  for (const one of typed) {
    const { place, kind, id } = one;
    const key = `${kind}\n${id}`;
    const twin = isOfRecord(one) ? placeOfId.get(key) : undefined;
    placeOfId.set(key, twin ?? place);
    const other = known.get(key);
    const isOfOther = other !== undefined && !judging.losesId(other);
    if (twin !== undefined)
      judged.faults.push(`${place} and ${twin} have the same id, ${id}: it can be the record of one alone.`);
    if (isOfOther) judged.faults.push(`${place}: ${id} is ${recordOf(other)}`);
    if (twin === undefined && !isOfOther) await lookUp(one, judging, judged);
  }
  return judged;
}

/** An update makes no record: its id is that of a company, which may have been updated any number of times. */
function isOfRecord({ kind }: TypedId): boolean {
  return !recordKind(kind).sending.isUpdate;
}

async function lookUp({ place, kind, id, row }: TypedId, judging: Judging, judged: JudgedIds): Promise<void> {
  const looked = await findRecord(kind, id, judging.client);
  if (looked.kind !== 'found') {
    if (looked.kind === 'unread') judged.unread += 1;
    (looked.kind === 'unsure' ? judged.unsure : judged.faults).push(`${place}: ${looked.message}`);
    return;
  }
  const { says, compared, differences } = likenessOf(kind, looked.record, row);
  if (differences.length > 0 && !judging.changedSince) {
    judged.differs = true;
    judged.faults.push(`${place}: ${id} is another record: ${differences.join('; ')}.`);
    return;
  }
  if (says !== '') judged.found.push(`${place}: the service has ${id} as ${says}.`);
  if (compared === 0) judged.unsure.push(`${place}: ${notCompared(id, row)}`);
}

function recordOf({ at: { run, sheet, row } }: LogicalRow): string {
  const again = commandText('resolve', run, '--row', placeOf({ sheet, row }), '--created', 'ID');
  return `the record of ${sheet} row ${row} in the run ${run}. If somebody typed it there by mistake, correct that first: ${again}`;
}

function notCompared(id: string, row: CheckedRow | null): string {
  return row === null
    ? `the file of the run is gone or was changed, so whether ${id} has the same values as the row was not checked.`
    : `the service says nothing of ${id} that the row says too, so whether it is the same was not looked at.`;
}

type Looked =
  | { readonly kind: 'found'; readonly record: object | null }
  /** `unread`: the service gave no answer that tells anything, and may give one later. */
  | { readonly kind: 'missing' | 'unsure' | 'unread'; readonly message: string };

/** Forbidden, not allowed, not implemented: asking once more changes nothing. */
const neverReadable: readonly (number | null)[] = [403, 405, 501];

const readable: Readonly<Partial<Record<RecordKindName, RecordEndpoint>>> = {
  deals: 'getDeal',
  companies: 'getCompany',
};

/** Asks the service for a record by its id, where records of the kind can be read. */
async function findRecord(kind: RecordKindName, id: string, client: () => Promise<ServiceClient>): Promise<Looked> {
  const endpoint = readable[kind];
  if (endpoint === undefined) {
    const message = `Records of this kind cannot be read from the service: ${id} is taken as it is.`;
    return { kind: 'unsure', message };
  }
  const found = await (await client()).read(endpoint, id);
  if (found.state === 'found' && found.noRecord === null) return { kind: 'found', record: found.record };
  if (found.state === 'failed') {
    return neverReadable.includes(found.httpStatus)
      ? { kind: 'unsure', message: `The record ${id} may not be read, and is taken as it is: ${textOf(found.message)}` }
      : { kind: 'unread', message: `${id} could not be looked up: ${textOf(found.message)}` };
  }
  const instead = found.state === 'found' ? ` ${found.noRecord === null ? '' : textOf(found.noRecord)}` : '';
  return { kind: 'missing', message: `The service has no record ${id}.${instead}` };
}

/** What is said when none of the ids is known to be wrong, and some could not be looked up. */
export function couldNotAsk(faults: readonly string[], whatWasDone: string): DealsheetError {
  return new DealsheetError(
    'service-unusable',
    `The service could not be asked for every id:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    `Try again when the service answers. ${whatWasDone}`,
  );
}

/** @throws DealsheetError `usage` with every id that cannot be that of its row */
export async function refuseWrongIds(
  typed: readonly TypedId[],
  ledger: Pick<Ledger, 'lookupRecords'>,
  service: string,
  client: ServiceClient,
): Promise<void> {
  const { faults, unread, differs } = await judgeIds(typed, {
    ledger,
    service,
    client: async () => client,
    changedSince: false,
    losesId: () => false,
  });
  if (faults.length === 0) return;
  if (unread === faults.length) throw couldNotAsk(faults, 'Nothing was sent.');
  const changed = differs
    ? ` A record that was changed in the service since is taken by ${commandText('resolve', 'RUN', '--from', 'FILE', '--changed-since')}, with the RUN of its Run cell.`
    : '';
  throw new DealsheetError(
    'usage',
    `The ids that were typed for rows in doubt cannot be theirs:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    `Look these rows up once more, and type the id of the record, or "${notCreatedMark}".${changed} Nothing was sent.`,
  );
}

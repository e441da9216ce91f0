/**
 * What a person types into the ID cell of a row in doubt. Its one rule: nothing is taken for an id that the service, where it
 * can be asked, does not know.
 */
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import type { EarlierEntry, Ledger } from '../../ledger/ledger.ts';
import { dayOf } from '../../ledger/moments.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { FilledCell } from '../../mapping/reading.ts';
import { lostDigits } from '../../mapping/values/identifiers.ts';
import type { ServiceClient } from '../../service/client.ts';
import { findRecord } from './find-record.ts';
import { likenessOf } from './record-likeness.ts';
import { toSettle } from './row-note.ts';

/** What a person types for a record that the service does not have. */
export const notCreatedMark = 'not created';

export type TypedAnswer =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'not-created' }
  /** A number of which a spreadsheet program may have dropped digits. */
  | { readonly kind: 'rounded' }
  | { readonly kind: 'neither' };

/**
 * Reads the ID cell of a row in doubt: `Not created.` is meant as `not created`, and `no` is no id.
 *
 * @param text  what is shown in the cell
 */
export function typedAnswerOf(text: string, cell: FilledCell = text): TypedAnswer {
  if (lostDigits(cell, text) !== null) return { kind: 'rounded' };
  const letters = text.toLowerCase().replace(/[^a-z]+/g, '');
  if (letters === notCreatedMark.replace(' ', '') && !/\d/.test(text)) return { kind: 'not-created' };
  return looksLikeAnId(text) ? { kind: 'id', id: text } : { kind: 'neither' };
}

/** Of an ID cell. */
export const wasRounded =
  'may have been rounded by a spreadsheet program: format the cell as text, and put the whole id in again';

/** An assumption, since the interface says nothing on the form of ids: all that it shows have a digit, and none has a space. */
function looksLikeAnId(text: string): boolean {
  return /\d/.test(text) && !/\s/.test(text);
}

/** An id that stands for a row in doubt, until the service was asked for it. */
export interface TypedId {
  /** Where it stands, as in `Deals!12`. */
  readonly place: string;
  readonly kind: RecordKindName;
  readonly id: string;
  /** What the row says, or `null` when its source is gone. */
  readonly row: CheckedRow | null;
}

/** What is wrong with ids, what the service says of them, and what could not be made sure of: whole sentences. */
export interface JudgedIds {
  readonly faults: readonly string[];
  /** How many of the faults are that the service could not be asked. */
  readonly unread: number;
  /** Whether one of the faults is that a record says something else than its row. */
  readonly differs: boolean;
  readonly found: readonly string[];
  readonly unsure: readonly string[];
}

export interface Judging {
  readonly ledger: Ledger;
  readonly service: string;
  /** Makes the client, when one is needed. */
  readonly client: () => Promise<ServiceClient>;
  /** A record may say something else than its row: a person says that it was changed in the service since. */
  readonly changedSince: boolean;
  /** Whether the row that has an id is about to lose it. */
  readonly losesId: (row: EarlierEntry) => boolean;
}

/** Asks the ledger and the service for ids: each may stand for one row alone, and for a record that is there and says the same. */
export async function judgeIds(typed: readonly TypedId[], judging: Judging): Promise<JudgedIds> {
  const faults: string[] = [];
  const found: string[] = [];
  const unsure: string[] = [];
  let differs = false;
  let unread = 0;
  const placeOfId = new Map<string, string>();
  // An update makes no record: its id is that of a company, which may have been updated any number of times.
  const isOfRecord = ({ kind }: TypedId) => recordKind(kind).sending !== 'update';
  const known = judging.ledger.rowsWithIds(judging.service, typed.filter(isOfRecord));
  for (const one of typed) {
    const { place, kind, id, row } = one;
    const key = `${kind}\n${id}`;
    const twin = isOfRecord(one) ? placeOfId.get(key) : undefined;
    placeOfId.set(key, twin ?? place);
    if (twin !== undefined)
      faults.push(`${place} and ${twin} have the same id, ${id}: it can be the record of one alone.`);
    const other = known.get(one)?.find((earlier) => !judging.losesId(earlier));
    if (other !== undefined) faults.push(`${place}: ${id} is ${recordOf(other, judging.ledger)}`);
    if (twin !== undefined || other !== undefined) continue;
    const finding = await findRecord(kind, id, judging.client);
    if (finding.kind === 'unread') unread += 1;
    if (finding.kind === 'missing' || finding.kind === 'unread') faults.push(`${place}: ${finding.message}`);
    if (finding.kind === 'unsure') unsure.push(`${place}: ${finding.message}`);
    if (finding.kind !== 'found') continue;
    const { says, compared, differences } = likenessOf(kind, finding.answer, row);
    if (differences.length > 0 && !judging.changedSince) {
      differs = true;
      faults.push(`${place}: ${id} is another record: ${differences.join('; ')}.`);
      continue;
    }
    if (says !== '') found.push(`${place}: the service has ${id} as ${says}.`);
    if (compared === 0) unsure.push(`${place}: ${notCompared(id, row)}`);
  }
  return { faults, unread, differs, found, unsure };
}

function recordOf(earlier: EarlierEntry, ledger: Ledger): string {
  const { run, sheet, row } = earlier;
  const said = ledger.saidByHand(run, [earlier]).get(earlier);
  const record = `the record of ${sheet} row ${row} in the run ${run}`;
  if (said?.holds !== true) return `${record}.`;
  return `${record}, as somebody said on ${dayOf(said.at)}. If that was a mistake, settle that row anew first, with: ${toSettle({ run, sheet, row })}`;
}

function notCompared(id: string, row: CheckedRow | null): string {
  return row === null
    ? `the file of the run is gone or was changed, so whether ${id} says the same as the row was not looked at.`
    : `the service says nothing of ${id} that the row says too, so whether it is the same was not looked at.`;
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
  ledger: Ledger,
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
    ? ' A record that was changed in the service since is taken by dealsheet resolve RUN --from FILE --changed-since, with the RUN of its Run cell.'
    : '';
  throw new DealsheetError(
    'usage',
    `The ids that were typed for rows in doubt cannot be theirs:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    `Look these rows up once more, and type the id of the record, or "${notCreatedMark}".${changed} Nothing was sent.`,
  );
}

/**
 * What a person types into the ID cell of a row in doubt. Its one rule: nothing is taken for an id that the service, where it
 * can be asked, does not know.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceClient } from '../service/client.ts';
import { findRecord } from './find-record.ts';

/** What a person types for a record that the service does not have. */
export const notCreatedMark = 'not created';

export type TypedAnswer =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'not-created' }
  | { readonly kind: 'neither' };

/** Reads the ID cell of a row in doubt: `Not created.` is meant as `not created`, and `no` is no id. */
export function typedAnswerOf(text: string): TypedAnswer {
  const letters = text.toLowerCase().replace(/[^a-z]+/g, '');
  if (letters === notCreatedMark.replace(' ', '') && !/\d/.test(text)) return { kind: 'not-created' };
  return looksLikeAnId(text) ? { kind: 'id', id: text } : { kind: 'neither' };
}

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
}

/** What is wrong with ids, and what could not be made sure of: whole sentences. */
export interface JudgedIds {
  readonly faults: readonly string[];
  readonly unsure: readonly string[];
}

/**
 * Asks the ledger and the service for ids: each may stand for one row alone, and for a record that is there.
 *
 * @param client  makes the client, when one is needed
 */
export async function judgeIds(
  typed: readonly TypedId[],
  ledger: Ledger,
  service: string,
  client: () => Promise<ServiceClient>,
): Promise<JudgedIds> {
  const faults: string[] = [];
  const unsure: string[] = [];
  const placeOfId = new Map<string, string>();
  for (const { place, kind, id } of typed) {
    const key = `${kind}\n${id}`;
    // An update makes no record: its id is that of a company, which may have been updated any number of times.
    const isUpdate = recordKind(kind).sending === 'update';
    const twin = isUpdate ? undefined : placeOfId.get(key);
    placeOfId.set(key, twin ?? place);
    if (twin !== undefined)
      faults.push(`${place} and ${twin} have the same id, ${id}: it can be the record of one alone.`);
    const [other] = isUpdate ? [] : ledger.rowsWithId(service, kind, id);
    if (other !== undefined)
      faults.push(`${place}: ${id} is the record of ${other.sheet} row ${other.row} in the run ${other.run}.`);
    if (twin !== undefined || other !== undefined) continue;
    const finding = await findRecord(kind, id, client);
    if (finding.kind === 'missing') faults.push(`${place}: ${finding.message}`);
    if (finding.kind === 'unsure') unsure.push(`${place}: ${finding.message}`);
  }
  return { faults, unsure };
}

/** @throws DealsheetError `usage` with every id that cannot be that of its row */
export async function refuseWrongIds(
  typed: readonly TypedId[],
  ledger: Ledger,
  service: string,
  client: ServiceClient,
): Promise<void> {
  const { faults } = await judgeIds(typed, ledger, service, async () => client);
  if (faults.length === 0) return;
  throw new DealsheetError(
    'usage',
    `The ids that were typed for rows in doubt cannot be theirs:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    `Look these rows up once more, and type the id of the record, or "${notCreatedMark}". Nothing was sent.`,
  );
}

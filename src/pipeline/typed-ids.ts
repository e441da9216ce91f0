/**
 * What a person types into the ID cell of a row in doubt. Its one rule: nothing is taken for an id that the service, where it
 * can be asked, does not know.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
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

/** @throws DealsheetError `usage` with every id that the service does not know */
export async function refuseUnknownIds(typed: readonly TypedId[], client: ServiceClient): Promise<void> {
  const faults: string[] = [];
  for (const { place, kind, id } of typed) {
    const finding = await findRecord(kind, id, async () => client);
    if (finding.kind === 'missing') faults.push(`${place}: ${finding.message}`);
  }
  if (faults.length === 0) return;
  throw new DealsheetError(
    'usage',
    `What was typed into the ID cells of rows in doubt is not in the service:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    `Look these rows up once more, and type the id of the record, or "${notCreatedMark}". Nothing was sent.`,
  );
}

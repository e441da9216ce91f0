/** What a person types into the ID cell of a row in doubt. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { FilledCell } from '../mapping/reading.ts';
import { lostDigits } from '../mapping/values/identifiers.ts';

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

/** What is wrong with an ID cell that settles nothing, to go behind what it says. */
export function faultOfAnswer({ kind }: TypedAnswer): string {
  return kind === 'rounded' ? wasRounded : `is neither an id nor "${notCreatedMark}"`;
}

const wasRounded =
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

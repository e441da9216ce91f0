/** How findings of a code are told, beside their text. */

export interface Traits {
  /** Says that the row is sent: it is not to be said of one that is not. */
  readonly saysSent?: true;
  /** Stands at its cell alone: what is said of the row says it, too. */
  readonly ofCell?: true;
  /** What it may come to where it is passed over; without it, something may be wrong. */
  readonly harm?: 'twice' | 'read-as';
  /** The parameter by which findings of the code are told apart: those of one value are told together. */
  readonly by?: string;
  /** Findings are told apart by the signs of their values: an amount in brackets is read otherwise than one with a currency sign. */
  readonly bySigns?: true;
  /** The parameter whose values are listed where findings are told together; that of a cell is its value. */
  readonly lists?: string;
}

const traits: Readonly<Record<string, Traits>> = {
  'read-as': { harm: 'read-as', bySigns: true },
  'blanks-around': { harm: 'read-as' },
  'unseen-characters': { harm: 'read-as' },
  'day-read-as': { harm: 'read-as' },
  'binary-rest': { harm: 'read-as' },
  'zero-in-accounts': { harm: 'read-as' },
  'dash-for-hyphen': { harm: 'read-as' },
  'choice-read-as': { harm: 'read-as', by: 'value' },
  'not-a-choice': { by: 'value' },
  'not-a-deal-status': { by: 'value' },
  'word-for-nothing': { harm: 'read-as', by: 'value' },
  'total-like': { by: 'label' },
  'same-content': { saysSent: true, harm: 'twice', lists: 'first' },
  'same-company': { saysSent: true, harm: 'twice', lists: 'first' },
  'ref-repeated': { by: 'ref' },
  'ref-unknown': { by: 'ref' },
  'ref-ambiguous': { by: 'ref' },
  'ref-not-in': { by: 'ref' },
  'ref-loaded': { by: 'load', lists: 'ref', harm: 'twice' },
  'ref-not-looked-up': { lists: 'ref' },
  'attachment-file': { by: 'file' },
  'changed-value': { ofCell: true },
  'changed-field': { ofCell: true },
};

const none: Traits = {};

export function traitsOf({ code }: { readonly code: string }): Traits {
  return traits[code] ?? none;
}

/** How findings of a code are told, beside their text. */

export interface Traits {
  /** A warning that a person is to see before anything is sent. */
  readonly toldBefore?: true;
  /** Says that the row is sent: it is not to be said of one that is not. */
  readonly saysSent?: true;
  /** Stands at its cell alone: what is said of the row says it, too. */
  readonly ofCell?: true;
  /** What it may come to where it is passed over; without it, something may be wrong. */
  readonly harm?: 'twice' | 'read-as';
  /** The parameter by which findings of the code are told apart: those of one value are told together. */
  readonly by?: string;
  /** The parameter whose values are listed where findings are told together; that of a cell is its value. */
  readonly lists?: string;
}

const traits: Readonly<Record<string, Traits>> = {
  'read-as': { harm: 'read-as' },
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
  'assumed-blank': { toldBefore: true },
  'total-like': { toldBefore: true, by: 'label' },
  'example-like': { toldBefore: true },
  'same-content': { saysSent: true, harm: 'twice' },
  'same-company': { saysSent: true, harm: 'twice' },
  'ref-repeated': { by: 'ref' },
  'ref-unknown': { by: 'ref' },
  'ref-ambiguous': { by: 'ref' },
  'ref-not-in': { by: 'ref' },
  'ref-loaded': { toldBefore: true, by: 'load', lists: 'ref', harm: 'twice' },
  'ref-not-looked-up': { lists: 'ref' },
  'attachment-file': { by: 'file' },
  'value-under-merge': { toldBefore: true },
  'changed-value': { ofCell: true },
  'changed-field': { ofCell: true },
  'link-text': { toldBefore: true },
};

const none: Traits = {};

export function traitsOf({ code }: { readonly code: string }): Traits {
  return traits[code] ?? none;
}

/** How findings of a code are told, beside their text. */

export interface Traits {
  /** A warning that a person is to see before anything is sent. */
  readonly toldBefore?: true;
  /** Says that the row is sent: it is not to be said of one that is not. */
  readonly saysSent?: true;
  /** Of what each record is assumed to have: of a row that is no record at all, it need not be said. */
  readonly ofBlank?: true;
  /** Other values are other findings: they are not told together. */
  readonly byValue?: true;
}

const traits: Readonly<Record<string, Traits>> = {
  'choice-read-as': { byValue: true },
  'not-a-choice': { byValue: true },
  'not-a-deal-status': { byValue: true },
  'not-a-state': { byValue: true },
  'word-for-nothing': { byValue: true },
  'assumed-blank': { toldBefore: true, ofBlank: true },
  'assumed-missing': { ofBlank: true },
  'total-like': { toldBefore: true },
  'example-like': { toldBefore: true },
  'ref-loaded': { toldBefore: true },
  'value-under-merge': { toldBefore: true },
  'link-text': { toldBefore: true },
};

const none: Traits = {};

export function traitsOf({ code }: { readonly code: string }): Traits {
  return traits[code] ?? none;
}

/** One sign of the code of a number format, or a text in it. */

export type FormatToken =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'place'; readonly mark: '0' | '#' | '?' }
  | { readonly kind: 'point' }
  /** The number as it is without a format. */
  | { readonly kind: 'general' };

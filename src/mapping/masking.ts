/** Sensitive values as they may be shown: every letter and digit a star. */

export function masked(text: string): string {
  return text.replace(/[\p{L}\p{N}]/gu, '*');
}

/** Whether a cell holds what {@link masked} leaves: such a value must never be sent. */
export function isMasked(text: string): boolean {
  return /\*{2,}/.test(text) && !/[\p{L}\p{N}]/u.test(text);
}

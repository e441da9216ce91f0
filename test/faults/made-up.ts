/** How many months are made up, and from which seed: by default the same few each time. */

/**
 * @param few  months of a usual run
 * @param many  months where DEALSHEET_LONG=1; DEALSHEET_MONTHS and DEALSHEET_SEED go before both
 * @returns the parameters of fast-check
 */
export function madeUp(few: number, many: number): { readonly numRuns: number; readonly seed?: number } {
  const { DEALSHEET_MONTHS: wanted, DEALSHEET_SEED: named, DEALSHEET_LONG: isLong } = process.env;
  const numRuns = Number(wanted ?? (isLong === '1' ? many : few));
  const seed = named ?? (numRuns === few ? '1' : undefined);
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) };
}

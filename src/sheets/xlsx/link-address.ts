/** Addresses that Excel takes for a link; for one that it does not, it calls the whole workbook damaged. */

/** Of Excel, in characters. */
const longest = 2079;

/** @returns the address with what no address may hold written as `%20`, or `null` when it is none or too long */
export function linkAddress(address: string): string | null {
  if (!URL.canParse(address) || /\p{Surrogate}/u.test(address)) return null;
  const fit = address.replace(/[\u0000-\u0020\u007f<>"{}|\\^`]/g, encodeURIComponent);
  return fit.length > longest ? null : fit;
}

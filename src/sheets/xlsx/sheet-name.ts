/**
 * Names that Excel takes for a sheet: at most 31 characters, none of `: \ / ? * [ ]`, no apostrophe at either end, each once whatever
 * its case, and not History, which Excel keeps for itself.
 */

const longest = 31;

/** The name made fit, with a number when it is taken. */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const fit = fitSheetName(wanted);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = cutName(fit, longest - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function fitSheetName(wanted: string): string {
  const allowed = wanted.replace(/[:\\/?*[\]\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '_').replace(/^'+|'+$/g, '');
  const fit = cutName(allowed, longest) || 'Sheet';
  return fit.toLowerCase() === 'history' ? `${fit}_` : fit;
}

/** Neither half a character nor an apostrophe is left at the end. */
function cutName(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/'+$/, '');
}

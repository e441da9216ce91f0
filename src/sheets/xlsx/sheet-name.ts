/** Names that Excel takes for a sheet: at most 31 characters, none of `: \ / ? * [ ]`, each once whatever its case. */

const longest = 31;

/** The name made fit, with a number when it is taken. */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const fit = fitSheetName(wanted);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = fit.slice(0, longest - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function fitSheetName(wanted: string): string {
  const allowed = wanted.replace(/[:\\/?*[\]\u0000-\u001f]/g, '_').replace(/^'+|'+$/g, '');
  return allowed.slice(0, longest) || 'Sheet';
}

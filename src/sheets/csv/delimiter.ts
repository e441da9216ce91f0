/** What stands between the cells: found in the first lines, outside of quotes. */

const candidates = [',', ';', '\t', '|'] as const;
const linesToLookAt = 20;

/**
 * The delimiter that cuts the first lines into the most even rows of more than one cell; `,` when none does.
 *
 * @param text  the beginning of the file, with `\n` as the end of a line
 */
export function findDelimiter(text: string): string {
  const scored = candidates.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.delimiter : ',';
}

/** Excel's own line `sep=;` above the table, or `null`. */
export function declaredDelimiter(text: string): { readonly delimiter: string; readonly length: number } | null {
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return match === null ? null : { delimiter: match[1] ?? ',', length: match[0].length };
}

/** The cells of the header line, less the lines that have another number of them. */
function scoreOf(text: string, delimiter: string): number {
  const counts = cellCounts(text, delimiter);
  const header = counts[0] ?? 1;
  if (header < 2) return 0;
  const uneven = counts.filter((count) => count !== header && count !== 1).length;
  return header * (1 - uneven / counts.length);
}

function cellCounts(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  let cells = 1;
  let quoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && character === delimiter) cells += 1;
    else if (!quoted && (character === '\n' || character === '\r')) {
      if (!isBlank) counts.push(cells);
      if (counts.length === linesToLookAt) return counts;
      cells = 1;
      isBlank = true;
      continue;
    }
    isBlank = false;
  }
  if (!isBlank && counts.length === 0) counts.push(cells);
  return counts;
}

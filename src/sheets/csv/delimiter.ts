/** What stands between the cells: found in the first lines, outside of quotes. A line without any of the marks may be a title. */

const candidates = [',', ';', '\t', '|'] as const;
const linesToLookAt = 20;
/** Its headers, and a row. */
const fewestOfTable = 2;

/**
 * The delimiter that cuts the first lines into the most even rows of more than one cell; `,` when none does.
 *
 * @param text  the beginning of the file, with `\n` as the end of a line
 */
export function findDelimiter(text: string): string {
  const lines = firstLines(text);
  const titles = lines.findIndex(hasMark);
  if (titles < 0) return ',';
  const below = lines.slice(titles);
  const delimiter = delimiterOf(below.filter(hasMark));
  // Below a line of one cell, which may be the header of the only column, a mark here and there tells nothing.
  const isTable = below.length >= fewestOfTable && below.length >= titles;
  return titles === 0 || (isTable && cutsMost(below, delimiter)) ? delimiter : ',';
}

/** Excel's own line `sep=;` above the table, or `null`. */
export function declaredDelimiter(text: string): { readonly delimiter: string; readonly length: number } | null {
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return match === null ? null : { delimiter: match[1] ?? ',', length: match[0].length };
}

/** A delimiter of the first line that no line is without; else the first line is a title, and that of the other lines. */
function delimiterOf(lines: readonly string[]): string {
  const ofHeaders = candidates.filter((delimiter) => lines.every((line) => line.includes(delimiter)));
  const scored =
    ofHeaders.length > 0
      ? ofHeaders.map((delimiter) => ({ delimiter, score: scoreBelowHeaders(lines, delimiter) }))
      : candidates.map((delimiter) => ({ delimiter, score: scoreOfMost(lines, delimiter) }));
  return scored.reduce((one, other) => (other.score > one.score ? other : one)).delimiter;
}

/** The cells of the first line, less the lines that have another number of them. */
function scoreBelowHeaders(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => cellsIn(line, delimiter));
  const [header = 1] = counts;
  const uneven = counts.filter((count) => count !== header).length;
  return header * (1 - uneven / counts.length);
}

/** The commonest number of cells above one, times the lines that have it, and once more those that go on as the line above. */
function scoreOfMost(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => cellsIn(withoutDecimals(line), delimiter));
  const scores = [...new Set(counts)].map((cells) => {
    const even = counts.filter((count) => count === cells).length;
    const goingOn = counts.filter((count, index) => count === cells && counts[index - 1] === cells).length;
    return cells < 2 ? 0 : cells * (even + goingOn);
  });
  return Math.max(...scores);
}

/** Whether most lines have one and the same number of cells, and more than one. */
function cutsMost(lines: readonly string[], delimiter: string): boolean {
  const counts = lines.map((line) => cellsIn(line, delimiter));
  return counts.some((cells) => cells > 1 && counts.filter((count) => count === cells).length * 2 > counts.length);
}

function hasMark(line: string): boolean {
  return candidates.some((candidate) => line.includes(candidate));
}

function cellsIn(line: string, delimiter: string): number {
  return line.split(delimiter).length;
}

/** `D1;1250,50`: a comma between two digits beside another mark is mostly none between two cells. */
function withoutDecimals(line: string): string {
  return /[;\t|]/.test(line) ? line.replace(/(?<=\d),(?=\d)/g, '') : line;
}

/** The first lines that hold anything, without what stands in quotes. */
function firstLines(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let quoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) {
      if (!isBlank) lines.push(line);
      if (lines.length === linesToLookAt) return lines;
      line = '';
      isBlank = true;
      continue;
    } else if (!quoted) line += character;
    isBlank = false;
  }
  if (!isBlank && !quoted) lines.push(line);
  return lines;
}

/** What stands between the cells: found in the first lines, outside of quotes. A line without any of the marks may be a title. */

const candidates = [',', ';', '\t', '|'] as const;
const linesToLookAt = 20;
/** Its headers, and a row. */
const fewestOfTable = 2;

/**
 * The delimiter that cuts the first lines into the most even rows of more than one cell; `,` when none does.
 *
 * @param text  the beginning of the file
 */
export function findDelimiter(text: string): string {
  const lines = firstLines(text);
  const titles = lines.findIndex(hasMark);
  if (titles < 0) return ',';
  const below = lines.slice(titles);
  const marked = below.filter(hasMark);
  // A delimiter of the headers is in every line; where none is, the first line is a title.
  const ofHeaders = candidates.filter((delimiter) => marked.every((line) => line.includes(delimiter)));
  const delimiter = (ofHeaders.length > 0 ? ofHeaders : candidates)
    .map((mark) => ({ mark, score: evennessOf(marked, mark) }))
    .reduce((one, other) => (other.score > one.score ? other : one)).mark;
  if (titles === 0) return delimiter;
  // Below a line of one cell, which may be the header of the only column, a mark here and there tells nothing.
  const isTable = below.length >= fewestOfTable && below.length >= titles;
  const counts = below.map((line) => cellsIn(line, delimiter));
  const isEven = counts.some(
    (cells) => cells > 1 && counts.filter((count) => count === cells).length * 2 > counts.length,
  );
  return isTable && isEven ? delimiter : ',';
}

/** Excel's own line `sep=;` above the table, or `null`. */
export function declaredDelimiter(text: string): { readonly delimiter: string; readonly length: number } | null {
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return match === null ? null : { delimiter: match[1] ?? ',', length: match[0].length };
}

/** The commonest number of cells above one, times the lines that have it, and once more those that go on as the line above. */
function evennessOf(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => cellsIn(line, delimiter));
  const scores = [...new Set(counts)].map((cells) => {
    const even = counts.filter((count) => count === cells).length;
    const goingOn = counts.filter((count, index) => count === cells && counts[index - 1] === cells).length;
    return cells < 2 ? 0 : cells * (even + goingOn);
  });
  return Math.max(...scores);
}

function hasMark(line: string): boolean {
  return candidates.some((candidate) => line.includes(candidate));
}

/** `D1;1250,50`: a comma between two digits beside another mark is mostly none between two cells. */
function cellsIn(line: string, delimiter: string): number {
  const bare = /[;\t|]/.test(line) ? line.replace(/(?<=\d),(?=\d)/g, '') : line;
  return bare.split(delimiter).length;
}

/** The first lines that hold anything, without what stands in quotes. */
function firstLines(text: string): readonly string[] {
  const pieces = text.split('"');
  const lines = pieces
    .filter((_, index) => index % 2 === 0)
    .join('"')
    .split(/[\r\n]+/);
  const isOpenAtEnd = pieces.length % 2 === 0;
  if (isOpenAtEnd) lines.pop();
  return lines.filter((line) => line !== '').slice(0, linesToLookAt);
}

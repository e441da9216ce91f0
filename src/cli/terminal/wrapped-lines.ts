/**
 * Messages broken at their blanks to the width of a terminal, so that no word is cut. Its one rule: what a person copies stays in one
 * piece: a command, a flag with its value, a path, a text in quotes. Elsewhere than at a terminal nothing is broken.
 */
import { displayWidth } from './display-width.ts';

/** What a line goes on with is this much further in than it began. */
const hangingIndent = '  ';
/** In a narrower window, a broken line is no easier to read. */
const fewestColumns = 30;

/** The text as it is to stand on a stream: broken where that is a terminal that knows how wide it is. */
export function fittedTo(stream: NodeJS.WriteStream, text: string): string {
  const columns = columnsOf(stream);
  return columns !== null && columns >= fewestColumns ? wrapped(text, columns) : text;
}

/** How wide the window is that a stream leads to, or `null` where there is none, or nobody knows. */
export function columnsOf({ isTTY, columns }: NodeJS.WriteStream): number | null {
  return isTTY === true && columns > 0 ? columns : null;
}

export function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, columns))
    .join('\n');
}

/** A line of a table has its width already. */
const ruledLine = /[\u2500-\u257F]/;

function wrappedLine(line: string, columns: number): string {
  // No character is wider than two columns, and one of ASCII has one.
  if (line.length * 2 <= columns || ruledLine.test(line) || displayWidth(line) <= columns) return line;
  const [indent = ''] = /^\s*/.exec(line) ?? [];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const { gap, text } of unitsOf(line.slice(indent.length))) {
    const further = displayWidth(gap) + displayWidth(text);
    if (current === '') {
      current = `${indent}${text}`;
      width = displayWidth(current);
    } else if (width + further <= columns || text === '') {
      current += `${gap}${text}`;
      width += further;
    } else {
      lines.push(current);
      current = `${indent}${hangingIndent}${text}`;
      width = displayWidth(current);
    }
  }
  return [...lines, current].join('\n');
}

/** What stays in one piece, and the blanks in front of it. */
interface Unit {
  readonly gap: string;
  readonly text: string;
}

/** A command that is told; whatever stands behind it on its line may be a part of it. */
const toldCommand = /(?<=^|\s)\S?dealsheet [a-z]/;
const flagWithValue = String.raw`--[\w-]+ +(?=[^-\s])`;
const inQuotes = String.raw`"[^"]*"|(?<![\w])'[^']*'(?!\w)`;
const piece = new RegExp(String.raw`(\s*)((?:${flagWithValue}|${inQuotes}|\S)+|$)`, 'g');
const beginningOfPath = /^[("']?(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/;
const endOfFileName = /\.\w{1,8}["'.,:;)]*$/;

function unitsOf(line: string): readonly Unit[] {
  const at = toldCommand.exec(line)?.index ?? line.length;
  const pieces = [...line.slice(0, at).matchAll(piece)].map(([, gap = '', text = '']) => ({ gap, text }));
  const units = withWholePaths(pieces.filter(({ gap, text }) => gap !== '' || text !== ''));
  if (at === line.length) return units;
  const last = units.at(-1);
  const gap = last?.text === '' ? last.gap : '';
  return [...(last?.text === '' ? units.slice(0, -1) : units), { gap, text: line.slice(at) }];
}

/** A folder or a file may have a blank in its name: a path goes on to the ending of one, where there is any. */
function withWholePaths(pieces: readonly Unit[]): readonly Unit[] {
  const units: Unit[] = [];
  let endOfPath = -1;
  pieces.forEach((piece, index) => {
    const before = units.at(-1);
    if (index <= endOfPath && before !== undefined) {
      units[units.length - 1] = { gap: before.gap, text: `${before.text}${piece.gap}${piece.text}` };
      return;
    }
    if (beginningOfPath.test(piece.text))
      endOfPath = pieces.findIndex(({ text }, place) => place >= index && endOfFileName.test(text));
    units.push(piece);
  });
  return units;
}

/** Changes one member of a JSON text and leaves every other character as the person has written it. */

/**
 * @param text  valid JSON whose members on the path are objects, as far as they are there
 * @param path  the names that lead to the member; those that are missing are made
 */
export function withMember(text: string, path: readonly string[], value: unknown): string {
  let start = text.indexOf('{');
  for (const [depth, name] of path.entries()) {
    const held = membersAt(text, start).get(name);
    if (held === undefined) return inserted(text, start, depth, path.slice(depth), value);
    if (depth === path.length - 1) {
      return `${text.slice(0, held.start)}${written(text, value, depth + 1)}${text.slice(held.end)}`;
    }
    start = held.start;
  }
  return text;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The values of the object that begins at a place, by their names. */
function membersAt(text: string, start: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let at = start + 1;
  while (true) {
    const name = tokenAt(text, at);
    if (text[name.start] === '}') return members;
    if (text[name.start] === ',') {
      at = name.end;
      continue;
    }
    const value = valueAt(text, tokenAt(text, name.end).end);
    members.set(JSON.parse(text.slice(name.start, name.end)) as string, value);
    at = value.end;
  }
}

function valueAt(text: string, from: number): Span {
  const first = tokenAt(text, from);
  let depth = 0;
  let token = first;
  while (true) {
    const sign = text[token.start];
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return { start: first.start, end: token.end };
    token = tokenAt(text, token.end);
  }
}

/** A text, a sign, or a number, truth or null. */
function tokenAt(text: string, from: number): Span {
  const pattern = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
  const blank = /\s*/y;
  blank.lastIndex = from;
  pattern.lastIndex = from + (blank.exec(text)?.[0].length ?? 0);
  const found = pattern.exec(text);
  if (found === null) throw new Error('The text is no JSON.');
  return { start: found.index, end: pattern.lastIndex };
}

/** Behind the last member of the object that begins at a place. */
function inserted(text: string, start: number, depth: number, path: readonly string[], value: unknown): string {
  const last = [...membersAt(text, start).values()].at(-1)?.end ?? null;
  const [name = '', ...further] = path;
  const held = further.reduceRight<unknown>((inner, each) => ({ [each]: inner }), value);
  const member = `${JSON.stringify(name)}: ${written(text, held, depth + 1)}`;
  const line = `\n${unitOf(text).repeat(depth + 1)}${member}`;
  if (last !== null) return `${text.slice(0, last)},${line}${text.slice(last)}`;
  const { end } = valueAt(text, start);
  return `${text.slice(0, start)}{${line}\n${unitOf(text).repeat(depth)}}${text.slice(end)}`;
}

/** Lines are indented as the first one of the text is. */
function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

function written(text: string, value: unknown, depth: number): string {
  const unit = unitOf(text);
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${unit.repeat(depth)}`);
}

/** Names that stand twice in one object of a JSON text: reading it keeps the last of them without a word. */

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/** @param text  JSON that can be read */
export function repeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = String(JSON.parse(token.slice(0, -colon.length)));
      const names = open.at(-1);
      if (names?.has(name) === true) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}

/** What the items of a list say, by the names under which they say it: those that the contract does not know, too. */
import { isObject } from '../answers/answer.ts';
import { longestText, plainName } from '../answers/words-of-answer.ts';
import { textOf } from './texts-of-rows.ts';

/** What the items say under one name. */
export interface SaidUnder {
  /** Empty for an item that is a text itself. */
  readonly name: string;
  readonly plain: string;
  /** By the rows of the items that say it. */
  readonly texts: ReadonlyMap<number, readonly string[]>;
}

/** A list in an object in an item in a list: `{ "errors": [{ "reference": "R-1" }] }`. */
const deepest = 3;

/** @param items  those of the rows, in their order */
export function saidUnderNames(items: readonly unknown[]): readonly SaidUnder[] {
  const found = new Map<string, { name: string; plain: string; texts: Map<number, string[]> }>();
  items.forEach((item, row) => {
    goThrough(item, '', 0, (name, value) => {
      const text = textOf(typeof value === 'string' ? value.slice(0, longestText) : value);
      if (text === null) return;
      const plain = plainName(name);
      const known = found.get(plain) ?? { name, plain, texts: new Map<number, string[]>() };
      found.set(plain, known);
      const own = known.texts.get(row);
      if (own === undefined) known.texts.set(row, [text]);
      else own.push(text);
    });
  });
  return [...found.values()];
}

/** `{ "R-2": "created" }`: an item may be called by what names its row. */
export function calledByNames(items: readonly unknown[]): readonly SaidUnder[] {
  const found = new Map<string, Map<number, readonly string[]>>();
  items.forEach((item, row) => {
    for (const name of isObject(item) && !Array.isArray(item) ? Object.keys(item) : [])
      found.set(name, (found.get(name) ?? new Map()).set(row, [name.toLowerCase()]));
  });
  return [...found].map(([name, texts]) => ({ name, plain: '', texts }));
}

function goThrough(held: unknown, name: string, depth: number, note: (name: string, value: unknown) => void): void {
  if (!isObject(held)) note(name, held);
  else if (depth <= deepest)
    for (const [own, value] of Object.entries(held))
      goThrough(value, Array.isArray(held) ? name : own, depth + 1, note);
}

/** Which record kind a sheet holds: told by its name, else by its headers, never guessed between two. */
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { folded } from './headers.ts';

/** The kind whose sheet has this name, in any of its spellings. */
export function kindOfSheetName(name: string): RecordKind | null {
  const wanted = folded(name);
  return recordKinds.find((kind) => namesOf(kind).includes(wanted)) ?? null;
}

/** The one kind that whole words of a name speak of (`deals-june-2026`), or `null` when it is none or several. */
export function kindInWordsOf(name: string, among: readonly RecordKind[]): RecordKind | null {
  const wanted = wordsOf(name);
  const spoken = among.filter((kind) => wordedNamesOf(kind).some((words) => wanted.includes(wordsOf(words))));
  return spoken.length === 1 ? (spoken[0] ?? null) : null;
}

/** ` deals june ` of `DealsJune_2026`: with a blank around each word, so that `leading` has no ` lead ` in it. */
function wordsOf(name: string): string {
  const apart = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return ` ${apart
    .split(/[^\p{L}]+/u)
    .join(' ')
    .trim()} `;
}

function namesOf(kind: RecordKind): readonly string[] {
  return wordedNamesOf(kind).map(folded);
}

function wordedNamesOf(kind: RecordKind): readonly string[] {
  return [kind.sheet, kind.name, kind.singular, ...kind.sheetAliases];
}

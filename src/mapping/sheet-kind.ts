/** Which record kind a sheet holds by its name, never guessed between two. */
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { folded } from './headers.ts';

/** The kind whose sheet has this name, in any of its spellings. */
export function kindOfSheetName(name: string): RecordKind | null {
  return recordKinds.find((kind) => namesOf(kind).some((own) => folded(own) === folded(name))) ?? null;
}

/** The one kind among these whose sheet has this name, or of which whole words of the name speak (`deals-june-2026`). */
export function kindNamed(name: string, among: readonly RecordKind[] = recordKinds): RecordKind | null {
  const named = kindOfSheetName(name);
  if (named !== null && among.includes(named)) return named;
  const wanted = wordsOf(name);
  const [only, second] = among.filter((kind) => namesOf(kind).some((words) => wanted.includes(wordsOf(words))));
  return only !== undefined && second === undefined ? only : null;
}

/** ` deals june ` of `DealsJune_2026`: with a blank around each word, so that `leading` has no ` lead ` in it. */
function wordsOf(name: string): string {
  const apart = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return ` ${apart.replace(/[^\p{L}]+/gu, ' ').trim()} `;
}

function namesOf(kind: RecordKind): readonly string[] {
  return [kind.sheet, kind.name, kind.singular, ...kind.sheetAliases];
}

/** Which record kind a sheet holds: told by its name, else by its headers, never guessed between two. */
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { folded } from './headers.ts';

/** The kind whose sheet has this name, in any of its spellings. */
export function kindOfSheetName(name: string): RecordKind | null {
  const wanted = folded(name);
  return recordKinds.find((kind) => namesOf(kind).includes(wanted)) ?? null;
}

/** The one kind that the words of a name speak of (`deals-june-2026`), or `null` when it is none or several. */
export function kindInWordsOf(name: string, among: readonly RecordKind[]): RecordKind | null {
  const wanted = folded(name);
  const spoken = among.filter((kind) => namesOf(kind).some((word) => wanted.includes(word)));
  return spoken.length === 1 ? (spoken[0] ?? null) : null;
}

function namesOf(kind: RecordKind): readonly string[] {
  return [kind.sheet, kind.name, kind.singular, ...kind.sheetAliases].map(folded);
}

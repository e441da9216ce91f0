/** An old template told from a new one: what has changed in its kinds since it was made. */
import { recordKinds } from '../../contract/record-kinds.ts';
import { shownText } from '../../mapping/reading.ts';
import type { Source } from '../../sheets/source.ts';
import { columnLabels, stampSheetName } from '../../workbooks/template-stamp.ts';

/** @returns a sentence for each kind whose columns have changed; nothing for a file that is no template of ours */
export async function changesSinceTemplate(source: Source): Promise<readonly string[]> {
  const stamp = source.sheets.find(({ name }) => name === stampSheetName);
  if (stamp === undefined) return [];
  const sentences: string[] = [];
  for await (const { cells } of stamp.rows()) {
    const [name, ...then] = cells.map((cell) => (cell === null ? '' : shownText(cell)));
    const kind = recordKinds.find((candidate) => candidate.name === name);
    if (kind === undefined) continue;
    const now = columnLabels(kind);
    const gained = now.filter((label) => !then.includes(label));
    const lost = then.filter((label) => label !== '' && !now.includes(label));
    if (gained.length === 0 && lost.length === 0) continue;
    const parts = [
      gained.length === 0 ? '' : ` has gained ${gained.join(', ')}`,
      gained.length === 0 || lost.length === 0 ? '' : ', and',
      lost.length === 0 ? '' : ` no longer has ${lost.join(', ')}`,
    ];
    sentences.push(
      `The template is older than this version: since it was made, ${kind.name}${parts.join('')}. A new one: dealsheet template ${kind.name}`,
    );
  }
  return sentences;
}

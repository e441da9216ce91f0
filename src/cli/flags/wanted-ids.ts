/** The ids that a person asks for: with --id, from a file, or both. */
import { DealsheetError } from '../../errors.ts';
import type { RecordsWanted } from '../../export/export-options.ts';
import { type FoundIds, fileAndColumn, idsOfFile } from '../../export/id-source.ts';
import { isSameFile } from '../../sheets/same-file.ts';

interface IdFlags {
  readonly id: readonly string[] | undefined;
  readonly ids: string | undefined;
  /** `null` for standard output. */
  readonly output: string | null;
}

export interface WantedIds extends FoundIds {
  readonly wanted: RecordsWanted;
}

/** @throws DealsheetError `usage` when no id is named, or the output would take the place of their file */
export async function wantedIds(wanted: RecordsWanted, flags: IdFlags): Promise<WantedIds> {
  const { output } = flags;
  if (flags.ids !== undefined && output !== null && isSameFile(fileAndColumn(flags.ids).path, output)) {
    throw new DealsheetError('usage', `${output} holds the ids, and would be replaced.`, 'Give -o another name.');
  }
  const ofFile =
    flags.ids === undefined ? { ids: [], notices: [], resultsOf: null } : await idsOfFile(flags.ids, wanted);
  const typed = (flags.id ?? []).map((id) => id.trim()).filter((id) => id !== '');
  const ids = [...new Set([...typed, ...ofFile.ids])];
  if (ids.length > 0) return { ...ofFile, wanted, ids };
  throw new DealsheetError(
    'usage',
    `Which ${wanted}? ${flags.ids === undefined ? 'The service has no list of them: they are read by their ids.' : `There is no id in ${flags.ids}.`}`,
    'Name them with --id ID, or a file with --ids FILE or --ids FILE:COLUMN, such as the results of an import.',
  );
}

/** What is said of sheets and headers of a source that found no place. */
import { oneOf, type RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { parentsOf } from '../../mapping/parent-columns.ts';
import { namesWithCommas, shellWord } from '../../messages/commands.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import type { MatchOptions } from './matched-sheet.ts';
import { standardInput } from './snapshot.ts';

export function ignoreSheet(name: string): string {
  return `--ignore-sheets ${shellWord(namesWithCommas([name]))}`;
}

/** @param isAlone  whether no other sheet is read: --as is a word on all of them */
export function unknownSheet(
  { name, hidden }: SourceSheet,
  fitting: readonly RecordKind[],
  format: Source['format'],
  isAlone: boolean,
): string {
  const what = format === 'csv' ? 'The file' : `The ${hidden ? 'hidden sheet' : 'sheet'} ${name}`;
  const leave = format === 'csv' ? '' : `, or leave the sheet out with ${ignoreSheet(name)}`;
  const choice = isAlone ? '--as' : `--sheet ${shellWord(name)} --as`;
  const [only, second] = fitting;
  if (only === undefined) {
    const names = recordKinds.map((kind) => kind.name).join(', ');
    const say = isAlone ? 'Say it with' : 'Name the sheet after what it holds, read it alone with';
    return `${what} is of no kind that its name or its headers tell. ${say} ${choice} (${names})${leave}.`;
  }
  if (second === undefined)
    return `${what} has headers of ${oneOf(only)}, and none that says of which ${parentsOf(only)} it is. Name the sheet after what it holds, read it alone with ${choice} ${only.name}${leave}.`;
  const say = isAlone ? 'Say which with' : 'Name the sheet after one of them, or read it alone with';
  return `${what} can be of several kinds by its headers. ${say} ${fitting.map((kind) => `${choice} ${kind.name}`).join(' or ')}.`;
}

interface SourceFaults {
  readonly hasColumnFaults: boolean;
  /** Nothing in the file has headers of ours: it may be somebody else's. */
  readonly hasOtherHeaders: boolean;
}

/** What to do about the faults of a source; of a sheet of no kind, its own sentence says it. */
export function remedyOf(options: MatchOptions, { hasColumnFaults, hasOtherHeaders }: SourceFaults): string {
  const { mapping } = options;
  if (mapping !== null) return `Correct the mapping ${mapping.path}, and try again. Nothing was sent.`;
  const correct = 'Correct the header, or leave the column out with --ignore-columns "NAME" (or "all").';
  const draft = `If the file always comes with these headers, say once what they mean: ${draftCommand(options)}.`;
  return [...(hasColumnFaults ? [correct] : []), ...(hasOtherHeaders ? [draft] : []), 'Nothing was sent.'].join(' ');
}

function draftCommand({ file, kind }: MatchOptions): string {
  const as = kind === null ? '' : ` --as ${kind.name}`;
  return `dealsheet map ${file === standardInput ? 'FILE' : shellWord(file)}${as} -o mapping.json`;
}

export function allLeftOut(sentences: readonly string[]): DealsheetError {
  return new DealsheetError(
    'unmatched-columns',
    `${sentences.join(' ')} No sheet is left to read.`,
    'Name a sheet after what it holds, or read it alone with --sheet NAME --as KIND. Nothing was sent.',
  );
}

export function unmatched(faults: readonly string[], remedy: string): DealsheetError {
  const message =
    faults.length === 1
      ? (faults[0] ?? '')
      : `${faults.length} things in the file found no place:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  return new DealsheetError('unmatched-columns', message, remedy);
}

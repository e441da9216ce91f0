/** `dealsheet template KIND…`: writes a blank workbook to fill in. */

import { extname, resolve } from 'node:path';
import { assumedContract } from '../../contract/contract-settings.ts';
import { type Field, insteadOf, isNeeded, templateFieldsOf } from '../../contract/fields.ts';
import { type RecordKind, recordKindNames } from '../../contract/record-kind.ts';
import { recordKind, recordKinds } from '../../contract/record-kinds.ts';
import { writeBlank } from '../../disk/output-guard.ts';
import { matchHeaders } from '../../mapping/headers.ts';
import { errorOf } from '../../messages/text.ts';
import type { Flags } from '../../settings/flags.ts';
import { chosenProfile } from '../../settings/service.ts';
import type { TemplateOptions } from '../../workbooks/template-sheet.ts';
import { command, namesIn } from '../command.ts';

export const templateCommand = command({
  examples: [
    ['dealsheet template all -o month.xlsx', 'one workbook with a sheet for every kind'],
    ['dealsheet template deals -o deals.csv', 'only the header line'],
  ],
  positionals: {
    kind: { choices: ['all', ...recordKindNames], array: true, demandOption: true, describe: 'The kinds, or all' },
  },
  flags: ['output', 'every', 'minimal', 'columns', 'examples', 'profile', 'config'],
  own: { profile: { describe: 'With the lists of this profile as drop-downs' } },
  run: async (flags, terminal) => {
    const isAll = flags.kind.includes('all');
    const kinds = isAll ? recordKinds : recordKindNames.filter((name) => flags.kind.includes(name)).map(recordKind);
    const path = resolve(flags.output ?? `${kinds.length === 1 ? kinds[0]?.name : 'dealsheet'}.xlsx`);
    if (!['.xlsx', '.csv'].includes(extname(path).toLowerCase())) throw errorOf('sheet-format', { path });
    const { templateBytes } = await import('../../workbooks/template.ts');
    const { dealStatuses, assignees } = chosenProfile(flags)?.profile.contract ?? assumedContract;
    const columns = await chosenColumns(flags, kinds);
    const bytes = await templateBytes(kinds, path, { columns, examples: flags.examples, dealStatuses, assignees });
    await writeBlank(path, bytes);
    terminal.say(`Template: ${path}`);
  },
});

async function chosenColumns(flags: Flags, kinds: readonly RecordKind[]): Promise<TemplateOptions['columns']> {
  if ([flags.every, flags.minimal, flags.columns !== undefined].filter(Boolean).length > 1)
    throw errorOf('columns-chosen-twice');
  if (flags.columns === undefined) return flags.every ? 'every' : flags.minimal ? 'minimal' : 'common';
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) throw errorOf('columns-of-several-kinds');
  return columnsNamed(kind, namesIn(flags.columns));
}

/**
 * @param names  labels, aliases or paths, as in a header
 * @returns those columns in order, after those that a row needs, unless the Ref or id that can replace one is among them
 */
export function columnsNamed(kind: RecordKind, names: readonly string[]): readonly Field[] {
  const { columns, problems } = matchHeaders(kind, names, [], (name) => `The name "${name}"`);
  const chosen = columns.flatMap((column) => column.field ?? []);
  if (problems.length > 0 || chosen.length !== names.length)
    throw errorOf('columns-not-of-kind', { problems, kind: kind.name });
  const missing = templateFieldsOf(kind, 'every').filter((field) => {
    const columns = insteadOf(field, kind);
    return columns.some(isNeeded) && !columns.some((column) => chosen.includes(column));
  });
  return [...missing, ...chosen];
}

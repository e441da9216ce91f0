/** `dealsheet template KIND…`: a blank workbook to fill in. */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type RecordKind, recordKindNames } from '../../contract/record-kind.ts';
import { recordKind, recordKinds } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { needWritable } from '../../report/output-guard.ts';
import { unwritable, writeWhole } from '../../report/write-whole.ts';
import type { TemplateOptions } from '../../workbooks/template-sheet.ts';
import { command } from '../command.ts';
import { chooseContract } from '../settings/service-choice.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const templateCommand = command({
  examples: [
    ['dealsheet template all -o month.xlsx', 'one workbook with a sheet for every kind'],
    ['dealsheet template deals -o deals.csv', 'the header line alone'],
  ],
  builder: (yargs) =>
    yargs
      // Without this, of several kinds only the last would count: yargs takes them for one flag given several times.
      .parserConfiguration({ 'duplicate-arguments-array': true })
      .positional('kind', {
        choices: ['all', ...recordKindNames] as const,
        array: true,
        demandOption: true,
        describe: 'The kinds of records, or all',
      })
      .options({
        output: { alias: 'o', type: 'string', requiresArg: true, describe: 'Where to write it (.xlsx or .csv)' },
        every: { type: 'boolean', default: false, describe: 'Also the columns that few people need' },
        minimal: { type: 'boolean', default: false, describe: 'Only the columns that the service expects' },
        columns: {
          type: 'string',
          requiresArg: true,
          describe: 'These columns and the required ones, by their names with commas between',
        },
        examples: {
          alias: 'with-examples',
          type: 'boolean',
          default: false,
          describe: 'Add a row of examples; delete it before you load',
        },
        profile: { type: 'string', requiresArg: true, describe: 'With the lists of this profile as drop-downs' },
        config: { type: 'string', requiresArg: true, describe: 'The configuration file to use' },
      }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const names = flags.kind.includes('all')
      ? recordKindNames
      : recordKindNames.filter((name) => flags.kind.includes(name));
    const path = resolve(flags.output ?? `${names.length === 1 ? names[0] : 'dealsheet'}.xlsx`);
    if (!['.xlsx', '.csv'].includes(extname(path).toLowerCase())) {
      throw new DealsheetError(
        'usage',
        `A template cannot be written to ${path}.`,
        'Give a name that ends in .xlsx or .csv.',
      );
    }
    const { templateBytes } = await import('../../workbooks/template.ts');
    const kinds = flags.kind.includes('all') ? recordKinds : names.map(recordKind);
    const { dealStatuses, assignees } = chooseContract(flags);
    const columns = await chosenColumns(flags, kinds);
    const bytes = await templateBytes(kinds, path, { columns, examples: flags.examples, dealStatuses, assignees });
    await needWritable({
      path,
      flag: '-o',
      kept: [],
      what: 'blank template of the same form',
      isEarlier: isSame(bytes),
    });
    write(path, bytes);
    terminal.say(`Template: ${path}`);
    return exitCodes.allIn;
  },
});

/** A template that somebody has begun to fill in is not written over. */
function isSame(bytes: Buffer): (path: string) => boolean {
  return (path) => readFileSync(path).equals(bytes);
}

function write(path: string, bytes: Buffer): void {
  try {
    writeWhole(path, bytes);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

interface ColumnFlags {
  readonly every: boolean;
  readonly minimal: boolean;
  readonly columns: string | undefined;
}

async function chosenColumns(flags: ColumnFlags, kinds: readonly RecordKind[]): Promise<TemplateOptions['columns']> {
  const given = [flags.every ? '--every' : '', flags.minimal ? '--minimal' : '', flags.columns ? '--columns' : ''];
  const both = given.filter((flag) => flag !== '');
  if (both.length > 1)
    throw new DealsheetError('usage', `${both.join(' and ')} choose columns in two ways.`, 'Keep one of them.');
  if (flags.columns === undefined) return flags.every ? 'every' : flags.minimal ? 'minimal' : 'common';
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw new DealsheetError('usage', '--columns names the columns of one kind.', 'Name one kind.');
  const { columnsNamed } = await import('../../mapping/template-columns.ts');
  const names = flags.columns.split(',').map((name) => name.trim());
  return columnsNamed(
    kind,
    names.filter((name) => name !== ''),
  );
}

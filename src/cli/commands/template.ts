/** `dealsheet template KIND…`: a blank workbook to fill in. */
import { extname, resolve } from 'node:path';
import { recordKindNames } from '../../contract/record-kind.ts';
import { recordKind, recordKinds } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { chooseContract } from '../service-choice.ts';
import { openTerminal } from '../terminal.ts';

export const templateCommand = command({
  examples: [
    ['dealsheet template all -o month.xlsx', 'one workbook with a sheet for every kind'],
    ['dealsheet template deals -o deals.csv', 'the header line alone'],
  ],
  builder: (yargs) =>
    yargs
      .positional('kind', {
        choices: ['all', ...recordKindNames] as const,
        array: true,
        demandOption: true,
        describe: 'The kinds of records, or all',
      })
      .options({
        output: { alias: 'o', type: 'string', requiresArg: true, describe: 'Where to write it (.xlsx or .csv)' },
        every: { type: 'boolean', default: false, describe: 'Also the columns that few people need' },
        examples: { type: 'boolean', default: false, describe: 'With a row of examples' },
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
    const { writeTemplate } = await import('../../workbooks/template.ts');
    const kinds = flags.kind.includes('all') ? recordKinds : names.map(recordKind);
    const { dealStatuses } = chooseContract(flags);
    await writeTemplate(kinds, path, { every: flags.every, examples: flags.examples, dealStatuses });
    terminal.say(`Template: ${path}`);
    return exitCodes.allIn;
  },
});

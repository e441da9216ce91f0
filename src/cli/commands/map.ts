/** `dealsheet map FILE`: draft how somebody else's file is to be read. */
import { existsSync } from 'node:fs';
import { recordKindNames } from '../../contract/record-kind.ts';
import { DealsheetError } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import { unwritable, writeWhole } from '../../report/write-whole.ts';
import { command } from '../command.ts';
import { saidKinds } from '../flags/kind-flags.ts';
import { ignored } from '../flags/reading-flags.ts';
import { withRepeatableFlags } from '../flags/repeated-flags.ts';
import { standardInputWord } from '../flags/standard-input-word.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export const mapCommand = command({
  examples: [
    ['dealsheet map broker.xlsx -o broker.json', 'draft it by answering questions'],
    ['dealsheet check broker.xlsx --mapping broker.json', 'see whether everything fits'],
    ['dealsheet import broker.xlsx --mapping broker.json --profile live', 'load it, this month and the next'],
  ],
  builder: (yargs) =>
    withRepeatableFlags(yargs, {
      as: `What the rows are, when neither sheet name nor headers tell: ${recordKindNames.join(', ')}; SHEET=KIND for one sheet, may be repeated`,
    })
      .positional('file', { type: 'string', demandOption: true, describe: 'The CSV or XLSX file of somebody else' })
      .options({
        output: {
          type: 'string',
          alias: 'o',
          requiresArg: true,
          describe: 'Where the mapping goes; else it is printed',
        },
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Ask nothing, and leave open what is not sure' },
        sheet: { type: 'string', requiresArg: true, describe: 'Draft this sheet alone' },
        'ignore-sheets': {
          type: 'string',
          requiresArg: true,
          describe: 'Sheets that hold nothing to load, separated by commas; all for every one that tells nothing',
        },
        encoding: { type: 'string', requiresArg: true, describe: 'Character set of a CSV file, such as windows-1252' },
        delimiter: { type: 'string', requiresArg: true, describe: 'What stands between the cells of a CSV file' },
      }),
  takesDashAt: ['output'],
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const output = flags.output === standardInputWord ? undefined : flags.output;
    if (output !== undefined && existsSync(output)) throw isThereAlready(output, null);
    const { ofAll, ofSheet } = saidKinds(flags.as ?? []);
    const { draftMapping } = await import('../../staging/draft-mapping.ts');
    const { recordKind } = await import('../../contract/record-kinds.ts');
    const { kindAsker, walkThrough } = await import('../talk/mapping-walk.ts');
    const { draftText } = await import('../talk/draft-text.ts');
    const mayAsk = terminal.isInteractive && !flags.yes && output !== undefined;
    const { draft, mapping } = await beforeWriting(terminal, async () => {
      const draft = await draftMapping({
        file: flags.file,
        kind: ofAll === null ? null : recordKind(ofAll),
        kinds: new Map([...ofSheet].map(([sheet, kind]) => [sheet, recordKind(kind)])),
        sheet: flags.sheet ?? null,
        ignoredSheets: ignored(flags.ignoreSheets),
        askKind: mayAsk ? kindAsker(terminal) : null,
        encoding: flags.encoding ?? null,
        delimiter: flags.delimiter ?? null,
      });
      return { draft, mapping: mayAsk ? await walkThrough(draft, terminal) : draft.mapping };
    });
    const text = `${JSON.stringify(mapping, null, 2)}\n`;
    if (output === undefined) terminal.print(text.trimEnd());
    else write(output, text);
    terminal.say(draftText(mapping, draft.unknown, { ...flags, output }));
    return exitCodes.allIn;
  },
});

/** Whoever leaves meanwhile is told that there is no mapping. */
async function beforeWriting<Drafted>(terminal: Terminal, draft: () => Promise<Drafted>): Promise<Drafted> {
  const leave = () => {
    terminal.warn('Nothing was written.');
    process.exit(exitCodes.interrupted);
  };
  process.once('SIGINT', leave);
  try {
    return await draft();
  } finally {
    process.off('SIGINT', leave);
  }
}

/** A mapping that a person has finished is not drafted over. It shows a few values of the file, and is for its owner alone. */
function write(path: string, text: string): void {
  try {
    writeWhole(path, text, { flag: 'wx', mode: ownerOnly });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw isThereAlready(path, cause);
    throw unwritable(path, cause);
  }
}

function isThereAlready(path: string, cause: unknown): DealsheetError {
  const message = `${path} is there already, and may hold what you have decided.`;
  return new DealsheetError('usage', message, 'Name another file with -o, or remove that one first.', { cause });
}

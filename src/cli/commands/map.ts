/** `dealsheet map FILE`: draft how somebody else's file is to be read. */
import { existsSync } from 'node:fs';
import { type RecordKindName, recordKindNames } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { usageError } from '../../errors.ts';
import { ownerOnly } from '../../file-modes.ts';
import { headerName } from '../../mapping/mapping-file/foreign-headers.ts';
import { writeWhole } from '../../report/output-guard.ts';
import { command } from '../command.ts';
import { standardInputWord, withFlags } from '../flags.ts';
import { ignored } from '../reading.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const mapCommand = command({
  command: 'map <file>',
  describe: "Draft a mapping: how to read somebody else's file",
  examples: [
    ['dealsheet map broker.xlsx -o broker.json', 'draft it by answering questions'],
    ['dealsheet check broker.xlsx --mapping broker.json', 'see whether everything fits'],
    ['dealsheet import broker.xlsx --mapping broker.json --profile live', 'load it, this month and the next'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs.positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'The CSV or XLSX file of somebody else',
      }),
      ...(['output', 'yes', 'sheet', 'ignore-sheets', 'encoding', 'delimiter'] as const),
    )
      .option('as', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: `What the rows are, when neither sheet name nor headers tell: ${recordKindNames.join(', ')}; SHEET=KIND for one sheet, may be repeated`,
      })
      .describe('output', 'Where the mapping goes; else it is printed'),
  takesDashAt: ['output'],
  run: async (flags, terminal) => {
    const output = flags.output === standardInputWord ? undefined : flags.output;
    // A mapping that a person has finished is not drafted over.
    if (output !== undefined && existsSync(output))
      throw usageError(
        `${output} already exists, and may hold what you decided.`,
        'Name another file with -o, or remove that one first.',
      );
    const { ofAll, ofSheet } = saidKinds(flags.as ?? []);
    const { draftMapping } = await import('../../staging/draft-mapping.ts');
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
    // It shows a few values of the file, and is for its owner alone.
    else writeWhole(output, text, { flag: 'wx', mode: ownerOnly });
    terminal.say(draftText(mapping, draft.unknown, { ...flags, output }));
    return exitCodes.allIn;
  },
});

interface SaidKinds {
  /** Of every sheet that is not named, or `null`. */
  readonly ofAll: RecordKindName | null;
  /** By the name of the sheet. */
  readonly ofSheet: ReadonlyMap<string, RecordKindName>;
}

/**
 * @param texts  each `KIND` or `SHEET=KIND`
 * @throws DealsheetError `usage` for what is no kind, or when two things are said of one sheet
 */
function saidKinds(texts: readonly string[]): SaidKinds {
  let ofAll: RecordKindName | null = null;
  const ofSheet = new Map<string, RecordKindName>();
  const named = new Set<string>();
  for (const text of texts) {
    const [, sheet = null, written = ''] = /^(?:(.*)=)?([^=]*)$/s.exec(text) ?? [];
    const kind = recordKindNames.find((name) => name === written.trim());
    const name = sheet?.trim() ?? null;
    if (kind === undefined || name === '' || named.has(headerName(name ?? '')))
      throw usageError(
        `--as ${text} does not name a kind or a sheet, or says twice what the rows are.`,
        `Give KIND once for all sheets, and SHEET=KIND for each of another kind: ${recordKindNames.join(', ')}.`,
      );
    named.add(headerName(name ?? ''));
    if (name === null) ofAll = kind;
    else ofSheet.set(name, kind);
  }
  return { ofAll, ofSheet };
}

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

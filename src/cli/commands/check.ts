/** `dealsheet check FILE`: every problem of every row, and nothing sent. */
import { identityOf } from '../../service/address.ts';
import { findProfile, readConfiguration } from '../../settings/configuration.ts';
import { withLedgerIfAny } from '../../settings/ledger-choice.ts';
import { chooseContract } from '../../settings/service-choice.ts';
import { command } from '../command.ts';
import { withFlags } from '../flags.ts';
import { expectationsOf, fileOf, filePlace, readingFlags, readingOptions, rememberNamed } from '../reading.ts';
import { checkedText, checkingText, findingLines, previewText } from '../talk/preview-text.ts';
import { besidesText, resultJson } from '../talk/result-text.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

/** More lines than this are not read on a terminal: the results sheet has them all. */
const mostLines = 200;

export const checkCommand = command({
  command: 'check <file>',
  describe: 'Check a file: the same checks as import, and nothing is sent',
  examples: [
    ['dealsheet check deals.csv', 'every problem, at its cell'],
    ['dealsheet check month.xlsx --results month.checked.xlsx', 'the same in a copy of the workbook'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs.positional('file', filePlace),
      ...readingFlags,
      ...(['expect-count', 'expect-total', 'profile', 'json', 'quiet'] as const),
    ),
  takesDashAt: ['file'],
  run: async (flags, answer) => {
    const terminal = openTerminal(flags);
    answer.about({ file: fileOf(flags.file) });
    const { checkFile } = await import('../../load/check-file.ts');
    rememberNamed(flags, terminal);
    const options = {
      ...readingOptions(flags, chooseContract(flags)),
      expectations: expectationsOf(flags),
      service: serviceNamed(flags),
    };
    const onProgress = (checked: number) => terminal.wait(() => checkingText(checked));
    const result = await withLedgerIfAny(flags, (openLedger) => checkFile({ ...options, openLedger }, { onProgress }));
    const { preview, counts, results } = result;
    const groups = preview.sheets.flatMap(({ findings }) => findings);
    const lines = findingLines(groups);
    for (const line of lines.slice(0, mostLines)) terminal.say(line);
    if (lines.length > mostLines) terminal.say(`… and ${lines.length - mostLines} more.`);
    const areAllNamed = lines.length <= mostLines && groups.every(({ rows, numbers }) => rows === numbers.length);
    if (!areAllNamed && results === null) terminal.say('Add --results FILE.xlsx to see each of them at its cell.');
    terminal.say(previewText(preview, true));
    if (counts.invalid > 0) terminal.warn(checkedText(counts));
    else terminal.say(checkedText(counts));
    if (results !== null) terminal.say(`Results: ${results}`);
    for (const line of besidesText(result.besides, results)) terminal.warn(line);
    answer.give(resultJson({ ...result, run: null, service: null }));
    return counts.invalid > 0 ? exitCodes.failedChecks : exitCodes.allIn;
  },
});

interface ProfileFlags {
  readonly profile: string | undefined;
  readonly config: string | undefined;
}

/** The service of the profile: what is in there counts. */
function serviceNamed({ profile, config }: ProfileFlags): string | null {
  if (profile === undefined) return null;
  return identityOf(new URL(findProfile(readConfiguration(config ?? null), profile).profile.url));
}

/** `dealsheet check FILE`: reports every problem of every row, and sends nothing. */
import { assumedContract } from '../../contract/contract-settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { identityOf } from '../../service/address.ts';
import { openLedgerIfAny } from '../../settings/ledger-choice.ts';
import { chosenProfile } from '../../settings/service.ts';
import { command } from '../command.ts';
import { exitCodes } from '../command-end.ts';
import { listed } from '../formats.ts';
import { expectationsOf, fileOf, filePositional, readingFlags, readingOptions, remembering } from '../load-command.ts';
import {
  besidesText,
  checkedText,
  checkingText,
  findingLines,
  isAllWell,
  previewText,
  resultJson,
} from '../load-text.ts';

/** The most lines for a terminal. The results sheet has them all. */
const mostLines = 200;

export const checkCommand = command({
  examples: [
    ['dealsheet check deals.csv', 'every problem, at its cell'],
    ['dealsheet check month.xlsx --results month.checked.xlsx', 'the same in a copy of the workbook'],
  ],
  positionals: { file: filePositional },
  flags: [...readingFlags, 'expect-count', 'expect-total', 'profile', 'json', 'quiet'],
  takesDashAt: ['file'],
  run: async (flags, terminal, answer) => {
    answer.about({ file: fileOf(flags.file) });
    const { checkFile } = await import('../../load/check-file.ts');
    remembering(flags, terminal)();
    const profile = chosenProfile(flags)?.profile;
    const options = {
      ...readingOptions(flags, profile?.contract ?? assumedContract),
      expectations: expectationsOf(flags),
      service: flags.profile === undefined || profile === undefined ? null : identityOf(new URL(profile.url)),
    };
    let ledger: Ledger | null = null;
    const openLedger = async () => {
      ledger = await openLedgerIfAny(flags);
      return ledger;
    };
    const onProgress = (checked: number) => terminal.progress(() => checkingText(checked));
    const result = await checkFile({ ...options, openLedger }, { onProgress }).finally(() => ledger?.close());
    const { preview, counts, results } = result;
    const groups = preview.sheets.flatMap(({ findings }) => findings);
    const lines = findingLines(groups);
    for (const line of listed(lines, mostLines)) terminal.say(line);
    const areAllNamed = lines.length <= mostLines && groups.every(({ rows, numbers }) => rows === numbers.length);
    if (!areAllNamed && results === null) terminal.say('Add --results FILE.xlsx to see each of them at its cell.');
    terminal.say(previewText(preview, true));
    if (isAllWell(counts)) terminal.say(checkedText(counts));
    else terminal.warn(checkedText(counts));
    if (options.service === null)
      terminal.say(
        'Earlier loads were not looked up, so each Ref that is not in this file counts as found (add --profile NAME).',
      );
    if (results !== null) terminal.say(`Results: ${results}`);
    for (const line of besidesText(result.besides, results)) terminal.warn(line);
    answer.giveLoad(resultJson(result));
    return counts.invalid > 0 ? exitCodes.failedChecks : exitCodes.allIn;
  },
});

/** `dealsheet check FILE`: every problem of every row, and nothing sent. */

import type { CheckResult } from '../../load/check-file.ts';
import { isError } from '../../messages/finding.ts';
import { identityOf } from '../../service/address.ts';
import { command } from '../command.ts';
import { expectationsOf, withExpectationFlags } from '../flags/expectation-flags.ts';
import { readingOptions, rememberNamed, withReadingFlags } from '../flags/reading-flags.ts';
import { findProfile, readConfiguration } from '../settings/configuration.ts';
import { ledgerPath, sourcesFolderOf, withLedgerFlag, withLedgerIfAny } from '../settings/ledger-choice.ts';
import { chooseContract } from '../settings/service-choice.ts';
import { fileOf } from '../talk/json-answer.ts';
import { checkedText, checkingText, previewText } from '../talk/plan-text.ts';
import { errorLines, noteLines } from '../talk/problem-text.ts';
import { besidesText, resultJson } from '../talk/result-text.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

/** More lines than this are not read on a terminal: there the problems are summed up, and the results sheet has them all. */
const mostLines = 200;

export const checkCommand = command({
  examples: [
    ['dealsheet check deals.csv', 'every problem, at its cell'],
    ['dealsheet check month.xlsx --results month.checked.xlsx', 'the same in a copy of the workbook'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withExpectationFlags(withReadingFlags(yargs))).options({
      profile: { type: 'string', requiresArg: true, describe: 'Check by the contract of this profile' },
      config: { type: 'string', requiresArg: true, describe: 'The configuration file to use' },
      json: { type: 'boolean', default: false, describe: 'Print one JSON object with the counts' },
      quiet: { type: 'boolean', default: false, describe: 'Say nothing when all is well' },
    }),
  takesDashAt: ['file'],
  run: async (flags, answer) => {
    const terminal = openTerminal(flags);
    answer.about({ file: fileOf(flags.file) });
    const { checkFile } = await import('../../load/check-file.ts');
    const told = boundedLines(terminal);
    rememberNamed(flags, terminal);
    const options = {
      ...readingOptions(flags, chooseContract(flags)),
      snapshotFolder: sourcesFolderOf(ledgerPath(flags)),
      expectations: expectationsOf(flags),
      service: serviceNamed(flags),
    };
    const result = await withLedgerIfAny(flags, (openLedger) =>
      checkFile(
        { ...options, openLedger },
        {
          onProgress: (checked) => terminal.wait(checkingText(checked)),
          onProblemRow: (row) => told.say(errorLines(row)),
        },
      ),
    );
    const found = result.preview.sheets.flatMap(({ findings }) => findings);
    const notes = found.filter(({ first }) => !isError(first.finding));
    told.say(noteLines(notes));
    told.end();
    if (notes.some(({ rows }) => rows > 1) && result.results === null)
      terminal.say('With --results FILE.xlsx, every note stands at its cell.');
    tell(result, told.count <= mostLines, terminal);
    answer.give(resultJson({ ...result, run: null, service: null }));
    return result.counts.invalid > 0 ? exitCodes.failedChecks : exitCodes.allIn;
  },
});

/** The service of the profile: what is in there counts. */
function serviceNamed({ profile, config }: { profile: string | undefined; config: string | undefined }): string | null {
  if (profile === undefined) return null;
  const found = findProfile(readConfiguration(config ?? null), profile);
  return found === null ? null : identityOf(new URL(found.profile.url));
}

interface BoundedLines {
  readonly count: number;
  say(lines: readonly string[]): void;
  end(): void;
}

function boundedLines(terminal: Terminal): BoundedLines {
  let count = 0;
  return {
    get count() {
      return count;
    },
    say: (lines) => {
      for (const line of lines) {
        count += 1;
        if (count <= mostLines) terminal.say(line);
      }
    },
    end: () => {
      if (count > mostLines) terminal.say(`… and ${count - mostLines} more. Write them all with --results FILE.xlsx.`);
    },
  };
}

function tell(result: CheckResult, areProblemsTold: boolean, terminal: Terminal): void {
  terminal.say(previewText(result.preview, areProblemsTold));
  const checked = checkedText(result);
  if (result.counts.invalid > 0) terminal.warn(checked);
  else terminal.say(checked);
  if (result.results !== null) terminal.say(`Results: ${result.results}`);
  const besides = besidesText(result.besides, result.results);
  if (besides !== null) terminal.warn(besides);
}

/** `dealsheet import FILE`: loads a file and writes what became of every row. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { recordKind } from '../../contract/record-kinds.ts';
import { needFile } from '../../disk/file-pieces.ts';
import { type KeptFile, needWritable, writeWhole } from '../../disk/output-guard.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SendingEvents } from '../../load/sending.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { shellWord } from '../../messages/commands.ts';
import { errorOf } from '../../messages/text.ts';
import { needOtherMaker } from '../../plan/load-plan.ts';
import { countedIn, type Preview } from '../../plan/preview.ts';
import { type LoadPlan, readPlan } from '../../plan/written-plan.ts';
import { mappingsFolder } from '../../settings/configuration.ts';
import { addressFlags, paceFlags } from '../../settings/flags.ts';
import { filesOfLedger, ledgerFiles, passFlagsOn, withLedger } from '../../settings/ledger-choice.ts';
import { chooseService, refuseUnapproved, type ServiceChoice } from '../../settings/service.ts';
import { rememberMapping } from '../../staging/source/remembered-mappings.ts';
import { command, standardInputWord } from '../command.ts';
import { exitCodes, type JsonAnswer } from '../command-end.ts';
import { rows } from '../formats.ts';
import {
  expectationsOf,
  type FileFlags,
  fileOf,
  filePositional,
  readingFlags,
  remembering,
  sendingOptions,
} from '../load-command.ts';
import { duringLoad, sendingEvents, showPreview, tellEnd, toSendOf } from '../load-dialog.ts';
import { countedJson } from '../load-text.ts';
import { type LoadEnded, openListeners } from '../log-and-notify.ts';
import type { Terminal } from '../terminal.ts';

const importFlags = [
  ...[...readingFlags, ...addressFlags, ...paceFlags],
  ...(['fresh', 'yes', 'limit', 'sandbox-data', 'expect-count', 'expect-total', 'expect-like-last'] as const),
  ...(['plan', 'apply', 'all-or-nothing', 'again', 'skip-loaded', 'trust-results'] as const),
  ...(['log', 'notify', 'json', 'quiet'] as const),
] as const;

export const importCommand = command({
  examples: [
    ['dealsheet import month.xlsx --sandbox', 'rehearse it on this computer'],
    ['dealsheet import month.xlsx --profile live', 'load it; results in month.results.xlsx'],
    ['dealsheet import deals.csv --url https://service.example --limit 5', 'a trial of the first five rows'],
  ],
  positionals: { file: filePositional },
  flags: importFlags,
  takesDashAt: ['file'],
  run: async (flags, terminal, answer) => (await loadFile(flags, terminal, answer)).code,
});

export async function loadFile(given: FileFlags, terminal: Terminal, answer: JsonAnswer): Promise<LoadEnded> {
  const flags = given.fresh ? afresh(given, terminal) : given;
  answer.about({ file: fileOf(flags.file) });
  const { importFile, planImport } = await import('../../load/import-file.ts');
  const source = flags.file === standardInputWord ? undefined : flags.file;
  // The files that the load itself uses. Nothing else may overwrite them.
  const inUse = [...kept(source, 'the source'), ...filesOfLedger(ledgerFiles(flags))];
  if (flags.plan !== undefined) await needPlanPlace(flags.plan, [...inUse, ...kept(flags.log, 'the log')]);
  const about = { name: basename(flags.file), kept: [...inUse, ...kept(flags.results, 'the place of the results')] };
  const listeners = await openListeners(flags, about, terminal, answer);
  return listeners.during(async () => {
    if (source !== undefined) await needFile(resolve(source));
    const choice = chooseService(flags);
    return withLedger(flags, (ledger) =>
      duringLoad({ terminal, answer, ledger, flags, choice, log: listeners.log }, async (dialog) => {
        const remember = remembering(flags, terminal);
        const { again = false, allOrNothing = false, trustResults = false } = flags;
        const options = {
          ...sendingOptions(flags, choice, dialog),
          again,
          allOrNothing,
          trustResults,
          expectations: expectationsOf(flags),
          likeLast: flags.expectLikeLast ?? null,
          plan: approvedPlan(flags, choice, ledger),
          limit: flags.limit ?? null,
        };
        const events = sendingEvents(dialog);
        if (flags.plan !== undefined) {
          const { plan, preview } = await planImport(options, ledger, events);
          remember();
          showPreview(dialog, preview);
          const code = tellPlan(plan, preview, flags.plan, terminal);
          answer.about({ service: plan.address });
          answer.giveLoad(countedJson(countedIn(preview)));
          return { code, result: null };
        }
        const confirm: SendingEvents['confirm'] = async (...asked) => {
          const isAgreed = (await mayTakeRefs(flags, terminal, ...asked)) && (await events.confirm(...asked));
          if (isAgreed) remember();
          return isAgreed;
        };
        const result = await importFile(options, dialog.connect, ledger, { ...events, confirm });
        const unlike = await listeners.unlike(result?.run ?? null, ledger);
        return { code: tellEnd(dialog, result), result, unlike };
      }),
    );
  });
}

/**
 * When Refs of the file name records of other files, asks once whether they start over in each file. The answer is kept for files
 * with the same headers; a mapping named by the person decides it without a question.
 *
 * @returns whether the load goes on
 */
async function mayTakeRefs(
  flags: FileFlags,
  terminal: Terminal,
  { takenRefs }: Preview,
  named: NamedMapping | null,
): Promise<boolean> {
  if (flags.yes || !terminal.isInteractive || flags.mapping !== undefined || takenRefs.length === 0) return true;
  const { keepMapping, plainMapping } = await import('../../load/kept-mapping.ts');
  const kind = flags.as === undefined ? null : recordKind(flags.as);
  const mapping = named?.mapping ?? (await plainMapping(flags.file, kind));
  // Without a mapping to keep, the preview shows the line to declare.
  if (mapping === null) return true;
  const startsOver = await terminal.ask(`${takenRefs.join('\n')}\nDo Refs start over in each file?`);
  const refScope = startsOver ? 'file' : 'service';
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-'));
  const path = rememberMapping(keepMapping({ ...mapping, refScope }, folder, flags.file), mappingsFolder);
  rmSync(folder, { recursive: true });
  terminal.say(`Your answer is kept in ${path} for files with exactly these headers.`);
  if (startsOver)
    terminal.say(
      'Run the same command again: from now on the Refs of such files name rows of their own. Put notes, payments and other rows that belong to them into the same workbook: in a file of their own, a Ref still names the earlier record.',
    );
  return !startsOver;
}

/** The same flags with an empty sandbox and ledger in their own folder. */
function afresh(flags: FileFlags, terminal: Terminal): FileFlags {
  if (!flags.sandbox || (flags.ledger ?? flags.sandboxData) !== undefined) throw errorOf('fresh-without-sandbox');
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-fresh-'));
  const fresh = { ...flags, ledger: join(folder, 'ledger.db'), sandboxData: join(folder, 'sandbox.db') };
  passFlagsOn(fresh);
  terminal.say(`A clean sandbox and a clean ledger are in ${folder}. Delete the folder when you are done with them.`);
  return fresh;
}

function approvedPlan({ plan, apply }: FileFlags, choice: ServiceChoice, ledger: Ledger): LoadPlan | null {
  const applied = apply === undefined ? null : readPlan(apply);
  if (plan !== undefined || choice.serviceProfile?.profile.approval !== 'other') return applied;
  if (applied === null) refuseUnapproved(choice);
  else needOtherMaker(applied, ledger);
  return applied;
}

function kept(path: string | undefined, what: string): readonly KeptFile[] {
  return path === undefined ? [] : [{ path, what }];
}

function needPlanPlace(path: string, kept: readonly KeptFile[]): Promise<void> {
  const isEarlier = (there: string) => {
    try {
      readPlan(there);
      return true;
    } catch {
      return false;
    }
  };
  return needWritable({ path, flag: '--plan', kept, what: 'plan', isEarlier });
}

function tellPlan(plan: LoadPlan, preview: Preview, path: string, terminal: Terminal): number {
  writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`);
  const [toSend, again] = [toSendOf(preview), preview.sheets.reduce((sum, { onceMore }) => sum + onceMore, 0)];
  const repeated = again === 0 ? '' : ` ${again} of them would be sent again: equal ones are already loaded.`;
  const next =
    toSend === 0
      ? 'There is nothing to load with it.'
      : `Load it with the same flags, but --apply ${shellWord(path)} in place of --plan.`;
  terminal.say(`${rows(toSend)} would be sent to ${plan.address}.${repeated}
Nothing was sent. The plan is in ${path}. ${next}`);
  return countedIn(preview).counts.invalid > 0 ? exitCodes.failedChecks : exitCodes.allIn;
}

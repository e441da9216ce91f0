/** `dealsheet export balances|deals|companies`: writes what the service has to a workbook, CSV or JSON. */
import { resolve } from 'node:path';
import { needFile } from '../../disk/file-pieces.ts';
import type { BalancesResult } from '../../export/export-balances.ts';
import { readByExport } from '../../export/export-file.ts';
import type { RecordsResult, RecordsWanted } from '../../export/export-records.ts';
import { type FoundIds, fileAndColumn, idsOfFile } from '../../export/id-source.ts';
import { isSandbox, serviceText } from '../../ledger/run-records.ts';
import { localDay } from '../../mapping/values/dates.ts';
import { shellWord } from '../../messages/commands.ts';
import { errorOf } from '../../messages/text.ts';
import type { ServiceClient } from '../../service/client.ts';
import { addressFlags, type Flags } from '../../settings/flags.ts';
import { chooseService, type ServiceSession } from '../../settings/service.ts';
import { camel, command, namesIn, standardInputWord } from '../command.ts';
import { exitCodes, interruption } from '../command-end.ts';
import { counted, listed, money, rounded, secondsSince } from '../formats.ts';
import { askService, tellPauses } from '../load-dialog.ts';
import type { Terminal } from '../terminal.ts';

const ofBalances = ['query', 'group-by', 'previous', 'key'] as const;
const ofRecords = ['id', 'ids', 'as-template'] as const;
const exportFlags = [
  ...[...addressFlags, ...ofBalances, ...ofRecords],
  ...(['output', 'columns', 'mask', 'format', 'lists', 'concurrency', 'rate'] as const),
  ...(['sandbox-data', 'json', 'quiet'] as const),
] as const;

interface ExportFlags extends Flags {
  readonly what: RecordsWanted | 'balances';
}

export const exportCommand = command({
  examples: [
    ['dealsheet export balances -o june.xlsx --profile live', 'the balance of every loan'],
    ['dealsheet export balances -o june.xlsx --previous may.xlsx --profile live', 'and what has changed since May'],
    ['dealsheet export deals --ids month.results.xlsx -o deals.xlsx --profile live', 'the deals of an import'],
    ['dealsheet export companies --ids ids.csv --as-template -o fix.xlsx --profile live', 'to correct and import'],
  ],
  positionals: {
    what: { choices: ['balances', 'deals', 'companies'], demandOption: true, describe: 'What to bring back' },
  },
  flags: exportFlags,
  own: {
    output: {
      describe: 'Where to write it (.xlsx, .csv, .json, .ndjson); by default a name of the day; - for standard output',
    },
    columns: { describe: 'The columns in their order: path, path=Label or path=Label:look; * for all others' },
  },
  takesDashAt: ['output'],
  run: async (flags, terminal, answer) => {
    refuseForeign(flags);
    const named = flags.output ?? `${flags.what}-${localDay(new Date())}.${flags.format ?? 'xlsx'}`;
    const output = named === standardInputWord ? null : resolve(named);
    if (flags.previous !== undefined) await needFile(resolve(flags.previous));
    const wanted = flags.what === 'balances' ? null : await wantedIds(flags.what, flags);
    if (flags.json && output === null) throw errorOf('export-output-twice');
    const choice = chooseService(flags);
    const interrupted = interruption(terminal, answer, {
      stopping: () => 'Stopping: an earlier file of that name stays unchanged.',
      left: () => errorOf('export-interrupted'),
    });
    const shared = {
      output,
      format: flags.format ?? null,
      columns: namesIn(flags.columns),
      mask: flags.mask !== 'none',
      now: new Date(),
      contract: choice.contract,
      signal: interrupted.signal,
    };
    const ask = async (client: ServiceClient, session: ServiceSession) => {
      if (wanted !== null) warnOfOtherService(wanted, session, terminal);
      const service = session.url.href;
      terminal.say(`Exporting ${flags.what} from ${service}.`);
      const began = performance.now();
      const tell = (result: BalancesResult | RecordsResult, lines: readonly string[]): void => {
        const seconds = rounded(secondsSince(began));
        const written = result.path === null ? [] : [`Written in ${seconds.toFixed(1)} s: ${result.path}`];
        terminal.say([...lines, ...written].join('\n'));
        answer.give({ service, ...result, seconds });
      };
      if (wanted === null) {
        const { exportBalances } = await import('../../export/export-balances.ts');
        const result = await exportBalances(
          { ...shared, ...balancesChoice(flags), service: serviceText(session.identity, session.url) },
          client,
          {
            onPage: (pages, records) => terminal.progress(() => `${records} records read on ${counted(pages, 'page')}`),
            onWritten: (records, of) => terminal.progress(() => `${records} of ${of} records written`),
          },
        );
        tell(result, balancesText(result));
        return exitCodes.allIn;
      }
      const { exportRecords } = await import('../../export/export-records.ts');
      const { asTemplate, lists = 'few', ids } = flags;
      const kept = ids === undefined ? [] : [readByExport(fileAndColumn(ids).path)];
      const records = { ...shared, ...wanted, service: session.identity, lists, asTemplate, kept } as const;
      const result = await exportRecords(records, client, {
        onRead: (read, of) => terminal.progress(() => `${read} of ${of} records read`),
      });
      tell(result, recordsText(result, wanted.wanted));
      if (asTemplate && result.path !== null)
        terminal.say(
          `Correct cells in it. What you do not change is not sent. Then import it into the same service with: ${importText(result.path, flags)}`,
        );
      return result.counts.found === result.counts.asked ? exitCodes.allIn : exitCodes.someNotIn;
    };
    return askService(choice, terminal, ask, tellPauses(terminal), interrupted.signal).finally(interrupted.stop);
  },
});

function importText(path: string, flags: ExportFlags): string {
  const service = (['profile', 'url', 'config'] as const).flatMap((name) => {
    const is = flags[name];
    return is === undefined ? [] : [`--${name}`, is];
  });
  const words = [path, '--as', 'company-updates', ...(flags.sandbox ? ['--sandbox'] : []), ...service];
  return ['dealsheet import', ...words.map(shellWord)].join(' ');
}

function refuseForeign(flags: ExportFlags): void {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const others: readonly string[] = flags.what === 'balances' ? ofRecords : ofBalances;
  const foreign = others.find((name) => ![undefined, false].includes(given[camel(name)] as undefined));
  if (foreign !== undefined) throw errorOf('export-other-flag', { flag: foreign, what: flags.what });
}

async function wantedIds(wanted: RecordsWanted, { id = [], ids: file }: ExportFlags) {
  const ofFile = file === undefined ? { path: '', ids: [], resultsOf: null } : await idsOfFile(file, wanted);
  const typed = id.map((one) => one.trim()).filter((one) => one !== '');
  const ids = [...new Set([...typed, ...ofFile.ids])];
  if (ids.length > 0) return { ...ofFile, wanted, ids };
  throw errorOf('export-without-ids', { what: wanted, file: file ?? null });
}

/** The same id may be another record in a rehearsal or another service. */
function warnOfOtherService(
  { path, resultsOf }: FoundIds,
  { url, identity }: ServiceSession,
  terminal: Terminal,
): void {
  if (resultsOf === null || resultsOf === url.href || isSandbox(identity)) return;
  terminal.warn(
    `${path} holds the results of a load into ${resultsOf}, but this export reads from ${url.href}, where the same id may be another record. If the two are not the same service, give --ids the results of a load into ${url.href}.`,
  );
}

function balancesChoice(flags: ExportFlags) {
  const query = (flags.query ?? []).map((text) => {
    const place = text.indexOf('=');
    if (place > 0) return [text.slice(0, place), text.slice(place + 1)] as const;
    throw errorOf('query-parameter', { text });
  });
  return {
    query,
    lists: flags.lists ?? ('count' as const),
    groupBy: namesIn(flags.groupBy),
    previous: flags.previous === undefined ? null : resolve(flags.previous),
    key: flags.key ?? null,
  };
}

function balancesText({ changes, ...result }: BalancesResult): readonly string[] {
  const pages = result.pages === 1 ? '' : ` on ${result.pages} pages`;
  const lines = [
    `${counted(result.records, 'balance')}${pages}.`,
    `Read from the answer: ${result.found}.`,
    ...Object.entries(result.totals).map(([label, sum]) => `  ${label}: ${money(sum)}`),
  ];
  if (changes === null) return [...lines, ...result.notices];
  const { before: file, added, gone, changed, same, amounts } = changes;
  return [
    ...lines,
    `Since ${file}: ${added} new, ${gone} gone, ${changed} changed, ${same} the same.`,
    ...amounts.map(([label, before, now, change]) => {
      const sign = change.startsWith('-') ? '' : '+';
      return `  ${label}: ${money(before)} → ${money(now)} (${sign}${money(change)})`;
    }),
    ...(result.format === 'xlsx' ? [] : ['The sheet Changes is written only into an .xlsx file.']),
    ...result.notices,
  ];
}

function recordsText({ counts, hidden, problems }: RecordsResult, wanted: RecordsWanted): readonly string[] {
  const { asked, found, notFound, failed } = counts;
  const missing = notFound + failed;
  return [
    `${found} of ${asked} ${wanted}.`,
    ...(hidden === 0
      ? []
      : [`${counted(hidden, 'value')} could not be shown, such as what the service masks: blank here.`]),
    ...(missing === 0 ? [] : [`${notFound} not found, ${failed} failed:`]),
    ...listed(problems, problems.length, missing).map((line) => `  ${line}`),
  ];
}

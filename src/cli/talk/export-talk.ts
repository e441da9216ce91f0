/** What a person is told while and after an export. */
import type { BalancesResult, ExportEvents } from '../../export/export-balances.ts';
import type { RecordsEvents, RecordsResult, RecordsWanted } from '../../export/export-records.ts';
import { shellWord } from '../../messages/commands.ts';
import { counted, listed, money } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function exportEvents({ wait }: Terminal): ExportEvents & RecordsEvents {
  return {
    onPage: (pages, records) => wait(() => `${records} records read on ${counted(pages, 'page')}`),
    onWritten: (records, of) => wait(() => `${records} of ${of} records written`),
    onRead: (read, of) => wait(() => `${read} of ${of} records read`),
  };
}

export function balancesText({ changes, ...result }: BalancesResult): readonly string[] {
  const pages = result.pages === 1 ? '' : ` on ${result.pages} pages`;
  const since =
    changes === null
      ? []
      : [
          `Since ${changes.before}: ${changes.added} new, ${changes.gone} gone, ${changes.changed} changed, ${changes.same} the same.`,
          ...changes.amounts.map(
            ([label, before, now, change]) =>
              `  ${label}: ${money(before)} → ${money(now)} (${change.startsWith('-') ? '' : '+'}${money(change)})`,
          ),
          ...(result.format === 'xlsx' ? [] : ['The sheet Changes is written into an .xlsx file alone.']),
        ];
  return [
    `${counted(result.records, 'balance')}${pages}.`,
    `Found ${result.found}.`,
    ...Object.entries(result.totals).map(([label, sum]) => `  ${label}: ${money(sum)}`),
    ...since,
    ...result.notices,
  ];
}

export function recordsText({ counts, problems }: RecordsResult, wanted: RecordsWanted): readonly string[] {
  const { asked, found, notFound, failed } = counts;
  const missing = notFound + failed;
  return [
    `${found} of ${asked} ${wanted}.`,
    ...(missing === 0 ? [] : [`${notFound} not found, ${failed} failed:`]),
    ...listed(problems, problems.length, missing).map((line) => `  ${line}`),
  ];
}

export function templateText(path: string): string {
  return `Correct cells in it. What you do not change is not sent. Then: dealsheet import ${shellWord(path)} --as company-updates, into the same service`;
}

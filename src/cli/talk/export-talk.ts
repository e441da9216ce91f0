/** What a person is told while and after an export. */

import type { BalancesResult, ExportEvents, RecordsResult, RecordsWanted } from '../../export/export-options.ts';
import { shellWord } from '../../messages/commands.ts';
import { counted, money } from '../terminal/figures.ts';
import { meanwhile } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ExportProgress extends ExportEvents {
  onRead(read: number, of: number): void;
  end(): void;
}

export function exportProgress(terminal: Terminal): ExportProgress {
  const line = meanwhile(terminal);
  return {
    onPage: (pages, records) => line.tell(() => `${records} records read on ${counted(pages, 'page')}`),
    onWritten: (records, of) => line.tell(() => `${records} of ${of} records written`),
    onRead: (read, of) => line.tell(() => `${read} of ${of} records read`),
    end: () => line.end(),
  };
}

export function balancesText(result: BalancesResult, seconds: number): string {
  const pages = result.pages === 1 ? '' : ` on ${result.pages} pages`;
  const { changes } = result;
  const totals = Object.entries(result.totals).map(([label, sum]) => `  ${label}: ${money(sum)}`);
  const lines = [
    `${counted(result.records, 'balance')}${pages} in ${seconds.toFixed(1)} s.`,
    `Found ${result.found}.`,
    ...totals,
    ...(changes === null
      ? []
      : [
          `Since ${changes.before}: ${changes.added} new, ${changes.gone} gone, ${changes.changed} changed, ${changes.same} the same.`,
          ...changes.amounts.map(
            ([label, before, now, change]) => `  ${label}: ${money(before)} → ${money(now)} (${signed(change)})`,
          ),
        ]),
    ...(changes !== null && result.format !== 'xlsx' ? ['The sheet Changes is written into an .xlsx file alone.'] : []),
    ...result.notices,
    ...(result.path === null ? [] : [`Written: ${result.path}`]),
  ];
  return lines.join('\n');
}

export function recordsText(
  result: RecordsResult,
  about: { readonly wanted: RecordsWanted; readonly asTemplate: boolean },
  seconds: number,
): string {
  const { asked, found, notFound, failed } = result.counts;
  const missing = notFound + failed;
  const more = missing - result.problems.length;
  return [
    `${found} of ${asked} ${about.wanted} in ${seconds.toFixed(1)} s.`,
    ...(missing === 0
      ? []
      : [`${notFound} not found, ${failed} failed:`, ...result.problems.map((text) => `  ${text}`)]),
    ...(missing > 0 && more > 0 ? [`  … and ${more} more`] : []),
    ...(result.path === null ? [] : [`Written: ${result.path}`]),
    ...(about.asTemplate && result.path !== null
      ? [
          `Correct cells in it. What you do not change is not sent. Then: dealsheet import ${shellWord(result.path)} --as company-updates, into the same service`,
        ]
      : []),
  ].join('\n');
}

function signed(digits: string): string {
  return digits.startsWith('-') ? money(digits) : `+${money(digits)}`;
}

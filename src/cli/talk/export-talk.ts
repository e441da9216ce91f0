/** What a person is told while and after an export. */

import type { BalancesResult, ExportEvents, RecordsResult, RecordsWanted } from '../../export/export-options.ts';
import { shellWord } from '../../messages/commands.ts';
import { terminalBar } from '../terminal/bar.ts';
import { counted, money } from '../terminal/figures.ts';
import { plainLineIntervalMs } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ExportProgress extends ExportEvents {
  onRead(read: number, of: number): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line every few seconds. */
export function exportProgress(terminal: Terminal, options: { readonly quiet: boolean }): ExportProgress {
  if (options.quiet) return { onPage() {}, onWritten() {}, onRead() {}, end() {} };
  return process.stderr.isTTY === true ? barOfExport() : linesOfExport(terminal);
}

function barOfExport(): ExportProgress {
  const bar = terminalBar();
  const show = (value: number, of: number, told: string) => bar.show(value, Math.max(of, value), told);
  return {
    onPage: (pages, records) => show(records, records, pages === 1 ? 'records read' : `records read, ${pages} pages`),
    onWritten: (records, of) => show(records, of, 'records written'),
    onRead: (read, of) => show(read, of, 'records read'),
    end: () => bar.end(),
  };
}

function linesOfExport(terminal: Terminal): ExportProgress {
  let told = performance.now();
  const tell = (text: string): void => {
    if (performance.now() - told < plainLineIntervalMs) return;
    told = performance.now();
    terminal.say(text);
  };
  return {
    onPage: (pages, records) => tell(`${records} records read on ${pages} pages`),
    onWritten: (records, of) => tell(`${records} of ${of} records written`),
    onRead: (read, of) => tell(`${read} of ${of} records read`),
    end: () => {},
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
  about: {
    readonly wanted: RecordsWanted;
    readonly notices: readonly string[];
    /** The flags that name the service to the import of a template, or `null` for a file that is none. */
    readonly serviceWords: string | null;
  },
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
    ...about.notices,
    ...(result.path === null ? [] : [`Written: ${result.path}`]),
    ...(about.serviceWords === null || result.path === null
      ? []
      : [
          `Correct cells in it. What you do not change is not sent. Then: dealsheet import ${shellWord(result.path)} --as company-updates ${about.serviceWords}`,
        ]),
  ].join('\n');
}

function signed(digits: string): string {
  return digits.startsWith('-') ? money(digits) : `+${money(digits)}`;
}

/** The page with a million rows in a real browser: what a person waits for, and what the browser holds. */
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createSheetWriter } from '../../src/report/results-file.ts';
import { chromiumFlags, chromiumPath } from '../builders/tools.ts';
import { newWorkplace } from '../builders/workplace.ts';
import { openPage } from '../page/open-page.ts';
import { machine } from './race.ts';
import { file, sampleFile } from './sample-files.ts';

const many = Number(process.env.DEALSHEET_ROWS ?? 1_000_000);
const beside = many / 10;
const [minutes, betweenMs] = [60_000, 50];
const headers = ['Deal id', 'Date', 'Amount', 'Type', 'Description', 'Reference'];

/** Every thousandth has an amount that is none, and one, far below, a day that there is not. */
function payment(number: number): readonly string[] {
  const day = number === Math.ceil(many * 0.7) ? '2026-02-31' : '2026-06-30';
  const amount = number % 1000 === 0 ? 'much' : (number / 100).toFixed(2);
  return [`deal_${number % 5000}`, day, amount, 'Payment', 'Daily debit', `ACH-${number}`];
}

/** @returns the table in Markdown */
export async function page(): Promise<string> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
  try {
    // First of all: what a browser with a million rows leaves behind slows the answers that are measured to the millisecond.
    const [checking, loading] = await withPage(browser, await sampleFile('csv', beside), answered);
    const csv = await withPage(browser, await paymentsCsv(), looked);
    const xlsx = await withPage(browser, await paymentsXlsx(), looked);
    const lines = csv.map(([what, figure], at) => `| ${what} | ${figure} | ${xlsx[at]?.[1]} |`);
    return `| ${many.toLocaleString('en-US')} payments on the page | CSV | XLSX |
|---|--:|--:|
${lines.join('\n')}

While ${beside.toLocaleString('en-US')} deals are checked, the slowest answer of the page's server takes ${checking}; while they are loaded, ${loading}.
${machine()}; service, page and browser share the machine.`;
  } finally {
    await browser.close();
  }
}

interface Open {
  readonly browser: Browser;
  readonly tab: Page;
  readonly url: string;
}

async function withPage<Result>(browser: Browser, source: string, use: (open: Open) => Promise<Result>) {
  const place = newWorkplace();
  const opened = await openPage(place, [source]);
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30 * minutes);
  try {
    await tab.goto(`file://${opened.door}`);
    await tab.waitForURL(`${opened.url}/`);
    return await use({ browser, tab, url: opened.url });
  } finally {
    await tab.close();
    await opened.stop();
    place.remove();
  }
}

async function looked({ browser, tab }: Open): Promise<readonly (readonly [what: string, figure: string])[]> {
  const cell = (row: number, text: string) => tab.locator(`[id^="cell-${row}-"]`, { hasText: text }).first().waitFor();
  const finding = (text: string) => tab.locator('.finding', { hasText: text }).click();
  const seconds = async (what: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return [what, `${((performance.now() - began) / 1000).toFixed(2)} s`] as const;
  };
  const read = await seconds('read, checked and decided', () => tab.getByText('What will happen').waitFor());
  return [
    read,
    await seconds('the first rows after that', () => cell(0, 'deal_1')),
    await seconds('Ctrl+End', async () => {
      await tab.getByRole('grid').press('Control+End');
      await cell(many - 1, `ACH-${many}`);
    }),
    await seconds(`the ${(many / 1000).toLocaleString('en-US')} rows with one finding`, async () => {
      await finding('much');
      await cell(0, 'much');
    }),
    await seconds('the only row with another', async () => {
      await finding('2026-02-31');
      await cell(0, '2026-02-31');
    }),
    await seconds('all rows that are not ready', async () => {
      await tab.getByRole('button', { name: 'Invalid' }).first().click();
      await cell(1, 'much');
    }),
    ...(await memoryOf(browser, tab)),
  ];
}

async function memoryOf(browser: Browser, tab: Page): Promise<readonly (readonly [string, string])[]> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapTotalSize')?.value ?? 0;
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = (await whole.send('SystemInfo.getProcessInfo')) as { processInfo: readonly Process[] };
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return [
    ['heap of the browser', megabytes(heap)],
    ['its largest process', megabytes(Math.max(...renderers))],
  ];
}

interface Process {
  readonly type: string;
  readonly id: number;
}

/** Its proportional share: what it has in common with other processes counts in parts. */
function residentOf(id: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** The slowest answers while a file is checked, and while it is loaded. */
async function answered({ tab, url }: Open): Promise<readonly [checking: string, loading: string]> {
  const key = String(await tab.evaluate("localStorage.getItem('dealsheet-key')"));
  const slowestUntil = async (end: Promise<unknown>) => {
    const times: number[] = [];
    let isOver = false;
    void end.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/api/state?after=0`, { headers: { 'x-dealsheet-key': key } })).arrayBuffer();
      times.push(performance.now() - began);
      await sleep(betweenMs);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const [median, slowest] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
    return `${Math.ceil(slowest)} ms of ${times.length} (median ${Math.ceil(median)} ms)`;
  };
  const checking = await slowestUntil(tab.getByText('What will happen').waitFor());
  await tab.getByRole('button', { name: /^Rehearse/ }).click();
  return [checking, await slowestUntil(tab.getByText('What became of the rows').waitFor())];
}

async function paymentsCsv(): Promise<string> {
  const out = createWriteStream(file('payments.csv'));
  out.write(`${headers.join(',')}\n`);
  for (let number = 1; number <= many; number += 1)
    if (!out.write(`${payment(number).join(',')}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
  return file('payments.csv');
}

async function paymentsXlsx(): Promise<string> {
  const writer = await createSheetWriter(file('payments.xlsx'), { mode: 0o644, properties: {} });
  const columns = headers.map(() => ({ width: 14 }));
  const sheet = await writer.addSheet({
    ...{ name: 'Transactions', columns },
  });
  await sheet.addRow(headers);
  for (let number = 1; number <= many; number += 1) await sheet.addRow(payment(number));
  await writer.finish();
  return file('payments.xlsx');
}

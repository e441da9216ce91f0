/** A month rehearsed and looked at in a real browser, from the links of the results sheet on. */
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { expectAccessible } from '../builders/accessible.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { readWorkbook } from '../builders/tables.ts';
import { chromiumFlags, chromiumPath, hasChromium } from '../builders/tools.ts';
import { root, type Workplace } from '../builders/workplace.ts';
import { startService } from '../faults/loads.ts';

const fixture = join(root, 'fixtures', 'monthly-load.xlsx');

describe.skipIf(!hasChromium())('the pages of the sandbox, in a browser', () => {
  let place: Workplace;
  let sandbox: RunningSandbox;
  let browser: Browser;
  let address: string;
  /** Everything that any page asked for or complained of. */
  const requested = new Set<string>();
  const complaints: string[] = [];

  beforeAll(async () => {
    [place, sandbox] = [workplaceHere(), await startService()];
    address = sandbox.url;
    const load = ['import', fixture, '--url', address, '--yes', '--results', 'results.xlsx'];
    const loaded = await place.run(load, { env: { DEALSHEET_TOKEN: 'sandbox-token' } });
    expect(loaded.exitCode, loaded.stderr).toBe(1);
    browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
    place?.remove();
  });

  async function open(url: string, size = { width: 1280, height: 900 }): Promise<Page> {
    const page = await browser.newPage({ viewport: size });
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    const answer = await page.goto(url);
    expect(answer?.status(), url).toBe(200);
    return page;
  }

  async function links(
    sheet: string,
  ): Promise<readonly { status: string; url: string; row: Record<string, unknown> }[]> {
    const rows = await readWorkbook(place.path('results.xlsx'), sheet);
    return rows
      .filter((row) => row.Status === 'Created')
      .map((row) => ({ status: String(row.Status), url: String(row.Link), row }));
  }

  it('every link of the results sheet leads to the page of its record', async () => {
    const companyNames = await links('Companies');
    const deals = await links('Deals');
    expect(companyNames.length).toBeGreaterThan(3);
    expect(deals.length).toBeGreaterThan(3);
    const page = await open(address);
    for (const { url, row } of [...companyNames, ...deals]) {
      expect((await page.goto(url))?.status(), url).toBe(200);
      const [, name] = Object.entries(row).find(([header]) => /^company name/i.test(header)) ?? [];
      if (typeof name === 'string') expect(await page.locator('h1').innerText()).toContain(name);
      expect(await page.locator('main').innerText()).toContain(String(row.ID));
    }
    await page.close();
  });

  it.each(['companies', 'attachments'])(
    'the list of %s is walked by keyboard alone: its first row leads on',
    async (kind) => {
      const page = await open(`${address}/${kind}`);
      const rows = page.locator('main table tbody tr');
      const all = await rows.count();
      expect(all).toBeGreaterThan(0);
      await rows.first().locator('a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/${kind}/`));
      await page.close();
    },
  );

  it.each([
    ['the first page', '/'],
    ['a list', '/deals'],
    ['a record', '/deals/deal_000001'],
  ])('%s can be used by everybody, on a phone and at a desk', async (_name, path) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${address}${path}`);
    await expectAccessible(page);
    await context.close();
  });

  it('asks nothing of anybody else, and complains of nothing', () => {
    expect([...requested]).toEqual([address]);
    expect(complaints).toEqual([]);
  });
});

/** The month without a command line, in a real browser: by mouse, and once more by keyboard alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { desk, expectAccessible } from '../builders/accessible.ts';
import { created, startRecordingService } from '../builders/recording-service.ts';
import { readWorkbook } from '../builders/tables.ts';
import { chromiumPath, hasChromium } from '../builders/tools.ts';
import { environmentOf, main, newWorkplace, root, type Workplace } from '../builders/workplace.ts';
import { type Opened, openPage } from './open-page.ts';

const fixtures = join(root, 'fixtures');
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet];

describe.skipIf(!hasChromium())('the page, in a browser', () => {
  let browser: Browser;
  let place: Workplace;
  let opened: Opened | null = null;
  let context: BrowserContext;
  const complaints: string[] = [];
  const origins = new Set<string>();
  const others: ChildProcess[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: flags });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    complaints.length = 0;
    origins.clear();
    place = newWorkplace();
    copyFileSync(join(fixtures, 'monthly-load.xlsx'), place.path('month.xlsx'));
    cpSync(join(fixtures, 'statements'), place.path('statements'), { recursive: true });
    context = await browser.newContext({ viewport: desk, acceptDownloads: true });
  });
  afterEach(async () => {
    await context.close();
    await opened?.stop();
    opened = null;
    for (const other of others.splice(0)) other.kill();
    place.remove();
    expect(complaints).toEqual([]);
    expect([...origins].filter((origin) => !/^(http:\/\/127\.0\.0\.1:\d+|null|blob:.*)$/.test(origin))).toEqual([]);
  });

  /** A tab that writes down whatever it complains of. */
  async function newTab(): Promise<Page> {
    const page = await context.newPage();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // That an answer was no, or that the server is gone, is told by the page itself.
      if (message.type() !== 'log' && !/status of 4\d\d|ERR_CONNECTION/.test(message.text()))
        complaints.push(message.text());
    });
    return page;
  }

  async function open(words: readonly string[] = [], further = {}): Promise<Page> {
    opened = await openPage(place, words, further);
    const page = await newTab();
    await page.goto(`file://${opened.door}`);
    await page.waitForURL(`${opened.url}/`);
    return page;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const wrongAmount = (page: Page) => page.getByRole('gridcell', { name: '-500' }).last();
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

  async function saved(page: Page, press: () => Promise<void>): Promise<string> {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    const path = place.path(download.suggestedFilename());
    await download.saveAs(path);
    return path;
  }

  /** The service of a profile `live`: a sandbox that takes its time. */
  async function slowService(latency: string): Promise<void> {
    const words = ['sandbox', '--data', place.path('live.db'), '--port', '0', '--latency', latency];
    const env = environmentOf(place.folder, {});
    const child = spawn(process.execPath, [main, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    others.push(child);
    for await (const line of createInterface({ input: child.stderr })) {
      const [, token = '', url = ''] = /DEALSHEET_TOKEN=(\S+) .* --url (\S+)/.exec(line) ?? [];
      if (url === '') continue;
      keepProfile(url, token);
      child.stderr.resume();
      return;
    }
  }

  function keepProfile(url: string, token: string): void {
    const folder = join(place.folder, 'config', 'dealsheet');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'live.token'), token, { mode: 0o600 });
    const profiles = { live: { url, tokenFile: 'live.token' } };
    writeFileSync(join(folder, 'dealsheet.config.json'), JSON.stringify({ profiles }));
  }

  it('the month by mouse: drop, look, put right, undo, rehearse, download', async () => {
    const page = await open();
    await heading(page, 'Drop a file here').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Choose a file').setInputFiles(place.path('month.xlsx'));
    await heading(page, 'What will happen').waitFor();
    await button(page, 'Rehearse: send 64 rows').waitFor();
    await expectAccessible(page);
    await button(page, /Merchnat.* is not one of the allowed values/).click();
    await page.getByText('(1 of 1)').waitFor();
    await page.getByLabel(/Replace “Merchnat”/).selectOption('Merchant');
    await page.getByRole('listitem').filter({ hasText: 'Merchnat' }).getByRole('button', { name: 'Replace' }).click();
    await button(page, 'Rehearse: send 66 rows').waitFor();
    await page.getByText('every “Merchnat” is now “Merchant”').waitFor();
    await button(page, /^Deals \(17\)/).click();
    const wrong = wrongAmount(page);
    await wrong.dblclick();
    await page.getByLabel('Amount requested').fill('500');
    await page.keyboard.press('Enter');
    await button(page, 'Rehearse: send 68 rows').waitFor();
    await button(page, /^Undo Deals/).click();
    await button(page, 'Rehearse: send 66 rows').waitFor();
    await button(page, /Rehearse/).click();
    await heading(page, 'What came of it').waitFor();
    await page.getByText('66 Created').waitFor();
    await expectAccessible(page);
    const results = await saved(page, () => button(page, 'Download results').click());
    const companies = await readWorkbook(results, 'Companies');
    expect(companies.filter(({ Status }) => Status === 'Created')).toHaveLength(13);
    expect(JSON.stringify(companies)).not.toContain('Merchnat');
    const wrongRows = await readWorkbook(await saved(page, () => button(page, 'Only the wrong rows').click()), 'Deals');
    expect(wrongRows.every(({ Status }) => Status !== 'Created')).toBe(true);
    await button(page, 'Balances').click();
    const balances = await saved(page, () => button(page, /Bring the balances/).click());
    expect(balances).toMatch(/balances-\d{4}-\d\d-\d\d\.xlsx$/);
    await expectAccessible(page);
    await button(page, 'Back to the file').isHidden();
    await button(page, 'This file').click();
    await button(page, 'Back to the file').click();
    await button(page, /^66\s+Already loaded|^\d+ Already loaded/)
      .first()
      .waitFor();
  });

  it('the month by keyboard alone', async () => {
    const page = await open(['month.xlsx']);
    await heading(page, 'What will happen').waitFor();
    const grid = page.getByRole('grid');
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const tabTo = async (name: string | RegExp, role: 'button' | 'grid' = 'button') => {
      const target = page.getByRole(role, { name }).first();
      for (let step = 0; step < 200; step += 1) {
        if ((await target.and(page.locator(':focus')).count()) === 1) return;
        await press('Tab');
      }
      throw new Error(`No tab stop: ${name}`);
    };
    const active = async () => (await page.locator('.cell.active').textContent()) ?? '';
    await tabTo(/^Deals \(17\)/);
    await press('Enter');
    await tabTo('Rows of Deals', 'grid');
    await grid.and(page.locator('[aria-rowcount="18"]')).waitFor();
    await press('End');
    await page.locator('[role=grid][aria-activedescendant^=cell-0-]').waitFor();
    await press('Control+End', 'Control+Home', 'ArrowDown', 'ArrowRight', 'ArrowRight');
    await expect.poll(active).not.toBe('');
    const first = await active();
    await press('F2');
    await page.keyboard.type('-X');
    await press('Escape');
    await expect.poll(active).toBe(first);
    await wrongAmount(page).waitFor();
    const column = await placeOf(page);
    await press('Control+Home', ...Array.from({ length: column.column }, () => 'ArrowRight'));
    await press(...Array.from({ length: column.row }, () => 'ArrowDown'));
    await expect.poll(active).toContain('-500');
    await page.keyboard.type('700');
    await press('Enter');
    await page.getByText(/row \d+, “-500” is now “700”/).waitFor();
    await page.getByRole('grid').and(page.locator('[aria-busy="false"]')).waitFor();
    await expect.poll(() => grid.and(page.locator(':focus')).count()).toBe(1);
    await press('Control+z');
    await heading(page, 'Your changes').waitFor({ state: 'detached' });
    await page.getByRole('grid').and(page.locator('[aria-busy="false"]')).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await tabTo(/^Rehearse/);
    await press('Enter');
    await heading(page, 'What came of it').waitFor();
    await tabTo('Download results');
    await saved(page, () => press('Enter'));
  });

  async function placeOf(page: Page): Promise<{ readonly row: number; readonly column: number }> {
    const id = (await wrongAmount(page).getAttribute('id')) ?? '';
    const [, row = '0', column = '0'] = /cell-(\d+)-(\d+)/.exec(id) ?? [];
    return { row: Number(row), column: Number(column) };
  }

  it('reads somebody else’s file, this month and every month', async () => {
    const foreign = (...rows: readonly string[]) =>
      ['Merchant nm,Funding ask,Contact,Kind,Tax SSN', ...rows].join('\n');
    writeFileSync(place.path('broker.csv'), foreign('Acme,100,Roe,Trust,219-09-9999', 'Bell,200,Lee,LLC,219-09-8888'));
    const page = await open(['broker.csv']);
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('What the rows are').selectOption('deals');
    await button(page, 'Say what each column is').click();
    await page.getByText('such as Acme | Bell').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('219-09');
    const fields = { 'Merchant nm': 'Company name', 'Funding ask': 'Amount requested', Contact: 'Owner 1 last name' };
    for (const [header, field] of Object.entries({ ...fields, Kind: 'Entity type', 'Tax SSN': 'Owner 1 SSN' }))
      await page.getByLabel(header).selectOption(field);
    await expectAccessible(page);
    await button(page, 'Read it so').click();
    await button(page, 'Rehearse: send 1 row').waitFor();
    await page.getByLabel(/Replace “Trust”/).selectOption('LLC');
    await page.getByLabel('every month').check();
    await button(page, 'Replace').click();
    await button(page, 'Rehearse: send 2 rows').waitFor();
    writeFileSync(place.path('december.csv'), foreign('Cole,300,Kim,Trust,219-09-7777'));
    await page.getByLabel('Another file').setInputFiles(place.path('december.csv'));
    await heading(page, 'december.csv').waitFor();
    await button(page, 'Rehearse: send 1 row').click();
    await page.getByText('1 Created').waitFor();
  });

  it('stops, closes the tab, opens it again and goes on', async () => {
    await slowService('400');
    const page = await open(['month.xlsx']);
    await page.getByLabel('Service').selectOption({ label: (await optionOf(page, 'live')) ?? '' });
    await button(page, /^Send 66 rows to live/).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('312,511.25').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await heading(page, /^Sending 66 rows/).waitFor();
    await expectAccessible(page);
    await button(page, 'Stop').click();
    await heading(page, 'Stopped before its end').waitFor();
    await page.close();
    const again = await newTab();
    await again.goto(`${opened?.url}/`);
    await heading(again, 'Stopped before its end').waitFor();
    await button(again, 'Go on').click();
    await heading(again, 'What came of it').waitFor();
    await again.getByText('66 Created').waitFor();
    const second = await newTab();
    await second.goto(`${opened?.url}/`);
    await second.getByText('66 Created').waitFor();
  });

  async function optionOf(page: Page, name: string): Promise<string | null> {
    return page.getByLabel('Service').locator('option').filter({ hasText: name }).textContent();
  }

  it('P4: killed in the middle of a load and started again, offers to go on', async () => {
    await slowService('300');
    const page = await open(['month.xlsx', '--profile', 'live']);
    await button(page, /^Send 66 rows to live/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/\d+ Created/).waitFor();
    await opened?.stop('SIGKILL');
    await page.getByText('This page has ended.').waitFor();
    const again = await open();
    await button(again, 'Earlier loads').click();
    await button(again, 'Go on').click();
    await heading(again, 'What came of it').waitFor();
    await again.getByText(/\d+ Created/).waitFor();
    expect(await again.getByText(/\d+ (Created|In doubt)/).allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/Created/)]),
    );
  });

  it('settles a doubt by a link that is pasted, and another by saying that it is not there', async () => {
    const names = ['Acme', 'Bell', 'Cole'];
    const service = await startRecordingService(({ method, path }, number) => {
      if (method === 'POST') return number > 1 && number < 4 ? { status: 500, body: '{}' } : created(number);
      const [, id = ''] = /\/v1\/company\/(\w+)/.exec(path) ?? [];
      return { status: 200, body: JSON.stringify({ id, name: 'Bell', contactTypes: ['Merchant'] }) };
    });
    try {
      keepProfile(service.url, 'token');
      const lines = names.map((name) => `${name},Merchant`);
      writeFileSync(place.path('companies.csv'), ['Company name,Contact types', ...lines].join('\n'));
      const page = await open(['companies.csv', '--profile', 'live']);
      await button(page, /^Send 3 rows to live/).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
      await button(page, 'Settle 2 rows in doubt').click();
      await button(page, '2 rows in doubt').click();
      const card = page.getByRole('listitem').filter({ hasText: 'Company name "Bell"' }).last();
      await card.waitFor();
      await expectAccessible(page);
      await card.getByLabel('Its link or id').fill('https://service.example/app/companies/cmp_77');
      await card.getByRole('button', { name: 'It is there' }).click();
      await button(page, '1 row in doubt').waitFor();
      await button(page, 'It is not there').click();
      await page.getByText('2 Created').waitFor();
    } finally {
      await service.stop();
    }
  });

  it('shows scripts in cells, names and answers as text, and masks what is sensitive until it is asked for', async () => {
    const script = '<img src=x onerror=alert(1)>';
    const service = await startRecordingService((_, number) => {
      const answer = { success: true, id: `rec_${number}`, company: { id: 'c' }, url: 'javascript:alert(1)' };
      return number === 1
        ? { status: 201, body: JSON.stringify(answer) }
        : { status: 422, body: `{"message":"${script}"}` };
    });
    try {
      keepProfile(service.url, 'token');
      const header = `Amount requested,Company name,Owner last name,Owner 1 SSN,(${script})`;
      const rows = [`1,${script},Roe,219-09-9999,x`, `2,Bell,Lee,219-09-8888,${script}`];
      writeFileSync(place.path(`${script.replaceAll('/', '')}.csv`), [header, ...rows].join('\n'));
      const page = await open([`${script}.csv`, '--profile', 'live']);
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.getByText('***-**-****').first().waitFor();
      expect(await page.locator('main').textContent()).not.toContain('219-09');
      await page.getByText('***-**-****').first().click();
      await button(page, 'Show this cell').click();
      await page.getByText('219-09-9999').waitFor();
      expect(await page.locator('main').textContent()).not.toContain('219-09-8888');
      await button(page, /^Send 2 rows to live/).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('1 Created').waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('Control+End');
      await page.locator('.detail').getByText(`${script}.`).waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('a').count()).toBe(0);
    } finally {
      await service.stop();
    }
  });
});

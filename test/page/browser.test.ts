/** The month without a command line, in a real browser: by mouse, and by keyboard alone; of all of it in the long form. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { desk, expectAccessible } from '../builders/accessible.ts';
import { created, startRecordingService } from '../builders/recording-service.ts';
import { readWorkbook } from '../builders/tables.ts';
import { chromiumFlags, chromiumPath, hasChromium } from '../builders/tools.ts';
import { newWorkplace, root, type Workplace } from '../builders/workplace.ts';
import { startService } from '../faults/loads.ts';
import { type Opened, openPage, spoken } from './open-page.ts';

/** How a person does something. */
interface Hand {
  readonly name: string;
  press(target: Locator): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
}

const mouse: Hand = {
  name: 'mouse',
  press: (target) => target.click(),
  choose: async (target, label) => {
    await target.selectOption({ label });
  },
  write: (target, text) => target.fill(text),
};

const keyboard: Hand = {
  name: 'keyboard',
  press: async (target) => {
    await tabTo(target);
    await target.press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
  },
  choose: async (target, label) => {
    await tabTo(target);
    await target.page().keyboard.type(label);
  },
  write: async (target, text) => {
    await tabTo(target);
    await target.page().keyboard.type(text);
  },
};

const mostTabs = 300;
const small = { width: 1000, height: 680 };

async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < mostTabs; step += 1) {
    if ((await target.and(target.page().locator(':focus')).count()) === 1) return;
    await target.page().keyboard.press('Tab');
  }
  throw new Error(`No tab stop: ${target}`);
}

const hands = process.env.DEALSHEET_LONG === '1' ? [mouse, keyboard] : [mouse];

const fixtures = join(root, 'fixtures');

describe.skipIf(!hasChromium())('the page, in a browser', () => {
  let browser: Browser;
  let place: Workplace;
  let opened: Opened | null = null;
  let context: BrowserContext;
  const complaints: string[] = [];
  const origins = new Set<string>();
  const services: RunningSandbox[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
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
    for (const service of services.splice(0)) await service.stop();
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

  /** `DEALSHEET_UPDATE=1` takes the pictures of the docs anew. */
  async function picture(page: Page, name: string, from: string, size = small): Promise<void> {
    if (process.env.DEALSHEET_UPDATE !== '1') return;
    await page.setViewportSize(size);
    await page.locator(from).first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}.png`) });
    await page.setViewportSize(desk);
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
  async function slowService(milliseconds: number): Promise<void> {
    const service = await startService({ latency: { from: milliseconds, to: milliseconds } });
    services.push(service);
    keepProfile(service.url, 'sandbox-token');
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
    // No file that can be read, and yet the page is still there.
    await chooseAsIs(page, place.path('statements'));
    await page.getByText('statements cannot be read.').waitFor();
    await drop(page, 'month.xlsx', 'month.xlsx');
    await page.getByText('Only one file is open at a time.').waitFor();
    await drop(page, 'month.xlsx');
    await heading(page, 'What will happen').waitFor();
    await button(page, 'Rehearse: send 64 rows').waitFor();
    await expectAccessible(page);
    await picture(page, 'preview', 'header', desk);
    await button(page, /Merchnat.* is not one of the allowed values/).click();
    // Its cell is in sight and active, so that it can be put right there, too.
    await page.locator('.detail').getByText('Row 14 (1 of 1) · Contact types *: Merchnat').waitFor();
    await page.locator('.cell.active.error').getByText('Merchnat').waitFor();
    const misspelt = page.getByRole('listitem').filter({ hasText: 'Merchnat' });
    expect(await misspelt.getByRole('button', { name: 'Replace' }).isDisabled()).toBe(true);
    await page.getByLabel('Replace “Merchnat” in all rows of Contact types * with').selectOption('Merchant');
    await misspelt.getByRole('button', { name: 'Replace' }).click();
    await button(page, 'Rehearse: send 66 rows').waitFor();
    await page.getByText('every “Merchnat” is now “Merchant”').waitFor();
    await button(page, /^Deals \(17\)/).click();
    await wrongAmount(page).dblclick();
    await picture(page, 'grid', '.detail .bar');
    await page.getByLabel('Amount requested *', { exact: true }).fill('500');
    // An edit that is left open goes before the load, which the person has not seen then.
    await button(page, /Rehearse/).click({ force: true });
    await button(page, 'Rehearse: send 68 rows').waitFor();
    await button(page, /^Undo Deals/).click();
    await button(page, 'Rehearse: send 66 rows').waitFor();
    await button(page, /Rehearse/).click();
    await heading(page, 'What became of the rows').waitFor();
    await page.getByText('66 Created').waitFor();
    await expectAccessible(page);
    await page.getByText('This was a rehearsal: nothing was sent.').waitFor();
    await page.getByLabel('Show').selectOption('Invalid');
    await page.getByText(/of [1-6]\) · Status: Invalid/).waitFor();
    const results = await saved(page, () => button(page, 'Download results').click());
    const companies = await readWorkbook(results, 'Companies');
    expect(companies.filter(({ Status }) => Status === 'Created')).toHaveLength(13);
    expect(JSON.stringify(companies)).not.toContain('Merchnat');
    const wrongRows = await readWorkbook(await saved(page, () => button(page, 'Only the wrong rows').click()), 'Deals');
    expect(wrongRows.every(({ Status }) => Status !== 'Created')).toBe(true);
    await button(page, 'Balances').click();
    const balances = await saved(page, () => button(page, /Download the balances/).click());
    expect(balances).toMatch(/balances-\d{4}-\d\d-\d\d\.xlsx$/);
    await expectAccessible(page);
    await button(page, 'Back to the file').isHidden();
    await button(page, 'This file').click();
    await button(page, 'Back to the file').click();
    await button(page, /^66\s+Already loaded|^\d+ Already loaded/)
      .first()
      .waitFor();
    expect(await button(page, 'There is nothing to send').isDisabled()).toBe(true);
  });

  async function drop(page: Page, ...names: readonly string[]): Promise<void> {
    const files = names.map((name) => ({ name, bytes: [...readFileSync(place.path(name))] }));
    const dataTransfer = await page.evaluateHandle(
      `(() => {
        const carried = new DataTransfer();
        for (const { name, bytes } of ${JSON.stringify(files)})
          carried.items.add(new File([Uint8Array.from(bytes)], name));
        return carried;
      })()`,
    );
    await page.dispatchEvent('main', 'dragover', { dataTransfer });
    await page.dispatchEvent('main', 'drop', { dataTransfer });
  }

  /** Chooses what no dialog of a browser would give, but a drop does. */
  async function chooseAsIs(page: Page, path: string): Promise<void> {
    const browserItself = await context.newCDPSession(page);
    const { root: tree } = await browserItself.send('DOM.getDocument');
    const { nodeId } = await browserItself.send('DOM.querySelector', { nodeId: tree.nodeId, selector: 'input' });
    await browserItself.send('DOM.setFileInputFiles', { nodeId, files: [path] });
  }

  it('the month by keyboard alone', async () => {
    const page = await open(['month.xlsx']);
    await heading(page, 'What will happen').waitFor();
    const grid = page.getByRole('grid');
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const active = async () => (await page.locator('.cell.active').textContent()) ?? '';
    await keyboard.choose(page.getByLabel(/Replace “Merchnat”/), 'Merchant');
    await keyboard.press(button(page, 'Replace').first());
    await button(page, 'Rehearse: send 66 rows').waitFor();
    await keyboard.press(button(page, /^Deals \(17\)/));
    await tabTo(page.getByRole('grid', { name: 'Rows of Deals' }));
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
    await page.getByText('is now “700”').waitFor({ state: 'detached' });
    await page.getByRole('grid').and(page.locator('[aria-busy="false"]')).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await keyboard.press(button(page, /^Rehearse/));
    await heading(page, 'What became of the rows').waitFor();
    await saved(page, () => keyboard.press(button(page, 'Download results')));
    await keyboard.press(button(page, 'Balances'));
    await saved(page, () => keyboard.press(button(page, /Download the balances/)));
  });

  async function placeOf(page: Page): Promise<{ readonly row: number; readonly column: number }> {
    const id = (await wrongAmount(page).getAttribute('id')) ?? '';
    const [, row = '0', column = '0'] = /cell-(\d+)-(\d+)/.exec(id) ?? [];
    return { row: Number(row), column: Number(column) };
  }

  it.each(hands)('reads somebody else’s file, this month and every month, by $name', async (hand) => {
    const foreign = (...rows: readonly string[]) =>
      ['Merchant nm,Funding ask,Contact,Kind,Tax SSN', ...rows].join('\n');
    place.write('broker.csv', foreign('Acme,100,Roe,Trust,219-09-9999', 'Bell,200,Lee,LLC,219-09-8888'));
    const page = await open(['broker.csv']);
    await page.getByRole('alert').filter({ hasText: 'Say under “How it is read”' }).waitFor();
    expect(await page.getByRole('alert').textContent()).not.toContain('--');
    await hand.choose(page.getByLabel('What the rows are'), 'Leads');
    await hand.press(button(page, 'Say what each column is'));
    await hand.choose(page.getByLabel('What its rows are'), 'Deals');
    await page.getByText('such as Acme | Bell').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('219-09');
    const fields = { 'Merchant nm': 'Company name', 'Funding ask': 'Amount requested', Contact: 'Owner 1 last name' };
    for (const [header, field] of Object.entries({ ...fields, Kind: 'Entity type', 'Tax SSN': 'Owner 1 SSN' }))
      await hand.choose(page.getByLabel(header), field);
    await expectAccessible(page);
    await hand.press(button(page, 'Use these columns'));
    await button(page, 'Rehearse: send 1 row').waitFor();
    await page.getByText('The columns are read as “How it is read” shows on the page.').waitFor();
    await hand.choose(page.getByLabel(/Replace “Trust”/), 'LLC');
    await hand.press(page.getByLabel('every month'));
    await hand.press(button(page, 'Replace'));
    await button(page, 'Rehearse: send 2 rows').waitFor();
    place.write('december.csv', foreign('Cole,300,Kim,Trust,219-09-7777'));
    await drop(page, 'december.csv');
    await heading(page, 'december.csv').waitFor();
    await hand.press(button(page, 'Rehearse: send 1 row'));
    await page.getByText('1 Created').waitFor();
  });

  it.each(hands)('stops, closes the tab, opens it again and goes on, by $name', async (hand) => {
    await slowService(400);
    const page = await open(['month.xlsx']);
    await hand.choose(page.getByLabel('Service'), (await optionOf(page, 'live')) ?? '');
    await hand.press(button(page, /^Send 66 rows to live/));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('312,511.25').waitFor();
    await expectAccessible(page);
    await hand.press(dialog.getByRole('button', { name: 'Send', exact: true }));
    if (process.env.DEALSHEET_UPDATE === '1') await page.getByText(/\d+ Created/).waitFor();
    await picture(page, 'load', 'header');
    await hand.press(button(page, 'Stop'));
    await heading(page, 'Stopped early').waitFor();
    await page.close();
    const again = await newTab();
    await again.goto(`${opened?.url}/`);
    await heading(again, 'Stopped early').waitFor();
    await hand.press(button(again, 'Go on'));
    await heading(again, 'What became of the rows').waitFor();
    await again.getByText('66 Created').waitFor();
    const second = await newTab();
    await second.route('**/api/state?after=0', (route) => route.abort('connectionrefused'), { times: 1 });
    await second.goto(`${opened?.url}/`);
    await second.getByText('66 Created').waitFor();
  });

  async function optionOf(page: Page, name: string): Promise<string | null> {
    return page.getByLabel('Service').locator('option').filter({ hasText: name }).textContent();
  }

  it('P4: killed in the middle of a load and started again, offers to go on', async () => {
    await slowService(300);
    const page = await open(['month.xlsx', '--profile', 'live']);
    await button(page, /^Send 66 rows to live/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/\d+ Created/).waitFor();
    await opened?.stop('SIGKILL');
    await page.getByText('This page has ended.').waitFor();
    const key = String(await page.evaluate("localStorage.getItem('dealsheet-key')"));
    const again = await open();
    const withOldKey = await spoken(`${opened?.url}/api/state`, { headers: { 'x-dealsheet-key': key } });
    expect(withOldKey.status).toBe(401);
    await again.getByText('Rehearsal: nothing leaves this computer.').waitFor();
    await button(again, 'Earlier loads').click();
    await button(again, 'Go on').click();
    await again.getByText(/^Real: http/).waitFor();
    await heading(again, 'What became of the rows').waitFor();
    expect(await again.getByText('This was a rehearsal').count()).toBe(0);
    await again.getByText(/\d+ Created/).waitFor();
    expect(await again.getByText(/\d+ (Created|In doubt)/).allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/Created/)]),
    );
  });

  it.each(hands)('settles a doubt by a link, and another by saying that it is not there, by $name', async (hand) => {
    const names = ['Acme', 'Bell', 'Cole', 'Dora'];
    let release = () => {};
    const looked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const failing = new Set(names.slice(1));
    const service = await startRecordingService(async ({ method, path, body }, number) => {
      await looked;
      if (method === 'POST')
        return failing.delete(JSON.parse(body).name) ? { status: 500, body: '{}' } : created(number);
      const [, id = ''] = /\/v1\/company\/(\w+)/.exec(path) ?? [];
      return { status: 200, body: JSON.stringify({ id, name: 'Bell', contactTypes: ['Merchant'] }) };
    });
    try {
      keepProfile(service.url, 'token');
      const lines = names.map((name) => `${name},Merchant`);
      place.write('companies.csv', ['Company name,Contact types', ...lines].join('\n'));
      const page = await open(['companies.csv', '--profile', 'live']);
      await hand.press(button(page, /^Send 4 rows to live/));
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
      await heading(page, 'Sending 4 rows').waitFor();
      await expectAccessible(page);
      release();
      await hand.press(button(page, 'Settle 3 rows in doubt'));
      const cardOf = (name: string, tab = page) =>
        tab
          .getByRole('listitem')
          .filter({ hasText: `Company name “${name}”` })
          .last();
      const card = cardOf('Bell');
      await card.waitFor();
      await expectAccessible(page);
      await picture(page, 'doubts', 'header');
      expect(await page.getByRole('link', { name: 'the service' }).getAttribute('href')).toContain(service.url);
      const other = await newTab();
      await other.goto(page.url());
      await hand.press(button(other, 'Earlier loads'));
      await hand.press(button(other, '3 rows in doubt'));
      await cardOf('Bell', other).waitFor();
      await hand.write(card.getByLabel('Its link or id'), 'https://service.example/app/companies/cmp_77');
      await hand.press(card.getByRole('button', { name: 'It is there' }));
      await button(page, '2 rows in doubt').waitFor();
      await hand.press(cardOf('Bell', other).getByRole('button', { name: 'It is not there' }));
      await other.getByText('was settled as cmp_77 before. This "not created" may be older').waitFor();
      await hand.write(cardOf('Dora').getByLabel('Its link or id'), 'created');
      await hand.press(cardOf('Dora').getByRole('button', { name: 'It is there' }));
      await button(page, '1 row in doubt').waitFor();
      await hand.press(button(page, 'It is not there'));
      await page.getByText('3 Created').waitFor();
      await hand.press(page.getByText('3 rows settled'));
      await hand.write(cardOf('Cole').getByLabel('Its link or id'), 'created');
      await hand.press(cardOf('Cole').getByRole('button', { name: 'It is there' }));
      await page.getByText('was settled as not created before; now it is created.').waitFor();
      // The view of the file has the answers, too.
      await hand.press(button(page, 'This file'));
      await page.getByText('4 Created').waitFor();
      await button(page, /Settle/).waitFor({ state: 'detached' });
      await saved(page, () => hand.press(button(page, 'Download results')));
      await page.getByText('Saved to your downloads.').waitFor();
      await page.route('**/api/want', (route) => route.abort('connectionrefused'));
      await hand.press(button(page, 'Download results'));
      await page.getByRole('alert').waitFor();
      expect(await page.getByText('Saved to your downloads.').count()).toBe(0);
    } finally {
      release();
      await service.stop();
    }
  });

  it('changes all that is pasted, or says that it does not fit', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `Firm ${at},Merchant,"one\ntwo"`);
    place.write('firms.csv', ['Company name,Contact types,Note', ...lines].join('\n'));
    const page = await open(['firms.csv']);
    await button(page, 'Rehearse: send 400 rows').waitFor();
    const clipboard = (kind: 'copy' | 'paste', text: string) =>
      page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        const event = new ClipboardEvent('${kind}', { clipboardData, bubbles: true, cancelable: true });
        document.querySelector('[role=grid]').dispatchEvent(event);
        return clipboardData.getData('text/plain');
      })()`);
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `New ${at}\tBroker\t"a ""b""\nc"\r\n`).join('');
    await page.getByRole('gridcell', { name: 'Firm 0' }).click();
    // More rows than the page has asked for, and each of them is changed.
    await clipboard('paste', names(400));
    await page.getByText('“Firm 399” is now “New 399”').waitFor();
    await page.getByText('row 2, “one two” is now “a "b" c”').waitFor();
    expect(await page.locator('.changes li').count()).toBe(1200);
    await page.getByRole('grid').and(page.locator('[aria-busy="false"]')).waitFor();
    await clipboard('paste', names(401));
    await page.getByText('There are not as many rows or columns here.').waitFor();
    await page.keyboard.press('Control+Shift+End');
    expect(await clipboard('copy', 'as before')).toBe('as before');
    await page.getByText('Only rows that have been shown can be copied.').waitFor();
    // A text of two lines is edited as such.
    await page.keyboard.press('Control+Home');
    await page.getByRole('gridcell', { name: 'a "b"' }).first().dblclick();
    await page.getByRole('textbox', { name: 'Note' }).press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.getByText('is now “a "b" c!”').waitFor();
  });

  it('shows scripts in cells, names and answers as text, and masks what is sensitive until it is asked for', async () => {
    const script = '<img src=x onerror=alert(1)>';
    const service = await startRecordingService(({ body }, number) => {
      const answer = { success: true, id: `rec_${number}`, company: { id: 'c' }, url: 'javascript:alert(1)' };
      return body.includes('Bell')
        ? { status: 422, body: `{"message":"${script}"}` }
        : { status: 201, body: JSON.stringify(answer) };
    });
    try {
      keepProfile(service.url, 'token');
      const header = `Amount requested,Company name,Owner last name,Owner 1 SSN,(${script})`;
      const rows = [`1,${script},Roe,219-09-9999,x`, `2,Bell,Lee,219-09-8888,${script}`];
      place.write(`${script.replaceAll('/', '')}.csv`, [header, ...rows].join('\n'));
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

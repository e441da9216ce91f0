import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const fileName = 'dealsheet.config.json';

describe('a configuration file in the folder that a command is started in', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();
  const ownFolder = () => place.path('config/dealsheet');

  beforeEach(() => {
    mkdirSync(ownFolder(), { recursive: true });
    writeCsv(place.path('deals.csv'), deals('Harbor Bakery'));
  });

  function write(folder: string, live: object): void {
    writeFileSync(join(folder, fileName), JSON.stringify({ profiles: { live } }));
  }
  const load = (env: Record<string, string> = {}, ...further: string[]) =>
    place.run(['import', 'deals.csv', '--profile', 'live', '--yes', ...further], { env });
  async function expectRefusal(ended: ReturnType<typeof load>, ...says: (RegExp | string)[]): Promise<void> {
    const { stderr } = await expectExit(ended, 2);
    for (const say of says) expect(stderr).toMatch(say);
    expect(stderr).not.toContain('tok_mine');
    expect(service.requests).toEqual([]);
  }

  it('P24: stops every command until it is chosen: nobody knows who put it there, and what its address, token or ledger do', async () => {
    write(place.folder, { url: service.url, tokenFile: 'token', tokenCommand: ['touch', 'ran'] });
    place.write('token', 'tok_mine', { mode: 0o600 });
    const says = [place.path(fileName), join(ownFolder(), fileName), /--config dealsheet\.config\.json/];
    await expectRefusal(load({ DEALSHEET_TOKEN: 'tok_mine' }), ...says);
    for (const words of [['config'], ['runs'], ['health', '--profile', 'live'], ['check', 'deals.csv']])
      await expectRefusal(place.run(words), ...says);
    expect(existsSync(place.path('ran'))).toBe(false);
  });

  it('is taken in place of the person’s own when it is named on the command line', async () => {
    write(ownFolder(), { url: 'https://own.example' });
    write(place.folder, { url: service.url });
    await expectExit(load({ DEALSHEET_TOKEN: 'tok_mine' }, '--config', fileName), 0);
    expect(service.requests).toHaveLength(1);
  });

  it('is the person’s own word when that folder is their configuration folder', async () => {
    write(ownFolder(), { url: service.url });
    renameSync(place.path('deals.csv'), join(ownFolder(), 'deals.csv'));
    symlinkSync(join(ownFolder(), fileName), place.path(fileName));
    const words = ['import', join(ownFolder(), 'deals.csv'), '--profile', 'live', '--yes'];
    await expectExit(place.run(words, { env: { DEALSHEET_TOKEN: 'tok_mine' } }), 0);
  });
});

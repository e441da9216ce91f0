import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

const fileName = 'dealsheet.config.json';

describe('a configuration file in the folder that a command is started in', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();
  const ownFolder = () => place.path('config/dealsheet');

  beforeEach(() => {
    mkdirSync(ownFolder(), { recursive: true });
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
    ]);
  });

  function write(folder: string, live: object): void {
    writeFileSync(join(folder, fileName), JSON.stringify({ profiles: { live } }));
  }
  function writeToken(path: string): void {
    writeFileSync(path, 'tok_mine');
    chmodSync(path, 0o600);
  }
  const load = (env: Record<string, string> = {}, ...further: string[]) =>
    place.run(['import', 'deals.csv', '--profile', 'live', '--yes', ...further], { env });
  async function expectRefusal(ended: ReturnType<typeof load>, ...says: (RegExp | string)[]): Promise<void> {
    const { exitCode, stderr } = await ended;
    expect(exitCode, stderr).toBe(2);
    for (const say of says) expect(stderr).toMatch(say);
    expect(stderr).not.toContain('tok_mine');
    expect(service.requests).toEqual([]);
  }

  it('does not take the place of the person’s own profile, and both files are named', async () => {
    write(ownFolder(), { url: 'https://own.example', tokenFile: 'token' });
    write(place.folder, { url: service.url });
    const refused = load({ DEALSHEET_TOKEN: 'tok_mine' });
    await expectRefusal(refused, join(ownFolder(), fileName), place.path(fileName), /--config/);
    await expectRefusal(place.run(['config', '--profile', 'live']), /is in two files/);
  });

  it('is taken in place of the person’s own when it is named on the command line', async () => {
    write(ownFolder(), { url: 'https://own.example' });
    write(place.folder, { url: service.url });
    const { exitCode, stderr } = await load({ DEALSHEET_TOKEN: 'tok_mine' }, '--config', fileName);
    expect(exitCode, stderr).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  it('is the person’s own word when that folder is their configuration folder', async () => {
    write(ownFolder(), { url: service.url });
    renameSync(place.path('deals.csv'), join(ownFolder(), 'deals.csv'));
    symlinkSync(join(ownFolder(), fileName), place.path(fileName));
    const words = ['import', join(ownFolder(), 'deals.csv'), '--profile', 'live', '--yes'];
    const { exitCode, stderr } = await place.run(words, { env: { DEALSHEET_TOKEN: 'tok_mine' } });
    expect(exitCode, stderr).toBe(0);
  });

  it('does not get the token of the environment, and is told how to become the person’s word', async () => {
    write(place.folder, { url: service.url });
    writeToken(place.path('own-token'));
    const says = [/Your token \(DEALSHEET_TOKEN\) was not sent to/, join(ownFolder(), fileName), /--config/];
    await expectRefusal(load({ DEALSHEET_TOKEN: 'tok_mine' }), ...says);
    await expectRefusal(load({ DEALSHEET_TOKEN_FILE: place.path('own-token') }), /DEALSHEET_TOKEN_FILE/);
  });

  it.each([
    ['by its path', (place: Workplace) => join(place.path('config/dealsheet'), 'token')],
    ['by a path that leads back', () => 'config/dealsheet/../dealsheet/token'],
    ['by a link', (place: Workplace) => place.path('link')],
  ])('names no token file of another folder (%s)', async (_how, path) => {
    writeToken(join(ownFolder(), 'token'));
    symlinkSync(join(ownFolder(), 'token'), place.path('link'));
    write(place.folder, { url: service.url, tokenFile: path(place) });
    await expectRefusal(load(), /names the token file/, /not in the same folder/, /--config/);
  });

  it('may name a token file of its own folder', async () => {
    writeToken(place.path('token'));
    write(place.folder, { url: service.url, tokenFile: 'token' });
    const { exitCode, stderr } = await load();
    expect(exitCode, stderr).toBe(0);
    expect(service.requests[0]?.headers.authorization).toBe('Bearer tok_mine');
  });

  it('goes with a token file that the person names on the command line', async () => {
    writeToken(join(ownFolder(), 'token'));
    write(place.folder, { url: service.url });
    const { exitCode, stderr } = await load({}, '--token-file', join(ownFolder(), 'token'));
    expect(exitCode, stderr).toBe(0);
  });
});

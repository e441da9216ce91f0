import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { answer, hasTerminal } from '../builders/pseudo-terminal.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';

describe('dealsheet setup', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();
  const configuration = () => place.path('config/dealsheet/dealsheet.config.json');
  const tokenPath = (name = 'live') => place.path(`config/dealsheet/${name}.token`);
  const stored = () => JSON.parse(readFileSync(configuration(), 'utf8')) as { profiles: Record<string, unknown> };
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  function writeConfiguration(settings: object): void {
    place.write('config/dealsheet/dealsheet.config.json', settings);
  }

  describe.skipIf(!hasTerminal)('at a terminal', () => {
    it('asks for name, address and token, shows nothing of the token, and says that the service takes it', async () => {
      const said = await answer(
        place,
        ['setup'],
        [
          ['A short name', '\r'],
          ['Address of the service', `${service.url}\r`],
          ['Token (not shown', 'tok_hidden\r'],
        ],
      );
      expect(said).not.toContain('tok_hidden');
      expect(said).toContain('answers and accepts the token');
      expect(said).toContain('Load a file with: dealsheet import FILE --profile live');
      expect(stored().profiles.live).toEqual({ url: `${service.url}/`, tokenFile: 'live.token' });
      expect(readFileSync(tokenPath(), 'utf8')).toBe('tok_hidden\n');
      expect([modeOf(configuration()), modeOf(tokenPath())]).toEqual([0o600, 0o600]);
      await expectExit(place.run(['health', '--profile', 'live']), 0);
    });

    it('replaces the address and the token of a profile only after a yes, and keeps everything else', async () => {
      const live = { url: 'https://old.example', tokenCommand: ['print-token'], rate: 7 };
      const before = { ledger: 'shared.db', profiles: { test: { url: 'https://test.example' }, live } };
      writeConfiguration(before);
      const refused = await answer(place, ['setup', '--profile', 'live'], [['https://old.example', 'n\r']]);
      expect(refused).toContain('Nothing was stored.');
      expect(stored()).toEqual(before);
      const said = await answer(
        place,
        ['setup', '--url', service.url],
        [
          ['A short name', 'live\r'],
          ['https://old.example', 'y\r'],
          ['Token (not shown', 'tok_new\r'],
        ],
      );
      expect(said).toContain('accepts the token');
      const now = { url: `${service.url}/`, rate: 7, tokenFile: 'live.token' };
      expect(stored()).toEqual({ ...before, profiles: { ...before.profiles, live: now } });
    });

    it.each([
      ['A short name', 'a/b\r', 'What was given as the name of the profile cannot be one.'],
      ['Address of the service', 'service.example\r', 'What was given is not the address of a service.'],
      ['Address of the service', 'http://192.0.2.1\r', 'is not encrypted'],
      ['Token (not shown', '\n', 'There is no token in what was typed.'],
      ['Token (not shown', 'two words\r', 'is not one token'],
    ])('says what is wrong with what was typed, and asks again (%s%j)', async (question, typed, why) => {
      const asked = ['A short name', 'Address of the service', 'Token (not shown'];
      const right = ['\r', `${service.url}\r`, 'tok_right\r'];
      const answers = asked.flatMap((one, at): (readonly [string, string])[] => {
        const well = [one, right[at] ?? ''] as const;
        return one === question
          ? [
              [one, typed],
              [`${why}`, right[at] ?? ''],
            ]
          : [well];
      });
      const said = await answer(place, ['setup'], answers);
      expect(said).toContain(why);
      expect(said).toContain('accepts the token');
      expect(stored().profiles.live).toEqual({ url: `${service.url}/`, tokenFile: 'live.token' });
      expect(readFileSync(tokenPath(), 'utf8')).toBe('tok_right\n');
    });

    it('P23: takes a token for no name and no address, and repeats it in no message', async () => {
      const token = 'tok_live_4f9c2b7a8d1e6035cc41b72e90aa64df';
      const said = await answer(
        place,
        ['setup'],
        [
          ['A short name', `${token}\r`],
          ['cannot be one', '\r'],
          ['Address of the service', `${token}\r`],
          ['not the address of a service', `${service.url}\r`],
          ['Token (not shown', `${token}x\r`],
        ],
      );
      expect(said).toContain('accepts the token');
      // The terminal itself shows what is typed after a question.
      const isShown = (line: string) => line.includes(token) && !/Address of the service|A short name/.test(line);
      expect(said.split('\n').filter(isShown)).toEqual([]);
    });
  });

  it('takes the token from standard input', async () => {
    const { exitCode, stderr } = await place.run(['setup', '--url', service.url, '--profile', 'test'], {
      input: 'tok_piped\n',
    });
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(tokenPath('test'), 'utf8')).toBe('tok_piped\n');
    expect(modeOf(tokenPath('test'))).toBe(0o600);
  });

  it('names a token file where it stands, and refuses one that others can read', async () => {
    const path = place.path('secret');
    writeFileSync(path, 'tok_file');
    chmodSync(path, 0o644);
    const words = ['setup', '--url', service.url, '--token-file', 'secret'];
    const refused = await place.run(words);
    expect([refused.exitCode, existsSync(configuration())]).toEqual([2, false]);
    const health = await expectExit(place.run(['health', '--url', service.url, '--token-file', 'secret', '--json']), 2);
    expect(JSON.parse(health.stdout)).toMatchObject({ error: { code: 'usage' } });
    chmodSync(path, 0o600);
    await expectExit(place.run(words), 0);
    expect(stored().profiles.live).toEqual({ url: `${service.url}/`, tokenFile: path });
  });

  it.each(['http://192.0.2.1', 'service.example', 'ftp://service.example', 'https://me:secret@service.example'])(
    'refuses an address to which no token may go (%s)',
    async (url) => {
      const { exitCode } = await place.run(['setup', '--url', url], { input: 'token' });
      expect([exitCode, existsSync(configuration())]).toEqual([2, false]);
    },
  );

  it('replaces nothing off a terminal without --yes', async () => {
    writeConfiguration({ profiles: { live: { url: 'https://old.example' } } });
    const words = ['setup', '--url', service.url];
    await expectExit(place.run(words, { input: 'token' }), 2, /already exists in .*dealsheet\.config\.json/);
    await expectExit(place.run([...words, '--yes'], { input: 'token' }), 0);
    expect(stored().profiles.live).toMatchObject({ url: `${service.url}/` });
  });

  it('writes over no file but its own, and keeps a linked configuration linked', async () => {
    place.write('config/dealsheet/live.token', 'somebody put this here');
    place.write('dotfiles/settings.json', '{"profiles":{"old":{"url":"https://old.example"}}}');
    symlinkSync(place.path('dotfiles/settings.json'), configuration());
    await expectExit(place.run(['setup', '--url', service.url], { input: 'token' }), 0);
    expect(readFileSync(tokenPath(), 'utf8')).toBe('somebody put this here');
    expect(JSON.parse(place.read('dotfiles/settings.json'))).toMatchObject({
      profiles: { old: {}, live: { tokenFile: 'live-2.token' } },
    });
  });

  it('says that the token was refused, and ends with 4', async () => {
    const closed = createServer((_request, response) => response.writeHead(401).end());
    const ended = await place.run(['setup', '--url', await addressOf(closed)], { input: 'token' });
    closed.closeAllConnections();
    closed.close();
    expect(ended.exitCode, ended.stderr).toBe(4);
    expect(ended.stderr).toMatch(/Stored: .* with its token in \S+live\.token\.\nThe service refused the token\.\n/);
    expect(ended.stderr).toMatch(/The token is from the file \S+live\.token \(profile "live" in /);
    expect(ended.stderr).not.toContain('--token-file');
  });
});

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

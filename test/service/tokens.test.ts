import { chmodSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { isDealsheetError } from '../../src/errors.ts';
import { systemClock } from '../../src/service/retry.ts';
import { type Credentials, fixedToken, runTokens, tokenFromCommand, tokenFromFile } from '../../src/service/tokens.ts';
import { folderForAllTests } from '../builders/temporary-folder.ts';
import { aClient, aRecord, send, ways } from './builders.ts';
import { answerBytes, created, type ScriptedService, scriptedService } from './scripted-service.ts';

const inFolder = folderForAllTests();

async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string; remedy: string }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isDealsheetError(error)) throw new Error(`expected a DealsheetError, got ${String(error)}`);
  return error;
}

/** Takes one token alone, and answers 401 to every other. */
function taking(...tokens: readonly string[]): Promise<ScriptedService> {
  return scriptedService((socket, request) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (tokens.includes(token)) created(socket, request);
    else socket.write(answerBytes({ status: 401, body: { message: `Token ${token} is not valid.` } }));
  });
}

describe('a token in a text', () => {
  it('is taken without blanks around it and without its scheme', async () => {
    for (const text of ['tok_1', ' tok_1\n', 'Bearer tok_1', 'bearer  tok_1\r\n']) {
      expect(await fixedToken(text, 'DEALSHEET_TOKEN').token()).toBe('tok_1');
    }
  });

  it('that cannot be sent is refused without being repeated', () => {
    for (const text of ['', '  ', 'two words', 'line\nbreak', 'schlüssel', 'xxxxx\u0000']) {
      try {
        fixedToken(text, 'DEALSHEET_TOKEN');
        expect.unreachable(text);
      } catch (error) {
        expect(isDealsheetError(error) && error.code).toBe('usage');
        expect(String(error)).toContain('DEALSHEET_TOKEN');
        if (text.trim() !== '') expect(String(error)).not.toContain(text.trim());
      }
    }
  });
});

describe('a token file', () => {
  const written = (name: string, text: string | Buffer, mode: number): string => {
    const path = inFolder(name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  it('gives its token when its owner alone can read it', async () => {
    expect(await tokenFromFile(written('own', 'tok_file\n', 0o600)).token()).toBe('tok_file');
    expect(await tokenFromFile(written('readonly', 'tok_file', 0o400)).token()).toBe('tok_file');
    const ofPowerShell = Buffer.from('\uFEFFtok_file\r\n', 'utf16le');
    expect(await tokenFromFile(written('wide', ofPowerShell, 0o600)).token()).toBe('tok_file');
  });

  it.skipIf(process.platform === 'win32')('is refused when others can read or write it', async () => {
    for (const mode of [0o644, 0o640, 0o604, 0o620, 0o666]) {
      const failure = await failureOf(tokenFromFile(written(`mode${mode}`, 'tok_secret', mode)).token());
      expect(failure.code).toBe('usage');
      expect(failure.message).toMatch(/Other people on this computer can read the token file/);
      expect(failure.remedy).toContain('chmod 600');
      expect(JSON.stringify(failure)).not.toContain('tok_secret');
    }
  });

  it('that is missing, empty or too large is refused with what to do', async () => {
    expect((await failureOf(tokenFromFile(inFolder('missing')).token())).message).toContain('cannot be read (ENOENT)');
    expect((await failureOf(tokenFromFile(written('empty', '\n', 0o600)).token())).message).toContain(
      'There is no token in',
    );
    expect((await failureOf(tokenFromFile(written('large', 'x'.repeat(70_000), 0o600)).token())).message).toContain(
      'is not one token',
    );
  });

  it('is read again when its token is refused', async () => {
    const path = written('renewed', 'tok_old', 0o600);
    const tokens = runTokens(tokenFromFile(path), systemClock);
    expect(await tokens.current()).toBe('tok_old');
    writeFileSync(path, 'tok_new');
    expect(await tokens.current()).toBe('tok_old');
    expect(await tokens.refused('tok_old', 0)).toBeNull();
    expect(await tokens.current()).toBe('tok_new');
  });
});

describe('a token command', () => {
  const command = (script: string, timeoutMs = 5_000, ...rest: string[]): Credentials =>
    tokenFromCommand({ command: [process.execPath, '-e', script, ...rest], folder: inFolder(), timeoutMs });

  it('gives what it prints, and runs without a shell', async () => {
    expect(await command('console.log("tok_" + process.argv[1])', 5_000, '$(whoami);*').token()).toBe(
      'tok_$(whoami);*',
    );
  });

  it('runs as a batch file by cmd on Windows', async () => {
    writeFileSync(inFolder('cmd.exe'), `#!/bin/sh\necho "$1$2$3$4" | tr '" ' __`, { mode: 0o700 });
    vi.stubEnv('PATH', `${inFolder()}:${process.env.PATH}`);
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const printed = tokenFromCommand({ command: ['az.cmd', 'a&b'], folder: inFolder(), timeoutMs: 5_000 }).token();
    platform.mockRestore();
    vi.unstubAllEnvs();
    expect(await printed).toBe('/d/s/c__az.cmd___a&b__');
  });

  it('runs once for all that need a token at one time', async () => {
    const counter = inFolder('runs');
    writeFileSync(counter, '');
    const credentials = command(
      `require('fs').appendFileSync(${JSON.stringify(counter)}, 'x'); console.log('tok_' + require('fs').statSync(${JSON.stringify(counter)}).size)`,
    );
    const tokens = runTokens(credentials, systemClock);
    expect(await Promise.all([tokens.current(), tokens.current()])).toEqual(['tok_1', 'tok_1']);
    expect(await Promise.all([1, 2, 3].map(() => tokens.refused('tok_1', 0)))).toEqual([null, null, null]);
    expect(await tokens.refused('tok_1', 0)).toBeNull();
    expect(await tokens.current()).toBe('tok_2');
  });

  it('that fails says so, and nothing of what it printed', async () => {
    const failure = await failureOf(
      command('console.log("tok_secret"); console.error("cannot store tok_secret"); process.exit(3)').token(),
    );
    expect(failure.message).toMatch(/ended with exit code 3\.$/);
    expect(JSON.stringify(failure)).not.toContain('tok_secret');
  });

  it('that hangs is ended', async () => {
    expect((await failureOf(command('setInterval(() => {}, 1000)', 200).token())).message).toContain(
      'did not end within 0.2 s',
    );
  });

  it('that does not exist or prints nothing is told', async () => {
    const missing = tokenFromCommand({
      command: ['/nonexistent/vault', 'token'],
      folder: inFolder(),
      timeoutMs: 1_000,
    });
    expect((await failureOf(missing.token())).message).toContain('could not be run');
    expect((await failureOf(command('').token())).message).toContain(
      'There is no token in what the token command printed',
    );
  });
});

describe('a refused token', () => {
  it('is renewed, and the row that met it goes in', async () => {
    const service = await taking('tok_new');
    const tokens = ['tok_old', 'tok_new'];
    const client = aClient(service.url, { credentials: { token: async () => tokens.shift() ?? 'none' } });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => send(client, recordKind('deals'), aRecord())));
    expect(outcomes.map(({ state }) => state)).toEqual(Array(4).fill('created'));
    expect(tokens).toEqual([]);
    expect(client.stopReason).toBeNull();
  });

  it('is renewed again when the renewed one has worked and then expires', async () => {
    let valid = 'tok_1';
    let renewals = 0;
    const service = await scriptedService((socket, request) => {
      if (request.headers.authorization === `Bearer ${valid}`) created(socket, request);
      else socket.write(answerBytes({ status: 401 }));
    });
    const client = aClient(service.url, { credentials: { token: async () => `tok_${++renewals}` } });
    for (const token of ['tok_1', 'tok_2', 'tok_3', 'tok_4']) {
      valid = token;
      expect(await ways.create(client)).toBe('created');
    }
    expect(renewals).toBe(4);
  });

  it('stops the run when the fresh one is refused as well; the row is not sent, nothing is rejected for it', async () => {
    const service = await taking();
    let runs = 0;
    const credentials = { token: async () => `tok_secret_${++runs}` };
    const client = aClient(service.url, { credentials }, systemClock);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => send(client, recordKind('deals'), aRecord())));
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['not-sent']));
    expect(client.stopReason).toMatchObject({
      code: 'token-refused',
      message: { code: 'stopped-token-refused', params: { wasRenewed: true } },
    });
    expect(runs).toBe(2);
    expect(JSON.stringify([outcomes, client.stopReason])).not.toContain('tok_secret');
  });

  it('is renewed again when the fresh one had to wait before it went out', async () => {
    const held: (() => void)[] = [];
    const service = await scriptedService((socket, request) => {
      if (request.headers.authorization === 'Bearer tok_3') created(socket, request);
      else if (request.number !== 2) socket.write(answerBytes({ status: 401 }));
      else held.push(() => socket.write(answerBytes({ status: 429, headers: { 'retry-after': '600' } })));
    });
    let renewals = 0;
    const token = async () => {
      renewals += 1;
      // The second request is refused for its pace while its token is renewed for the first.
      for (; renewals === 2 && held.length === 0; ) await setTimeout(1);
      for (const answer of held.splice(0)) answer();
      if (renewals === 2) await setTimeout(50);
      return `tok_${renewals}`;
    };
    const client = aClient(service.url, { credentials: { token } });
    const outcomes = await Promise.all([1, 2].map(() => send(client, recordKind('deals'), aRecord())));
    expect(outcomes.map(({ state }) => state)).toEqual(['created', 'created']);
  });

  it('stops the run when its source fails or has no other', async () => {
    const service = await taking();
    for (const credentials of [
      fixedToken('tok_only', 'the test'),
      { token: async () => Promise.reject(new Error('broken')) },
    ]) {
      const client = aClient(service.url, { credentials });
      expect(await ways.create(client)).toBe('not-sent');
      expect(client.stopReason?.code).toBe('token-refused');
      expect(JSON.stringify(client.stopReason)).not.toContain('tok_only');
    }
  });

  it('blocks the health check, which changes nothing else', async () => {
    const service = await taking();
    const client = aClient(service.url);
    expect(await client.health()).toMatchObject({
      state: 'blocked',
      reason: { message: { code: 'stopped-token-refused' } },
    });
    expect(client.stopReason).toBeNull();
  });
});

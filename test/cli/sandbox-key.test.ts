import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { environmentOf, main, newWorkplace } from '../builders/workplace.ts';

it('P27: the sandbox tells the key of its controls, which a token does not open', async () => {
  const place = newWorkplace();
  const words = [main, 'sandbox', '--data', ':memory:', '--port', '0'];
  const child = spawn(process.execPath, words, {
    cwd: place.folder,
    env: environmentOf(place.folder, {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const found = { url: '', token: '', key: '' };
    for await (const line of createInterface({ input: child.stderr })) {
      found.url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
      found.token ||= /DEALSHEET_TOKEN=(\S+)/.exec(line)?.[1] ?? '';
      found.key ||= /\bkey_[\w-]+/.exec(line)?.[0] ?? '';
      if (found.key !== '') break;
    }
    const statusWith = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${found.url}/sandbox/token`, { method: 'POST', headers })).status;
    };
    expect(await statusWith(found.token)).toBe(401);
    expect(await statusWith(found.key)).toBe(201);
  } finally {
    child.kill();
    place.remove();
  }
});

import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { writeCsv } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

/** No token of the tests may stand in any message. */
const secret = 'abc123secret';

describe('a token that the service refuses', () => {
  let place: Workplace;
  let server: Server;
  let own = '';
  let file = '';

  beforeAll(async () => {
    place = workplaceHere();
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"who are you"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    own = place.path('config/dealsheet/dealsheet.config.json');
    file = place.path('config/dealsheet/live.token');
    place.write('config/dealsheet/live.token', secret, { mode: 0o600 });
    place.write('get-token', `#!/bin/sh\necho ${secret}\n`);
    chmodSync(place.path('get-token'), 0o700);
    const live = { url, tokenFile: 'live.token' };
    const vault = { url, tokenCommand: [place.path('get-token')] };
    writeFileSync(own, JSON.stringify({ profiles: { live, vault } }));
    writeCsv(place.path('deals.csv'), deals('Harbor'));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    place.remove();
  });

  async function refusal(further: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const ended = await place.run(['import', 'deals.csv', '--as', 'deals', '--yes', ...further], { env });
    expect(ended.exitCode, ended.stderr).toBe(4);
    expect(ended.stderr).not.toContain(secret);
    expect(ended.stderr).toMatch(/refused the token\. Nothing was sent\.\n.* Then try again\.$/m);
    return ended.stderr;
  }

  it('is said to come from the environment, which goes before the profile', async () =>
    expect(await refusal(['--profile', 'live'], { DEALSHEET_TOKEN: secret })).toContain(
      `The token is from the environment variable DEALSHEET_TOKEN.`,
    ));

  it('is said to come from the file of the profile', async () =>
    expect(await refusal(['--profile', 'live'])).toContain(
      `The token is from the file ${file} (profile "live" in ${own}).`,
    ));

  it('is said to come from the command of the profile', async () =>
    expect(await refusal(['--profile', 'vault'])).toContain(
      `The token is from the command ${place.path('get-token')} (profile "vault" in ${own}).`,
    ));

  it('is said to come from the file that was named, also by a health check', async () => {
    const said = `The token is from the file ${file} (--token-file).`;
    expect(await refusal(['--profile', 'live', '--token-file', file], { DEALSHEET_TOKEN: 'x' })).toContain(said);
    const words = ['health', '--profile', 'live', '--token-file', file];
    const { stderr } = await place.run(words, { env: { DEALSHEET_TOKEN: 'x' } });
    expect(stderr).toContain(said);
  });
});

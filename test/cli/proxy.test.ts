import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { type ConnectProxy, startConnectProxy } from '../builders/connect-proxy.ts';
import { type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { startTcpProxy } from '../builders/tcp-proxy.ts';
import { type TlsIdentity, tlsIdentity } from '../builders/tls-identity.ts';
import { hardlyWaiting } from '../builders/workplace.ts';

/** A name that only the proxy knows. */
const host = 'service.invalid';
const url = `https://${host}`;
const rows = 12;

describe('a service that is reached through a proxy', () => {
  let identity: TlsIdentity;
  const place = ownWorkplaceForEachTest();
  let service: RecordingService;
  let proxy: ConnectProxy;

  beforeAll(() => {
    identity = tlsIdentity(host);
  });
  beforeEach(async () => {
    service = await startRecordingService(undefined, identity);
    writeManyDeals(place.path('deals.csv'), rows);
    place.write('ca.pem', identity.cert);
  });
  afterEach(async () => {
    await proxy.stop();
    await service.stop();
  });

  const run = (words: readonly string[], env: Record<string, string>) =>
    place.run(words, {
      env: { DEALSHEET_TOKEN: 'token', NODE_EXTRA_CA_CERTS: place.path('ca.pem'), ...hardlyWaiting, ...env },
    });
  const load = (env: Record<string, string>, ...further: string[]) =>
    run(['import', 'deals.csv', '--as', 'deals', '--url', url, '--yes', '--json', ...further], env);

  it('gets every row once, through tunnels that the proxy cannot look into', async () => {
    proxy = await startConnectProxy(service.url);
    const { exitCode, stdout, stderr } = await load({ HTTPS_PROXY: `http://${proxy.host}` });
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { created: rows } });
    expect(service.requests).toHaveLength(rows);
    expect(new Set(proxy.asked.map(({ to }) => to))).toEqual(new Set([`${host}:443`]));
    expect(service.requests.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
  });

  it('is reached with the name and the password that stand in the variable, which are shown nowhere', async () => {
    proxy = await startConnectProxy(service.url);
    const env = { https_proxy: `pat:p%40ss@${proxy.host}` };
    expect((await load(env)).exitCode).toBe(0);
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('pat:p@ss').toString('base64')}`);
    const { stdout } = await run(['config', '--url', url, '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { proxy: { value: `http://${proxy.host}`, origin: 'https_proxy' } },
    });
    expect(stdout).not.toContain('p%40ss');
  });

  it.each([
    [407, /the proxy \S+ \(HTTPS_PROXY\) refused it with the status 407\..*http:\/\/NAME:PASSWORD@host:port/s],
    [
      403,
      /no connection to service\.invalid: the proxy \S+ \(HTTPS_PROXY\) refused it with the status 403\..*NO_PROXY/s,
    ],
  ])('is not tried a second time when the proxy says %i', async (status, says) => {
    proxy = await startConnectProxy(service.url, () => status);
    const { exitCode, stderr } = await load({ HTTPS_PROXY: `http://${proxy.host}` });
    expect(stderr).toContain(`the proxy ${proxy.host} (HTTPS_PROXY) `);
    expect(stderr).toMatch(says);
    expect(exitCode).toBe(5);
    expect(proxy.asked).toHaveLength(1);
    expect(service.requests).toEqual([]);
  });

  it('gets no row twice where tunnels break, and the results tell which may be in', async () => {
    proxy = await startConnectProxy(service.url);
    const network = await startTcpProxy(`http://${proxy.host}`, (count) =>
      count % 3 === 2 ? { resetAfter: 2500 } : {},
    );
    const { stdout, stderr } = await load({ HTTPS_PROXY: network.url });
    await network.stop();
    const { counts } = JSON.parse(stdout) as { readonly counts: Record<string, number> };
    expect((counts.created ?? 0) + (counts.inDoubt ?? 0), stderr).toBe(rows);
    const bodies = service.requests.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeGreaterThanOrEqual(counts.created ?? 0);
  });

  it('is told from a proxy that takes the connection and says nothing', async () => {
    proxy = await startConnectProxy(service.url);
    const silent = await startTcpProxy(`http://${proxy.host}`, () => ({ stallAfter: 0 }));
    const { exitCode, stderr } = await load({ HTTPS_PROXY: silent.url }, '--timeout', '0.2');
    await silent.stop();
    expect(stderr).toMatch(/No answer came from the proxy \S+ \(HTTPS_PROXY\) in time\./);
    expect(exitCode).toBe(5);
  });

  it('is not asked at all where the variable names no proxy, and its value is not repeated', async () => {
    proxy = await startConnectProxy(service.url);
    const { exitCode, stderr } = await load({ HTTPS_PROXY: 'socks5://pat:secret@10.0.0.1:1080' });
    expect(stderr).toMatch(
      /The variable HTTPS_PROXY does not hold the address of a proxy.*Correct the variable or unset it/s,
    );
    expect(stderr).not.toContain('secret');
    expect(exitCode).toBe(2);
  });
});

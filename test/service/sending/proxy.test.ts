import { describe, expect, it } from 'vitest';
import { proxyOf } from '../../../src/service/address.ts';

const service = new URL('https://api.lender.example/base');
const proxied = { HTTPS_PROXY: 'http://proxy.example:3128' };
const proxyIn = (environment: Record<string, string>, url = service) => proxyOf(url, environment)?.url.href ?? null;

describe('the proxy that an environment names', () => {
  const all = { all_proxy: 'http://c', ALL_PROXY: 'http://d' };
  it.each<[environment: Record<string, string>, proxy: string | null]>([
    [{}, null],
    [{ HTTPS_PROXY: '', all_proxy: '' }, null],
    [{ HTTP_PROXY: 'http://proxy.example:3128' }, null],
    [{ https_proxy: 'http://a', HTTPS_PROXY: 'http://b', ...all }, 'http://a/'],
    [{ HTTPS_PROXY: 'http://b', ...all }, 'http://b/'],
    [all, 'http://c/'],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128/'],
  ])('%j is %s', (environment, proxy) => {
    expect(proxyIn(environment)).toBe(proxy);
  });

  it.each(['socks5://proxy.example', 'http://', 'http://a b'])('is refused where nobody can ask it: %s', (text) => {
    expect(() => proxyIn({ HTTPS_PROXY: text })).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it.each([
    ['the host', 'api.lender.example'],
    ['its domain', 'lender.example'],
    ['its domain with a dot', '.lender.example'],
    ['its domain with a star', '*.Lender.Example'],
    ['the host with its port', 'api.lender.example:443'],
    ['one of many', 'localhost, 10.0.0.1 lender.example'],
    ['all', '*'],
  ])('is left out where NO_PROXY names %s', (_what, list) => {
    expect(proxyIn({ ...proxied, NO_PROXY: list })).toBe(null);
    expect(proxyIn({ ...proxied, no_proxy: list })).toBe(null);
  });

  it.each(['other.example', 'der.example', 'api.lender.example:8443', 'api.lender.example.org', ''])(
    'is asked where NO_PROXY names something else: %s',
    (list) => {
      expect(proxyIn({ ...proxied, NO_PROXY: list })).toBe('http://proxy.example:3128/');
    },
  );

  it.each(['http://127.0.0.1:4010', 'https://localhost:4010', 'https://[::1]'])(
    'is not asked for this very computer: %s',
    (url) => {
      expect(proxyIn({ ...proxied, http_proxy: 'http://proxy.example:3128' }, new URL(url))).toBe(null);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { assumedContract, contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import { endpoints } from '../../../src/contract/record-kind.ts';
import { isDealsheetError } from '../../../src/errors.ts';
import { identityOf, ServiceAddress } from '../../../src/service/address.ts';

const at = (url: string, contract = assumedContract): ServiceAddress => new ServiceAddress(new URL(url), contract);

describe('the address of the service', () => {
  it('P24: is https anywhere, and plain http on this computer alone', () => {
    for (const host of ['127.0.0.1:4010', '127.9.8.7', '[::1]:80', 'localhost:1'])
      expect(() => at(`http://${host}`), host).not.toThrow();
    expect(() => at('https://api.example.com')).not.toThrow();
    for (const url of [
      ...['http://api.example.com', 'http://10.0.0.1', 'http://127.0.0.1.example.com'],
      ...['http://localhost.example.com', 'http://[::2]', 'ftp://localhost'],
    ]) {
      try {
        at(url);
        expect.unreachable(url);
      } catch (error) {
        expect(isDealsheetError(error) && error.code, url).toBe('usage');
      }
    }
  });

  it('holds no credentials, query or fragment, and does not repeat them', () => {
    for (const url of ['user:secret@api.example.com', 'api.example.com?key=secret', 'api.example.com#secret']) {
      expect(() => at(`https://${url}`)).toThrow(/api\.example\.com/);
      expect(() => at(`https://${url}`)).not.toThrow(/secret/);
    }
  });
});

describe('what the ledger knows a service by', () => {
  const identity = (url: string): string => identityOf(new URL(url));

  it('is its base address, however that is written', () => {
    for (const url of ['https://API.example.com:443', 'https://api.example.com/', 'https://api.example.com//']) {
      expect(identity(url), url).toBe('https://api.example.com');
    }
    expect(identity('https://api.example.com/live/')).toBe('https://api.example.com/live');
  });

  it('is another for another host, port or path', () => {
    const urls = ['https://api.example.com', 'https://api2.example.com', 'https://api.example.com:8443'];
    expect(new Set([...urls, 'https://api.example.com/live'].map(identity)).size).toBe(4);
  });
});

describe('the path of an endpoint', () => {
  it('stands below the path of the address', () => {
    expect(at('https://api.example.com').pathOf('addDeal', null)).toBe('/v1/deal');
    expect(at('https://api.example.com/').pathOf('addDeal', null)).toBe('/v1/deal');
    expect(at('https://example.com/tenant/api/').pathOf('addDeal', null)).toBe('/tenant/api/v1/deal');
  });

  it('is the one of the interface for each endpoint, unless the profile names another', () => {
    const renamed = contractSettingsSchema.parse({ paths: { addLead: '/v2/leads', getDeal: '/v2/deals/{key}/full' } });
    expect(at('https://api.example.com', renamed).pathOf('addLead', null)).toBe('/v2/leads');
    expect(at('https://api.example.com', renamed).pathOf('getDeal', 'x')).toBe('/v2/deals/x/full');
    for (const name of Object.keys(endpoints) as (keyof typeof endpoints)[]) {
      expect(at('https://api.example.com').pathOf(name, 'ID')).toBe(endpoints[name].path.replace(/\{\w+\}/, 'ID'));
    }
  });

  it('holds an id as one segment, whatever is in it', () => {
    const pathOf = (id: string): string => at('https://api.example.com').pathOf('getCompany', id);
    expect(pathOf('a/b?c#d e')).toBe('/v1/company/a%2Fb%3Fc%23d%20e');
    expect(pathOf('..')).toBe('/v1/company/%2E%2E');
    expect(pathOf('$&')).toBe('/v1/company/%24%26');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { commandWithPeak } from '../builders/command-with-peak.ts';

const isLong = process.env.DEALSHEET_LONG === '1';
const records = isLong ? 1_000_000 : 100_000;
const mostMegabytes = 300;

function balance(number: number): string {
  return `{"loanId":"loan_${number}","dealId":"deal_${number}","company":{"name":"Company ${number % 977} LLC"},"funder":"Funder ${number % 7}","status":"Active","fundedDate":"2026-06-${String(1 + (number % 28)).padStart(2, '0')}","amount":${number}.00,"factorRate":1.32,"paymentAmount":${number % 1000}.25,"paid":${number % 100}.05,"pastDueAmount":0,"balance":${number}.10,"note":"A line of text, as there is one on most loans"}`;
}

describe('an export of many balances in one answer', () => {
  const place = ownWorkplaceForEachTest();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":[');
    let number = 0;
    const go = (): void => {
      while (number < records) {
        number += 1;
        if (!response.write((number === 1 ? '' : ',') + balance(number))) {
          response.once('drain', go);
          return;
        }
      }
      response.end(']}');
    };
    go();
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each(isLong ? ['xlsx', 'csv', 'ndjson', 'json'] : ['xlsx', 'json'])(
    'stays within its memory (%s)',
    async (format) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const words = ['export', 'balances', '-o', `b.${format}`, '--url', url, '--json'];
      const ended = await commandWithPeak(place, words);
      const cents = (BigInt(records) * BigInt(records + 1) * 50n + BigInt(records) * 10n).toString();
      const { totals, records: written } = JSON.parse(ended.stdout);
      expect(written).toBe(records);
      expect(Number(totals.balance).toFixed(2)).toBe(`${cents.slice(0, -2)}.${cents.slice(-2)}`);
      expect(ended.peakMegabytes).toBeLessThan(mostMegabytes);
    },
    600_000,
  );
});

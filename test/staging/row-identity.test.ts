import { describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Body } from '../../src/mapping/body.ts';
import { contentBy } from '../../src/staging/row-content.ts';
import { rowData } from '../builders/staged-rows.ts';

const deal = {
  amountRequested: 100,
  stage: 'Lead',
  company: { name: 'Harbor', ein: '12-3456789', phones: [{ number: '(518) 555-0142' }] },
  owner1: { lastName: 'Moreno', ssn: '219-09-9999' },
};
const write = (body: Body) => contentBy(recordKind('deals'))(rowData('deals', body)).content.digest;

describe('what makes a row itself', () => {
  it.each([
    ['an EIN without its dash', { ...deal, company: { ...deal.company, ein: '123456789' } }],
    ['an SSN without its dashes', { ...deal, owner1: { ...deal.owner1, ssn: '219099999' } }],
    ['a phone in another form', { ...deal, company: { ...deal.company, phones: [{ number: '+1 518-555-0142' }] } }],
  ])('is the same with %s', (_what, other) => expect(write(other)).toBe(write(deal)));

  it('is the same for a blank and for what the service takes a blank for', () => {
    const { stage: _stage, ...blank } = deal;
    expect(write(blank)).toBe(write(deal));
    expect(write({ ...deal, stage: 'Application' })).not.toBe(write(deal));
  });

  it('is another with another digit, another name or another amount', () => {
    const others = [
      { ...deal, amountRequested: 101 },
      { ...deal, company: { ...deal.company, name: 'Harbour' } },
      { ...deal, owner1: { ...deal.owner1, ssn: '219-09-9998' } },
    ];
    expect(new Set([deal, ...others].map(write)).size).toBe(others.length + 1);
  });

  it('leaves the body as it is written', () => {
    const { stage: _stage, ...blank } = deal;
    for (const before of [deal, blank]) {
      const body = structuredClone(before);
      write(body);
      expect(JSON.stringify(body)).toBe(JSON.stringify(before));
      expect(Object.keys(body)).toEqual(Object.keys(before));
    }
  });
});

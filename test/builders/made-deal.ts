import { expect } from 'vitest';

/** The id of the first deal that a new sandbox makes. */
export const firstDeal = 'deal_000001';

/** Makes a deal in a new sandbox, for rows that belong to one. */
export async function makeDeal(url: string, token = 'sandbox-token'): Promise<void> {
  const deal = { amountRequested: 1, company: { name: 'Harbor' }, owner1: { lastName: 'Moreno' } };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const made = await fetch(`${url}/v1/deal`, { method: 'POST', headers, body: JSON.stringify(deal) });
  expect(await made.json()).toMatchObject({ id: firstDeal });
}

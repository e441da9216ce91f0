import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { schemaVersion } from '../../src/ledger/schema.ts';
import type { Body } from '../../src/mapping/body.ts';
import { refDigest } from '../../src/plan/row-digests.ts';
import { contentOf } from '../../src/staging/row-content.ts';
import { rowData } from '../builders/staged-rows.ts';

const rowsOf: Readonly<Partial<Record<RecordKindName, Body>>> = {
  companies: {
    name: 'Harbor – North',
    contactTypes: ['Merchant'],
    ein: '12-3456789',
    emails: [{ email: 'A@b.example' }],
  },
  deals: {
    ...{ amountRequested: 1250.5, stage: 'Lead', owner1: { lastName: 'Mo\u00a0Reno', ssn: '219-09-9999' } },
    company: { name: 'Harbor  & Sons', industry: '0722', phones: [{ number: '(518) 555-0142' }] },
  },
  transactions: { amount: 5, date: '2026-11-01', reference: '007' },
  notes: { dealStatus: 'Open', note: 'Called Jose\u0301 — no answer' },
};
const unread = [['date', '05/01/2026']] as const;
const refs = ['D-1', '001', 'D\u00a01', 'D  1', 'D–1', 'Pen\u0303a'];

it('P2: what rows are known by is that of this format: else a ledger of an earlier build sends them again', () => {
  const contents = Object.entries(rowsOf).map(([name, body]) => {
    const row = rowData(name as RecordKindName, body);
    return [row, { ...row, isValid: false, unread }].map((one) => contentOf(one).content);
  });
  const shown = { ledger: { digest: (text: string) => text }, service: 'https://service.example/' };
  const named = refs.map((ref) => refDigest(shown as never, { kind: 'deals', ref }));
  const known = createHash('sha256')
    .update(JSON.stringify([contents, named]))
    .digest('hex')
    .slice(0, 12);
  // Does it differ? Then raise `schemaVersion`, so that earlier ledgers are refused, and put both here.
  expect({ schemaVersion, known }).toEqual({ schemaVersion: 41, known: 'e972fab688d9' });
});

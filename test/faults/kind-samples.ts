/** A few rows of every kind, and what a row and its accepted body have in common. */
import { type EndpointName, type RecordKindName, recordKindNames } from '../../src/contract/record-kind.ts';
import type { Table } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

export interface KindSample {
  readonly kind: RecordKindName;
  readonly endpoint: EndpointName;
  readonly headers: readonly string[];
  /** The cells of the n-th row, counted from 0. Rows name records that stand for it: the n-th deal or company. */
  readonly row: (n: number) => Table[number];
  readonly key: { readonly header: string; readonly of: (body: Record<string, unknown>) => unknown };
}

const companyName = (n: number) => `Harbor Bakery ${n}`;
const nameOfCompany = (body: Record<string, unknown>) => (body.company as { name?: string } | undefined)?.name;
const dealId = (n: number) => `deal_${String(n + 1).padStart(6, '0')}`;
export const companyId = (n: number) => `cmp_${String(n + 1).padStart(6, '0')}`;
const fileName = (n: number) => `statement-${n}.txt`;

const samples: Readonly<Record<RecordKindName, Omit<KindSample, 'kind'> | null>> = {
  companies: {
    endpoint: 'addCompany',
    headers: ['Company name', 'Contact types'],
    row: (n) => [companyName(n), 'Merchant'],
    key: { header: 'Company name', of: (body) => body.name },
  },
  // An update makes no record. Its own tests are faults/updates-under-way.test.ts.
  'company-updates': null,
  leads: {
    endpoint: 'addLead',
    headers: ['Company name'],
    row: (n) => [companyName(n)],
    key: { header: 'Company name', of: nameOfCompany },
  },
  deals: {
    endpoint: 'addDeal',
    headers: ['Amount requested', 'Company name', 'Owner last name'],
    row: (n) => [100 + n, companyName(n), 'Moreno'],
    key: { header: 'Company name', of: nameOfCompany },
  },
  notes: {
    endpoint: 'addNote',
    headers: ['Deal id', 'Deal status', 'Note'],
    row: (n) => [dealId(n), 'Open', `Called ${n}`],
    key: { header: 'Note', of: (body) => body.note },
  },
  attachments: {
    endpoint: 'addAttachment',
    headers: ['Deal id', 'File'],
    row: (n) => [dealId(n), fileName(n)],
    key: { header: 'File', of: (body) => (body.file as { name: string }).name },
  },
  submissions: {
    endpoint: 'addSubmission',
    headers: ['Deal id', 'Submission status', 'Note'],
    row: (n) => [dealId(n), 'Submitted', `Offer ${n}`],
    key: { header: 'Note', of: (body) => body.note },
  },
  'submission-loans': {
    endpoint: 'addSubmissionLoan',
    headers: ['Deal id', 'Amount'],
    row: (n) => [dealId(n), 1000 + n],
    key: { header: 'Amount', of: (body) => body.amount },
  },
  transactions: {
    endpoint: 'addTransactions',
    headers: ['Deal id', 'Date', 'Amount'],
    row: (n) => [dealId(n), '2026-06-30', 12.5 + n],
    key: { header: 'Amount', of: (body) => body.amount },
  },
};

export const kindSamples = recordKindNames.flatMap((kind): readonly KindSample[] => {
  const sample = samples[kind];
  return sample === null ? [] : [{ kind, ...sample }];
});
export const dealSample = kindSamples.find(({ kind }) => kind === 'deals') as KindSample;

/** The headers and so many rows of a kind; the files that attachments name are put beside. */
export function sampleTable(
  sample: Pick<KindSample, 'kind' | 'headers' | 'row'>,
  rows: number,
  place: Workplace,
): Table {
  const numbers = Array.from({ length: rows }, (_, n) => n);
  if (sample.kind === 'attachments') {
    for (const n of numbers) place.write(fileName(n), `Statement ${n}`);
  }
  return [sample.headers, ...numbers.map(sample.row)];
}

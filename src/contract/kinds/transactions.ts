/** Transactions: POST /v1/transactions, in bulk. The shape is not shown (service interface 4.11); every field is assumed. */
import * as z from 'zod';
import { field, group } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { refTo } from '../row-columns.ts';

const assumed = { source: 'assumed', section: '4.11' } as const;

export const transactions: RecordKind = {
  name: 'transactions',
  sheet: 'Transactions',
  singular: 'transaction',
  sheetAliases: ['Transaction', 'Payments'],
  about:
    'Records payments and other movements on a deal, many in one request. The service does not show these fields: they are assumed.',
  endpoint: 'addTransactions',
  sending: sendings.batch,
  answersWithId: false,
  body: group(
    z.looseObject({
      dealId: field(z.string(), {
        label: 'Deal id',
        format: 'identifier',
        example: 'deal_000001',
        need: 'deal',
        ...assumed,
      }).optional(),
      date: field(z.string(), {
        label: 'Date',
        aliases: ['Transaction date', 'Posted', 'Posted date', 'Posting date', 'Value date', 'Trans date'],
        format: 'date',
        example: '2026-06-30',
        need: 'date',
        ...assumed,
      }).optional(),
      amount: field(z.number(), {
        label: 'Amount',
        aliases: ['Transaction amount', 'Amt'],
        format: 'money',
        example: '228.57',
        need: 'amount',
        ...assumed,
      }).optional(),
      type: field(z.string(), {
        label: 'Type',
        aliases: ['Transaction type', 'Trans type'],
        format: 'text',
        example: 'Payment',
        ...assumed,
      }).optional(),
      description: field(z.string(), {
        label: 'Description',
        aliases: ['Memo', 'Details', 'Memo/description', 'Transaction description', 'Narrative'],
        format: 'text',
        example: 'Daily debit',
        ...assumed,
      }).optional(),
      reference: field(z.string(), {
        label: 'Reference',
        aliases: ['Reference number', 'Trace number', 'Transaction id', 'Check number', 'Confirmation number'],
        format: 'identifier',
        example: 'ACH-20260630-17',
        ...assumed,
      }).optional(),
    }),
    { label: '', open: true },
  ),
  row: z.object({ dealRef: refTo('Deal ref', 'D-1').optional() }),
  references: [{ column: 'dealRef', to: 'deals', fills: 'dealId' }],
  amount: 'amount',
};

/** Transactions: POST /v1/transactions, in bulk. The shape is not shown (service interface 4.11); every field is assumed. */
import * as z from 'zod';
import { assumed, openObject, refTo } from '../field-facts.ts';
import { recordKindOf, sendings } from '../record-kind.ts';

export const transactions = recordKindOf({
  name: 'transactions',
  sheet: 'Transactions',
  singular: 'transaction',
  sheetAliases: ['Transaction', 'Payments'],
  about: 'Records payments and other movements on a deal, many in one request.',
  endpoint: 'addTransactions',
  sending: sendings.batch,
  body: openObject({
    dealId: assumed('identifier', 'Deal id', 'deal_000001', { need: 'deal' }),
    date: assumed('date', 'Date', '2026-06-30', {
      aliases: ['Transaction date', 'Posted', 'Posted date', 'Posting date', 'Value date', 'Trans date'],
      need: 'date',
    }),
    amount: assumed('money', 'Amount', '228.57', { aliases: ['Transaction amount', 'Amt'], need: 'amount' }),
    type: assumed('text', 'Type', 'Payment', { aliases: ['Transaction type', 'Trans type'] }),
    description: assumed('text', 'Description', 'Daily debit', {
      aliases: ['Memo', 'Details', 'Memo/description', 'Transaction description', 'Narrative'],
    }),
    reference: assumed('identifier', 'Reference', 'ACH-20260630-17', {
      aliases: ['Reference number', 'Trace number', 'Transaction id', 'Check number', 'Confirmation number'],
    }),
  }),
  row: z.object({ dealRef: refTo('Deal ref', 'D-1') }),
  references: [{ column: 'dealRef', to: 'deals', fills: 'dealId' }],
  amount: 'amount',
  identifiedBy: [[['date', 'reference'], ['date']]],
  sharedBy: [
    { proves: 'numbered', paths: ['reference', 'amount'], besideParent: true },
    { proves: 'numbered', paths: ['date', 'reference', 'amount'] },
    { proves: 'likes', paths: ['date', 'amount'], besideParent: true },
  ],
  isRepeatable: true,
});

/**
 * Add transactions in bulk (service interface 4.11; no shape is shown). By the sandbox's own choice each row stands for
 * itself: good rows are made, bad ones are told, in the order in which they were sent.
 */
import * as z from 'zod';
import { assumedContract } from '../../contract/contract-settings.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { centsOf, largestAmount } from '../money.ts';
import { type FieldError, jsonAnswer, Problem } from '../problem.ts';
import { idOf } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import type { Surroundings } from '../surroundings.ts';
import { checked, fieldErrors, invalidFields } from '../validation.ts';
import { effectOf } from '../views/loan-balances.ts';
import { createResult, type JsonEndpoint, status } from './endpoint.ts';
import { findNamed } from './known-records.ts';

/** The sandbox's own limit; the interface shows none (8). */
export const mostTransactions = 1000;

const { body: rowBody } = recordKind('transactions');
/** The field around the rows of a request, and around those of its answer. */
export const envelope = assumedContract.transactionsEnvelope ?? 'transactions';
const bulkBody = z.looseObject({ [envelope]: z.array(z.unknown()).min(1) });

interface TransactionParts {
  readonly dealId?: string;
  readonly amount?: number;
  readonly type?: string;
  readonly description?: string;
  readonly reference?: string;
}

type CheckedRow =
  | { readonly row: TransactionParts; readonly text: string }
  | { readonly errors: readonly FieldError[] };

/** What became of one row. */
type RowResult =
  | { readonly index: number; readonly success: true; readonly id: string; readonly url: string }
  | { readonly index: number; readonly success: false; readonly errors: readonly FieldError[] };

export const addTransactions: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const list = Array.isArray(body) ? { [envelope]: body } : body;
    const rows = (checked(bulkBody, list) as Record<string, unknown[]>)[envelope] ?? [];
    if (rows.length > mostTransactions) {
      const detail = `A request may hold at most ${mostTransactions} transactions; this one holds ${rows.length}.`;
      throw new Problem('too-large', { detail });
    }
    const checkedRows = rows.map(checkedRow);
    return {
      content: text,
      run(tables, at) {
        const results = checkedRows.map((row, index) => rowResult(row, index, tables, at, surroundings));
        return bulkAnswer(results);
      },
    };
  },
};

function checkedRow(value: unknown): CheckedRow {
  const parsed = rowBody.safeParse(value);
  if (!parsed.success) return { errors: fieldErrors(parsed.error.issues, value) };
  const row = parsed.data as TransactionParts;
  if (Math.abs(row.amount ?? 0) > largestAmount) {
    const message = `Amount may be at most ${largestAmount}.`;
    return { errors: [{ path: 'amount', rule: 'maximum', message }] };
  }
  return { row, text: JSON.stringify(value) };
}

function rowResult(
  checkedOne: CheckedRow,
  index: number,
  tables: Tables,
  at: number,
  surroundings: Surroundings,
): RowResult {
  if ('errors' in checkedOne) return { index, success: false, errors: checkedOne.errors };
  const { row, text } = checkedOne;
  const deal = row.dealId === undefined ? null : findNamed(tables, 'deal', 'dealId', row.dealId);
  if (deal !== null && typeof deal !== 'number') return { index, success: false, errors: [deal] };
  const links = { deal, ...effectOf(row.type, centsOf(row.amount ?? 0)) };
  const number = tables.add('transaction', at, [row.type, row.description, row.reference], links);
  tables.log('addTransactions', idOf('transaction', number), at, text);
  const { id, url } = createResult('transaction', number, surroundings);
  return { index, success: true, id, url };
}

function bulkAnswer(results: readonly RowResult[]) {
  const refused = results.flatMap((result) => (result.success ? [] : [result]));
  if (refused.length === results.length) {
    const errors = refused.flatMap(({ index, errors: rowErrors }) =>
      rowErrors.map((error) => ({
        ...error,
        path: `${envelope}[${index}]${error.path === '' ? '' : `.${error.path}`}`,
      })),
    );
    throw invalidFields(errors, { [envelope]: results });
  }
  const counts = { made: results.length - refused.length, refused: refused.length };
  return jsonAnswer(status.ok, { success: true, ...counts, [envelope]: results });
}

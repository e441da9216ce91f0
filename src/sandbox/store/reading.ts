/** What is read from the data file. */

import type { EndpointName } from '../../contract/endpoints.ts';
import type { Database, SqlValue } from '../../disk/database.ts';
import type { StoredKind } from '../record-ids.ts';
import {
  type AcceptedEntry,
  type ChildRecord,
  type CompanyRecord,
  type DealPayments,
  type DealRecord,
  type FixedKind,
  fixedTables,
  type KeptAnswer,
  type LoanRecord,
  type StoredRecord,
  type SubmissionRecord,
} from './rows.ts';

/** Which part of a list, the newest record first. */
export interface ListWindow {
  /** Text that the record's search text must contain, whatever the case; empty for all. */
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

export function openReading(database: Database) {
  const one = <Row>(sql: string) => {
    const statement = database.prepare(sql);
    return (...values: SqlValue[]) => statement.get(values) as Row | undefined;
  };
  const many = <Row>(sql: string) => {
    const statement = database.prepare(sql);
    return (...values: SqlValue[]) => statement.all(values) as Row[];
  };
  const child = <Row>(kind: FixedKind, column: 'deal' | 'company') =>
    many<Row>(`${selectOf(kind)} WHERE record.${column} = ? ORDER BY record.number DESC LIMIT ?`);

  const numberedRows = perKind((kind) => one<StoredRecord>(`${selectOf(kind)} WHERE record.number = ?`));
  const counts = perKind((kind) =>
    one<{ count: number }>(`SELECT ifnull(max(number), 0) AS count FROM ${tableOf(kind)}`),
  );
  const listed = perKind((kind) =>
    many<StoredRecord>(`${selectOf(kind)} WHERE record.number <= ? ORDER BY record.number DESC LIMIT ?`),
  );
  const found = perKind((kind) =>
    many<{ number: number }>(
      `SELECT number FROM ${tableOf(kind)} WHERE instr(search, ?) ORDER BY number DESC LIMIT ? OFFSET ?`,
    ),
  );
  const kept = one<KeptAnswer>('SELECT digest, status, body, location FROM idempotency WHERE endpoint = ? AND key = ?');
  const token = one<{ expires: number | null }>('SELECT expires FROM token WHERE digest = ?');
  const loans = many<LoanRecord>(`${selectLoan} ORDER BY record.number`);
  const loansOfDeal = many<LoanRecord>(`${selectLoan} WHERE record.deal = ? ORDER BY record.number`);
  const loan = one<LoanRecord>(`${selectLoan} WHERE record.number = ?`);
  const payments = many<DealPayments>(
    'SELECT deal, sum(paid) AS paid, sum(charged) AS charged FROM txn WHERE deal IS NOT NULL GROUP BY deal',
  );
  const paymentsOfDeal = one<DealPayments>(
    'SELECT deal, sum(paid) AS paid, sum(charged) AS charged FROM txn WHERE deal = ? GROUP BY deal',
  );
  const accepted = many<AcceptedEntry>(
    'SELECT sequence, endpoint, id, at, body FROM accepted WHERE sequence > ? ORDER BY sequence LIMIT ?',
  );

  /** How many records of a kind there are. Nothing is ever removed, so the highest number tells. */
  const count = (kind: StoredKind): number => counts[kind]()?.count ?? 0;

  return {
    count,
    company: numberedRows.company as (number: number) => CompanyRecord | undefined,
    deal: numberedRows.deal as (number: number) => DealRecord | undefined,
    submission: numberedRows.submission as (number: number) => SubmissionRecord | undefined,
    /** A record of any kind; `undefined` when no record has this number. */
    record: (kind: StoredKind, number: number) => numberedRows[kind](number),

    /** Part of the list of a kind, the newest first. */
    list(kind: StoredKind, { search, offset, limit }: ListWindow): StoredRecord[] {
      if (search === '') return listed[kind](count(kind) - offset, limit);
      const numbers = found[kind](search.toLowerCase(), limit, offset);
      return numbers.flatMap(({ number }) => numberedRows[kind](number) ?? []);
    },

    dealsOfCompany: child<DealRecord>('deal', 'company'),
    notesOfDeal: child<ChildRecord>('note', 'deal'),
    attachmentsOfDeal: child<ChildRecord>('attachment', 'deal'),
    submissionsOfDeal: child<SubmissionRecord>('submission', 'deal'),
    submissionsOfCompany: child<SubmissionRecord>('submission', 'company'),
    transactionsOfDeal: child<ChildRecord>('transaction', 'deal'),
    loan,
    loansOfDeal,
    loans,
    payments,
    paymentsOfDeal,
    /** Entries of the log after a sequence, the oldest first. */
    accepted,
    keptAnswer: (endpoint: EndpointName, key: string) => kept(endpoint, key),
    token,
  };
}

/** A loan with the company of its deal. */
const selectLoan = `SELECT record.number, record.at, record.deal, record.submission, record.funded, record.payback, body.body,
  deal.company, json_extract(state.body, '$.name') AS companyName
  FROM loan record JOIN accepted body USING (sequence)
  LEFT JOIN deal ON deal.number = record.deal LEFT JOIN company_state state ON state.number = deal.company`;

function tableOf(kind: StoredKind): string {
  return kind === 'company' ? 'company' : fixedTables[kind].table;
}

/** A record with its body: the present state of a company, the log's entry of any other kind. */
function selectOf(kind: StoredKind): string {
  if (kind === 'company') {
    return 'SELECT record.number, record.at, body.changed, body.body FROM company record JOIN company_state body USING (number)';
  }
  const { table, links } = fixedTables[kind];
  const columns = ['number', 'at', ...links].map((column) => `record.${column}`).join(', ');
  return `SELECT ${columns}, body.body FROM ${table} record JOIN accepted body USING (sequence)`;
}

function perKind<Value>(make: (kind: StoredKind) => Value): Record<StoredKind, Value> {
  return {
    company: make('company'),
    deal: make('deal'),
    note: make('note'),
    attachment: make('attachment'),
    lead: make('lead'),
    submission: make('submission'),
    loan: make('loan'),
    transaction: make('transaction'),
  };
}

/** The columns of the lists, kind by kind. */
import { amountOf } from '../money.ts';
import type { StoredKind } from '../record-ids.ts';
import type { ChildRecord, DealRecord, LoanRecord, StoredRecord, SubmissionRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';
import { defaultStage } from '../views/deal-view.ts';
import { loanBalance } from '../views/loan-balances.ts';
import { companyLink } from './company-names.ts';
import type { Head, Piece } from './layout.ts';
import { idLink, moneyText, plainText, recordLink, recordLinkIfAny, sizeText, timeText } from './values.ts';

export interface Column extends Head {
  cell(record: StoredRecord, body: Readonly<Record<string, unknown>>, tables: Tables): Piece | string;
}

const longestNote = 160;

const added: Column = { label: 'Added', cell: ({ at }) => timeText(at) };
const deal: Column = { label: 'Deal', cell: (record) => recordLinkIfAny('deal', (record as ChildRecord).deal) };
const applicant: readonly Column[] = [
  { label: 'Owner', cell: (_record, { owner1 }) => `${part(owner1, 'firstName')} ${part(owner1, 'lastName')}`.trim() },
  { label: 'Amount requested', isNumber: true, cell: (_record, body) => moneyText(body.amountRequested) },
];

export const columns: Readonly<Record<StoredKind, readonly Column[]>> = {
  company: [
    id('company'),
    text('Name', 'name'),
    text('DBA', 'dba'),
    text('Contact types', 'contactTypes'),
    text('EIN', 'ein'),
    added,
  ],
  deal: [
    id('deal'),
    { label: 'Company', cell: (record, _body, tables) => companyLink(tables, (record as DealRecord).company) },
    ...applicant,
    { label: 'Stage', cell: (_record, body) => plainText(body.stage ?? defaultStage) },
    added,
  ],
  note: [
    id('note'),
    deal,
    text('Deal status', 'status'),
    { label: 'Note', cell: (_record, { note }) => shortened(plainText(note)) },
    added,
  ],
  attachment: [
    id('attachment'),
    deal,
    text('File', 'fileName'),
    { label: 'Size', isNumber: true, cell: (_record, { size }) => sizeText(size) },
    text('Type', 'mediaType'),
    added,
  ],
  lead: [
    id('lead'),
    { label: 'Company', cell: (_record, { company }) => part(company, 'name') || part(company, 'dba') },
    ...applicant,
    added,
  ],
  submission: [
    id('submission'),
    deal,
    { label: 'Company', cell: (record, _body, tables) => companyLink(tables, (record as SubmissionRecord).company) },
    text('Status', 'status'),
    { label: 'Note', cell: (_record, { note }) => shortened(plainText(note)) },
    added,
  ],
  loan: [
    id('loan'),
    deal,
    { label: 'Submission', cell: (_record, { submissionId }) => idLink('submission', submissionId) },
    text('Funded date', 'fundedDate'),
    { label: 'Amount', isNumber: true, cell: (record) => moneyText(amountOf((record as LoanRecord).funded)) },
    { label: 'Payback', isNumber: true, cell: (record) => moneyText(amountOf((record as LoanRecord).payback)) },
    {
      label: 'Balance',
      isNumber: true,
      cell: ({ number }, _body, tables) => moneyText(loanBalance(tables, number).balance),
    },
    added,
  ],
  transaction: [
    id('transaction'),
    deal,
    text('Date', 'date'),
    text('Type', 'type'),
    { label: 'Amount', isNumber: true, cell: (_record, { amount }) => moneyText(amount) },
    text('Description', 'description'),
    text('Reference', 'reference'),
    added,
  ],
};

function id(kind: StoredKind): Column {
  return { label: 'Id', cell: ({ number }) => recordLink(kind, number) };
}

function text(label: string, name: string): Column {
  return { label, cell: (_record, body) => shortened(plainText(body[name])) };
}

function part(value: unknown, name: string): string {
  return typeof value === 'object' && value !== null ? plainText((value as Record<string, unknown>)[name]) : '';
}

function shortened(value: string): string {
  return value.length > longestNote ? `${value.slice(0, longestNote)}…` : value;
}

/** The page of one record: what was sent for it, and what belongs to it. */
import { html } from 'hono/html';
import { recordKind } from '../../contract/record-kinds.ts';
import { idOf, kindNames, type StoredKind } from '../record-ids.ts';
import type { ChildRecord, StoredRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';
import { sentDeal } from '../views/deal-view.ts';
import { fundedDealOf, type LoanBalance, loanBalance } from '../views/loan-balances.ts';
import { companyLink, companyName } from './company-names.ts';
import { fieldList } from './field-list.ts';
import { type Piece, page } from './layout.ts';
import { recordTable } from './list-page.ts';
import { moneyText, plainText, recordLink, timeText } from './values.ts';

/** More than these are left to the list's search. */
const mostShown = 200;

/** The page, or `null` when there is no such record. */
export function recordPage(kind: StoredKind, number: number, tables: Tables): Piece | null {
  const record = tables.record(kind, number);
  if (record === undefined) return null;
  if (kind === 'deal') return dealPage(number, tables);
  if (kind === 'company') return companyPage(number, tables);
  return plainPage(kind, record, tables);
}

function plainPage(kind: StoredKind, record: StoredRecord, tables: Tables): Piece {
  const body = JSON.parse(record.body) as Record<string, unknown>;
  const deal = (record as ChildRecord).deal ?? null;
  const parent = deal === null ? '' : html`<p>Belongs to ${recordLink('deal', deal)}.</p>`;
  const id = idOf(kind, record.number);
  const funded = kind === 'loan' ? balanceSection('Balance', loanBalance(tables, record.number)) : '';
  return page({
    title: `${singular(kind)} ${id}`,
    kind,
    content: html`${addedLine(record)}${parent}${funded}${section('Sent', fieldList(kind, [], body))}`,
  });
}

function companyPage(number: number, tables: Tables): Piece {
  const company = tables.company(number);
  if (company === undefined) throw new Error(`There is no company ${number}.`);
  const body = JSON.parse(company.body) as Record<string, unknown>;
  const changed = company.changed === company.at ? '' : html`<p class="quiet">Changed ${timeText(company.changed)}</p>`;
  const content = html`${addedLine(company)}${changed}
${fieldList('company', [], body)}
${related('Deals', 'deal', tables.dealsOfCompany(number, mostShown), tables, 'Company')}
${related('Submissions', 'submission', tables.submissionsOfCompany(number, mostShown), tables, 'Company')}`;
  return page({ title: titleOf(body, idOf('company', number)), kind: 'company', content });
}

function dealPage(number: number, tables: Tables): Piece {
  const record = tables.deal(number);
  if (record === undefined) throw new Error(`There is no deal ${number}.`);
  const { company, owner1, owner2, financial, bank, ...deal } = sentDeal(record.body, record.company);
  const { id: _id, ...companySent } = company as Record<string, unknown>;
  const content = html`${addedLine(record)}
${fundedSection(number, tables)}
<div class="columns">
${section('Deal', fieldList('deal', [], deal))}
${section('Company', companyPart(record.company, companySent, tables))}
${section('Owner 1', fieldList('deal', ['owner1'], owner1, 'Owner 1'))}
${owner2 === undefined ? '' : section('Owner 2', fieldList('deal', ['owner2'], owner2, 'Owner 2'))}
${figures(financial, bank)}
</div>
${related('Notes', 'note', tables.notesOfDeal(number, mostShown), tables)}
${related('Attachments', 'attachment', tables.attachmentsOfDeal(number, mostShown), tables)}
${related('Submissions', 'submission', tables.submissionsOfDeal(number, mostShown), tables)}
${related('Submission loans', 'loan', tables.loansOfDeal(number), tables)}
${related('Transactions', 'transaction', tables.transactionsOfDeal(number, mostShown), tables)}`;
  const name = companyName(tables, record.company);
  return page({ title: titleOf({ name }, idOf('deal', number)), kind: 'deal', content });
}

/** The company as it is now, and what the deal itself said of it: nothing more when it named a company that was there. */
function companyPart(number: number, sent: Readonly<Record<string, unknown>>, tables: Tables): Piece {
  const link = html`<p>${companyLink(tables, number)} · ${idOf('company', number)}</p>`;
  return Object.keys(sent).length === 0 ? link : html`${link}${fieldList('deal', ['company'], sent, 'Company')}`;
}

function fundedSection(number: number, tables: Tables): Piece | string {
  const funded = fundedDealOf(tables, number);
  return funded === undefined ? '' : balanceSection('Funded', funded);
}

type BalanceFigures = Pick<LoanBalance, 'amount' | 'paybackAmount' | 'fees' | 'paid' | 'balance'>;

function balanceSection(title: string, { amount, paybackAmount, fees, paid, balance }: BalanceFigures): Piece {
  const figure = (label: string, value: number) => html`<li>${label} <b>${moneyText(value)}</b></li>`;
  return section(
    title,
    html`<ul class="figures">${figure('Amount', amount)}${figure('To pay back', paybackAmount)}
${fees === 0 ? '' : figure('Fees', fees)}${figure('Paid', paid)}${figure('Balance', balance)}</ul>`,
  );
}

function figures(financial: unknown, bank: unknown): Piece | string {
  if (financial === undefined && bank === undefined) return '';
  const parts = [
    financial === undefined ? '' : fieldList('deal', ['financial'], financial),
    bank === undefined ? '' : fieldList('deal', ['bank'], bank),
  ];
  return section('Figures', html`${parts}`);
}

function section(title: string, content: Piece): Piece {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

function related(
  title: string,
  kind: StoredKind,
  records: readonly StoredRecord[],
  tables: Tables,
  without: string | null = 'Deal',
): Piece {
  if (records.length === 0) return html`<section><h2>${title}</h2><p class="quiet">None.</p></section>`;
  const caption = records.length < mostShown ? `${records.length} in all` : `The newest ${mostShown}`;
  return html`<section><h2>${title}</h2>${recordTable(caption, kind, records, tables, without)}</section>`;
}

function addedLine(record: StoredRecord): Piece {
  return html`<p class="quiet">Added ${timeText(record.at)}</p>`;
}

/** `Harbor Bakery LLC · deal_000001`; the id alone for a record without a name. */
function titleOf(named: Readonly<Record<string, unknown>>, id: string): string {
  const name = plainText(named.name) || plainText(named.dba);
  return name === '' ? id : `${name} · ${id}`;
}

/** `Submission loan`. */
function singular(kind: StoredKind): string {
  const words = recordKind(kindNames[kind]).singular;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

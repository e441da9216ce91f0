/**
 * A service of snake_case names: records in `data`, problems as RFC 9457, cursors in `meta`, and an answer for each payment, the
 * last one first.
 */
import * as z from 'zod';
import { known } from './month.ts';
import { type Answer, type Asked, type Fault, type Routes, type Shelf, startStranger, taken } from './stranger.ts';
import type { Contract } from './stranger-load.ts';

const text = z.string().min(1);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const phoneNumbers = z.array(z.strictObject({ phone: text, phone_type: text.optional() }));
const mailingAddresses = z.array(
  z.strictObject({
    street_1: text.optional(),
    city: text.optional(),
    state_code: text.optional(),
    postal_code: text.optional(),
  }),
);
const company = {
  legal_name: text,
  contact_types: z.array(text),
  trade_name: text.nullable().optional(),
  phone_numbers: phoneNumbers.nullable().optional(),
  email_addresses: z.array(z.strictObject({ email_address: text })).optional(),
  mailing_addresses: mailingAddresses.optional(),
  tax_id: text.optional(),
  remarks: text.nullable().optional(),
};
const owner = z.strictObject({
  first_name: text.optional(),
  last_name: text,
  social_security_number: text.optional(),
  date_of_birth: day.optional(),
  phone_numbers: phoneNumbers.optional(),
});
const merchant = z.strictObject({
  company_id: text.optional(),
  legal_name: text,
  trade_name: text.optional(),
  start_date: day.optional(),
  phone_numbers: phoneNumbers.optional(),
  mailing_addresses: mailingAddresses.optional(),
});
const lead = { requested_amount: z.number(), merchant, primary_owner: owner };
const deal = {
  ...lead,
  deal_stage: z.enum(['Lead', 'Application']).optional(),
  secondary_owner: owner.optional(),
  tags: z.array(text).optional(),
  financials: z.strictObject({ gross_annual: z.number() }).optional(),
};
const note = { deal_id: text, deal_status: z.enum(['Open', 'Closed']), body: text };
const submission = { deal_id: text, funder_id: text, submission_status: text, remarks: text.optional() };
const loan = {
  ...{ submission_id: text, deal_id: text, loan_amount: z.number(), term_months: z.number(), factor_rate: z.number() },
  ...{ payment: z.number(), payment_frequency: text, funded_on: day },
};
const payment = z.strictObject({
  ...{ deal_id: text, posted_on: day, amount: z.number(), entry_type: text, memo: text.optional(), trace_number: text },
});
const form = z.strictObject({ deal_id: text, document: z.object({ name: text, content: text }) });

const inData = (shape: z.core.$ZodLooseShape) => z.strictObject({ data: z.strictObject(shape) });
let made = 0;
const newId = (name: string): string => {
  made += 1;
  return `${name}-${made}`;
};
const gave = (data: unknown, status = 200): Answer => ({
  status,
  body: { data, meta: { request_id: newId('req') } },
});

function problem(status: number, title: string, more: object = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'about:blank', title, status, ...more },
  };
}

const refusal = (faults: readonly Fault[]): Answer =>
  problem(422, 'The request is not valid', {
    errors: faults.map(({ place, message }) => ({ detail: message, pointer: `#/${place.join('/')}` })),
  });

function adds(name: string, shape: z.core.$ZodLooseShape, extra: (shelf: Shelf) => object = () => ({})) {
  return ({ body }: Asked, shelf: Shelf): Answer => {
    const { data } = taken(inData(shape), body) as { data: Record<string, unknown> };
    const { id } = shelf.add(name, newId(name), data);
    return gave({ id, links: { self: `/app/${name}/${id}` }, ...extra(shelf) }, 201);
  };
}

function reads(name: string) {
  return ({ places: [id = ''] }: Asked, shelf: Shelf): Answer => {
    const found = shelf.find(name, id);
    return found === undefined ? problem(404, 'No such record') : gave({ id, ...found.value });
  };
}

/** Deals of an owner whose number this service does not know as one are refused, and the number is repeated. */
const wrongNumber = /^000-/;

const routes: Routes = {
  'POST /v1/company': adds('companies', company),
  'GET /v1/company/{}': reads('companies'),
  'PATCH /v1/company/{}': ({ body, places: [id] }, shelf) => {
    const { data } = taken(z.strictObject({ data: z.strictObject(company).partial() }), body);
    const found = shelf.find('companies', id);
    if (found === undefined) return problem(404, 'No such company');
    found.value = { ...found.value, ...data };
    return gave({ id, changed: Object.keys(data) });
  },
  'POST /v1/lead': adds('leads', lead),
  'POST /v1/deal': (asked, shelf) => {
    const { data } = taken(inData(deal), asked.body) as { data: z.output<z.ZodObject<typeof deal>> };
    const ssn = data.primary_owner.social_security_number ?? '';
    if (wrongNumber.test(ssn))
      return problem(422, 'Not taken', { detail: `${ssn} of ${data.merchant.legal_name} is no SSN` });
    const companyId = data.merchant.company_id ?? newId('companies');
    return adds('deals', deal, () => ({ merchant: { company_id: companyId } }))(asked, shelf);
  },
  'GET /v1/deal/{}': reads('deals'),
  'POST /v1/deal/note': adds('notes', note),
  'POST /v1/deal/attachment': ({ body }, shelf) => {
    const { id } = shelf.add('attachments', newId('attachments'), taken(form, body));
    return gave({ id }, 201);
  },
  'POST /v1/submission': adds('submissions', submission),
  'POST /v1/submissionLoan': adds('loans', loan),
  'POST /v1/transactions': ({ body }, shelf) => {
    const { data } = taken(z.strictObject({ data: z.array(payment) }), body);
    const results = data.map((value, index) => {
      if (value.amount === 0)
        return { index, status: 422, problem: { title: 'Not taken', detail: 'The amount is zero' } };
      return { index, status: 201, resource: { id: shelf.add('payments', newId('payments'), value).id } };
    });
    return { status: 207, body: { data: results.reverse(), meta: { count: data.length } } };
  },
  'GET /v1/loan/balances': ({ query }, shelf) => {
    const first = Number(query.get('page_token') ?? 0);
    const deals = shelf.kept.deals ?? [];
    const page = deals
      .slice(first, first + 1)
      .map(({ id }, at) => ({ deal_id: id, balance: 100 * (first + at) + 0.25 }));
    const next = first + 1 < deals.length ? String(first + 1) : null;
    return { status: 200, body: { data: page, meta: { next_cursor: next } } };
  },
};

export async function startSnakeCase() {
  const stranger = await startStranger(routes, { refusal });
  const value = { legal_name: 'Lantern Goods', contact_types: ['Merchant'], remarks: 'Old' };
  stranger.kept.companies = [{ id: known, value }];
  return stranger;
}

const phones = (path: string, to: string) => ({
  [`${path}phones[].number`]: `${to}phone_numbers[].phone`,
  [`${path}phones[].type`]: `${to}phone_numbers[].phone_type`,
});
const addresses = (path: string, to: string) => ({
  [`${path}addresses[].line1`]: `${to}mailing_addresses[].street_1`,
  [`${path}addresses[].city`]: `${to}mailing_addresses[].city`,
  [`${path}addresses[].state`]: `${to}mailing_addresses[].state_code`,
  [`${path}addresses[].zip`]: `${to}mailing_addresses[].postal_code`,
});
const ofCompany = {
  ...{ name: 'legal_name', contactTypes: 'contact_types', dba: 'trade_name', ein: 'tax_id', note: 'remarks' },
  ...phones('', ''),
  ...addresses('', ''),
  'emails[].email': 'email_addresses[].email_address',
};
const ofOwner = (path: string, to: string) => ({
  [`${path}.firstName`]: `${to}.first_name`,
  [`${path}.lastName`]: `${to}.last_name`,
  [`${path}.ssn`]: `${to}.social_security_number`,
  [`${path}.dob`]: `${to}.date_of_birth`,
  ...phones(`${path}.`, `${to}.`),
});
const ofDeal = {
  amountRequested: 'requested_amount',
  stage: 'deal_stage',
  'company.id': 'merchant.company_id',
  'company.name': 'merchant.legal_name',
  'company.dba': 'merchant.trade_name',
  'company.businessStartDate': 'merchant.start_date',
  ...phones('company.', 'merchant.'),
  ...addresses('company.', 'merchant.'),
  ...ofOwner('owner1', 'primary_owner'),
  ...ofOwner('owner2', 'secondary_owner'),
  'financial.grossAnnual': 'financials.gross_annual',
};

export const snakeCase: Contract = {
  requests: {
    companies: { rename: ofCompany, envelope: 'data' },
    'company-updates': { rename: ofCompany, envelope: 'data' },
    leads: { rename: ofDeal, envelope: 'data' },
    deals: { rename: ofDeal, envelope: 'data' },
    notes: { rename: { dealId: 'deal_id', status: 'deal_status', note: 'body' }, envelope: 'data' },
    attachments: { rename: { dealId: 'deal_id' }, filePart: 'document' },
    submissions: {
      rename: { dealId: 'deal_id', companyId: 'funder_id', status: 'submission_status', note: 'remarks' },
      envelope: 'data',
    },
    'submission-loans': {
      rename: {
        ...{ submissionId: 'submission_id', dealId: 'deal_id', amount: 'loan_amount', term: 'term_months' },
        ...{ factorRate: 'factor_rate', paymentAmount: 'payment', paymentFrequency: 'payment_frequency' },
        fundedDate: 'funded_on',
      },
      envelope: 'data',
    },
    transactions: {
      rename: {
        ...{ dealId: 'deal_id', date: 'posted_on', type: 'entry_type', description: 'memo', reference: 'trace_number' },
      },
      envelope: 'data',
    },
  },
  answers: {
    '*': {
      record: ['data'],
      id: ['id'],
      companyId: ['merchant.company_id'],
      url: ['links.self'],
      yes: '2xx',
      no: ['errors'],
    },
    transactions: {
      ...{ record: ['resource'], items: { at: ['data'], index: 'index' }, itemYes: { status: 201 }, no: ['problem'] },
    },
  },
  balances: { records: ['data'], pages: { by: 'cursor', at: 'meta.next_cursor', parameter: 'page_token' } },
};

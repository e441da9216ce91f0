/**
 * A service that answers 200 to everything, with `result` or `errorMessage`: phones as plain texts, one address, US dates, payments
 * grouped by their deal, and of these no more than their count in its answer.
 */
import * as z from 'zod';
import { known } from './month.ts';
import {
  type Answer,
  type Asked,
  type Fault,
  Refused,
  type Routes,
  type Shelf,
  startStranger,
  taken,
} from './stranger.ts';
import type { Contract } from './stranger-load.ts';

const text = z.string().min(1);
const usDay = z.string().regex(/^(?:0[1-9]|1[0-2])\/\d\d\/\d{4}$/);
const address = z.strictObject({
  street: text.optional(),
  town: text.optional(),
  state: text.optional(),
  zip: text.optional(),
});
const business = {
  title: text,
  roles: z.array(text),
  alias: text.nullable().optional(),
  phones: z.array(text).nullable().optional(),
  mail: text.optional(),
  address: address.optional(),
  taxNumber: text.optional(),
  comment: text.nullable().optional(),
};
const person = z.strictObject({
  ...{ first: text.optional(), last: text, ssn: text.optional(), birthDate: usDay.optional(), mobile: text.optional() },
});
const applicant = z.strictObject({
  ...{ businessNo: text.optional(), title: text, alias: text.optional(), founded: usDay.optional() },
  ...{ phones: z.array(text).optional(), address: address.optional() },
});
const lead = { amount: z.number(), applicant, people: z.array(person) };
const deal = {
  ...lead,
  ...{ phase: text.optional(), tags: z.array(text).optional(), yearly: z.number().optional() },
};
const payment = z.strictObject({ ...{ amount: z.number(), type: text, text: text.optional(), reference: text } });
const group = z.strictObject({ deal: z.strictObject({ no: text }), paidOn: usDay, payments: z.array(payment).min(1) });

const gave = (result: unknown): Answer => ({ status: 200, body: { result, errorMessage: null } });
const refused = (errorMessage: string): Answer => ({ status: 200, body: { result: null, errorMessage } });
const refusal = (faults: readonly Fault[]): Answer =>
  refused(faults.map(({ place, message }) => `${place.join('.')}: ${message}`).join('; '));

const newNo = (shelf: Shelf, name: string): string => `${name}/${(shelf.kept[name]?.length ?? 0) + 1}`;

function adds(name: string, shape: z.core.$ZodLooseShape, result: (no: string) => unknown) {
  return ({ body }: Asked, shelf: Shelf): Answer => {
    const value = taken(z.strictObject(shape), body);
    return gave(result(shelf.add(name, newNo(shelf, name), value).id));
  };
}

function reads(name: string, no: string) {
  return ({ places: [id = ''] }: Asked, shelf: Shelf): Answer => {
    const found = shelf.find(name, id);
    return found === undefined ? refused(`There is no ${id}.`) : gave({ [no]: id, ...found.value });
  };
}

const routes: Routes = {
  'POST /v1/company': adds('businesses', business, (no) => no),
  'GET /v1/company/{}': reads('businesses', 'businessNo'),
  'PATCH /v1/company/{}': ({ body, places: [id] }, shelf) => {
    const found = shelf.find('businesses', id);
    if (found === undefined) return refused(`There is no ${id}.`);
    found.value = { ...found.value, ...taken(z.strictObject(business).partial(), body) };
    return gave({ updated: 1 });
  },
  'POST /v1/lead': adds('leads', lead, (no) => ({ leadNo: no })),
  'POST /v1/deal': adds('deals', deal, (no) => ({ deal: { dealNo: no } })),
  'GET /v1/deal/{}': reads('deals', 'dealNo'),
  'POST /v1/deal/note': adds('notes', { dealNo: text, phase: z.enum(['Open', 'Closed']), said: text }, () => ({
    saved: true,
  })),
  'POST /v1/deal/attachment': adds('files', { dealNo: text, file: z.object({ name: text, content: text }) }, () => ({
    saved: true,
  })),
  'POST /v1/submission': adds(
    'submissions',
    { dealNo: text, funderNo: text, phase: text, comment: text.optional() },
    (no) => ({ submissionNo: no }),
  ),
  'POST /v1/submissionLoan': adds(
    'loans',
    {
      ...{ submissionNo: text, dealNo: text, amount: z.number(), months: z.number(), factor: z.number() },
      ...{ instalment: z.number(), every: text, paidOut: usDay },
    },
    (no) => ({ loanNo: no }),
  ),
  'POST /v1/transactions': ({ body }, shelf) => {
    const { groups } = taken(z.strictObject({ groups: z.array(group).min(1) }), body);
    const payments = groups.flatMap(({ payments: each, ...shared }) => each.map((one) => ({ ...shared, ...one })));
    if (payments.some(({ amount }) => amount === 0)) throw new Refused([{ place: ['groups'], message: 'No amount' }]);
    for (const value of payments) shelf.add('payments', newNo(shelf, 'payments'), value);
    return gave({ count: payments.length });
  },
  'GET /v1/loan/balances': ({ query }, shelf) => {
    const page = Number(query.get('page') ?? 1);
    const deals = shelf.kept.deals ?? [];
    const balances = deals.slice(page - 1, page).map(({ id }) => ({ dealNo: id, asOf: '06/30/2026', balance: 100.25 }));
    return gave({ balances, page, totalPages: deals.length });
  },
};

export async function startAlways200() {
  const stranger = await startStranger(routes, { refusal });
  const value = { title: 'Lantern Goods', roles: ['Merchant'], comment: 'Old' };
  stranger.kept.businesses = [{ id: known, value }];
  return stranger;
}

const ofAddress = (from: string, to: string) => ({
  [`${from}.line1`]: `${to}.street`,
  [`${from}.city`]: `${to}.town`,
  [`${from}.state`]: `${to}.state`,
  [`${from}.zip`]: `${to}.zip`,
});
const ofBusiness = {
  ...{ name: 'title', contactTypes: 'roles', dba: 'alias', ein: 'taxNumber', note: 'comment' },
  ...{ 'phones[].number': 'phones[]', 'emails[0].email': 'mail' },
  ...ofAddress('addresses[0]', 'address'),
};
const ofPerson = (from: string, to: string) => ({
  ...{ [`${from}.firstName`]: `${to}.first`, [`${from}.lastName`]: `${to}.last`, [`${from}.ssn`]: `${to}.ssn` },
  ...{ [`${from}.dob`]: `${to}.birthDate`, [`${from}.phones[].number`]: `${to}.mobile` },
});
const ofDeal = {
  ...{ amountRequested: 'amount', stage: 'phase', 'financial.grossAnnual': 'yearly' },
  ...{ 'company.id': 'applicant.businessNo', 'company.name': 'applicant.title', 'company.dba': 'applicant.alias' },
  'company.businessStartDate': 'applicant.founded',
  'company.phones[].number': 'applicant.phones[]',
  ...ofAddress('company.addresses[0]', 'applicant.address'),
  ...ofPerson('owner1', 'people[0]'),
  ...ofPerson('owner2', 'people[1]'),
};

export const always200: Contract = {
  wire: { date: 'MM/DD/YYYY' },
  requests: {
    companies: { rename: ofBusiness },
    'company-updates': { rename: ofBusiness },
    leads: { rename: ofDeal },
    deals: { rename: ofDeal },
    notes: { rename: { dealId: 'dealNo', status: 'phase', note: 'said' } },
    attachments: { rename: { dealId: 'dealNo' } },
    submissions: { rename: { dealId: 'dealNo', companyId: 'funderNo', status: 'phase', note: 'comment' } },
    'submission-loans': {
      rename: {
        ...{ submissionId: 'submissionNo', dealId: 'dealNo', term: 'months', factorRate: 'factor' },
        ...{ paymentAmount: 'instalment', paymentFrequency: 'every', fundedDate: 'paidOut' },
      },
    },
    transactions: {
      rename: { dealId: 'deal.no', date: 'paidOn', description: 'text' },
      envelope: 'groups',
      groupBy: { field: ['dealId', 'date'], list: 'payments' },
    },
  },
  answers: {
    '*': { record: ['result'], yes: '2xx', no: ['errorMessage'] },
    companies: { record: ['.'], id: ['result'] },
    'company-updates': { id: [], yes: { 'result.updated': 1 } },
    leads: { id: ['leadNo'] },
    deals: { record: ['result.deal', 'result'], id: ['dealNo'] },
    notes: { id: [], yes: { 'result.saved': true } },
    attachments: { id: [], yes: { 'result.saved': true } },
    submissions: { id: ['submissionNo'] },
    'submission-loans': { id: ['loanNo'] },
    transactions: { items: null, count: ['result.count'] },
  },
  balances: { pages: { by: 'page', count: 'result.totalPages' } },
};

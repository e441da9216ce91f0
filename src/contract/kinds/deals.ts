/** Deals: POST /v1/deal (service interface 2.1, 4.2). A lead shares the fields by assumption. */
import * as z from 'zod';
import { documented, group, ref, refTo } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';
import { addresses, bank, emails, financial, owner, phones } from '../shared-parts.ts';

export const stages = ['Lead', 'Application'] as const;
export const entityTypes = [
  'Corporation',
  'S Corporation',
  'LLP',
  'LLC',
  'Partnership',
  'Sole Proprietorship',
  'Non-Profit',
] as const;
export const permissions = ['Everyone', 'Custom'] as const;

export const aboutSecondOwner =
  'Owner 2 has every column of Owner 1: type headers such as Owner 2 first name, or make the template with dealsheet template all --every.';

const dealCompany = group(
  z
    .object({
      id: documented('identifier', 'id', 'cmp_000001', { rule: 'The id of a company that the service has.' }),
      name: documented('text', 'name', 'Harbor Bakery LLC', {
        aliases: ['legal name'],
        headers: ['Legal name', 'Legal business name', 'Account name'],
        listed: true,
      }),
      dba: documented('text', 'DBA', 'Harbor Bakery', {
        headers: ['DBA', 'DBA name', 'Doing business as', 'Trade name'],
        listed: true,
      }),
      addresses: addresses('Billing', 'Company', 'Business', 'Merchant'),
      phones: phones(),
      emails: emails(),
      industry: documented('identifier', 'industry', 'Bakeries', { headers: ['Industry', 'Industry type'] }),
      website: documented('website', 'website', 'https://harborbakery.example', {
        headers: ['Website', 'Website URL'],
      }),
      businessStartDate: documented('date', 'start date', '2015-03-01', {
        aliases: ['business start date'],
        headers: ['Business start date', 'Start date', 'Date established', 'Business started', 'Date business started'],
        past: true,
      }),
      ein: documented('ein', 'EIN', '12-3456789', { headers: ['EIN', 'Tax id', 'Federal tax id', 'FEIN'] }),
      stateIncorporated: documented('state', 'state incorporated', 'NY', {
        headers: ['State incorporated', 'State of incorporation'],
      }),
      businessDescription: documented('text', 'description', 'Bakery and coffee shop', {
        aliases: ['business description'],
        headers: ['Business description'],
        rare: true,
      }),
    })
    .partial(),
  { label: 'Company', aliases: ['Business', 'Merchant'] },
);

/** All fields of 2.1 without required markers, because a deal and a lead differ in those. */
export const dealFields = {
  amountRequested: documented('money', 'Amount requested', '50000', {
    schema: z.number().min(0),
    aliases: ['Requested amount', 'Funding amount', 'Funding amount requested', 'Loan amount requested', 'Amount'],
  }),
  company: dealCompany,
  owner1: owner('Owner 1', true, { aliases: ['Owner', 'First owner', 'Primary owner', 'Principal', 'Guarantor'] }),
  owner2: owner('Owner 2', false, { aliases: ['Second owner', 'Co-owner'], rare: true }),
  entityType: documented('choice', 'Entity type', 'LLC', {
    schema: z.enum(entityTypes),
    aliases: ['Legal entity', 'Legal structure', 'Business structure', 'Business type'],
    spellings: {
      'S Corp': 'S Corporation',
      Corp: 'Corporation',
      'Limited Liability Company': 'LLC',
      'Limited Liability Partnership': 'LLP',
      'Sole Prop': 'Sole Proprietorship',
    },
  }),
  useOfProceeds: documented('text', 'Use of proceeds', 'Second oven', {
    schema: z.string().max(250),
    aliases: ['Use of funds', 'Purpose'],
  }),
  financial: financial(),
  bank: bank(),
  permission: documented('choice', 'Permission', 'Everyone', {
    schema: z.enum(permissions),
    aliases: ['Permissions', 'Visibility'],
  }),
  assignedTo: documented('list', 'Assigned to', 'p.shah; m.cole', {
    aliases: ['Assignee', 'Assignees'],
    listedBy: 'assignees',
    rule: 'Several are separated by a semicolon.',
  }),
  tags: documented('list', 'Tags', 'renewal; food', {
    aliases: ['Tag', 'Labels'],
    rule: 'Several are separated by a semicolon.',
  }),
};

/** Identifies a request even after its company's EIN and name are corrected. Two EINs go first: the e-mail may be a broker's. */
export const requestIdentifiedBy = [
  [['owner1.firstName', 'owner1.lastName', 'amountRequested']],
  [['company.ein'], ['owner1.emails[0].email', 'amountRequested']],
];

export const requestLikes = [
  { proves: 'likes', paths: ['company.name', 'amountRequested'] },
  { proves: 'likes', paths: ['company.ein', 'amountRequested'] },
] as const;

function holdsSomething(record: object): boolean {
  return Object.values(record).some((value) => value !== undefined && value !== null);
}

const { amountRequested, company, owner1, ...optionalFields } = dealFields;

export const deals = recordKindOf({
  name: 'deals',
  sheet: 'Deals',
  singular: 'deal',
  sheetAliases: ['Deal', 'Applications'],
  about: `Adds a deal: a funding request with its company and its owners. ${aboutSecondOwner}`,
  endpoint: 'addDeal',
  readBy: 'getDeal',
  answersWithId: true,
  body: z.object({
    amountRequested,
    stage: documented('choice', 'Stage', 'Lead', {
      schema: z.enum(stages),
      aliases: ['Deal stage'],
      blankMeans: 'Lead',
      rule: 'Lead when blank.',
    }).optional(),
    company: company.refine(holdsSomething, { error: 'a deal needs its company' }),
    owner1: owner1.refine(holdsSomething, { error: 'a deal needs its first owner' }),
    ...z.object(optionalFields).partial().shape,
  }),
  row: z.object({ ref: ref('D-1'), companyRef: refTo('Company ref', 'C-1') }),
  references: [{ column: 'companyRef', to: 'companies', fills: 'company.id' }],
  amount: 'amountRequested',
  identifiedBy: [[['company.ein']], [['company.name'], []], ...requestIdentifiedBy],
  sharedBy: [...requestLikes, { proves: 'likes', paths: ['amountRequested'], besideParent: true }],
});

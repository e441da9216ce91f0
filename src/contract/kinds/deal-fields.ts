/** The body of Add a deal (service interface 2.1), which a lead shares by assumption. */
import * as z from 'zod';
import { type FieldFacts, type FieldFormat, fieldsIn, group } from '../field-facts.ts';
import { addresses, bank, emails, financial, owner, phones } from '../shared-parts.ts';

const documented = fieldsIn('documented', '2.1');
const ofCompany = fieldsIn('documented', '2.2');

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

const maximumUseOfProceeds = 250;

const companyField = (label: string, example: string, format: FieldFormat, facts: Partial<FieldFacts>) =>
  ofCompany(z.string(), format, label, example, facts).optional();

/** Company nested in a deal (2.2). */
const dealCompany = group(
  z.object({
    id: companyField('id', 'cmp_000001', 'identifier', { rule: 'The id of a company that the service has.' }),
    name: companyField('name', 'Harbor Bakery LLC', 'text', {
      aliases: ['legal name'],
      headers: ['Legal name', 'Legal business name', 'Account name'],
      listed: true,
      names: true,
    }),
    dba: companyField('DBA', 'Harbor Bakery', 'text', {
      headers: ['DBA', 'DBA name', 'Doing business as', 'Trade name'],
      listed: true,
    }),
    addresses: addresses('Billing').optional(),
    phones: phones().optional(),
    emails: emails().optional(),
    industry: companyField('industry', 'Bakeries', 'identifier', { headers: ['Industry', 'Industry type'] }),
    website: companyField('website', 'https://harborbakery.example', 'website', {
      headers: ['Website', 'Website URL'],
    }),
    businessStartDate: companyField('start date', '2015-03-01', 'date', {
      aliases: ['business start date'],
      headers: ['Business start date', 'Start date', 'Date established', 'Business started', 'Date business started'],
      past: true,
    }),
    ein: companyField('EIN', '12-3456789', 'ein', { headers: ['EIN', 'Tax id', 'Federal tax id', 'FEIN'] }),
    stateIncorporated: companyField('state incorporated', 'NY', 'state', {
      headers: ['State incorporated', 'State of incorporation'],
    }),
    businessDescription: companyField('description', 'Bakery and coffee shop', 'text', {
      aliases: ['business description'],
      headers: ['Business description'],
      rare: true,
    }),
  }),
  { label: 'Company', aliases: ['Business', 'Merchant'] },
);

/** All fields of 2.1 without saying which are required: a deal and a lead differ in that. */
export const dealFields = {
  amountRequested: documented(z.number().min(0), 'money', 'Amount requested', '50000', {
    aliases: ['Requested amount', 'Funding amount', 'Funding amount requested', 'Loan amount requested', 'Amount'],
  }),
  company: dealCompany,
  owner1: owner('Owner 1', { aliases: ['Owner', 'Primary owner', 'Principal', 'Guarantor'], isMeant: true }),
  owner2: owner('Owner 2', { aliases: ['Second owner', 'Co-owner'], rare: true }),
  entityType: documented(z.enum(entityTypes), 'choice', 'Entity type', 'LLC', {
    aliases: ['Legal entity', 'Legal structure', 'Business structure', 'Business type'],
    spellings: {
      'S Corp': 'S Corporation',
      Corp: 'Corporation',
      'Limited Liability Company': 'LLC',
      'Limited Liability Partnership': 'LLP',
      'Sole Prop': 'Sole Proprietorship',
    },
  }),
  useOfProceeds: documented(z.string().max(maximumUseOfProceeds), 'text', 'Use of proceeds', 'Second oven', {
    aliases: ['Use of funds', 'Purpose'],
  }),
  financial: financial(),
  bank: bank(),
  permission: documented(z.enum(permissions), 'choice', 'Permission', 'Everyone', {
    aliases: ['Permissions', 'Visibility'],
  }),
  assignedTo: documented(z.array(z.string()), 'list', 'Assigned to', 'p.shah; m.cole', {
    aliases: ['Assignee', 'Assignees'],
    rule: 'Several are separated by a semicolon.',
  }),
  tags: documented(z.array(z.string()), 'list', 'Tags', 'renewal; food', {
    aliases: ['Tag', 'Labels'],
    rule: 'Several are separated by a semicolon.',
  }),
};

/** Says no to an object in which nothing is filled in. */
export function holdsSomething(record: object): boolean {
  return Object.values(record).some((value) => value !== undefined && value !== null);
}

/** Companies: POST /v1/company (service interface 2.4, 4.6). Update a company shares the fields. */
import * as z from 'zod';
import { documented, ref } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';
import { addresses, emails, phones } from '../shared-parts.ts';

export const contactTypes = ['Merchant', 'Broker', 'Funder', 'Investor', 'Procedssor', 'Other'] as const;

export const companyFields = {
  name: documented('text', 'Company name', 'Harbor Bakery LLC', {
    schema: z.string().min(1),
    aliases: ['Name', 'Legal name', 'Legal business name', 'Business name', 'Company', 'Account name'],
  }),
  contactTypes: documented('choices', 'Contact types', 'Merchant', {
    schema: z.array(z.enum(contactTypes)).min(1),
    aliases: ['Contact type', 'Company type', 'Company types'],
    rule: 'One or more, separated by a semicolon. The service spells Processor as Procedssor: a load does so for you.',
    offers: contactTypes.map((type) => (type === 'Procedssor' ? 'Processor' : type)),
    spellings: { Processor: 'Procedssor' },
  }),
  dba: documented('text', 'DBA', 'Harbor Bakery', { aliases: ['DBA name', 'Doing business as', 'Trade name'] }),
  phones: phones(),
  emails: emails(),
  addresses: addresses('Billing', ''),
  industry: documented('identifier', 'Industry', 'Bakeries', {
    schema: z.union([z.string(), z.number()]),
    aliases: ['Industry code', 'NAICS', 'SIC'],
  }),
  website: documented('website', 'Website', 'https://harborbakery.example', {
    schema: z.string().max(100),
    aliases: ['Web site', 'Website URL', 'URL of the company'],
  }),
  ein: documented('ein', 'EIN', '12-3456789', { aliases: ['Tax id', 'Federal tax id', 'FEIN'] }),
  submissionEmail: documented('emails', 'Submission e-mail', 'deals@funder.example', {
    schema: z.string().refine(isEmailList, { error: 'one e-mail address or a comma-separated list' }),
    aliases: ['Submission emails', 'Submissions e-mail'],
    rule: 'Funder companies only. One e-mail address or a comma-separated list.',
  }),
  defaultReceivableCommission: documented('text-or-number', 'Default receivable commission', '10', {
    schema: z.union([z.string(), z.number()]),
    aliases: ['Receivable commission', 'Default commission'],
    rule: 'Funder companies only.',
  }),
  note: documented('text', 'Note', 'Met at the June trade fair', { aliases: ['Notes', 'Comment', 'Comments'] }),
};

export const funderFields = ['submissionEmail', 'defaultReceivableCommission'] as const;

/** Only Funders may have these (2.4). Runs even when other rules fail, so that all problems are reported at once. */
export const funderFieldsCheck = z.superRefine<Record<string, unknown>>(
  (company, context) => {
    const types = company?.contactTypes;
    if (!Array.isArray(types) || types.includes('Funder')) return;
    for (const name of funderFields) {
      if (company[name] === undefined || company[name] === null) continue;
      const message = 'only a company whose contact types include Funder may have this';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  },
  { when: () => true },
);

function isEmailList(text: string): boolean {
  return text.split(',').every((address) => z.regexes.email.test(address.trim()));
}

const { name, contactTypes: types, ...optionalFields } = companyFields;

export const companies = recordKindOf({
  name: 'companies',
  updatedBy: 'company-updates',
  sheet: 'Companies',
  singular: 'company',
  sheetAliases: ['Company', 'Merchants', 'Funders', 'Brokers'],
  about: 'Adds a company: a merchant, broker, funder, investor or other.',
  endpoint: 'addCompany',
  readBy: 'getCompany',
  answersWithId: true,
  body: z.object({ name, contactTypes: types, ...z.object(optionalFields).partial().shape }).check(funderFieldsCheck),
  row: z.object({ ref: ref('C-1') }),
  identifiedBy: [[['ein']], [['name']], [['ein'], ['emails[0].email']], [['ein'], ['phones[0].number']]],
  sharedBy: [
    { proves: 'unique', paths: ['ein'] },
    { proves: 'likes', paths: ['name'] },
    { proves: 'likes', paths: ['emails[0].email'] },
  ],
});

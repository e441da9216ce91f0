/** The body of Add a company (service interface 2.4), which Update a company shares. */
import * as z from 'zod';
import { field } from '../field-facts.ts';
import { addresses, emails, phones } from '../shared-parts.ts';

/** The six types, in the interface's own spelling (`Procedssor`). */
export const contactTypes = ['Merchant', 'Broker', 'Funder', 'Investor', 'Procedssor', 'Other'] as const;

const maximumWebsiteLength = 100;
const section = '2.4';

export const companyFields = {
  name: field(z.string().min(1), {
    label: 'Company name',
    aliases: ['Name', 'Legal name', 'Legal business name', 'Business name', 'Company', 'Account name'],
    format: 'text',
    example: 'Harbor Bakery LLC',
    source: 'documented',
    section,
  }),
  contactTypes: field(z.array(z.enum(contactTypes)).min(1), {
    label: 'Contact types',
    aliases: ['Contact type', 'Company type', 'Company types'],
    format: 'choices',
    example: 'Merchant',
    source: 'documented',
    section,
    rule: 'One or more, separated by a semicolon.',
    spellings: { Processor: 'Procedssor' },
  }),
  dba: field(z.string(), {
    label: 'DBA',
    aliases: ['Doing business as', 'Trade name'],
    format: 'text',
    example: 'Harbor Bakery',
    source: 'documented',
    section,
  }),
  phones: phones(),
  emails: emails(),
  addresses: addresses('Billing', ''),
  industry: field(z.union([z.string(), z.number()]), {
    label: 'Industry',
    aliases: ['Industry code', 'NAICS', 'SIC'],
    format: 'identifier',
    example: 'Bakeries',
    source: 'documented',
    section,
  }),
  website: field(z.string().max(maximumWebsiteLength), {
    label: 'Website',
    aliases: ['Web site', 'URL of the company'],
    format: 'website',
    example: 'https://harborbakery.example',
    source: 'documented',
    section,
  }),
  ein: field(z.string(), {
    label: 'EIN',
    aliases: ['Tax id', 'Federal tax id', 'FEIN'],
    format: 'ein',
    example: '12-3456789',
    source: 'documented',
    section,
  }),
  submissionEmail: field(z.string().refine(isEmailList, { error: 'one e-mail address or a comma-separated list' }), {
    label: 'Submission e-mail',
    aliases: ['Submission emails', 'Submissions e-mail'],
    format: 'emails',
    example: 'deals@funder.example',
    source: 'documented',
    section,
    rule: 'Funder companies only. One e-mail address or a comma-separated list.',
  }),
  defaultReceivableCommission: field(z.union([z.string(), z.number()]), {
    label: 'Default receivable commission',
    aliases: ['Receivable commission', 'Default commission'],
    format: 'text-or-number',
    example: '10',
    source: 'documented',
    section,
    rule: 'Funder companies only.',
  }),
  note: field(z.string(), {
    label: 'Note',
    aliases: ['Notes', 'Comment'],
    format: 'text',
    example: 'Met at the June trade fair',
    source: 'documented',
    section,
  }),
};

/** The fields that only a company of type Funder may have (2.4). */
export const funderFields = ['submissionEmail', 'defaultReceivableCommission'] as const;

/**
 * Says no to Funder fields on a company whose contact types are given and do not include Funder (2.4). It looks at every
 * record, also one with other problems, so that all of them are told at once.
 */
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

/** Deals: POST /v1/deal (service interface 2.1, 4.2). */
import * as z from 'zod';
import { fieldsIn, ref, refTo } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { aboutSecondOwner, dealFields, holdsSomething, stages } from './deal-fields.ts';

const documented = fieldsIn('documented', '2.1');

const { amountRequested, company, owner1, ...optionalFields } = dealFields;

export const deals: RecordKind = {
  name: 'deals',
  sheet: 'Deals',
  singular: 'deal',
  sheetAliases: ['Deal', 'Applications'],
  about: `Adds a deal: a funding request with its company and its owners. ${aboutSecondOwner}`,
  endpoint: 'addDeal',
  sending: sendings.each,
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
  identifiedBy: [['company.ein'], ['company.name'], []],
  uniqueBy: null,
};

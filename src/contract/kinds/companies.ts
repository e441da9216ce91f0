/** Companies: POST /v1/company (service interface 2.4, 4.6). */
import * as z from 'zod';
import { ref } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { companyFields, funderFieldsCheck } from './company-fields.ts';

const { name, contactTypes, ...optionalFields } = companyFields;

export const companies: RecordKind = {
  name: 'companies',
  sheet: 'Companies',
  singular: 'company',
  sheetAliases: ['Company', 'Merchants', 'Funders', 'Brokers'],
  about: 'Adds a company: a merchant, broker, funder, investor or other.',
  endpoint: 'addCompany',
  sending: sendings.each,
  answersWithId: true,
  body: z.object({ name, contactTypes, ...z.object(optionalFields).partial().shape }).check(funderFieldsCheck),
  row: z.object({ ref: ref('C-1') }),
  references: [],
  amount: null,
  identifiedBy: [['ein'], ['name']],
  uniqueBy: 'ein',
};

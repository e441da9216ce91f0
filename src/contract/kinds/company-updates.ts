/** Company updates: PATCH /v1/company/{id} (service interface 4.8). Only filled cells are sent. */
import * as z from 'zod';
import { documented, refTo } from '../field-facts.ts';
import { recordKindOf, sendings } from '../record-kind.ts';
import { companyFields, funderFieldsCheck } from './companies.ts';

const { name, contactTypes, ...clearableFields } = companyFields;

/** `null` clears an optional field. The two required fields can only be changed. */
const clearable = Object.fromEntries(
  Object.entries(clearableFields).map(([key, schema]) => [key, schema.nullable().optional()]),
);

export const companyUpdates = recordKindOf({
  name: 'company-updates',
  sheet: 'Company updates',
  singular: 'company update',
  sheetAliases: ['Company update', 'Company changes'],
  about:
    'Changes companies that the service has. A blank cell leaves a field as it is; <clear> empties it. Phones, e-mails and addresses are sent as whole lists.',
  endpoint: 'updateCompany',
  sending: sendings.update,
  body: z
    .object({ name: name.optional(), contactTypes: contactTypes.optional(), ...clearable })
    .check(funderFieldsCheck),
  row: z.object({
    companyRef: refTo('Company ref', 'C-1'),
    companyId: documented('identifier', 'Company to update', 'cmp_000001', {
      schema: z.string().min(1),
      aliases: ['Company id'],
      rule: 'The id that the service gave the company, as in the column ID of its results. Not its name. Its Ref goes into Company ref.',
    }),
  }),
  references: [{ column: 'companyRef', to: 'companies', fills: 'companyId' }],
});

/** Leads: POST /v1/lead. The shape is not shown (service interface 4.1), and assumed to be a deal without its stage. */
import * as z from 'zod';
import { openObject, ref } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';
import { aboutSecondOwner, dealFields, requestIdentifiedBy, requestLikes } from './deals.ts';

export const leads = recordKindOf({
  name: 'leads',
  sheet: 'Leads',
  singular: 'lead',
  sheetAliases: ['Lead'],
  about: `Adds a lead: the fields of a deal, none of them required, but it names a company or a person. ${aboutSecondOwner}`,
  endpoint: 'addLead',
  body: openObject(dealFields),
  row: z.object({ ref: ref('L-1') }),
  namedBy: [
    ...['company.name', 'owner1.firstName', 'company.phones[0].number', 'company.emails[0].email'],
    ...['company.dba', 'company.id', 'company.ein', 'company.website', 'owner1.lastName', 'owner2.firstName'],
    ...['owner2.lastName', 'owner1.ssn', 'owner2.ssn'],
    ...['owner1', 'owner2'].flatMap((whose) => [`${whose}.phones[0].number`, `${whose}.emails[0].email`]),
  ],
  amount: 'amountRequested',
  identifiedBy: [
    [['company.ein']],
    [['company.name'], ['owner1.firstName', 'owner1.lastName']],
    ...requestIdentifiedBy,
  ],
  sharedBy: requestLikes,
});
